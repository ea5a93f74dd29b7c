package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// TestShuffle compares the decks of two seeds with those that another program made.
func TestShuffle(t *testing.T) {
	t.Parallel()
	var zero, counted [32]byte
	for i := range counted {
		counted[i] = byte(i)
	}
	for _, c := range []struct {
		preset string
		seed   [32]byte
		want   string
	}{
		{"sedma-4p", zero, "8l Ol Kb Ua Ob Kh 9l 8h Oa Kl 7h Ka 7a Tb Th 9a Oh Al 9b 8a 7b Uh Tl 8b Ah 7l Aa Ab 9h Ta Ub Ul"},
		{"hola-6p", counted, "Jh 5s Ts 3d Js Qc Ac Qs 2d Jc 2d 6d Kh Td 3d 8h 4s 6h 5h 3s 6d 7c Jh 5d Ks Th 8c Qd 5d Tc 3h 5s 4d Qd 4s 6s Ad As Tc 7s " +
			"9d Th Jd Ks 8s 4c 4h Js 8h 7d Td 9s Kd Ah 8d Ah 6c Ac Qh 7h 3c 7h 6s 7d 2c 3h 8s 5c Ad 2h 2h 3s 5c 2c Qh Qs Qc 7c 2s 5h 9d Kh 9c As 6c 8d 4d " +
			"2s Kc 9h Kd 4c Jc 6h 3c 7s Ts Kc 8c 9s Jd 9c 4h 9h"},
	} {
		r := gametest.Preset(t, c.preset)
		pack := r.Pack()
		deck := game.Shuffle(pack, c.seed)
		if got := cards(deck); got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", c.preset, got, c.want)
		}
		if !slices.Equal(pack, r.Pack()) {
			t.Errorf("%s: shuffling changed the pack that it was given", c.preset)
		}
		slices.Sort(deck)
		slices.Sort(pack)
		if !slices.Equal(deck, pack) {
			t.Errorf("%s: cards are lost or made", c.preset)
		}
	}
}

// Every card and move can be written as text and read back, and sorts like its text.
func TestTexts(t *testing.T) {
	t.Parallel()
	var texts []string
	for n := range 256 {
		m := game.Move(n)
		text := m.String()
		back, err := game.ParseMove(text)
		if err != nil || back != m {
			continue // no move has this number
		}
		texts = append(texts, text)
		if c, ok := m.Card(); ok && (c.String() != text || game.NewCard(c.Rank(), c.Suit()) != c) {
			t.Errorf("card %s of move %s", c, text)
		}
	}
	if !slices.IsSorted(texts) || len(texts) != 15*7+3 {
		t.Errorf("%d moves: %v", len(texts), texts)
	}
	for _, text := range []string{"", "9", "9x", "1a", "9aa", "STOP", " 9a"} {
		if _, err := game.ParseMove(text); !errors.Is(err, game.ErrCard) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A stored deal that could not have been played must be refused.
func TestStoredNonsense(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	s, err := game.Deal(r, r.Pack(), 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`"moves":""`, `"moves":"Ab"`},
		{`"moves":""`, `"moves":"nonsense"`},
		{`"dealer":0`, `"dealer":2`},
		{`"deck":"7a`, `"deck":"8a`},
		{`"deck":"7a`, `"deck":"7`},
		{`"sedma-2p"`, `"sedma-9p"`},
		{`"sedma-2p"`, `{"preset":"sedma-2p","players":5}`},
		{`"sedma-2p"`, `{"preset":"sedma-2p","wilder":["8"]}`},
	} {
		bad := strings.Replace(string(text), c[0], c[1], 1)
		var back game.State
		if err := json.Unmarshal([]byte(bad), &back); err == nil || bad == string(text) {
			t.Errorf("%s is read", bad)
		}
	}
	var zero game.State
	if text, err = json.Marshal(zero); err != nil || string(text) != "null" || json.Unmarshal(text, &s) != nil || s != zero {
		t.Errorf("no deal: %s, %v", text, err)
	}
}

// The draw for partners continues until the cards decide who plays with whom.
func TestTeamDraw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first string
		again []string // "player card" in pairs
		want  game.TeamsDrawn
	}{
		{"8h 8a 8b Tl", nil, game.TeamsDrawn{Redraw: []int{0, 1, 2}}},
		{"7h 9a 9b 9l", nil, game.TeamsDrawn{Redraw: []int{1, 2, 3}}},
		{"8h 8a 8b 8l", nil, game.TeamsDrawn{Redraw: []int{0, 1, 2, 3}}},
		{"8h 8a 8b Tl", []string{"0Kh 1Ka 27a"}, game.TeamsDrawn{Redraw: []int{0, 1}}},
		{"8h 8a 8b Tl", []string{"0Kh 1Ka 27a", "0Oh 1Ul"}, game.TeamsDrawn{Low: [2]int{1, 2}, High: [2]int{0, 3}, Dealer: 2, Seats: [4]int{1, 2, 0, 3}}},
		{"Ah Ka Ob Ul", nil, game.TeamsDrawn{Low: [2]int{2, 3}, High: [2]int{0, 1}, Dealer: 3, Seats: [4]int{3, 1, 2, 0}}},
		{"Ac Kc Qc Jc", nil, game.TeamsDrawn{Low: [2]int{2, 3}, High: [2]int{0, 1}, Dealer: 3, Seats: [4]int{3, 1, 2, 0}}},
	} {
		var again []map[int]game.Card
		for _, round := range c.again {
			drawn := map[int]game.Card{}
			for _, text := range strings.Fields(round) {
				drawn[int(text[0]-'0')] = hand(t, text[1:])[0]
			}
			again = append(again, drawn)
		}
		got, err := game.TeamDraw([4]game.Card(hand(t, c.first)), again...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %v (-want +got):\n%s", c.first, c.again, diff)
		}
	}
	first := [4]game.Card(hand(t, "8h 8a Tb Al"))
	for _, again := range []map[int]game.Card{{}, {0: first[0]}, {0: first[0], 2: first[1]}, {0: first[0], 1: 0}} {
		if _, err := game.TeamDraw(first, again); !errors.Is(err, game.ErrDraw) {
			t.Errorf("%v: %v", again, err)
		}
	}
}

// FuzzRules checks that rules stay the same when they are read, written and read again.
func FuzzRules(f *testing.F) {
	for _, name := range game.Presets() {
		r := gametest.Preset(f, name)
		f.Add([]byte(gametest.Describe(r)))
		f.Add(fmt.Appendf(nil, "%q", name))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := game.ParseRules(in)
		if err != nil {
			if !errors.Is(err, game.ErrRules) {
				t.Fatalf("%v", err)
			}
			return
		}
		back, err := game.ParseRules([]byte(gametest.Describe(r)))
		if err != nil || back != r {
			t.Fatalf("%s: %v", gametest.Describe(r), err)
		}
		random := rng(1)
		randomDeal(t, r, random.below)
	})
}

// Changed must name exactly the options that differ.
func TestChanged(t *testing.T) {
	t.Parallel()
	base := gametest.Preset(t, "sedma-4p")
	rapid.Check(t, func(t *rapid.T) {
		r := gametest.Rules(t, rapidChooser(t))
		changed := r.Changed(base)
		for _, name := range game.Options() {
			same := string(r.Option(name)) == string(base.Option(name))
			if slices.Contains(changed, name) == same {
				t.Errorf("%s: %s, %s, changed %v", name, base.Option(name), r.Option(name), changed)
			}
		}
	})
}

// A text that is not a trick must be refused.
func TestStoredTricks(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"1 2 0 1:Ub 0:Kl*"`, `"0 1 1"`} {
		var trick game.Trick
		if err := json.Unmarshal([]byte(text), &trick); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if back, err := json.Marshal(trick); err != nil || string(back) != text {
			t.Errorf("%s comes back as %s, %v", text, back, err)
		}
	}
	for _, text := range []string{`""`, `"1 2"`, `"x 2 0"`, `"1 2 0 Ub"`, `"1 2 0 x:Ub"`, `"1 2 0 1:Zb"`, `"1 2 0 1:"`, `7`, `{"Leader":"x"}`, `{"Plays":[{"Seat":1}]}`} {
		if err := json.Unmarshal([]byte(text), new(game.Trick)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

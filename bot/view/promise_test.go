package view

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// check fails if a screen exceeds what a platform can show, has text that is not meant for people, or has a button that
// the bot doesn't understand.
func check(t rapid.TB, where string, s screen.Screen) {
	t.Helper()
	screentest.Check(t, where, s)
	rows := slices.Concat(s.Rows, s.Places)
	for _, m := range s.Menus {
		rows = append(rows, m.Options)
	}
	checkButtons(t, where, rows)
}

// others are the first words of presses that aren't the table's: see the test of old presses in package bot.
var others = []string{ActReplay, ActCoach, ActSend, ActFilm, ActFeats, ActDaily, ActNew, ActLesson, ActCourses, ActNow, ActMeet}

// checkButtons fails if the table doesn't understand a button.
func checkButtons(t rapid.TB, where string, rows [][]screen.Button) {
	t.Helper()
	for _, b := range slices.Concat(rows...) {
		if b.Press != "" && !slices.Contains(others, screen.PressWord(b.Press)) {
			if _, err := ParsePress(b.Press); err != nil {
				t.Fatalf("%s: the button %q carries %q: %v", where, b.Label, b.Press, err)
			}
		}
	}
}

// hexadecimal matches what only the line that opens a match may show.
var hexadecimal = regexp.MustCompile(`[0-9a-f]{16}`)

// The most lines of a table's message.
const (
	tableLines = 6
	wordsLines = 10 // where words take the picture's place
)

// checkTable fails if the table's message is too long to see at a glance, with its
// picture or in words, or if a message other than the opening line has hexadecimal digits.
func checkTable(t rapid.TB, p screen.Post) {
	t.Helper()
	kind, _, _ := strings.Cut(p.Key, ":")
	text := screen.Screen{Blocks: p.Screen.Blocks, Face: p.Screen.Face}.String()
	if kind != "lobby" && (hexadecimal.MatchString(text) || p.Screen.Picture != nil && hexadecimal.MatchString(p.Screen.Picture.Alt)) {
		t.Fatalf("%s shows hexadecimal:\n%s", p.Key, text)
	}
	if kind != "deal" {
		return
	}
	lines := func(s screen.Screen) int {
		return strings.Count(strings.TrimSpace(screen.Screen{Blocks: s.Blocks, Face: s.Face}.String()), "\n") + 1
	}
	if n := utf8.RuneCountInString(text); n > tableLetters || lines(p.Screen) > tableLines || lines(p.Screen.WithoutPicture()) > wordsLines {
		t.Fatalf("%s: %d characters, %d lines, %d in words:\n%s\n%s", p.Key, n, lines(p.Screen), lines(p.Screen.WithoutPicture()), text, p.Screen.WithoutPicture())
	}
}

// drawTable returns a table with any preset, people and language, after any moves.
func drawTable(t *rapid.T) table.Table {
	r := gametest.Preset(t, rapid.SampledFrom(game.Presets()).Draw(t, "preset"))
	player := func(i int) table.Player {
		return table.Player{
			ID: fmt.Sprintf("test:%d", i), Name: strings.Repeat(string(rune('A'+i)), rapid.IntRange(1, 64).Draw(t, "name")),
			PlayerSettings: table.PlayerSettings{
				Lang: rapid.SampledFrom(append(lang.Languages(), "")).Draw(t, "language"),
				Face: rapid.SampledFrom([]string{"", "german", "french", "plain"}).Draw(t, "face"),
			},
		}
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	chat := table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: rapid.SampledFrom(lang.Languages()).Draw(t, "chat")}, Bump: rapid.IntRange(0, 2).Draw(t, "bump")}
	tb := table.New("0123456789abcdef", "test:home", chat, player(0), r, 0, table.DefaultLimit, now)
	env := func() table.Env {
		e := table.Env{Now: now}
		copy(e.Seed[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		return e
	}
	do := func(p table.Player, c table.Command) {
		next, _, err := table.Apply(tb, p, c, env())
		if err != nil {
			t.Fatal(err)
		}
		tb = next
	}
	people := rapid.IntRange(1, r.Players).Draw(t, "people")
	for i := 1; i < people; i++ {
		do(player(i), table.Join{Seat: -1})
	}
	think := func(v game.View) game.Move {
		return v.Legal[rapid.IntRange(0, len(v.Legal)-1).Draw(t, "move")]
	}
	steps := rapid.IntRange(-1, 130).Draw(t, "steps")
	if steps < 0 {
		return tb
	}
	do(tb.Seats[0].Player, table.Start{})
	for range steps {
		seat := tb.Public().Turn
		if seat < 0 || tb.Seats[seat].Player.ID == "" || tb.Deal.Forced() {
			tb = advance(tb, env(), think)
			continue
		}
		do(tb.Seats[seat].Player, table.Play{Deal: tb.DealNo, Decision: tb.Deal.Decisions(seat), Move: think(tb.Deal.View(seat))})
	}
	if seat := tb.Public().Turn; seat >= 0 {
		tb.Called = rapid.Bool().Draw(t, "called")
		tb.Seats[seat].Warned = rapid.Bool().Draw(t, "warned")
		tb.Seats[seat].Away = rapid.Bool().Draw(t, "away") && tb.Seats[seat].Player.ID != ""
	}
	if rapid.IntRange(0, 9).Draw(t, "close") == 0 {
		do(tb.Seats[0].Player, table.Close{Admin: true})
	}
	return tb
}

func TestEveryScreenFitsEveryPlatform(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := drawTable(t)
		unreachable := Reach{tb.Seats[0].Player.ID: rapid.SampledFrom([]Way{InPrivate, Aside, ByButton}).Draw(t, "way")}
		keys := map[string]bool{}
		for _, p := range allPosts(tb.Public(), tb.Private, unreachable) {
			check(t, p.Key, p.Screen)
			checkTable(t, p)
			where := p.Chat + p.Player + " " + p.Key
			if (p.Chat == "") == (p.Player == "") || keys[where] {
				t.Fatalf("the post %q goes to %q and %q, or twice", p.Key, p.Chat, p.Player)
			}
			keys[where] = true
		}
		for _, s := range tb.Seats {
			own, ok := tb.Private(s.Player.ID)
			if s.Player.ID == "" || !ok {
				continue
			}
			check(t, "hand", Hand(own))
			if n := utf8.RuneCountInString(Alert(own)); n == 0 || n > alertLimit {
				t.Fatalf("an alert of %d characters", n)
			}
			for _, c := range own.View.Hand {
				if text := Played(lang.For(s.Player.Lang), s.Player.Face, tb.Rules.Deck, game.PlayCard(c)); text == "" || strings.ContainsAny(text, "{}") {
					t.Fatalf("a card was played: %q", text)
				}
			}
		}
	})
}

// TestMoreShowsNoSecret checks what More and its list of seeds tell anybody. They never
// show the running deal's seed or depend on a hidden card. Each finished deal's seed fits
// its fingerprint, and no seed is shown while the same cards are played elsewhere.
func TestMoreShowsNoSecret(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := drawTable(t)
		elsewhere := true
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			tb.Daily = &table.Daily{Date: "2026-03-01"}
		case 1:
			tb.Tournament = &table.Tournament{Round: 1, Table: 2}
		default:
			elsewhere = false
		}
		tb.Inherit()
		who := Presser{
			ID: rapid.SampledFrom([]string{"test:0", "test:1", "test:guest"}).Draw(t, "who"), Manages: rapid.Bool().Draw(t, "manages"),
			Chat: rapid.SampledFrom([]string{"test:chat", ""}).Draw(t, "where"),
		}
		c := lang.For(rapid.SampledFrom(lang.Languages()).Draw(t, "reads"))
		public := tb.Public()
		more, proof := More(public, who, c), Proof(public, c)
		check(t, "More", more)
		check(t, "Proof", proof)
		if hexadecimal.MatchString(more.String()) {
			t.Fatalf("More shows hexadecimal:\n%s", more)
		}
		for _, what := range []string{ActLeave, ActClose, ActLast} {
			check(t, "Ask", Ask(public, what, c))
			check(t, "Answered", Answered(what, c))
		}
		texts := more.String() + proof.String()
		if tb.Phase == table.Playing && strings.Contains(texts, fmt.Sprintf("%x", tb.Seed)) {
			t.Fatalf("the running deal's seed is shown:\n%s", texts)
		}
		for _, past := range tb.Past {
			seed, hash := fmt.Sprintf("%x", past.Seed), fmt.Sprintf("%x", sha256.Sum256(past.Seed[:]))
			if shown := strings.Contains(proof.String(), seed); shown == elsewhere || shown && !strings.Contains(proof.String(), hash) {
				t.Fatalf("deal %d, played elsewhere %v:\n%s", past.No, elsewhere, proof)
			}
			if elsewhere && strings.Contains(more.String(), seed) {
				t.Fatalf("a seed is shown:\n%s", more)
			}
		}
		if tb.Phase != table.Playing || tb.Rules.Deck == game.French104 {
			return // with two packs, it is unclear which of two equal cards is hidden
		}
		if other, ok := shuffled(t, tb, game.Nobody); ok {
			a, b := public, other.Public()
			a.Hash, b.Hash = [32]byte{}, [32]byte{}
			if diff := cmp.Diff(More(a, who, c), More(b, who, c)); diff != "" {
				t.Fatalf("More knows hidden cards:\n%s", diff)
			}
		}
	})
}

// TestAHandCanBePlayed checks that on a player's turn, the buttons that are on are
// exactly the legal moves. All others are off.
func TestAHandCanBePlayed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := drawTable(t)
		seat := tb.Public().Turn
		if seat < 0 || tb.Seats[seat].Player.ID == "" {
			return
		}
		own, _ := tb.Private(tb.Seats[seat].Player.ID)
		offered := map[game.Move]bool{}
		cards := 0
		for _, row := range Hand(own).Rows {
			for _, b := range row {
				p, err := ParsePress(b.Press)
				if err != nil {
					t.Fatal(err)
				}
				if b.Card != 0 {
					cards++
				}
				if p.Action != ActPlay || b.Off {
					continue
				}
				if p.Deal != tb.DealNo || p.Turn != tb.Deal.Decisions(seat) || p.Table != tb.ID {
					t.Fatalf("the button %q is for %+v", b.Label, p)
				}
				offered[p.Move] = true
			}
		}
		legal := map[game.Move]bool{}
		for _, m := range tb.Deal.Legal() {
			legal[m] = true
		}
		if diff := cmp.Diff(legal, offered); diff != "" {
			t.Fatalf("moves (-legal +offered):\n%s", diff)
		}
		if want := own.View.Counts[seat]; cards != want {
			t.Fatalf("%d buttons for %d cards", cards, want)
		}
	})
}

// shuffled returns the table with another seed, and with its hidden cards shuffled:
// the cards that the seat seeing cannot see. It reports false if the moves so far are
// impossible with those cards.
func shuffled(t *rapid.T, tb table.Table, seeing int) (table.Table, bool) {
	deck := tb.Deal.Deck()
	seen := map[game.Card]int{}
	for _, e := range tb.Deal.View(game.Nobody).Log {
		seen[e.Card]++
	}
	if seeing != game.Nobody {
		for _, c := range tb.Deal.View(seeing).Hand {
			seen[c]++
		}
	}
	var hidden []int
	for i, c := range deck {
		if seen[c] > 0 {
			seen[c]--
			continue
		}
		hidden = append(hidden, i)
	}
	order := rapid.Permutation(hidden).Draw(t, "order")
	other := append([]game.Card(nil), deck...)
	for i, at := range hidden {
		other[at] = deck[order[i]]
	}
	deal, err := game.Replay(tb.Deal.Rules(), other, tb.Deal.Dealer(), tb.Deal.Moves())
	if err != nil || deal.Over() != tb.Deal.Over() { // four equal cards in a hand end a deal at once
		return tb, false
	}
	tb.Deal = deal
	tb.Seed[31]++
	return tb, true
}

// TestNoScreenShowsAHiddenCard checks that hidden cards change neither the posts of a
// chat nor a player's private posts.
func TestNoScreenShowsAHiddenCard(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := drawTable(t)
		if tb.Phase != table.Playing || tb.Rules.Deck == game.French104 {
			return // with two packs, it is unclear which of two equal cards is hidden
		}
		chatPosts := func(p table.Public) []screen.Post {
			past := pastPosts(p, tb.Chats[0])
			if diff := cmp.Diff(past, pastPosts(p.Settled(), tb.Chats[0])); diff != "" {
				t.Fatalf("what looks back depends on the latest move:\n%s", diff)
			}
			if slices.ContainsFunc(past, func(p screen.Post) bool { return !p.OldOnly && !strings.HasPrefix(p.Key, "lobby:") }) {
				t.Fatal("what looks back would be sent")
			}
			return append(past, chatPosts(p, tb.Chats[0], nil)...)
		}
		posts := func(tb table.Table, seat int) []screen.Post {
			public := tb.Public()
			public.Hash = [32]byte{}
			if seat == game.Nobody {
				return chatPosts(public)
			}
			own, ok := tb.Private(tb.Seats[seat].Player.ID)
			if !ok {
				t.Fatal("a player without a seat")
			}
			own.Public = public
			return append(chatPosts(own.Public), handPosts(own.Public, own.Seat, func(string) (table.Private, bool) { return own, true }, nil)...)
		}
		if other, ok := shuffled(t, tb, game.Nobody); ok {
			if diff := cmp.Diff(posts(tb, game.Nobody), posts(other, game.Nobody)); diff != "" {
				t.Fatalf("the chat knows hidden cards:\n%s", diff)
			}
			if diff := cmp.Diff(GuestLive(tb.Public(), lang.For("en")), GuestLive(other.Public(), lang.For("en"))); diff != "" {
				t.Fatalf("a spectator's page knows hidden cards:\n%s", diff)
			}
		}
		for seat, s := range tb.Seats {
			if s.Player.ID == "" {
				continue
			}
			if other, ok := shuffled(t, tb, seat); ok {
				if diff := cmp.Diff(posts(tb, seat), posts(other, seat)); diff != "" {
					t.Fatalf("seat %d knows hidden cards:\n%s", seat, diff)
				}
				a, _ := tb.Private(s.Player.ID)
				b, _ := other.Private(s.Player.ID)
				if diff := cmp.Diff(SeatLive(a), SeatLive(b)); diff != "" {
					t.Fatalf("the page of seat %d knows hidden cards:\n%s", seat, diff)
				}
				if Alert(a) != Alert(b) {
					t.Fatalf("the alert of seat %d knows hidden cards", seat)
				}
			}
		}
	})
}

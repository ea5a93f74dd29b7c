package game_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// A vector is a worked example from the specification: a setup and the expected outcome.
type vector struct {
	ID      string
	Ruleset string
	Kind    string
	Options map[string]json.RawMessage
	Setup   json.RawMessage
	Plays   []game.Card
	Expect  map[string]json.RawMessage
}

// rules returns the vector's rules: its preset with its changes.
func (v vector) rules(t *testing.T) game.Rules {
	t.Helper()
	options := map[string]json.RawMessage{"preset": json.RawMessage(strconv.Quote(v.Ruleset))}
	for name, value := range v.Options {
		options[name] = value
	}
	text, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	r, err := game.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readVectors(t *testing.T, kind string) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Kind == kind {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no vectors of kind %s", kind)
	}
	return out
}

// want compares each expected value with the value of the same name in got.
func (v vector) want(t *testing.T, got map[string]any) {
	t.Helper()
	for key, want := range v.Expect {
		value, ok := got[key]
		if !ok {
			t.Errorf("nothing is known of %q", key)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(text, &a) != nil || json.Unmarshal(want, &b) != nil {
			t.Fatalf("%s: %s, %s", key, text, want)
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

// nullable returns the number as JSON has it: null for Nobody.
func nullable(n int) any {
	if n == game.Nobody {
		return nil
	}
	return n
}

// TestTrickVectors plays each trick from hands that hold just its cards, in order.
func TestTrickVectors(t *testing.T) {
	t.Parallel()
	for _, v := range readVectors(t, "trick") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			r := v.rules(t)
			var setup struct{ Leader int }
			if err := json.Unmarshal(v.Setup, &setup); err != nil {
				t.Fatal(err)
			}
			// One extra card in each hand keeps the deal open after the trick.
			pos := game.Position{Leader: setup.Leader, Hands: make([][]game.Card, r.Players), Solo: game.Nobody}
			left := map[game.Card]int{}
			for _, c := range r.Pack() {
				left[c]++
			}
			seat := setup.Leader
			for _, c := range v.Plays {
				pos.Hands[seat] = append(pos.Hands[seat], c)
				left[c]--
				seat = r.Next(seat)
			}
			for seat := range pos.Hands {
				for _, c := range r.Pack() {
					if left[c] > 0 && len(pos.Hands[seat]) < r.HandSize && (c.Rank() == '9' || c == r.SpecialSeven) {
						pos.Hands[seat] = append(pos.Hands[seat], c)
						left[c]--
						break
					}
				}
			}
			if r.SpecialSeven != 0 && left[r.SpecialSeven] == 1 {
				pos.Stock = []game.Card{r.SpecialSeven}
			}
			s, err := game.Start(r, pos)
			if err != nil {
				t.Fatal(err)
			}
			var after []int
			for _, c := range v.Plays {
				if s, err = game.Apply(s, s.Turn(), game.PlayCard(c)); err != nil {
					t.Fatal(err)
				}
				view := s.View(game.Nobody)
				winner := view.Winner
				if len(view.Tricks) > 0 {
					winner = view.Tricks[0].Winner
				}
				after = append(after, winner)
			}
			if s.Phase() == game.Decide {
				if s, err = game.Apply(s, s.Turn(), game.Stop); err != nil {
					t.Fatal(err)
				}
			}
			view := s.View(game.Nobody)
			points := 0
			for _, n := range view.CardPoints {
				points += n
			}
			v.want(t, map[string]any{"winner": view.Tricks[0].Winner, "after_each": after, "points": points})
		})
	}
}

// tally is the totals of a deal in the form of a vector.
type tally struct {
	CardPoints    []int `json:"card_points"`
	TricksWon     []int `json:"tricks_won"`
	RoundsWon     []int `json:"rounds_won"`
	LastTrickSide *int  `json:"last_trick_side"`
	Solo          *int
	LastCard      game.Card `json:"last_card"`
}

func orNobody(n *int) int {
	if n == nil {
		return game.Nobody
	}
	return *n
}

func (a tally) result() game.Result {
	res := game.Result{
		End: game.EndPlayed, CardPoints: a.CardPoints, TricksWon: a.TricksWon, RoundsWon: a.RoundsWon,
		LastTrick: orNobody(a.LastTrickSide), Solo: orNobody(a.Solo), Burner: game.Nobody,
		LastCard: a.LastCard, LastCardSide: orNobody(a.LastTrickSide),
	}
	if res.RoundsWon == nil {
		res.RoundsWon = res.TricksWon
	}
	return res
}

func TestScoreVectors(t *testing.T) {
	t.Parallel()
	for _, v := range readVectors(t, "score") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var setup struct {
				tally
				Tallies            []tally
				Dealer, Home, Pool *int
			}
			if err := json.Unmarshal(v.Setup, &setup); err != nil {
				t.Fatal(err)
			}
			if setup.Tallies == nil {
				setup.Tallies = []tally{setup.tally}
			}
			dealer := max(0, orNobody(setup.Dealer))
			if setup.Home != nil {
				dealer = 1 - *setup.Home
			}
			m := game.NewMatch(v.rules(t), dealer)
			m.Pool = max(0, orNobody(setup.Pool))
			var s game.Settlement
			for _, a := range setup.Tallies {
				m, s = m.Settle(a.result())
				if sum := sum(s.Payments); sum != 0 {
					t.Errorf("payments add up to %d", sum)
				}
			}
			if s.Winners == nil {
				s.Winners = []int{}
			}
			v.want(t, map[string]any{
				"points": s.Points, "winners": s.Winners, "stake": s.Stake, "score_delta": s.ScoreDelta, "payments": s.Payments,
				"next_dealer": s.NextDealer, "next_leader": s.NextLeader, "scores": m.Scores, "pool": m.Pool, "abeyance": m.Abeyance,
				"over": m.Over, "winner": nullable(m.Winner),
			})
		})
	}
}

func sum(numbers []int) (n int) {
	for _, x := range numbers {
		n += x
	}
	return n
}

func TestTeamDrawVectors(t *testing.T) {
	t.Parallel()
	for _, v := range readVectors(t, "team_draw") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var setup struct{ Draws []json.RawMessage }
			var first [4]game.Card
			if err := json.Unmarshal(v.Setup, &setup); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(setup.Draws[0], &first); err != nil {
				t.Fatal(err)
			}
			var again []map[int]game.Card
			for _, raw := range setup.Draws[1:] {
				var drawn map[int]game.Card
				if err := json.Unmarshal(raw, &drawn); err != nil {
					t.Fatal(err)
				}
				again = append(again, drawn)
			}
			d, err := game.TeamDraw(first, again...)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Redraw) > 0 {
				v.want(t, map[string]any{"redraw": d.Redraw})
				return
			}
			v.want(t, map[string]any{"low_pair": d.Low, "high_pair": d.High, "dealer": d.Dealer, "seats": d.Seats})
			if d.Seats[d.Dealer] != 0 || (d.Seats[d.Low[0]]+d.Seats[d.Low[1]])%2 != 0 || (d.Seats[d.High[0]]+d.Seats[d.High[1]])%2 != 0 {
				t.Errorf("seats %v: partners sit opposite, and the dealer has seat 0", d.Seats)
			}
		})
	}
}

// Every option of every preset must be as the specification says.
func TestPresetsAsSpecified(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/presets.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	names := game.Presets()
	for name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("there is no preset %s", name)
		}
	}
	for _, name := range names {
		r := gametest.Preset(t, name)
		if want[name] == nil && *update {
			text = specified(t, text, name, r)
			continue
		}
		if want[name] == nil {
			t.Errorf("testdata/presets.json does not specify %s: go test ./game -run TestPresetsAsSpecified -update adds it as it is", name)
			continue
		}
		stored, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if want := strconv.Quote(name); string(stored) != want {
			t.Errorf("%s is stored as %s", want, stored)
		}
		got := map[string]any{}
		for _, option := range game.Options() {
			var value any
			if err := json.Unmarshal(r.Option(option), &value); err != nil {
				t.Fatal(err)
			}
			got[option] = value
		}
		wild := want[name]["wild"].([]any) // a set
		slices.SortFunc(wild, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		if diff := cmp.Diff(want[name], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		back, err := game.ParseRules(stored)
		if err != nil || back != r {
			t.Errorf("%s does not come back from its JSON: %v", name, err)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/presets.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// specified appends a preset, as the program has it, to the JSON list of the specification.
func specified(t *testing.T, all []byte, name string, r game.Rules) []byte {
	t.Helper()
	var b bytes.Buffer
	for i, option := range game.Options() {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", option, r.Option(option))
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte("{"+b.String()+"}"), " ", " "); err != nil {
		t.Fatal(err)
	}
	rest, ok := bytes.CutSuffix(bytes.TrimSpace(all), []byte("\n}"))
	if !ok {
		t.Fatal("testdata/presets.json does not end as expected")
	}
	return fmt.Appendf(rest, ",\n %q: %s\n}\n", name, &out)
}

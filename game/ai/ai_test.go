package ai_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/ai/arena"
	"sedmabot/game/gametest"
)

// play plays one deal with one player per seat, and returns the score by side.
func play(t testing.TB, rules game.Rules, seed string, players ...func(game.View) game.Move) []int {
	s, err := game.Deal(rules, game.Shuffle(rules.Pack(), sha256.Sum256([]byte(seed))), 0)
	if err != nil {
		t.Fatal(err)
	}
	for !s.Over() {
		seat := s.Turn()
		m := players[seat](s.View(seat))
		if !slices.Contains(s.Legal(), m) {
			t.Fatalf("%s: seat %d made the move %s, legal were %v", rules.Preset, seat, m, s.Legal())
		}
		if s, err = game.Apply(s, seat, m); err != nil {
			t.Fatal(err)
		}
	}
	result, _ := s.Result()
	_, settled := game.NewMatch(rules, 0).Settle(result)
	return settled.ScoreDelta
}

func level(name string) func(game.View) game.Move {
	return func(v game.View) game.Move { return ai.Think(name, v) }
}

// random is a player that plays any legal move, the same one each time.
func random(v game.View) game.Move {
	sum := sha256.Sum256(fmt.Append(nil, v.Log, v.Hand))
	return v.Legal[int(sum[0])%len(v.Legal)]
}

// Every level must play every game to its end by the rules.
func TestPlaysEveryGame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes long under the race detector, and has one goroutine")
	}
	for i, name := range game.Presets() {
		rules := gametest.Preset(t, name)
		for _, l := range ai.Levels {
			if l != ai.Levels[0] && !ai.Long && i%10 != 3 {
				continue // the levels differ only in how long they search: every tenth preset is enough
			}
			players := slices.Repeat([]func(game.View) game.Move{level(l)}, rules.Players)
			play(t, rules, name, players...)
		}
	}
}

// The easiest level must be much better than random play.
func TestBetterThanChance(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes long under the race detector, and has one goroutine")
	}
	for _, name := range []string{"sedma-2p", "sedma-4p"} {
		rules := gametest.Preset(t, name)
		sum, deals := 0, 150
		for deal := range deals {
			a, b := level("easy"), random
			one := play(t, rules, fmt.Sprint(deal), []func(game.View) game.Move{a, b, a, b}[:rules.Players]...)
			two := play(t, rules, fmt.Sprint(deal), []func(game.View) game.Move{b, a, b, a}[:rules.Players]...)
			sum += one[0] - one[1] + two[1] - two[0]
		}
		if mean := float64(sum) / float64(2*deals); mean < 0.6 {
			t.Errorf("%s: %.2f stakes a deal better than chance, want 0.6", name, mean)
		} else {
			t.Logf("%s: %.2f stakes a deal better than chance", name, mean)
		}
	}
}

// The strongest level must beat the yardstick with statistical certainty.
func TestHardBeatsGreedy(t *testing.T) {
	t.Parallel()
	if ai.Race {
		t.Skip("it plays many deals")
	}
	clocktest.Whole(t)
	decks := 40
	if ai.Long {
		decks = 300
	}
	rules := gametest.Preset(t, "sedma-4p")
	hard := func(s game.State) (game.Move, error) { return ai.Think("hard", s.View(s.Turn())), nil }
	greedy := func(s game.State) (game.Move, error) { return ai.Greedy(s.View(s.Turn())), nil }
	report, err := arena.Play(t.Context(), rules, hard, greedy, decks, 11)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+.3f ± %.3f stakes a deal, %.2f ms a move, p99 %.2f", report.Stakes.Mean, report.Stakes.Width, report.A.Mean, report.A.P99)
	if report.Stakes.Mean-report.Stakes.Width <= 0 {
		t.Errorf("hard is not above the yardstick: %+.3f ± %.3f stakes a deal", report.Stakes.Mean, report.Stakes.Width)
	}
}

var partnerDeals = flag.Int("partner", 8, "deals of the partner test")

// The AI must leave tricks to its partner, unless taking them is right.
func TestGoodPartner(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	deals := *partnerDeals
	switch {
	case ai.Long:
		deals = max(deals, 25)
	case testing.Short() || ai.Race:
		deals = 3
	}
	decisions, taken, wrong := 0, 0, 0
	for deal := range deals {
		s, err := game.Deal(rules, game.Shuffle(rules.Pack(), sha256.Sum256(fmt.Append(nil, "partner", deal))), deal%4)
		for err == nil && !s.Over() {
			seat := s.Turn()
			v := s.View(seat)
			if seat != 0 || len(v.Legal) == 1 {
				s, err = game.Apply(s, seat, ai.Greedy(v))
				continue
			}
			m := ai.Think("hard", v)
			decisions++
			next, err := game.Apply(s, seat, m)
			if err != nil {
				t.Fatal(err)
			}
			if after := next.View(seat); v.Phase == game.Follow && v.Winner == 2 && tookOver(after, m, seat) {
				taken++
				choices, err := ai.Part(t.Context(), v, game.Match{}, 10_000, 0)
				if err != nil {
					t.Fatal(err)
				}
				if loss := costs(choices, m); loss > 0.1 {
					wrong++
					t.Logf("deal %d: %s costs %.2f: %v of %v", deal, m, loss, choices, v.Trick)
				}
			}
			s = next
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d decisions, %d tricks taken over from a partner who was winning, %d of them wrong", decisions, taken, wrong)
	if wrong*1000 > max(decisions, 1000) {
		t.Errorf("%d of %d decisions took a trick from the partner for nothing", wrong, decisions)
	}
}

// tookOver reports whether the seat's latest move is winning its trick.
func tookOver(v game.View, m game.Move, seat int) bool {
	c, _ := m.Card()
	if len(v.Trick) > 0 {
		return v.Winner == seat
	}
	last := v.Tricks[len(v.Tricks)-1]
	return last.Winner == seat && last.Plays[len(last.Plays)-1].Card == c
}

// costs returns how much less the move brings than the best one.
func costs(choices []ai.Choice, m game.Move) float64 {
	best, own := choices[0].Score, 0.0
	for _, c := range choices {
		best = max(best, c.Score)
		if c.Move == m {
			own = c.Score
		}
	}
	return best - own
}

// The same view must give the same move, whatever the order of the cards in the hand.
func TestSameViewSameMove(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	s, err := game.Deal(rules, game.Shuffle(rules.Pack(), [32]byte{9}), 1)
	if err != nil {
		t.Fatal(err)
	}
	for !s.Over() {
		v, w := s.View(s.Turn()), s.View(s.Turn())
		slices.Reverse(w.Hand)
		slices.Reverse(w.Legal)
		m := ai.Think("medium", v)
		if other := ai.Think("medium", w); other != m {
			t.Errorf("%s, and then %s", m, other)
		}
		if s, err = game.Apply(s, s.Turn(), m); err != nil {
			t.Fatal(err)
		}
	}
}

// Choose must return a legal move even if the context has ended, and Values must then return its error. Otherwise
// Part returns a sensible score for every legal move.
func TestChoose(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	s, err := game.Deal(rules, game.Shuffle(rules.Pack(), [32]byte{3}), 1)
	if err != nil {
		t.Fatal(err)
	}
	v := s.View(s.Turn())
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if c := ai.Choose(over, "hard", v, game.Match{}); !slices.Contains(v.Legal, c.Move) || math.IsNaN(c.Score) {
		t.Errorf("%+v without any time", c)
	}
	if _, err := ai.Part(over, v, game.Match{}, 10, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("values without any time: %v", err)
	}
	choices, err := ai.Part(t.Context(), v, game.Match{}, 100, 0)
	if err != nil || len(choices) != len(v.Legal) {
		t.Fatalf("%v, %v", choices, err)
	}
	for i, c := range choices {
		if c.Move != v.Legal[i] || c.Score < -3 || c.Score > 3 {
			t.Errorf("%+v", c)
		}
	}
}

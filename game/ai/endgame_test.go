package ai

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// brute returns what the side gets if both play perfectly, found with package game alone.
func brute(t *testing.T, s game.State, side int) float64 {
	if s.Over() {
		res, _ := s.Result()
		_, brought := game.NewMatch(s.Rules(), s.Dealer()).Settle(res)
		return float64(brought.ScoreDelta[side] - brought.ScoreDelta[1-side])
	}
	seat := s.Turn()
	best := math.Inf(1)
	if seat == side {
		best = math.Inf(-1)
	}
	for _, m := range s.Legal() {
		next, err := game.Apply(s, seat, m)
		if err != nil {
			t.Fatal(err)
		}
		if x := brute(t, next, side); seat == side {
			best = max(best, x)
		} else {
			best = min(best, x)
		}
	}
	return best
}

// When two players know all cards, the value of a move must be the result of perfect play by both.
func TestEndgameIsExact(t *testing.T) {
	t.Parallel()
	games := []string{"sedma-2p", "osmova-2p", "kovac-2p", "slovak-2p", "sedma-2p-points", "sedma-2p-kase4", "zsirozas-2p", "septica-2p", "sedma-2p-tricks"}
	want := 1000
	if Long {
		want = 10_000
	}
	random := rand.New(rand.NewPCG(5, 5))
	var times []time.Duration
	for n := 0; n < want; {
		r := gametest.Preset(t, games[random.IntN(len(games))])
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(2))
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			if v.Stock == 0 && len(v.Legal) > 1 {
				var chosen Choice
				took := time.Hour
				for range 3 { // the fastest of three, because others use the machine too
					start := time.Now()
					chosen = Choose(context.Background(), "hard", v, game.Match{})
					took = min(took, time.Since(start))
				}
				times = append(times, took)
				choices, err := Part(context.Background(), v, game.Match{}, 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				if top := slices.MaxFunc(choices, func(a, b Choice) int { return cmp.Compare(a.Score, b.Score) }); top.Score != chosen.Score {
					t.Fatalf("%s: chose %v, best is %v", r.Preset, chosen, top)
				}
				for _, c := range choices {
					next, err := game.Apply(s, v.Seat, c.Move)
					if err != nil {
						t.Fatal(err)
					}
					if want := brute(t, next, v.Seat); c.Score != want {
						t.Fatalf("%s: %s brings %g, not %g: %+v", r.Preset, c.Move, c.Score, want, v)
					}
				}
				n++
			}
			s, err = game.Apply(s, s.Turn(), v.Legal[random.IntN(len(v.Legal))])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(times)
	t.Logf("%d positions, p50 %v, p99 %v", len(times), times[len(times)/2], times[len(times)*99/100])
}

// With three players and two cards each, a lead is judged by what the leader can make of it: led the queen, the leader keeps the
// seven, which wins the last trick, and gets 50 points or more. Led the seven, another player can draw level.
func TestEndOfThreeIsSearched(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-3p")
	s, err := game.Start(r, game.Position{
		Solo: game.Nobody, Hands: [][]game.Card{cardsOf(t, "7h Ol"), cardsOf(t, "Oa Ob"), cardsOf(t, "Th Al")}, TricksWon: []int{2, 3, 2},
		Captured: [][]game.Card{
			cardsOf(t, "Ua Ab 7b Ka Tb Ta"), cardsOf(t, "9l Ul 9b Uh Kh 8l 9h 7a Ah 7l Aa 8a"), cardsOf(t, "9a Tl Oh Ub Kb Kl"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	v := s.View(0)
	seven, queen := game.PlayCard(cardsOf(t, "7h")[0]), game.PlayCard(cardsOf(t, "Ol")[0])
	choices, best, why, err := Explain(t.Context(), v, game.Match{}, 500, seven)
	if err != nil || choices[best].Move != queen || why.Cause != Open || why.Points != 50 || why.Than != 40 {
		t.Errorf("%v: %+v, %v", choices, why, err)
	}
	again, err := Overall(t.Context(), v, game.Match{}, 500, choices)
	if err != nil || scoreOf(again, queen) <= scoreOf(again, seven) {
		t.Errorf("in the mean of all ways: %v, %v", again, err)
	}
}

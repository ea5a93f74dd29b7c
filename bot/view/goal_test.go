package view

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// A goal says that the open trick is enough only if its points are, and if the seat can still take it.
func TestGoalOfOneTrick(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	cards := func(text string) (list []game.Card) {
		for i := 0; i+1 < len(text); i += 2 {
			c, err := game.ParseCard(text[i : i+2])
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, c)
		}
		return list
	}
	for _, c := range []struct {
		mine, led string
		hand      string
		goal      goal
		more      int
	}{
		{"AaAlAhAb", "Ta", "8aTh", oneTrick, 10},
		{"AaAlAhAb", "Ta", "8a9b", needMore, 10},
		{"AaAlAhAb", "Ka", "8aTh", needMore, 10},
		{"AaAlAh", "Ta", "8aTh", needMore, 20},
		{"AaAlAhAbTl", "Ta", "8aTh", noGoal, 0},
	} {
		s, err := game.Start(r, game.Position{
			Leader: 1, Solo: game.Nobody, Hands: [][]game.Card{cards(c.hand), cards(c.led + "9a")},
			Captured: [][]game.Card{cards(c.mine), cards("Tb")}, TricksWon: []int{2, 1},
		})
		if err == nil {
			s, err = game.Apply(s, 1, game.PlayCard(cards(c.led)[0]))
		}
		if err != nil {
			t.Fatal(err)
		}
		if goal, _, more := goalOf(s.View(0)); goal != c.goal || more != c.more {
			t.Errorf("%+v: %s, %d more", c, goal, more)
		}
	}
}

// A goal is true: a side that has already won the deal wins it whatever comes, and one that needs points can't win with fewer.
func TestGoalsAreTrue(t *testing.T) {
	t.Parallel()
	rng, goals, open := rand.New(rand.NewPCG(44, 3)), 0, 0
	for _, name := range game.Presets() {
		for range 4 {
			r := gametest.House(t, name, rng.IntN)
			s, err := game.Deal(r, gametest.Shuffled(r, rng.IntN), 0)
			var said []game.View
			for err == nil && !s.Over() {
				if v := s.View(s.Turn()); v.Phase != game.Decide {
					said = append(said, v)
				}
				legal := s.Legal()
				s, err = game.Apply(s, s.Turn(), legal[rng.IntN(len(legal))])
			}
			if err != nil {
				t.Fatal(err)
			}
			res, _ := s.Result()
			_, score := game.NewMatch(r, 0).Settle(res)
			for _, v := range said {
				to, own, more := goalOf(v)
				if to == mostOf {
					if open++; slices.Max(v.CardPoints) > totalPoints(r)/2 {
						t.Fatalf("%s: %v of %d points, and the most points are still to win", gametest.Describe(r), v.CardPoints, totalPoints(r))
					}
				}
				if to == noGoal || to == mostOf {
					continue
				}
				goals++
				side := r.Side(v.Seat)
				won, got := slices.Contains(score.Winners, side), score.Points[side]-own
				if to == takeAll && !won || to == getSome && won || (to == needMore || to == oneTrick) && won != (got >= more) {
					t.Fatalf("%s: %s with %d and %d more, but %d more came and won is %v", gametest.Describe(r), to, own, more, got, won)
				}
			}
		}
	}
	if t.Logf("%d goals, %d among three or more sides", goals, open); goals == 0 || open == 0 {
		t.Error("a goal is missing")
	}
}

// totalPoints returns how many points the cards and the last trick of a deal bring.
func totalPoints(r game.Rules) int {
	n := r.LastTrick
	for _, c := range r.Pack() {
		n += r.CardPoints.Of(c.Rank())
	}
	return n
}

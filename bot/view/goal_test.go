package view

import (
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

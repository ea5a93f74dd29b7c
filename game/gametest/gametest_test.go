package gametest

import (
	"math/rand/v2"
	"testing"

	"sedmabot/game"
)

// counted is a T that counts errors.
type counted struct {
	*testing.T
	errors int
}

func (c *counted) Errorf(string, ...any) { c.errors++ }

// TestLeaksAreFound puts leaks into the view. checkLeaks finds each, and nothing in the view as it is.
func TestLeaksAreFound(t *testing.T) {
	t.Parallel()
	choose := rand.New(rand.NewPCG(1, 2)).IntN
	r := Preset(t, "sedma-4p")
	for name, tt := range map[string]struct {
		view  func(game.State, int) game.View
		leaks bool
	}{
		"none": {view: game.State.View},
		"another player's cards": {leaks: true, view: func(s game.State, seat int) game.View {
			v := s.View(seat)
			v.Hand = s.Hand((seat + 1) % r.Players)
			return v
		}},
		"something that follows from another player's card": {leaks: true, view: func(s game.State, seat int) game.View {
			v := s.View(seat)
			v.Stock += int(s.Hand((seat + 1) % r.Players)[0])
			return v
		}},
		"the last card of the stock": {leaks: true, view: func(s game.State, seat int) game.View {
			v, deck := s.View(seat), s.Deck()
			v.Dealer += int(deck[len(deck)-1])
			return v
		}},
	} {
		deck := Shuffled(r, choose)
		s, err := game.Deal(r, deck, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := &counted{T: t}
		if compared := checkLeaks(c, s, deck, choose, tt.view); compared == 0 || (c.errors > 0) != tt.leaks {
			t.Errorf("%s: %d errors in %d comparisons", name, c.errors, compared)
		}
	}
}

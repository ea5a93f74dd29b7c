package table_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// The winning card is the one that the rules name, in every open trick and in every finished one, whatever the house rules.
func TestTheWinningCardIsTheRightOne(t *testing.T) {
	t.Parallel()
	each := 8
	if long {
		each = 50
	}
	rng := rand.New(rand.NewPCG(44, 1))
	games, states := 0, 0
	for _, name := range game.Presets() {
		for range each {
			r := gametest.House(t, name, rng.IntN)
			s, err := game.Deal(r, gametest.Shuffled(r, rng.IntN), rng.IntN(r.Players))
			for games++; err == nil && !s.Over(); states++ {
				legal := s.Legal()
				if s, err = game.Apply(s, s.Turn(), legal[rng.IntN(len(legal))]); err != nil {
					break
				}
				v := s.View(game.Nobody)
				plays, winner := v.Trick, v.Winner
				if n := len(v.Tricks); len(plays) == 0 && n > 0 {
					plays, winner = v.Tricks[n-1].Plays, v.Tricks[n-1].Winner
				}
				if got, want := table.BestPlay(r, plays, winner), gametest.BestPlay(s); got != want {
					t.Fatalf("%s: card %d of %v is winning, not %d", gametest.Describe(r), want, plays, got)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d deals, %d states", games, states)
}

// With "any four in a row", sevens that follow an eight burn though they take over nothing.
func TestTheCardThatBurnsWins(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"osmova-2p", "osmova-4p"} {
		r := gametest.Preset(t, name)
		for _, house := range [][2]string{{"burn", "1"}, {"burn_align", string(game.AnyRunning)}} {
			var err error
			if r, err = game.SetHouse(r, house[0], house[1]); err != nil {
				t.Fatal(err)
			}
		}
		deck := r.Pack()
		s, err := game.Deal(r, deck, 0)
		if err != nil {
			t.Fatal(err)
		}
		var trick []game.Card
		for i, rank := range []game.Rank{'9', '8', '7', '7', '7', '7'} { // each card changes places with one of its player's
			seat, round := (s.Turn()+i)%r.Players, i/r.Players
			hand := s.Hand(seat)
			from := slices.IndexFunc(deck, func(c game.Card) bool { return c.Rank() == rank && !slices.Contains(trick, c) })
			to := slices.Index(deck, hand[round])
			trick = append(trick, deck[from])
			deck[from], deck[to] = deck[to], deck[from]
			if s, err = game.Deal(r, deck, 0); err != nil {
				t.Fatal(err)
			}
		}
		for i, c := range trick {
			if s, err = game.Apply(s, s.Turn(), game.PlayCard(c)); err != nil {
				t.Fatalf("%s: card %d of %v: %v", name, i, trick, err)
			}
		}
		v := s.View(game.Nobody)
		if v.End != game.EndBurn {
			t.Fatalf("%s: %v ends with %v", name, trick, v.End)
		}
		if got := table.BestPlay(r, v.Trick, v.Winner); got != len(trick)-1 {
			t.Errorf("%s: card %d of %v is winning", name, got, trick)
		}
	}
}

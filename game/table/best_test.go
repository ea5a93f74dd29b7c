package table_test

import (
	"math/rand/v2"
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

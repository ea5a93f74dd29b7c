package table_test

import (
	"math/rand/v2"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// follower follows a deal move by move, and knows which card of the open trick is winning (rules.md, section 1).
type follower struct {
	rules game.Rules
	won   []int // tricks won, by seat
	trick []game.Play
	best  int
}

func (f *follower) play(s game.State, p game.Play) {
	f.trick = append(f.trick, p)
	if len(f.trick) == 1 {
		f.best = 0
		return
	}
	rank := func(c game.Card) game.Rank {
		if c == f.rules.SpecialSeven {
			return '7'
		}
		return c.Rank()
	}
	lead, best, c := rank(f.trick[0].Card), rank(f.trick[f.best].Card), rank(p.Card)
	over := c == lead || f.rules.Wild.Has(c)
	if f.rules.WildOrder == game.EightOverSeven && c == '7' && best == '8' {
		over = lead == '7' && f.rules.SevenLedBeatsEight
	}
	if f.rules.FinalSeven == game.SevenDead && c == '7' && f.last(s) {
		over = over && f.sideWon(p.Seat) > 0
	}
	if over {
		f.best = len(f.trick) - 1
	}
}

// last reports whether the deal's last card has been played.
func (f *follower) last(s game.State) bool {
	v := s.View(game.Nobody)
	left := v.Stock
	for _, n := range v.Counts {
		left += n
	}
	return left == 0
}

func (f *follower) sideWon(seat int) (n int) {
	for other, won := range f.won {
		if f.rules.Side(other) == f.rules.Side(seat) {
			n += won
		}
	}
	return n
}

// The winning card is the one that the rules name, in every open trick and in every finished one, whatever the house rules.
func TestTheWinningCardIsTheRightOne(t *testing.T) {
	t.Parallel()
	each := 8
	if long {
		each = 1000
	}
	rng := rand.New(rand.NewPCG(44, 1))
	tricks := 0
	for _, name := range game.Presets() {
		for range each {
			r := gametest.House(t, name, rng.IntN)
			s, err := game.Deal(r, gametest.Shuffled(r, rng.IntN), rng.IntN(r.Players))
			if err != nil {
				t.Fatal(err)
			}
			f := follower{rules: r, won: make([]int, r.Players)}
			for !s.Over() {
				legal, seat, before := s.Legal(), s.Turn(), len(s.View(game.Nobody).Tricks)
				next, err := game.Apply(s, seat, legal[rng.IntN(len(legal))])
				if err != nil {
					t.Fatal(err)
				}
				s = next
				v := s.View(game.Nobody)
				if e := v.Log[len(v.Log)-1]; e.Card != 0 {
					f.play(s, game.Play{Seat: seat, Card: e.Card})
				}
				plays, winner := v.Trick, v.Winner
				if len(v.Tricks) > before {
					last := v.Tricks[len(v.Tricks)-1]
					plays, winner = last.Plays, last.Winner
				}
				tricks++
				if got := table.BestPlay(r, plays, winner); v.End != game.EndBurn && got != f.best {
					t.Fatalf("%s: card %d of %v is winning, not %d", gametest.Describe(r), f.best, plays, got)
				}
				if len(v.Tricks) > before {
					f.won[winner]++
					f.trick = nil
				}
			}
		}
	}
	t.Logf("%d states", tricks)
}

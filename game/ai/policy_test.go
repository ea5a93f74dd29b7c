package ai

import (
	"math/rand/v2"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// naive is a simple version of choose: it returns the legal move with the greatest weight. clear reports whether no
// other move has the same weight.
func (b *policy) naive(f *form, p *position) (move uint8, clear bool) {
	var room [32]uint8
	moves := p.moves(f, room[:0])
	s := p.outlook(f)
	most, second := float32(-1), float32(-1)
	for _, m := range moves {
		switch w := b.cells(&s)[s.column(f, p.hand[p.turn], m)]; {
		case w > most:
			move, most, second = m, w, most
		case w > second:
			second = w
		}
	}
	return move, most > second
}

// The quick choice must be legal and have the greatest weight, in all games.
func TestPolicyChoosesTheLikeliest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes long under the race detector, and has one goroutine")
	}
	random := rand.New(rand.NewPCG(1, 2))
	deals := 1000
	if Long {
		deals = 3000
	}
	for n := range deals {
		r := gametest.Rules(t, random.IntN)
		f := newForm(&r)
		var likings [cells]int8
		for i := range likings {
			likings[i] = int8(random.IntN(255) - 127)
		}
		b := newPolicy(&likings)
		var stock [maxPack]uint8
		size := copy(stock[:], f.list(f.pack))
		random.Shuffle(size, func(i, j int) { stock[i], stock[j] = stock[j], stock[i] })
		p := dealt(f, &stock, size, n%r.Players)
		for p.phase != game.Over {
			got := b.choose(f, &p)
			if want, clear := b.naive(f, &p); clear && got != want {
				t.Fatalf("%s: chose %d, not %d: %+v", gametest.Describe(r), got, want, p)
			}
			p.play(f, got)
		}
	}
}

package ai

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// begin returns the position at the beginning of a deal, with all cards known.
func begin(f *form, s game.State, stock *[maxPack]uint8) position {
	deck := s.Deck()
	for i, c := range deck {
		stock[i] = f.kind(c)
	}
	v := s.View(game.Nobody)
	p := position{
		stock: stock, size: uint8(len(deck)), next: uint8(len(deck) - v.Stock), phase: v.Phase,
		turn: uint8(v.Leader), leader: uint8(v.Leader), banSeat: game.Nobody, solo: int8(s.Solo()), lastTrick: game.Nobody, lastSeat: game.Nobody,
	}
	for seat := range f.players {
		for _, c := range s.Hand(int(seat)) {
			if c != 0 {
				p.hand[seat] += unit(f.kind(c))
				p.count[seat]++
			}
		}
	}
	if v.Phase == game.Over {
		p.phase, p.end = game.Lead, 0
		p.burnedGame(f, uint8(v.Leader))
	}
	return p
}

// compare plays a random deal in the engine and in the search. It fails at the first difference.
func compare(t gametest.T, r game.Rules, choose gametest.Chooser) {
	s, err := game.Deal(r, gametest.Shuffled(r, choose), choose(r.Players))
	if err != nil {
		t.Fatalf("deal: %v", err)
	}
	m := game.NewMatch(r, s.Dealer())
	m.Pool, m.Abeyance = 10*choose(5), choose(3)
	mine := match{pool: int32(m.Pool), abeyance: int32(m.Abeyance)}
	for i := range m.Scores {
		m.Scores[i] = choose(50)
		mine.scores[i] = int32(m.Scores[i])
	}
	f := newForm(&r)
	var stock [maxPack]uint8
	p := begin(f, s, &stock)
	for !s.Over() {
		if p.phase != s.Phase() || int(p.turn) != s.Turn() {
			t.Fatalf("phase %v turn %d, not %v %d", p.phase, p.turn, s.Phase(), s.Turn())
		}
		legal := s.Legal()
		var want []uint8
		for _, l := range legal {
			want = append(want, f.move(l))
		}
		slices.Sort(want)
		want = slices.Compact(want)
		got := p.moves(f, nil)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("legal %v, not %v (%v)", got, want, legal)
		}
		if (len(got) == 1 && got[0] == stop) != s.Forced() {
			t.Fatalf("forced %v", s.Forced())
		}
		l := legal[choose(len(legal))]
		if s, err = game.Apply(s, s.Turn(), l); err != nil {
			t.Fatalf("%v", err)
		}
		p.play(f, f.move(l))
	}
	res, _ := s.Result()
	if p.phase != game.Over || p.end != res.End {
		t.Fatalf("phase %v, end %v, not %v", p.phase, p.end, res.End)
	}
	points, tricks, rounds := s.Won()
	var a, b [3][4]int
	for seat := range r.Players {
		slot := r.Side(seat)
		a[0][slot] += points[seat]
		a[1][slot] += tricks[seat]
		a[2][slot] += rounds[seat]
	}
	for slot := range f.slots {
		b[0][slot], b[1][slot], b[2][slot] = int(p.points[slot]), int(p.tricks[slot]), int(p.roundsWon[slot])
	}
	if a != b {
		t.Fatalf("won %v, not %v", b, a)
	}
	_, settled := m.Settle(res)
	delta := p.score(f, &mine)
	for slot, want := range settled.ScoreDelta {
		if int(delta[slot]) != want {
			t.Fatalf("score %v, not %v of %+v", delta, settled.ScoreDelta, res)
		}
	}
}

// The search's state must agree with the engine at every step of random deals, and about their scores.
func TestPositionIsTheEngine(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		r := gametest.Preset(t, name)
		random := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(name))))
		for range 50 {
			compare(t, r, random.IntN)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 10 {
			r := gametest.Rules(t, random.IntN)
			t.Log(gametest.Describe(r))
			compare(t, r, random.IntN)
		}
	})
}

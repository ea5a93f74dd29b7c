package ai

import (
	"testing"
	"time"

	"sedmabot/game"
)

// slow is the yardstick of the engine's benchmarks: Sedma for four in the most obvious implementation. Cards and moves
// are structs, hands are slices, and every move clones the state and lists the legal moves again.
type slow struct {
	hands                [4][]slowCard
	stock                []slowCard
	trick                []slowCard
	leader, turn, winner int
	points, tricks       [2]int
	deciding, over       bool
}

type slowCard struct{ rank, suit int }

type slowMove struct {
	card slowCard
	stop bool
}

func (s slow) clone() slow {
	for i, h := range s.hands {
		s.hands[i] = append(make([]slowCard, 0, 4), h...)
	}
	s.trick = append(make([]slowCard, 0, len(s.trick)+1), s.trick...)
	return s
}

func (s slow) legal() []slowMove {
	moves := make([]slowMove, 0, 5)
	for _, c := range s.hands[s.turn] {
		if !s.deciding || c.rank == '7' || c.rank == s.trick[0].rank {
			moves = append(moves, slowMove{card: c})
		}
	}
	if s.deciding {
		moves = append(moves, slowMove{stop: true})
	}
	return moves
}

func (s slow) apply(m slowMove) slow {
	s = s.clone()
	if m.stop {
		s.endTrick()
		return s
	}
	if len(s.trick) == 0 {
		s.leader, s.winner = s.turn, s.turn
	}
	hand := s.hands[s.turn]
	for i := range hand {
		if hand[i] == m.card {
			s.hands[s.turn] = append(hand[:i], hand[i+1:]...)
			break
		}
	}
	s.trick = append(s.trick, m.card)
	if m.card.rank == '7' || m.card.rank == s.trick[0].rank {
		s.winner = s.turn
	}
	s.turn = (s.turn + 1) % 4
	s.deciding = s.turn == s.leader
	if s.deciding && len(s.hands[s.turn]) == 0 {
		s.endTrick()
	}
	return s
}

func (s *slow) endTrick() {
	for _, c := range s.trick {
		if c.rank == 'A' || c.rank == 'T' {
			s.points[s.winner%2] += 10
		}
	}
	s.tricks[s.winner%2]++
	s.trick, s.deciding, s.turn = nil, false, s.winner
	for len(s.stock) > 0 && len(s.hands[s.winner]) < 4 {
		for i := range 4 {
			p := (s.winner + i) % 4
			s.hands[p] = append(s.hands[p], s.stock[0])
			s.stock = s.stock[1:]
		}
	}
	s.over = len(s.hands[s.winner]) == 0
}

// slowDeal plays a random deal with the yardstick.
func slowDeal(deck []slowCard, random *chance) {
	s := slow{stock: deck}
	for range 2 {
		for p := range 4 {
			s.hands[p] = append(s.hands[p], s.stock[:2]...)
			s.stock = s.stock[2:]
		}
	}
	for !s.over {
		moves := s.legal()
		s = s.apply(moves[random.below(len(moves))])
	}
}

// first is what the first leader knows of a deal, and a world for the hidden cards.
type first struct {
	k *knowledge
	b *policy
	w world
	p position
}

func newFirst(tb testing.TB, name string) *first {
	r, err := game.Preset(name)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{1}), r.Players-1)
	if err != nil {
		tb.Fatal(err)
	}
	v := s.View(s.Turn())
	f := newForm(&v.Rules)
	return &first{k: know(&v, f, -1), b: policyFor(f)}
}

// playOut imagines the hidden cards of a whole deal and plays it to its end.
func (o *first) playOut(random *chance) int32 {
	o.k.imagine(&o.w, random)
	o.p = o.k.at
	o.p.hand, o.p.stock, o.p.solo = o.w.hand, &o.w.stock, o.w.solo
	o.b.playOut(o.k.f, &o.p)
	delta := o.p.score(o.k.f, &match{})
	return delta[0]
}

// BenchmarkPlayOut measures imagining and playing out a whole deal of sedma-4p.
func BenchmarkPlayOut(b *testing.B) {
	o, random := newFirst(b, "sedma-4p"), chance(1)
	b.ReportAllocs()
	for b.Loop() {
		o.playOut(&random)
	}
}

// BenchmarkRatio measures how many times faster playOut is than a random deal of the yardstick. The two take turns, so
// a busy machine slows both.
func BenchmarkRatio(b *testing.B) {
	o := newFirst(b, "sedma-4p")
	pack := o.k.f.rules.Pack()
	deck := make([]slowCard, len(pack))
	x, y := chance(1), chance(1)
	for i, c := range pack {
		deck[i] = slowCard{int(c.Rank()), int(c.Suit())}
	}
	for i := len(deck) - 1; i > 0; i-- {
		j := x.below(i + 1)
		deck[i], deck[j] = deck[j], deck[i]
	}
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		for range 100 {
			o.playOut(&x)
		}
		middle := time.Now()
		for range 100 {
			slowDeal(deck, &y)
		}
		ours += middle.Sub(start)
		theirs += time.Since(middle)
	}
	b.ReportMetric(float64(theirs)/float64(ours), "times-faster")
}

// Playing out must not allocate.
func TestPlayOutAllocatesNothing(t *testing.T) {
	for _, name := range []string{"sedma-4p", "ristikontra", "hola-6p", "sedma-3p-solo-hearts"} {
		o, random := newFirst(t, name), chance(1)
		if n := testing.AllocsPerRun(100, func() { o.playOut(&random) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

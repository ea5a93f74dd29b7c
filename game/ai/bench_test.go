package ai

import (
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

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
	return &first{k: know(&v, f), b: policyFor(f)}
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
	deck := make([]gametest.SlowCard, len(pack))
	x, y := chance(1), chance(1)
	for i, c := range pack {
		deck[i] = gametest.SlowCard{Rank: int(c.Rank()), Suit: int(c.Suit())}
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
			gametest.SlowDeal(deck, y.below)
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

package game_test

import (
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// rng is a small random generator (splitmix64) for tests and benchmarks.
type rng uint64

func (r *rng) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

func (r *rng) shuffle(cards []game.Card) {
	for i := len(cards) - 1; i > 0; i-- {
		j := r.below(i + 1)
		cards[i], cards[j] = cards[j], cards[i]
	}
}

// engineDeal plays a random deal through the exported, checked functions.
func engineDeal(b *testing.B, r game.Rules, deck []game.Card, random *rng) {
	s, err := game.Deal(r, deck, 3)
	if err != nil {
		b.Fatal(err)
	}
	var room [16]game.Move
	for !s.Over() {
		moves := s.AppendLegal(room[:0])
		if s, err = game.Apply(s, s.Turn(), moves[random.below(len(moves))]); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkDeck(b *testing.B) (game.Rules, []game.Card, []gametest.SlowCard) {
	r := gametest.Preset(b, "sedma-4p")
	random, deck := rng(1), r.Pack()
	random.shuffle(deck)
	same := make([]gametest.SlowCard, len(deck))
	for i, c := range deck {
		same[i] = gametest.SlowCard{Rank: int(c.Rank()), Suit: int(c.Suit())}
	}
	return r, deck, same
}

// BenchmarkDeal measures a whole random deal of sedma-4p in the engine.
func BenchmarkDeal(b *testing.B) {
	r, deck, _ := benchmarkDeck(b)
	random := rng(1)
	b.ReportAllocs()
	for b.Loop() {
		engineDeal(b, r, deck, &random)
	}
}

// BenchmarkYardstick measures the same deal in the yardstick.
func BenchmarkYardstick(b *testing.B) {
	_, _, deck := benchmarkDeck(b)
	random := rng(1)
	b.ReportAllocs()
	for b.Loop() {
		gametest.SlowDeal(deck, random.below)
	}
}

// BenchmarkRatio measures how many times faster the engine is than the yardstick. The two take turns, so a busy machine
// slows both.
func BenchmarkRatio(b *testing.B) {
	r, deck, same := benchmarkDeck(b)
	a, c := rng(1), rng(1)
	var engine, yardstick time.Duration
	for b.Loop() {
		start := time.Now()
		for range 100 {
			engineDeal(b, r, deck, &a)
		}
		middle := time.Now()
		for range 100 {
			gametest.SlowDeal(same, c.below)
		}
		engine += middle.Sub(start)
		yardstick += time.Since(middle)
	}
	b.ReportMetric(float64(yardstick)/float64(engine), "times-faster")
}

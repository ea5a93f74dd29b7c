package game_test

import (
	"testing"
	"time"

	"sedmabot/game"
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

// slow is the yardstick: Sedma for four in the most obvious implementation. Cards and moves are structs, hands are
// slices, and every move clones the state and lists the legal moves again. A deal makes about 200 allocations, 11 kB.
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
func slowDeal(deck []slowCard, random *rng) {
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

func benchmarkDeck(b *testing.B) (game.Rules, []game.Card, []slowCard) {
	r, err := game.Preset("sedma-4p")
	if err != nil {
		b.Fatal(err)
	}
	random, deck := rng(1), r.Pack()
	random.shuffle(deck)
	same := make([]slowCard, len(deck))
	for i, c := range deck {
		same[i] = slowCard{int(c.Rank()), int(c.Suit())}
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
		slowDeal(deck, &random)
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
			slowDeal(same, &c)
		}
		engine += middle.Sub(start)
		yardstick += time.Since(middle)
	}
	b.ReportMetric(float64(yardstick)/float64(engine), "times-faster")
}

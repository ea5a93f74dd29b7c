package gametest

// slow is the yardstick: Sedma for four in the most obvious implementation. Cards and moves are structs, hands are
// slices, and every move clones the state and lists the legal moves again. A deal makes about 200 allocations, 11 kB.
type slow struct {
	hands                [4][]SlowCard
	stock                []SlowCard
	trick                []SlowCard
	leader, turn, winner int
	points, tricks       [2]int
	deciding, over       bool
}

// SlowCard is a card of the yardstick.
type SlowCard struct{ Rank, Suit int }

type slowMove struct {
	card SlowCard
	stop bool
}

func (s slow) clone() slow {
	for i, h := range s.hands {
		s.hands[i] = append(make([]SlowCard, 0, 4), h...)
	}
	s.trick = append(make([]SlowCard, 0, len(s.trick)+1), s.trick...)
	return s
}

func (s slow) legal() []slowMove {
	moves := make([]slowMove, 0, 5)
	for _, c := range s.hands[s.turn] {
		if !s.deciding || c.Rank == '7' || c.Rank == s.trick[0].Rank {
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
	if m.card.Rank == '7' || m.card.Rank == s.trick[0].Rank {
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
		if c.Rank == 'A' || c.Rank == 'T' {
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

// SlowDeal plays a random deal with the yardstick of the benchmarks. below returns a random number below another.
func SlowDeal(deck []SlowCard, below func(n int) int) {
	s := slow{stock: deck}
	for range 2 {
		for p := range 4 {
			s.hands[p] = append(s.hands[p], s.stock[:2]...)
			s.stock = s.stock[2:]
		}
	}
	for !s.over {
		moves := s.legal()
		s = s.apply(moves[below(len(moves))])
	}
}

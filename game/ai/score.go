package ai

import "sedmabot/game"

// score returns what the finished deal brings each slot (RULES.md, Scoring). m is the match before the deal.
func (p *position) score(f *form, m *match) (delta [4]int32) {
	r := &f.rules
	alone := f.solo && p.solo >= 0
	sides := f.slots
	if f.solo {
		sides = 2
		if !alone {
			sides = 3
		}
	}
	side := func(seat int8) int {
		switch {
		case !alone:
			return int(f.slot[seat])
		case seat == p.solo:
			return 0
		}
		return 1
	}
	if p.end != game.EndPlayed {
		f.pay(&delta, alone, p.solo, side(int8(p.winner)), int32(p.price))
		return delta
	}
	var cards, tricks, points [4]int32
	for s := range f.slots {
		t := s
		if alone {
			t = side(int8(s))
		}
		cards[t] += int32(p.points[s])
		tricks[t] += int32(p.tricks[s])
		n := p.roundsWon[s]
		if r.TrickUnit == game.ByTrick {
			n = p.tricks[s]
		}
		points[t] += int32(p.points[s]) + int32(r.TrickPoints)*int32(n)
	}
	last := side(p.lastTrick)
	points[last] += int32(r.LastTrick)
	best, single := 0, true
	all := int32(0) // tricks of all sides
	for t := range sides {
		all += tricks[t]
		switch {
		case t > 0 && points[t] > points[best]:
			best, single = t, true
		case t > 0 && points[t] == points[best]:
			single = false
		}
	}
	switch r.Scoring {
	case game.ByStakes:
		p.stakes(f, &delta, alone, side, points[:sides], tricks[:sides], best, single, last)
	case game.ByKovac:
		for t := range sides {
			switch {
			case tricks[t] == all:
				delta[t] = 2
			case points[t] == 60 && points[1-t] == 20:
				delta[t] = 1
			}
		}
	case game.ByDifference:
		delta[best] = points[best] - points[1-best]
	case game.ByRistikontra:
		if single {
			delta[best] = 1 + m.abeyance
			if points[1-best] == 0 {
				delta[best]++
			}
		}
	default:
		counted(r, m, &delta, cards[:sides], points[:sides], tricks[:sides], all, last)
	}
	return delta
}

// counted scores the deal for each side, in games that count points.
func counted(r *game.Rules, m *match, delta *[4]int32, cards, points, tricks []int32, all int32, last int) {
	sweep := r.Scoring == game.ByPool && cards[last] > 0
	for t := range points {
		sweep = sweep && (t == last || cards[t] == 0)
		delta[t] = points[t]
		switch {
		case r.Scoring == game.ByHola && tricks[t] == all:
			delta[t] = int32(r.SweepScore)
		case r.Scoring == game.ByPointsZero && points[t] == 0:
			delta[t] = -m.scores[t]
		}
	}
	if sweep {
		*delta = [4]int32{}
		delta[last] = 100 + m.pool
	}
}

// stakes finds the winners of the stakes game and pays them.
func (p *position) stakes(f *form, delta *[4]int32, alone bool, side func(int8) int, points, tricks []int32, best int, single bool, last int) {
	r := &f.rules
	winner := best
	switch {
	case r.FinalSeven == game.SevenLoses && f.eff[p.lastKind] == f.seven:
		winner = 1 - side(p.lastSeat)
	case single:
	case r.Tie == game.TieLastTrick && points[last] == points[best]:
		winner = last
	default:
		level := true
		for _, n := range points {
			level = level && n == points[best]
		}
		for t, n := range points {
			if n == points[best] && !level {
				f.pay(delta, alone, p.solo, t, int32(r.Stakes[0]))
			}
		}
		return
	}
	stake := 2
	for t := range points {
		if t != winner && points[t] > 0 {
			stake = min(stake, 0)
		}
		if t != winner && tricks[t] > 0 {
			stake = min(stake, 1)
		}
	}
	f.pay(delta, alone, p.solo, winner, int32(r.Stakes[stake]))
}

// pay gives the stake to every slot of the side.
func (f *form) pay(delta *[4]int32, alone bool, solo int8, side int, stake int32) {
	if !alone {
		delta[side] = stake
		return
	}
	for s := range f.slots {
		if (int8(s) == solo) == (side == 0) {
			delta[s] = stake
		}
	}
}

// worth returns a slot's score less the mean score of the others.
func worth(f *form, delta *[4]int32, slot uint8) float64 {
	others := int32(0)
	for s := range f.slots {
		if s != int(slot) {
			others += delta[s]
		}
	}
	return float64(delta[slot&3]) - float64(others)/float64(f.slots-1)
}

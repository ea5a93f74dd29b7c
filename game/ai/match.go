package ai

import (
	"math"

	"sedmabot/game"
)

// match is the score before the deal, and what scores are worth after it.
type match struct {
	rules          *game.Rules // nil: only the score of the deal counts
	scores         [4]int32
	pool, abeyance int32
	final          bool      // the match ends with this deal
	hands          int       // deals left after this one, if the match ends after a number of deals; else 0
	odds           []float64 // chances to win; see race and last
	spread         float64   // typical difference that a deal makes between two scores
}

// stakesWon are the chances that a deal with a winner is won for one, two or three stakes when equals play. kovacNone
// is the chance that nobody wins a deal of Kováč's game.
var (
	stakesWon = [4]float64{0, 0.74, 0.17, 0.09}
	kovacNone = 0.9
)

// The limits within which the search thinks of the end of the match. Farther away, only the score of the deal counts.
const (
	manyHands  = 12
	nearTarget = 5
	farTarget  = 30
)

// leastHalf is half of the difference between the chances to win the match after a deal won and a deal lost, below which the match
// is as good as decided, and only the score of the deal counts.
const leastHalf = 0.01

// newMatch returns the match in the form that the search needs. For the zero Match, a deal is worth its score.
func newMatch(f *form, m *game.Match) *match {
	n := &match{pool: int32(m.Pool), abeyance: int32(m.Abeyance)}
	if m.Scores == nil {
		return n
	}
	most := math.MinInt
	for i, s := range m.Scores {
		n.scores[i] = int32(s)
		most = max(most, s)
	}
	r := &m.Rules
	switch {
	case r.Deals > 0 && r.Deals-m.Deals <= manyHands && byStakes(r):
		n.hands = max(0, r.Deals-m.Deals-1)
		n.final = n.hands == 0
		n.rules, n.odds = r, last(n.hands, r.Scoring == game.ByKovac)
	case r.Target == 0:
	case byStakes(r) && r.Target-most <= nearTarget:
		n.rules, n.odds = r, race()
	case !byStakes(r) && float64(r.Target-most) <= 2*f.spread():
		n.rules, n.spread = r, f.spread()
	}
	return n
}

// spread returns the typical difference that a deal makes between two scores that are points.
func (f *form) spread() float64 {
	total := f.rules.LastTrick + f.rules.TrickPoints*int(f.handSize)*2
	for k := range f.kinds {
		total += int(f.points[k]) * int(f.total[k])
	}
	return 0.6 * float64(total)
}

// worth returns what a deal's score is worth to the slot. If the end of the match is near, that is the chance to win
// the match.
func (m *match) worth(f *form, delta *[4]int32, slot uint8) float64 {
	if m.rules == nil {
		return worth(f, delta, slot)
	}
	var after [4]int32
	top, alone := 0, true
	for s := range f.slots {
		after[s] = m.scores[s] + delta[s]
		switch {
		case s > 0 && after[s] > after[top]:
			top, alone = s, true
		case s > 0 && after[s] == after[top]:
			alone = false
		}
	}
	target := int32(m.rules.Target)
	if target > 0 && alone && after[top] >= target || m.final {
		switch {
		case !alone && after[slot] == after[top]:
			return 0.5
		case !alone || top != int(slot):
			return 0
		}
		return 1
	}
	sum := 0.0
	for s := range f.slots {
		if s != int(slot) {
			sum += m.ahead(after[slot], after[s], target)
		}
	}
	return sum / float64(f.slots-1)
}

// gain returns what is expected of the option in the units of the deal's score. Near the end of the match, a unit is what it does
// to the slot's chance to win the match, and what does nothing for that counts nothing.
func (m *match) gain(f *form, o *option, slot uint8) float64 {
	if m.rules == nil {
		return o.score
	}
	unit := int32(1)
	if !byStakes(&f.rules) {
		unit = 20
	}
	var won, lost, same [4]int32
	won[slot], lost[(int(slot)+1)%f.slots] = unit, unit
	half := (m.worth(f, &won, slot) - m.worth(f, &lost, slot)) / 2
	if half < leastHalf {
		return o.score
	}
	return (o.worth - m.worth(f, &same, slot)) * float64(unit) / half
}

// even returns the lead below which two moves are about equally good.
func (f *form) even() float64 {
	if byStakes(&f.rules) {
		return Even
	}
	return EvenPoints
}

// byStakes reports whether the score of a deal is a few stakes, and not many points.
func byStakes(r *game.Rules) bool {
	return r.Scoring == game.ByStakes || r.Scoring == game.ByKovac || r.Scoring == game.ByRistikontra
}

// ahead returns the chance that one score wins the match against another.
func (m *match) ahead(own, other, target int32) float64 {
	switch {
	case m.hands > 0:
		return m.odds[max(-manyHands*3, min(manyHands*3, own-other))+manyHands*3]
	case m.odds != nil:
		return m.odds[max(0, min(farTarget, target-own))*(farTarget+1)+max(0, min(farTarget, target-other))]
	}
	togo := float64(max(1, 2*target-own-other)) / m.spread
	return 0.5 * math.Erfc(float64(other-own)/(m.spread*math.Sqrt2*math.Sqrt(max(1, togo))))
}

// race returns the chances of a player who needs i stakes against one who needs j, at index i*(farTarget+1)+j.
func race() []float64 {
	const n = farTarget + 1
	odds := make([]float64, n*n)
	for i := range n {
		for j := range n {
			switch {
			case i == 0 && j == 0:
				odds[0] = 0.5
			case i == 0:
				odds[i*n+j] = 1
			case j > 0:
				for s, p := range stakesWon {
					odds[i*n+j] += p / 2 * (odds[max(0, i-s)*n+j] + odds[i*n+max(0, j-s)])
				}
			}
		}
	}
	return odds
}

// last returns the chances to be ahead after that many deals, by the current lead. The middle of the list is a lead of
// 0.
func last(hands int, kovac bool) []float64 {
	const middle = manyHands * 3
	odds := make([]float64, 2*middle+1)
	for i := range odds {
		switch {
		case i == middle:
			odds[i] = 0.5
		case i > middle:
			odds[i] = 1
		}
	}
	none := 0.03
	if kovac {
		none = kovacNone
	}
	for range hands {
		before := odds
		odds = make([]float64, len(before))
		for i := range odds {
			odds[i] = none * before[i]
			for s, p := range stakesWon {
				odds[i] += (1 - none) * p / 2 * (before[max(0, i-s)] + before[min(2*middle, i+s)])
			}
		}
	}
	return odds
}

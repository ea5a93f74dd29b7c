package ai

import (
	"math"

	"sedmabot/game"
)

// match is the score before the deal, and what scores are worth after it.
type match struct {
	rules          *game.Rules // nil: only the deal counts
	scores         [4]int32
	pool, abeyance int32
	final          bool      // the match ends with this deal
	hands          int       // that are left after this one, if they are few; else 0
	odds           []float64 // of winning, see race and last
	spread         float64   // how far a deal parts two scores
}

// Chances that a deal which somebody wins is won for one, two or three stakes,
// as they come when equals play, and that nobody wins it at Kováč's.
var (
	stakesWon = [4]float64{0, 0.74, 0.17, 0.09}
	kovacNone = 0.9
)

// While the end is farther than this, a stake is a stake.
const (
	manyHands  = 12
	nearTarget = 5
	farTarget  = 30
)

// newMatch is the match as the search needs it. The zero Match is none: then a
// deal is worth its score.
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
	byStakes := r.Scoring == game.ByStakes || r.Scoring == game.ByKovac || r.Scoring == game.ByRistikontra
	switch {
	case r.Hands > 0 && r.Hands-m.Hands <= manyHands && byStakes:
		n.hands = max(0, r.Hands-m.Hands-1)
		n.final = n.hands == 0
		n.rules, n.odds = r, last(n.hands, r.Scoring == game.ByKovac)
	case r.Target == 0:
	case byStakes && r.Target-most <= nearTarget:
		n.rules, n.odds = r, race()
	case !byStakes && float64(r.Target-most) <= 2*f.spread():
		n.rules, n.spread = r, f.spread()
	}
	return n
}

// spread is about how far a deal parts two scores that are points.
func (f *form) spread() float64 {
	total := f.rules.LastTrick + f.rules.TrickPoints*int(f.handSize)*2
	for k := range f.kinds {
		total += int(f.points[k]) * int(f.total[k])
	}
	return 0.6 * float64(total)
}

// worth is a deal's score as the slot sees it: how likely it makes the match
// won, where the match has an end that is in sight.
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

// ahead is how likely one score comes in before another.
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

// race is the odds of one who needs i stakes against one who needs j, at
// i*(farTarget+1)+j.
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

// last is the odds of being in front after so many hands, by how far one is in
// front now; the middle of the list is level.
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

package game

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Lengths returns how long a match can be, shortest first: the values of the house
// rule "end" that a lobby offers at once. Games with a target offer one deal and
// targets; games without one offer numbers of deals. The present length and the
// preset's own are always among them. Soccer has a fixed length, so it has none.
func Lengths(r Rules) []string {
	base := houseBase(r)
	var out []string
	switch {
	case r.Soccer():
		return nil
	case r.Scoring != base.Scoring && r.Scoring != ByStakes, r.Scoring == base.Scoring && base.Target == 0:
		out = []string{"h1", "h4", "h8"}
	case r.Scoring == ByStakes || r.Scoring == ByRistikontra:
		out = []string{"h1", "t3", "t5", "t10"}
	case r.Scoring == ByKovac: // most deals end without a winner
		out = []string{"h1", "t1", "t3", "t5", "t10"}
	default: // targets in points
		out = []string{"h1"}
		for _, value := range matchEnds(&base) {
			if n, _ := strconv.Atoi(value[1:]); value[0] == 't' && n <= base.Target {
				out = append(out, value)
			}
		}
	}
	for _, end := range []string{getEnd(&base), getEnd(&r)} {
		if end != "" && !slices.Contains(out, end) {
			out = append(out, end)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Compare(ExpectedDeals(withEnd(r, a)), ExpectedDeals(withEnd(r, b)))
	})
	return out
}

// Length returns the present one of [Lengths], or "" if there is none.
func Length(r Rules) string {
	if r.Soccer() {
		return ""
	}
	return getEnd(&r)
}

// WithLength returns the rules with one of their [Lengths].
func WithLength(r Rules, length string) (Rules, error) {
	if !slices.Contains(Lengths(r), length) {
		return r, refuse("end", "cannot be %q here", length)
	}
	return withEnd(r, length), nil
}

// LengthOf returns the rules with the length of other rules, if those have another
// length than their preset and these rules offer it. Otherwise it returns r.
func LengthOf(r, other Rules) Rules {
	base := houseBase(other)
	if length := Length(other); length != getEnd(&base) && slices.Contains(Lengths(r), length) {
		return withEnd(r, length)
	}
	return r
}

// Shorter returns the rules with the next shorter of their [Lengths]. It returns
// false if there is none.
func Shorter(r Rules) (Rules, bool) {
	lengths := Lengths(r)
	i := slices.Index(lengths, getEnd(&r))
	if i < 1 {
		return r, false
	}
	return withEnd(r, lengths[i-1]), true
}

// withEnd returns the rules with a value of the house rule "end".
func withEnd(r Rules, value string) Rules {
	setEnd(&r, value)
	return r
}

// ExpectedDeals estimates how many deals a match takes. The formulas were fitted to
// 1,000 matches of each preset and target, drawn from 300 deals that the easy AI played
// against itself. The test has those figures.
func ExpectedDeals(r Rules) float64 {
	if r.Target == 0 {
		return float64(r.Hands)
	}
	deals := 0.0
	switch target := float64(r.Target); r.Scoring {
	case ByStakes, ByKovac, ByRistikontra:
		deals = dealsAStake(&r) * math.Pow(target, 1.125)
	case ByDifference:
		deals = target / (0.3 * float64(r.worth()))
	default:
		share := 0.55 // of the points in a deal that the winner of the match gets
		if r.Players == 3 {
			share = 0.42
		}
		deals = target / (share * float64(r.worth()))
	}
	if r.Hands > 0 {
		deals = min(deals, float64(r.Hands))
	}
	return max(1, deals)
}

// dealsAStake is the factor of ExpectedDeals for games of stakes.
func dealsAStake(r *Rules) float64 {
	two, three, more := 1.0, 1.5, 0.9 // by the number of players
	switch {
	case r.Scoring == ByKovac: // it takes all tricks, or 60 points against 20
		two, more = 3.9, 1.65
	case r.Teams == SoloKing:
		three = 0.9
	case r.LastTrick == 0 && r.Tie == TieNone: // deals are often level
		two, three, more = 1.2, 1.3, 1.05
	}
	switch r.Players {
	case 2:
		return two
	case 3:
		return three
	}
	return more
}

// worth is how many points there are in a deal.
func (r *Rules) worth() int {
	pack := r.Pack()
	points := r.LastTrick + r.TrickPoints*len(pack)/r.Players
	for _, card := range pack {
		points += r.CardPoints.Of(card.Rank())
	}
	return points
}

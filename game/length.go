package game

import (
	"cmp"
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
	case r.Scoring == ByStakes || r.Scoring == ByKovac || r.Scoring == ByRistikontra:
		out = []string{"h1", "t3", "t5", "t10"}
	default:
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
	out = slices.DeleteFunc(out, func(value string) bool { return withEnd(r, value).Validate() != nil })
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(ExpectedDeals(withEnd(r, a)), ExpectedDeals(withEnd(r, b))) })
	return out
}

// WithLength returns the rules with one of their [Lengths].
func WithLength(r Rules, length string) (Rules, error) {
	if !slices.Contains(Lengths(r), length) {
		return r, refuse("end", "cannot be %q here", length)
	}
	return withEnd(r, length), nil
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

// ExpectedDeals estimates how many deals a match takes.
func ExpectedDeals(r Rules) float64 {
	if r.Target == 0 {
		return float64(r.Hands)
	}
	deals := float64(r.Target) / perDeal(&r)
	if r.Hands > 0 {
		deals = min(deals, float64(r.Hands))
	}
	return max(1, deals)
}

// perDeal estimates by how much the score of the side that wins grows in a deal.
func perDeal(r *Rules) float64 {
	switch r.Scoring {
	case ByStakes, ByRistikontra:
		return 0.7
	case ByKovac:
		return 0.2
	case ByPool:
		return 60
	default:
		return 50
	}
}

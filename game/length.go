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
	stakes := r.Scoring == ByStakes || r.Scoring == ByRistikontra || r.Scoring == ByKovac
	var out []string
	switch {
	case r.Soccer():
		return nil
	case r.Scoring != base.Scoring && r.Scoring != ByStakes, r.Scoring == base.Scoring && base.Target == 0:
		out = []string{"h1", "h4", "h8"}
	case r.Scoring == ByKovac: // most deals end without a winner
		out = []string{"h1", "t1", "t3", "t5", "t10"}
	case stakes:
		out = []string{"h1", "t3", "t5", "t10"}
	default: // targets in points
		out = []string{"h1"}
		for _, value := range matchEnds(&base) {
			if n, _ := strconv.Atoi(value[1:]); value[0] == 't' && n <= base.Target {
				out = append(out, value)
			}
		}
	}
	own := getEnd(&base)
	if base.Target > 0 && base.Scoring != r.Scoring {
		own = "" // it is in another unit
	}
	for _, end := range []string{own, getEnd(&r)} {
		if end != "" && !slices.Contains(out, end) {
			out = append(out, end)
		}
	}
	unit := 0.55 * float64(r.DealPoints()) // roughly, what the winner scores in a deal
	if stakes {
		unit = 0.8
	}
	deals := func(length string) float64 {
		n, _ := strconv.ParseFloat(length[1:], 64)
		if length[0] == 'h' {
			return n
		}
		return n / unit
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(deals(a), deals(b)) })
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

// Package tournament implements the Swiss system with duplicate deals: pairings, byes and standings. An entrant is a
// number, counted from 0 in the order of entry. The caller knows who an entrant is and which cards are dealt.
// Everything here is pure and deterministic. Call [Swiss.Enter] for each entrant, [Swiss.Pair] for each round, and
// [Swiss.Standings].
//
// # Duplicate
//
// All tables of a round play the same decks with the same dealers. An entrant is on side 0 or side 1 of a table, and
// everyone on the same side of any table has the same cards. A table's margin is side 0's score less side 1's. It is
// compared with the average margin of the round's tables. The side that did better with its cards than average wins the
// match, so the quality of the cards doesn't matter. In a round with a single table, the margin itself decides.
//
// # Points
//
// A won match brings 2 points, a tied one 1. If the number of entrants is odd, one has a bye: 2 points and no
// difference. The bye goes to the lowest in the standings who had none before. A late entrant has no points for missed
// rounds. If points are equal, the sum of the differences from the average decides. Then Buchholz decides: the points
// of all opponents so far.
//
// # Pairing
//
// From the top of the standings, each entrant meets the next one below whom they haven't met, provided that the others
// can still be paired. Each round has as few repeated pairings as possible. If there are at most half as many rounds as
// entrants, no pairing is repeated.
package tournament

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

const (
	Least = 3  // players that a tournament needs
	Most  = 64 // entries that it takes: pairs or single players
)

// Points for a won match, a tied match and a bye.
const (
	forWin   = 2
	forLevel = 1
	forBye   = 2
)

// Hundred is the number of units of Difference in one unit of the score.
const Hundred = 100

// Swiss is a tournament so far. The zero value has no entrants.
type Swiss struct {
	Entrants []Entrant `json:"entrants,omitempty"`
	Rounds   []Round   `json:"rounds,omitempty"` // the last round may still be running
}

// Entrant is a person or a pair that takes part.
type Entrant struct {
	Late int  `json:"late,omitempty"` // number of rounds that had begun before this entrant came
	Gone bool `json:"gone,omitempty"` // the entrant has left and is no longer paired
}

// Round is the pairings of one round.
type Round struct {
	Tables []Table `json:"tables"`
	Bye    int     `json:"bye"`            // entrant with the bye, or -1
	Over   bool    `json:"over,omitempty"` // all margins are known
}

// Table is one match.
type Table struct {
	Sides  [2]int `json:"sides"`            // the entrants on side 0 and side 1
	Margin int    `json:"margin,omitempty"` // side 0's score less side 1's
	Void   bool   `json:"void,omitempty"`   // the match was not finished: it is a tie and doesn't count in the average
}

// Enter adds an entrant, who plays from the next round, and returns the entrant's number.
func (s *Swiss) Enter() int {
	s.Entrants = append(s.Entrants, Entrant{Late: len(s.Rounds)})
	return len(s.Entrants) - 1
}

// Playing returns the entrants who have not left.
func (s Swiss) Playing() []int {
	var in []int
	for i, e := range s.Entrants {
		if !e.Gone {
			in = append(in, i)
		}
	}
	return in
}

// DefaultRounds returns how many rounds n entrants should play: enough that only one can win them all, but at least
// three and at most [MaxRounds].
func DefaultRounds(n int) int {
	rounds := 3
	for 1<<rounds < n {
		rounds++
	}
	return min(rounds, MaxRounds(n))
}

// MaxRounds returns how many rounds n entrants can play before a pairing must be repeated.
func MaxRounds(n int) int { return n - 1 + n%2 }

// Pair begins the next round and returns it. draw is the random seed that decides between equals. There must be at
// least two entrants and no running round.
func (s *Swiss) Pair(draw [32]byte) Round {
	order := s.order(draw)
	met := s.meetings()
	r := Round{Bye: -1}
	left := slices.Clone(order)
	if len(left)%2 == 1 {
		r.Bye = s.rests(left, met)
		left = slices.DeleteFunc(left, func(e int) bool { return e == r.Bye })
	}
	home := map[int]int{} // by entrant: times on side 0 less times on side 1
	for _, past := range s.Rounds {
		for _, t := range past.Tables {
			home[t.Sides[0]]++
			home[t.Sides[1]]--
		}
	}
	free := func(a, b int) bool { return met[pairOf(a, b)] == 0 }
	best := matching(left, free)
	for len(left) > 0 {
		a := left[0]
		rest := left[1:]
		// Opponents that a hasn't met come first. The others are sorted by how often the two have met.
		candidates := slices.Clone(rest)
		slices.SortStableFunc(candidates, func(b, c int) int { return cmp.Compare(met[pairOf(a, b)], met[pairOf(a, c)]) })
		for _, b := range candidates {
			others := slices.DeleteFunc(slices.Clone(rest), func(e int) bool { return e == b })
			need := best
			if free(a, b) {
				need--
			}
			if matching(others, free) < need {
				continue
			}
			t := Table{Sides: [2]int{a, b}}
			if home[b] < home[a] {
				t.Sides = [2]int{b, a}
			}
			r.Tables = append(r.Tables, t)
			left, best = others, need
			break
		}
	}
	s.Rounds = append(s.Rounds, r)
	return r
}

// order returns the remaining entrants by points, highest first. The draw decides between equals.
func (s Swiss) order(draw [32]byte) []int {
	points := make([]int, len(s.Entrants))
	for _, st := range s.Standings() {
		points[st.Entrant] = st.Points
	}
	lot := func(e int) []byte {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(append(draw[:], "lot"...), uint64(e)))
		return sum[:]
	}
	in := s.Playing()
	slices.SortFunc(in, func(a, b int) int {
		return cmp.Or(cmp.Compare(points[b], points[a]), bytes.Compare(lot(a), lot(b)))
	})
	return in
}

// rests returns the entrant with the bye in the next round. Of those with the fewest byes, it is the lowest in the
// order whose bye causes no extra repeated pairing.
func (s Swiss) rests(order []int, met map[[2]int]int) int {
	byes := make([]int, len(s.Entrants))
	for _, r := range s.Rounds {
		if r.Bye >= 0 {
			byes[r.Bye]++
		}
	}
	free := func(a, b int) bool { return met[pairOf(a, b)] == 0 }
	fewest := byes[slices.MinFunc(order, func(a, b int) int { return cmp.Compare(byes[a], byes[b]) })]
	best, most := -1, -1
	for _, e := range slices.Backward(order) {
		if byes[e] > fewest || most == len(order)/2 {
			continue
		}
		n := matching(slices.DeleteFunc(slices.Clone(order), func(o int) bool { return o == e }), free)
		if n > most {
			best, most = e, n
		}
	}
	return best
}

// meetings returns how often each two entrants have met.
func (s Swiss) meetings() map[[2]int]int {
	met := map[[2]int]int{}
	for _, r := range s.Rounds {
		for _, t := range r.Tables {
			met[pairOf(t.Sides[0], t.Sides[1])]++
		}
	}
	return met
}

func pairOf(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// Gain is the result of a table's match for its sides.
type Gain struct {
	Difference int // side 0's difference from the round's average, in hundredths of the score; side 1 has the opposite
	Points     [2]int
}

// Gains returns the results of a round by table, or nil before the round is over.
func (r Round) Gains() []Gain {
	if !r.Over {
		return nil
	}
	sum, n := 0, 0
	for _, t := range r.Tables {
		if !t.Void {
			sum, n = sum+t.Margin, n+1
		}
	}
	if n == 1 {
		sum = 0
	}
	gains := make([]Gain, len(r.Tables))
	for i, t := range r.Tables {
		above := t.Margin*n - sum // n times the difference
		switch {
		case t.Void || above == 0:
			gains[i].Points = [2]int{forLevel, forLevel}
			continue
		case above > 0:
			gains[i].Points = [2]int{forWin, 0}
		default:
			gains[i].Points = [2]int{0, forWin}
		}
		gains[i].Difference = roundedQuotient(above*Hundred, n)
	}
	return gains
}

// roundedQuotient returns a/b, rounded to the nearest integer, for a positive b. Halves are rounded away from zero, so
// opposite numbers have opposite quotients.
func roundedQuotient(a, b int) int {
	if a < 0 {
		return -roundedQuotient(-a, b)
	}
	return (2*a + b) / (2 * b)
}

// Standing is an entrant's place and points.
type Standing struct {
	Entrant    int
	Rank       int // place from 1; entrants with equal results share it
	Points     int
	Difference int // sum of the differences from the average, in hundredths of the score
	Buchholz   int // sum of the opponents' points
	Matches    int
}

// Standings returns all entrants, best first, after the finished rounds. Equal entrants are in the order of entry.
func (s Swiss) Standings() []Standing {
	all := make([]Standing, len(s.Entrants))
	for i := range all {
		all[i].Entrant = i
	}
	var met [][2]int
	for _, r := range s.Rounds {
		if !r.Over {
			continue
		}
		if r.Bye >= 0 {
			all[r.Bye].Points += forBye
		}
		for i, g := range r.Gains() {
			sides := r.Tables[i].Sides
			met = append(met, sides)
			for side, e := range sides {
				all[e].Points += g.Points[side]
				all[e].Matches++
			}
			all[sides[0]].Difference += g.Difference
			all[sides[1]].Difference -= g.Difference
		}
	}
	for _, m := range met {
		all[m[0]].Buchholz += all[m[1]].Points
		all[m[1]].Buchholz += all[m[0]].Points
	}
	better := func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Difference, a.Difference), cmp.Compare(b.Buchholz, a.Buchholz))
	}
	slices.SortStableFunc(all, better)
	for i := range all {
		all[i].Rank = i + 1
		if i > 0 && better(all[i-1], all[i]) == 0 {
			all[i].Rank = all[i-1].Rank
		}
	}
	return all
}

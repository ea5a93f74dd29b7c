// Package tournament is the Swiss system with duplicate deals: who meets whom,
// who rests, and how everybody stands. Entrants are numbers, from 0 in the order
// in which they came; who stands behind a number, and which cards are dealt, is
// the caller's. Everything here is pure, and the same comes of the same.
//
// # Duplicate
//
// All tables of a round play the same decks, dealt by the same seats. An entrant
// is on side 0 or side 1 of his table, and all of one side had the same cards.
// So a table's margin (what side 0 scored less what side 1 scored) is compared
// with the average margin of all tables of the round: who did better with his
// cards than that has won the match, whatever the cards were worth. A round with
// a single table has nothing to be compared with: its margin counts as it is.
//
// # Points
//
// A match won brings 2 points, a level one 1. Who rests because their number is
// odd gets 2 points and no difference; that happens to the last in the standings
// who did not rest before. A late entrant begins with nothing in the rounds that
// he missed. Equal points are told apart by the sum of the differences from the
// average, then by Buchholz: the points of all whom the entrant has met.
//
// # Pairing
//
// From the top of the standings, each meets the next below him whom he has not
// met, if the rest can still be paired so. In every round the fewest possible
// pairs meet again; in at most half as many rounds as there are entrants, none.
package tournament

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// How many may enter.
const (
	Least = 4
	Most  = 64
)

// What a match brings, in points.
const (
	forWin   = 2
	forLevel = 1
	forBye   = 2
)

// Hundred is how many units of a difference make one unit of the score.
const Hundred = 100

// Swiss is a tournament as it stands. The zero value has no entrants.
type Swiss struct {
	Entrants []Entrant `json:"entrants,omitempty"`
	Rounds   []Round   `json:"rounds,omitempty"` // the last may be running
}

// Entrant is one who plays: a person, or a pair.
type Entrant struct {
	Late int  `json:"late,omitempty"` // how many rounds had begun before he came
	Gone bool `json:"gone,omitempty"` // is paired no more
}

// Round is who meets whom.
type Round struct {
	Tables []Table `json:"tables"`
	Bye    int     `json:"bye"`            // who rests; -1: nobody
	Over   bool    `json:"over,omitempty"` // all margins are known
}

// Table is one match.
type Table struct {
	Sides  [2]int `json:"sides"`            // the entrants on side 0 and side 1
	Margin int    `json:"margin,omitempty"` // what side 0 scored less what side 1 did
	Void   bool   `json:"void,omitempty"`   // it was not played to its end: level, and no part of the average
}

// Enter adds an entrant, who plays from the next round on, and returns his number.
func (s *Swiss) Enter() int {
	s.Entrants = append(s.Entrants, Entrant{Late: len(s.Rounds)})
	return len(s.Entrants) - 1
}

// Playing are the entrants who are still paired.
func (s Swiss) Playing() []int {
	var in []int
	for i, e := range s.Entrants {
		if !e.Gone {
			in = append(in, i)
		}
	}
	return in
}

// DefaultRounds is how many rounds tell n entrants apart: enough that one alone can
// win them all, at least three, and no more than [MostRounds].
func DefaultRounds(n int) int {
	rounds := 3
	for 1<<rounds < n {
		rounds++
	}
	return min(rounds, MostRounds(n))
}

// MostRounds is how many rounds n entrants can play before two must meet again.
func MostRounds(n int) int { return n - 1 + n%2 }

// Pair begins the next round, and returns it. Draw decides between equals. It
// needs two entrants at least, and no running round.
func (s *Swiss) Pair(draw [32]byte) Round {
	order := s.order(draw)
	met := s.meetings()
	r := Round{Bye: -1}
	left := slices.Clone(order)
	if len(left)%2 == 1 {
		r.Bye = s.rests(left, met)
		left = slices.DeleteFunc(left, func(e int) bool { return e == r.Bye })
	}
	home := map[int]int{} // by entrant: how often he was on side 0 more than on side 1
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
		// Those whom he has not met come first; among the others, whom he met least.
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

// order are those who play, by their points; the draw decides among equals.
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

// rests is who has no match in the next round: of those who rested least, the
// last by whose rest no more pairs have to meet again.
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

// meetings counts how often two have met.
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

// Gain is what a table's match brought to its sides.
type Gain struct {
	Difference int // of side 0 from the average of its round, in hundredths of the score; side 1 has the opposite
	Points     [2]int
}

// Gains are what the matches of a round brought, table by table; nil before it is over.
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

// roundedQuotient is a/b for a positive b, to the nearest, halves away from zero,
// so that the opposite of a has the opposite quotient.
func roundedQuotient(a, b int) int {
	if a < 0 {
		return -roundedQuotient(-a, b)
	}
	return (2*a + b) / (2 * b)
}

// Standing is how an entrant stands.
type Standing struct {
	Entrant    int
	Rank       int // from 1; those who are equal in everything share it
	Points     int
	Difference int // the sum of the differences from the average, in hundredths of the score
	Buchholz   int // the points of those whom he met
	Matches    int
}

// Standings are all entrants, the first first, after the rounds that are over.
// Among equals, who came first stands first.
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

package tournament

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// play plays a random tournament in which some entrants come late and some leave.
func play(t *rapid.T, check func(s Swiss, r Round)) Swiss {
	var s Swiss
	n := rapid.IntRange(Least, Most).Draw(t, "entrants")
	for range n {
		s.Enter()
	}
	rounds := rapid.IntRange(1, min(MaxRounds(n), 9)).Draw(t, "rounds")
	for no := range rounds {
		if no > 0 {
			for range rapid.IntRange(0, 2).Draw(t, "late") {
				if len(s.Playing()) < Most {
					s.Enter()
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "goes") == 0 && len(s.Playing()) > Least {
				s.Entrants[rapid.SampledFrom(s.Playing()).Draw(t, "who")].Gone = true
			}
		}
		before := s
		before.Rounds = slices.Clone(s.Rounds)
		r := s.Pair([32]byte{byte(no)})
		if check != nil {
			check(before, r)
		}
		for i := range r.Tables {
			r.Tables[i].Margin = rapid.IntRange(-9, 9).Draw(t, "margin")
			r.Tables[i].Void = rapid.IntRange(0, 19).Draw(t, "void") == 0
		}
		s.Rounds[no].Over = true
	}
	return s
}

// In every round, each remaining entrant must have one match, or be the only one with a bye if their number is odd.
func TestEverybodyPlaysEachRound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		play(t, func(s Swiss, r Round) {
			var in []int
			for _, table := range r.Tables {
				in = append(in, table.Sides[:]...)
			}
			if len(s.Playing())%2 == 1 {
				in = append(in, r.Bye)
			} else if r.Bye != -1 {
				t.Fatalf("%d rests among %d", r.Bye, len(s.Playing()))
			}
			slices.Sort(in)
			if diff := cmp.Diff(s.Playing(), in); diff != "" {
				t.Fatal(diff)
			}
		})
	})
}

// As few pairings as possible may be repeated. In the first rounds, up to half as many as there are entrants, none may
// be.
func TestNobodyMeetsTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		play(t, func(s Swiss, r Round) {
			met := s.meetings()
			again := 0
			in := s.Playing()
			for _, table := range r.Tables {
				if met[pairOf(table.Sides[0], table.Sides[1])] > 0 {
					again++
				}
			}
			in = slices.DeleteFunc(in, func(e int) bool { return e == r.Bye })
			fewest := len(in)/2 - matching(in, func(a, b int) bool { return met[pairOf(a, b)] == 0 })
			if again != fewest {
				t.Fatalf("%d pairs meet again, %d would have to", again, fewest)
			}
			if again > 0 && 2*len(s.Rounds)+2 <= len(s.Entrants) && !slices.ContainsFunc(s.Entrants, func(e Entrant) bool { return e.Gone || e.Late > 0 }) {
				t.Fatalf("%d pairs meet again in round %d of %d entrants", again, len(s.Rounds)+1, len(s.Entrants))
			}
		})
	})
}

// Nobody may have a second bye while somebody else has had none. Among entrants with equally few byes, the one with the
// fewest points gets it, unless that would repeat a pairing.
func TestNobodyRestsTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		play(t, func(s Swiss, r Round) {
			if r.Bye < 0 {
				return
			}
			rested := map[int]int{}
			for _, past := range s.Rounds {
				rested[past.Bye]++
			}
			met := s.meetings()
			free := func(a, b int) bool { return met[pairOf(a, b)] == 0 }
			without := func(e int) int {
				return matching(slices.DeleteFunc(s.Playing(), func(o int) bool { return o == e }), free)
			}
			points := map[int]int{}
			for _, st := range s.Standings() {
				points[st.Entrant] = st.Points
			}
			for _, e := range s.Playing() {
				switch {
				case rested[e] < rested[r.Bye]:
					t.Fatalf("%d rests for the %d. time, %d did %d times", r.Bye, rested[r.Bye]+1, e, rested[e])
				case rested[e] == rested[r.Bye] && points[e] < points[r.Bye] && without(e) >= without(r.Bye):
					t.Fatalf("%d rests with %d points, and %d has %d", r.Bye, points[r.Bye], e, points[e])
				}
			}
		})
	})
}

// Pairing must depend only on the results and the draw.
func TestTheSameComesOfTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := play(t, func(s Swiss, r Round) {
			again := Swiss{Entrants: s.Entrants, Rounds: slices.Clone(s.Rounds)}
			if diff := cmp.Diff(r, again.Pair([32]byte{byte(len(s.Rounds))})); diff != "" {
				t.Fatal(diff)
			}
		})
		if diff := cmp.Diff(s.Standings(), s.Standings()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// No points or differences may be lost in the standings. Luck must cancel out: if all margins of a round change by the
// same amount, nothing changes.
func TestStandings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := play(t, nil)
		points, difference := 0, 0
		for _, st := range s.Standings() {
			points, difference = points+st.Points, difference+st.Difference
		}
		want := 0
		for _, r := range s.Rounds {
			want += 2 * len(r.Tables)
			if r.Bye >= 0 {
				want += 2
			}
		}
		if points != want || difference != 0 {
			t.Fatalf("%d points of %d, differences sum up to %d", points, want, difference)
		}
		lucky := Swiss{Entrants: s.Entrants}
		for _, r := range s.Rounds {
			r.Tables = slices.Clone(r.Tables)
			for i := range r.Tables {
				if len(r.Tables) > 1 {
					r.Tables[i].Margin += 7 // side 0 had better cards by this much at every table
				}
			}
			lucky.Rounds = append(lucky.Rounds, r)
		}
		for i, r := range s.Rounds {
			voids := 0
			for _, table := range r.Tables {
				if table.Void {
					voids++
				}
			}
			if len(r.Tables)-voids == 1 && len(r.Tables) > 1 {
				lucky.Rounds[i] = r // with one table, the margin counts unchanged
			}
		}
		if diff := cmp.Diff(s.Standings(), lucky.Standings()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestOneRound is worked out by hand: the margins 6, 2 and 1 have the average 3.
func TestOneRound(t *testing.T) {
	t.Parallel()
	s := Swiss{Entrants: make([]Entrant, 7), Rounds: []Round{{Over: true, Bye: 6, Tables: []Table{
		{Sides: [2]int{0, 1}, Margin: 6}, {Sides: [2]int{2, 3}, Margin: 2}, {Sides: [2]int{4, 5}, Margin: 1},
	}}}}
	want := []Standing{
		{Entrant: 0, Rank: 1, Points: 2, Difference: 300, Buchholz: 0, Matches: 1},
		{Entrant: 5, Rank: 2, Points: 2, Difference: 200, Buchholz: 0, Matches: 1},
		{Entrant: 3, Rank: 3, Points: 2, Difference: 100, Buchholz: 0, Matches: 1},
		{Entrant: 6, Rank: 4, Points: 2},
		{Entrant: 2, Rank: 5, Difference: -100, Buchholz: 2, Matches: 1},
		{Entrant: 4, Rank: 6, Difference: -200, Buchholz: 2, Matches: 1},
		{Entrant: 1, Rank: 7, Difference: -300, Buchholz: 2, Matches: 1},
	}
	if diff := cmp.Diff(want, s.Standings()); diff != "" {
		t.Error(diff)
	}
}

// TestRounds checks the numbers of rounds that people expect.
func TestRounds(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{4: "3 3", 5: "3 5", 6: "3 5", 8: "3 7", 9: "4 9", 16: "4 15", 17: "5 17", 64: "6 63"} {
		if got := fmt.Sprint(DefaultRounds(n), MaxRounds(n)); got != want {
			t.Errorf("%d entrants: %s rounds, want %s", n, got, want)
		}
	}
}

package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"sedmabot/store"
)

// row returns a row of the tests' board.
func row(member string, score float64, data string) store.Row {
	return store.Row{Board: "league", Member: member, Score: score, Data: []byte(data)}
}

func boardOrder(s *suite) {
	s.board(0, 10, "", 0)
	s.board(0, 10, "ann", 0)
	s.commit(store.Change{Rows: []store.Row{
		row("zero", 0, "z"), row("minus zero", math.Copysign(0, -1), ""), row("best", math.MaxFloat64, "{}"), row("worst", -math.MaxFloat64, ""),
		row("third", 1.0/3, ""), row("minus", -2.5, ""), row("small", math.SmallestNonzeroFloat64, ""), row("big", 1e15+1, ""),
		{Board: "another", Member: "stranger", Score: 5},
	}})
	s.commit(store.Change{Partition: part + 1, Rows: []store.Row{row("neighbour", 7, "")}})
	s.board(0, 100, "", 8,
		fmt.Sprintf("1 best %g {}", math.MaxFloat64), "2 big 1.000000000000001e+15 ", "3 third 0.3333333333333333 ", "4 small 5e-324 ",
		"5 minus zero 0 ", "5 zero 0 z", "7 minus -2.5 ", fmt.Sprintf("8 worst %g ", -math.MaxFloat64))
	s.board(1, 2, "", 8, "2 big 1.000000000000001e+15 ", "3 third 0.3333333333333333 ")
	s.board(5, 2, "", 8, "5 zero 0 z", "7 minus -2.5 ")
	s.board(8, 2, "", 8)
	s.board(100, 2, "", 8)
	s.board(-5, 1, "", 8, fmt.Sprintf("1 best %g {}", math.MaxFloat64))
	s.board(0, 0, "", 8)
	s.board(0, -1, "", 8)
}

func boardTies(s *suite) {
	s.commit(store.Change{Rows: []store.Row{
		row("dan", 5, ""), row("ann", 7, ""), row("bob", 5, ""), row("cid", 5, ""), row("eva", 5, ""), row("fay", 1, ""),
	}})
	s.board(0, 10, "", 6, "1 ann 7 ", "2 bob 5 ", "2 cid 5 ", "2 dan 5 ", "2 eva 5 ", "6 fay 1 ")
	s.board(3, 2, "", 6, "2 dan 5 ", "2 eva 5 ") // a page that begins within a tie
	s.board(5, 2, "", 6, "6 fay 1 ")
}

func boardAround(s *suite) {
	var rows []store.Row
	for i := range 9 {
		rows = append(rows, row(string(rune('a'+i)), float64(-i), ""))
	}
	s.commit(store.Change{Rows: rows})
	s.board(0, 3, "e", 9, "4 d -3 ", "5 e -4 ", "6 f -5 ")
	s.board(7, 3, "e", 9, "4 d -3 ", "5 e -4 ", "6 f -5 ") // with around set, from is ignored
	s.board(0, 1, "e", 9, "5 e -4 ")
	s.board(0, 3, "a", 9, "1 a 0 ", "2 b -1 ", "3 c -2 ")
	s.board(0, 3, "b", 9, "1 a 0 ", "2 b -1 ", "3 c -2 ")
	s.board(0, 3, "i", 9, "7 g -6 ", "8 h -7 ", "9 i -8 ")
	s.board(0, 4, "e", 9, "3 c -2 ", "4 d -3 ", "5 e -4 ", "6 f -5 ")
	s.board(0, 3, "stranger", 9)
	standings, all, err := s.Board(s.ctx, part, "league", 0, 1000, "e")
	if err != nil || len(standings) != 9 || all != 9 {
		s.Errorf("the whole board: %d of %d rows, %v", len(standings), all, err)
	}
}

func boardSet(s *suite) {
	change := store.Change{Rows: []store.Row{row("ann", 3, "first"), row("bob", 2, "")}}
	s.commit(change)
	s.commit(change)
	s.board(0, 10, "", 2, "1 ann 3 first", "2 bob 2 ")
	s.commit(store.Change{Rows: []store.Row{row("bob", 4, "better"), row("cid", 4, "")}})
	s.board(0, 10, "", 3, "1 bob 4 better", "1 cid 4 ", "3 ann 3 first")
	s.commit(store.Change{Rows: []store.Row{row("ann", 3, ""), {Board: "league", Member: "bob", Delete: true}, {Board: "league", Member: "nobody", Delete: true}}})
	s.board(0, 10, "", 2, "1 cid 4 ", "2 ann 3 ")
	// If a change has several rows for one member, the last one counts.
	s.commit(store.Change{Rows: []store.Row{row("dan", 9, "x"), row("dan", 1, "y"), row("cid", 8, ""), {Board: "league", Member: "cid", Delete: true}}})
	s.board(0, 10, "", 2, "1 ann 3 ", "2 dan 1 y")
	s.commit(store.Change{Rows: []store.Row{{Board: "league", Member: "ann", Delete: true}, {Board: "league", Member: "dan", Delete: true}}})
	s.board(0, 10, "", 0)

	var rows []store.Row
	for i := range store.MaxRows + 10 {
		rows = append(rows, row(fmt.Sprintf("m%d", i), float64(i), ""))
	}
	s.commit(store.Change{Rows: rows})
	standings, all, err := s.Board(s.ctx, part, "league", 0, 1<<40, "")
	if err != nil || len(standings) != store.MaxRows || all != store.MaxRows+10 {
		s.Errorf("%d of %d rows, %v", len(standings), all, err)
	}
}

// boardMany changes the rows of a board that grows to thousands of rows and shrinks again, and compares pages of it with a
// sorted list. Many rows have equal scores.
func boardMany(s *suite) {
	r := rand.New(rand.NewPCG(1, 8))
	scores := map[string]float64{}
	check := func() {
		s.Helper()
		sorted := slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
			return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
		})
		lines := func(from, n int) (want []string) {
			for i := from; i < min(from+n, len(sorted)); i++ {
				rank := slices.IndexFunc(sorted, func(m string) bool { return scores[m] == scores[sorted[i]] }) + 1
				want = append(want, fmt.Sprintf("%d %s %g ", rank, sorted[i], scores[sorted[i]]))
			}
			return want
		}
		for range 8 {
			from := r.IntN(len(sorted) + 3)
			s.board(from, 7, "", len(sorted), lines(from, 7)...)
			if len(sorted) > 0 {
				at := r.IntN(len(sorted))
				s.board(0, 5, sorted[at], len(sorted), lines(max(0, min(at-2, len(sorted)-5)), 5)...)
			}
		}
	}
	for _, step := range []struct {
		changes, members, spread int
		deletes                  float64
	}{{30, 4000, 50, 0}, {5, 4000, 1_000_000, 0.3}, {5, 4000, 3, 0.5}, {20, 4000, 1000, 0.97}} {
		for range step.changes {
			var c store.Change
			for range 200 {
				w := row(fmt.Sprintf("m%d", r.IntN(step.members)), float64(r.IntN(step.spread)), "")
				if w.Delete = r.Float64() < step.deletes; w.Delete {
					delete(scores, w.Member)
				} else {
					scores[w.Member] = w.Score
				}
				c.Rows = append(c.Rows, w)
			}
			s.commit(c)
		}
		check()
	}
	var c store.Change
	for member := range scores {
		c.Rows = append(c.Rows, store.Row{Board: "league", Member: member, Delete: true})
	}
	s.commit(c)
	clear(scores)
	check()
}

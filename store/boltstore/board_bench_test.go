package boltstore

import (
	"fmt"
	"path/filepath"
	"testing"

	"sedmabot/store"
)

// BenchmarkBoard reads a player and their neighbours on a board of 10,000 rows.
func BenchmarkBoard(b *testing.B) {
	const members, batch = 10_000, 1000
	s, err := Open(filepath.Join(b.TempDir(), "data.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	data := []byte(`{"name":"Somebody","matches":123,"wins":61,"stakes":17,"sweeps":3,"rating":1512}`)
	for from := 0; from < members; from += batch {
		c := store.Change{}
		for i := range batch {
			c.Rows = append(c.Rows, store.Row{Board: "league", Member: fmt.Sprint("discord:", from+i), Score: float64((from + i) * 7919 % 2000), Data: data})
		}
		if err := s.Commit(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for i := range b.N {
		if rows, _, err := s.Board(b.Context(), 0, "league", 0, 5, fmt.Sprint("discord:", i*7919%members)); err != nil || len(rows) != 5 {
			b.Fatal(len(rows), err)
		}
	}
}

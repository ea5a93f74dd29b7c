package redisstore

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sedmabot/store"
	"sedmabot/store/redistest"
)

// BenchmarkBoard reads a board of 100,000 rows, in turns with a bare ZREVRANGE of
// ten members of a sorted set of that size. It reads the top, and a player with
// their neighbours and their rank, each in one round trip. The metrics divide the
// time of the slowest hundredth by that of the bare command.
func BenchmarkBoard(b *testing.B) {
	const members, batch = 100_000, 1000
	s, err := Open(b.Context(), redistest.Start(b).URL(), Options{})
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
	kinds := []func(i int) error{
		func(int) error { return s.client.ZRevRange(b.Context(), s.keys.ranking(0, "league"), 0, 9).Err() },
		func(int) error { _, _, err := s.Board(b.Context(), 0, "league", 0, 10, ""); return err },
		func(i int) error {
			_, _, err := s.Board(b.Context(), 0, "league", 0, 5, fmt.Sprint("discord:", i*7919%members))
			return err
		},
	}
	times := make([][]time.Duration, len(kinds))
	b.ResetTimer()
	for i := range max(b.N, 1000) {
		for k, do := range kinds {
			start := time.Now()
			if err := do(i); err != nil {
				b.Fatal(err)
			}
			times[k] = append(times[k], time.Since(start))
		}
	}
	p99 := func(k int) float64 {
		slices.Sort(times[k])
		return times[k][len(times[k])*99/100].Seconds()
	}
	b.ReportMetric(p99(1)/p99(0), "top-p99-ratio")
	b.ReportMetric(p99(2)/p99(0), "around-p99-ratio")
	b.ReportMetric(p99(2)*1000, "around-p99-ms")
}

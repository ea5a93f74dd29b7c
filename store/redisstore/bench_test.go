package redisstore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/store"
	"sedmabot/store/storetest"
)

// BenchmarkCommit compares 64 clients that commit a move (a table of 2 kB and its mark) with 64 clients that send the same
// bytes to a script of one SET, in turns. The metric ratio is commits a second by bare scripts a second; p99-ratio is
// the time of the slowest hundredth of commits by that of bare scripts.
func BenchmarkCommit(b *testing.B) {
	const clients, turns = 64, 8
	s, err := Open(b.Context(), storetest.Redis(b).URL(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	data := make([]byte, 2000)
	change := func(i int64) store.Change {
		return store.Change{
			Partition: int(i % store.Partitions),
			Writes:    []store.Write{{Name: fmt.Sprint("table:", i%1000), Expect: store.Any, Data: data}},
			Due:       []store.Mark{{ID: fmt.Sprint("table:", i%1000), At: time.UnixMilli(2e12 - i)}},
		}
	}
	other := &Store{keys: newSpace("other")} // its documents are no documents
	bare := newScript("redis.call('SET', KEYS[8], ARGV[11]) return 0")
	kinds := [2]func(ctx context.Context, c store.Change) error{
		s.Commit,
		func(ctx context.Context, c store.Change) error {
			keys, args := other.commitWords(c)
			return s.client.EvalSha(ctx, bare.hash, keys, args...).Err()
		},
	}
	if err := s.client.ScriptLoad(b.Context(), bare.source).Err(); err != nil {
		b.Fatal(err)
	}
	if err := s.Commit(b.Context(), change(0)); err != nil {
		b.Fatal(err)
	}

	var took [2]time.Duration
	var times [2][]time.Duration
	var mu sync.Mutex
	n := int64(max(b.N/turns, clients))
	b.ResetTimer()
	for range turns {
		for k, do := range kinds {
			var next atomic.Int64
			var all sync.WaitGroup
			begin := time.Now()
			for range clients {
				all.Go(func() {
					var mine []time.Duration
					for i := next.Add(1); i <= n; i = next.Add(1) {
						start := time.Now()
						if err := do(b.Context(), change(i)); err != nil {
							b.Error(err)
							return
						}
						mine = append(mine, time.Since(start))
					}
					mu.Lock()
					times[k] = append(times[k], mine...)
					mu.Unlock()
				})
			}
			all.Wait()
			took[k] += time.Since(begin)
		}
	}
	p99 := func(k int) float64 {
		slices.Sort(times[k])
		return times[k][len(times[k])*99/100].Seconds()
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
	b.ReportMetric(p99(0)/p99(1), "p99-ratio")
	b.ReportMetric(p99(0)*1000, "p99-ms")
	b.ReportMetric(float64(n*turns)/took[0].Seconds(), "commits/s")
}

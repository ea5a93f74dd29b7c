package boltstore

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// BenchmarkCommit compares 64 clients that commit through the store with the same commits in one transaction each. The
// metric ratio is the speedup of the store.
func BenchmarkCommit(b *testing.B) {
	data := make([]byte, 2000)
	change := func(i int64) store.Change {
		return store.Change{
			Partition: int(i % store.Partitions),
			Writes:    []store.Write{{Name: fmt.Sprint("table:", i%1000), Expect: store.Any, Data: data}},
			Due:       []store.Mark{{ID: fmt.Sprint("table:", i%1000), At: time.UnixMilli(1e12 + i)}},
		}
	}
	measure := func(commit func(s *Store, c store.Change) error) time.Duration {
		s, err := Open(filepath.Join(b.TempDir(), "data.db"))
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		var next atomic.Int64
		var all sync.WaitGroup
		begin := time.Now()
		for range 64 {
			all.Go(func() {
				for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
					if err := commit(s, change(i)); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		return time.Since(begin)
	}
	alone := measure(func(s *Store, c store.Change) error {
		return transact(s.db, func(tx *bbolt.Tx) error { return apply(tx, c) })
	})
	b.ResetTimer()
	shared := measure(func(s *Store, c store.Change) error { return s.Commit(b.Context(), c) })
	b.ReportMetric(alone.Seconds()/shared.Seconds(), "ratio")
	b.ReportMetric(float64(b.N)/shared.Seconds(), "commits/s")
}

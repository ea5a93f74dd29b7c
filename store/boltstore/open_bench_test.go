package boltstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sedmabot/store"
)

// BenchmarkOpen opens a file of 64 MB that the system has in memory. The metric ratio is how many times as long as reading
// the file in order that takes.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "data.db")
	s, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	data := make([]byte, 4000)
	for n := 0; n < 64<<20/len(data); {
		c := store.Change{Partition: n % store.Partitions}
		for range 200 {
			c.Writes = append(c.Writes, store.Write{Name: fmt.Sprintf("record:%016x", rand.Uint64()), Data: data})
			n++
		}
		if err := s.Commit(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	var plain time.Duration
	b.ResetTimer()
	for range b.N {
		begin := time.Now()
		if _, err := os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
		plain += time.Since(begin)
		s, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((b.Elapsed()-plain).Seconds()/plain.Seconds(), "ratio")
}

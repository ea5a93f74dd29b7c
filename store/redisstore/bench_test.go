package redisstore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"sedmabot/store"
	"sedmabot/store/redistest"
)

// BenchmarkCommit compares 64 clients that commit moves (a table of 2 kB at its expected version, and its mark) with 64
// clients that send the same bytes to a bare script of one SET by EVALSHA. The two run in turns. Each bare script makes a
// round trip of its own, as in a plain loop. Commits share round trips, so a third kind does too: bare scripts sent
// through a wire. The metric ratio is commits a second divided by bare scripts a second. For shared-ratio, the divisor is
// the bare scripts that share round trips, so only the cost of the scripts remains. p99-ratio is the time of the slowest
// hundredth of commits divided by that of bare scripts.
func BenchmarkCommit(b *testing.B) {
	const clients, turns = 64, 40
	s, err := Open(b.Context(), redistest.Start(b).URL(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	other := &Store{keys: newSpace("other")} // its documents are malformed
	bare := newScript("redis.call('SET', KEYS[9], ARGV[12]) return 0")
	if err := s.client.ScriptLoad(b.Context(), bare.source).Err(); err != nil {
		b.Fatal(err)
	}
	shared := wire{client: s.client, limit: limit}
	kinds := [...]func(ctx context.Context, c store.Change) error{
		s.Commit,
		func(ctx context.Context, c store.Change) error {
			keys, args := other.commitWords(c)
			return s.client.EvalSha(ctx, bare.hash, keys, args...).Err()
		},
		func(ctx context.Context, c store.Change) error {
			keys, args := other.commitWords(c)
			_, err := run(ctx, shared.process, bare, keys, args)
			return err
		},
	}

	data := make([]byte, 2000)
	due := time.Now().Add(1000 * time.Hour)
	var versions [len(kinds)][clients]int64
	for client := range clients {
		key := store.Key{Partition: client % store.Partitions, Name: fmt.Sprint("table:", client)}
		err := s.Commit(b.Context(), store.Change{Partition: key.Partition, Writes: []store.Write{{Name: key.Name, Data: data}}})
		if err != nil {
			b.Fatal(err)
		}
		docs, err := s.Get(b.Context(), key)
		if err != nil {
			b.Fatal(err)
		}
		for k := range kinds {
			versions[k][client] = docs[0].Version
		}
	}

	var took [len(kinds)]time.Duration
	var times [len(kinds)][]time.Duration
	var mu sync.Mutex
	n := max(b.N/turns/clients, 1)
	b.ResetTimer()
	for range turns {
		for k, do := range kinds {
			var all sync.WaitGroup
			begin := time.Now()
			for client := range clients {
				all.Go(func() {
					name, version := fmt.Sprint("table:", client), &versions[k][client]
					var mine []time.Duration
					for range n {
						start := time.Now()
						err := do(b.Context(), store.Change{
							Partition: client % store.Partitions,
							Writes:    []store.Write{{Name: name, Expect: *version, Data: data}},
							Due:       []store.Mark{{ID: name, At: due.Add(time.Duration(-*version) * time.Second)}},
						})
						if err != nil {
							b.Error(err)
							return
						}
						*version++
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
	b.ReportMetric(took[2].Seconds()/took[0].Seconds(), "shared-ratio")
	b.ReportMetric(p99(0)/p99(1), "p99-ratio")
	b.ReportMetric(p99(0)*1000, "p99-ms")
	b.ReportMetric(float64(n*clients*turns)/took[0].Seconds(), "commits/s")
}

// BenchmarkClaim commits a move, and gets the table's three documents for the job that the change claims. The metric ratio
// is how many times as long it takes to read them afterwards.
func BenchmarkClaim(b *testing.B) {
	s, err := Open(b.Context(), redistest.Start(b).URL(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	names := []string{"table:a", "shown:a", "notes:a"}
	keys := []store.Key{{Name: names[0]}, {Name: names[1]}, {Name: names[2]}}
	var docs []store.Doc
	move := func(read bool) {
		now := time.Now()
		h := &store.Claim{ID: "table:a", Token: 1 << 62, Until: now.Add(time.Minute)}
		if read {
			h.Read = names
		}
		err := s.Commit(b.Context(), store.Change{Now: now, Claim: h, Writes: []store.Write{{Name: names[0], Expect: docs[0].Version, Data: docs[0].Data}}})
		if docs = h.Docs; err == nil && !read {
			docs, err = s.Get(b.Context(), keys...)
		}
		if err == nil {
			err = s.Release(b.Context(), store.Job{ID: h.ID, Token: h.Token}, now, time.Time{})
		}
		if err != nil || len(docs) != 3 {
			b.Fatal(err, docs)
		}
	}
	for _, name := range names {
		if err := s.Commit(b.Context(), store.Change{Writes: []store.Write{{Name: name, Data: make([]byte, 4000)}}}); err != nil {
			b.Fatal(err)
		}
	}
	if docs, err = s.Get(b.Context(), keys...); err != nil {
		b.Fatal(err)
	}
	var after time.Duration
	b.ResetTimer()
	for range b.N {
		begin := time.Now()
		move(false)
		after += time.Since(begin)
		move(true)
	}
	b.ReportMetric(after.Seconds()/(b.Elapsed()-after).Seconds(), "ratio")
}

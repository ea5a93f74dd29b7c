package league

import (
	"fmt"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// BenchmarkResult compares the commit of a result with that of a move, in turns on one Redis. A result has the table,
// the records of deal and match, the ledger, four members with ratings and statistics, and 32 board rows. A move has
// the table and its mark. The metric "ratio" is the time of a result divided by that of a move.
func BenchmarkResult(b *testing.B) {
	s, err := redisstore.Open(b.Context(), redistest.Start(b).URL(), redisstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const home = "test:1"
	p := store.Partition(home)
	kept := func(n int) []byte { return doc.Encode(string(make([]byte, n/6))) } // a zero byte takes six bytes of JSON
	var took [2]time.Duration
	var h doc.Home
	b.ResetTimer()
	for i := range b.N {
		now := time.Now()
		move := store.Change{Partition: p, Now: now,
			Writes: []store.Write{{Name: doc.TableName("a"), Expect: store.Any, Data: kept(6000)}},
			Due:    []store.Mark{{ID: doc.TableName("a"), At: now.Add(time.Hour)}},
		}
		r := seated(func(seats []table.Seat) {
			for s := range seats {
				seats[s].Player.ID = fmt.Sprint("test:", (i+s*7)%40)
			}
		})
		docs, err := s.Get(b.Context(), r.MemberKeys(home)...)
		if err != nil {
			b.Fatal(err)
		}
		match := fmt.Sprint("a-", i)
		result := store.Change{Partition: p, Now: now, Writes: append([]store.Write{}, move.Writes...), Due: append([]store.Mark{}, move.Due...)}
		result.Writes = append(result.Writes,
			store.Write{Name: doc.RecordName("a", i), Expect: store.Any, Data: kept(1500), Expires: now.Add(doc.KeepRecord)},
			store.Write{Name: doc.MatchName("a", i), Expect: store.Any, Data: kept(3000), Expires: now.Add(doc.KeepRecord)})
		if _, _, err := Enter(&h, &result, home, match, r, docs); err != nil {
			b.Fatal(err)
		}
		result.Writes = append(result.Writes, store.Write{Name: doc.HomeName(home), Expect: store.Any, Data: doc.Encode(h)})
		result.Due = append(result.Due, store.Mark{ID: ResultName(home, match), At: now})
		for k, c := range []store.Change{move, result} {
			start := time.Now()
			if err := s.Commit(b.Context(), c); err != nil {
				b.Fatal(err)
			}
			took[k] += time.Since(start)
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
	b.ReportMetric(took[1].Seconds()/float64(b.N)*1000, "result-ms")
	b.ReportMetric(took[0].Seconds()/float64(b.N)*1000, "move-ms")
}

package work

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// A clock that steps back while a job runs doesn't delay the job's next run: its due time came from the old clock.
func TestTheClockStepsBackDuringAJob(t *testing.T) {
	right := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, step := range []time.Duration{0, store.Skew / 2, time.Minute, time.Hour} {
		kept, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Close()
		now := right.Add(step)
		q := New(&doc.Docs{Store: kept, Now: func() time.Time { return now }})
		if err := kept.Commit(t.Context(), store.Change{Now: now, Due: []store.Mark{{ID: "job", At: now}}}); err != nil {
			t.Fatal(err)
		}
		claim := func() []store.Job {
			jobs, _, err := kept.Claim(context.Background(), now, Lease, 1)
			if err != nil {
				t.Fatal(err)
			}
			return jobs
		}
		jobs, ends, next := claim(), now.Add(Lease), now.Add(time.Second)
		if len(jobs) != 1 {
			t.Fatalf("%d jobs are due", len(jobs))
		}
		now = right
		if err := q.Complete(t.Context(), store.Change{Done: &jobs[0], Next: next}, ends); err != nil {
			t.Fatal(err)
		}
		now = right.Add(time.Second + store.Skew/2)
		if jobs := claim(); len(jobs) != 1 {
			t.Errorf("after a step of %v, the job isn't due", step)
		}
	}
}

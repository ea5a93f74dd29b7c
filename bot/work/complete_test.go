package work

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/storetest"
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

// A job that a stop cuts off is no error, and another process can do it at once.
func TestAStopCutsOffAJob(t *testing.T) {
	t.Parallel()
	kept, now := storetest.NewMemory(), time.Now().Truncate(time.Millisecond)
	defer kept.Close()
	var log bytes.Buffer
	q := New(&doc.Docs{Store: kept, Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err := kept.Commit(t.Context(), store.Change{Now: now, Due: []store.Mark{{ID: "a:b", At: now}}}); err != nil {
		t.Fatal(err)
	}
	claim := func() []store.Job {
		jobs, _, err := kept.Claim(t.Context(), now, Lease, 1)
		if err != nil {
			t.Fatal(err)
		}
		return jobs
	}
	jobs := claim()
	if len(jobs) != 1 {
		t.Fatalf("%d jobs are due", len(jobs))
	}
	stopped, stop := context.WithCancel(t.Context())
	q.Work(stopped, map[string]doc.Kind{"a": {Job: func(ctx context.Context, _ string, _ store.Job, _ time.Time) error {
		stop()
		return kept.Commit(ctx, store.Change{Done: &jobs[0]})
	}}}, jobs[0], now.Add(Lease))
	if len(claim()) != 1 {
		t.Error("the job waits for the end of its lease")
	}
	if log.Len() > 0 {
		t.Errorf("errors in the log:\n%s", &log)
	}
}

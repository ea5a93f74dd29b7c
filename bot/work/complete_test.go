package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// failing is a store whose next commits fail.
type failing struct {
	*storetest.Memory
	commits int
}

func (s *failing) Commit(ctx context.Context, c store.Change) error {
	if s.commits--; s.commits >= 0 {
		return errors.New("the store is away")
	}
	return s.Memory.Commit(ctx, c)
}

// If the clock leaps ahead during a job, and the store is away for 40 s just then, as in a failover, the job's end is stored
// later all the same: what it has sent would be sent twice.
func TestTheClockLeapsAheadDuringAJob(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept, ahead := &failing{Memory: storetest.NewMemory()}, time.Duration(0)
		defer kept.Close()
		q := New(&doc.Docs{Store: kept, Now: func() time.Time { return time.Now().Add(ahead) }})
		now := time.Now()
		if err := kept.Commit(t.Context(), store.Change{Now: now, Due: []store.Mark{{ID: "job", At: now}}}); err != nil {
			t.Fatal(err)
		}
		jobs, _, err := kept.Claim(t.Context(), now, Lease, 1)
		if err != nil || len(jobs) != 1 {
			t.Fatalf("claimed %v: %v", jobs, err)
		}
		kept.commits, ahead = 40, time.Minute
		if err := q.Complete(t.Context(), store.Change{Done: &jobs[0]}, now.Add(Lease)); err != nil {
			t.Error(err)
		}
	})
}

// A process whose job was taken by another one may have changed something that the other one has read before. So the job is
// done once more.
func TestAJobThatWasTakenIsDoneOnceMore(t *testing.T) {
	t.Parallel()
	kept, now := storetest.NewMemory(), time.Now().Truncate(time.Millisecond)
	defer kept.Close()
	q := New(&doc.Docs{Store: kept, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
	if err := kept.Commit(t.Context(), store.Change{Now: now, Due: []store.Mark{{ID: "a:b", At: now}}}); err != nil {
		t.Fatal(err)
	}
	claim := func() store.Job {
		t.Helper()
		jobs, _, err := kept.Claim(t.Context(), now, Lease, 1)
		if err != nil || len(jobs) != 1 {
			t.Fatalf("claimed %v: %v", jobs, err)
		}
		return jobs[0]
	}
	taken, ends := claim(), now.Add(Lease)
	now = ends.Add(time.Second)
	other := claim()
	q.Work(t.Context(), map[string]doc.Kind{"a": {Job: func(ctx context.Context, _ string, job store.Job, ends time.Time) error {
		return q.Complete(ctx, store.Change{Done: &job}, ends)
	}}}, taken, ends)
	if err := kept.Release(t.Context(), other, now, time.Time{}); err != nil {
		t.Fatal(err)
	}
	claim()
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

// A job that this process can't do stays due for others. This process leaves it alone for a minute, and says so once.
func TestAJobOfANewerVersion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept, due := storetest.NewMemory(), time.Now().Truncate(time.Millisecond)
		defer kept.Close()
		var log bytes.Buffer
		q := New(&doc.Docs{Store: kept, Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err := kept.Commit(t.Context(), store.Change{Now: due, Due: []store.Mark{{ID: "new:a", At: due}, {ID: "damaged:b", At: due}}}); err != nil {
			t.Fatal(err)
		}
		kinds := map[string]doc.Kind{"damaged": {Job: func(context.Context, string, store.Job, time.Time) error { return doc.ErrUnreadable }}}
		for range 3 {
			jobs, _, err := kept.Claim(t.Context(), time.Now(), Lease, 5)
			if err != nil || len(jobs) != 2 {
				t.Fatalf("claimed %+v, %v", jobs, err)
			}
			for _, job := range jobs {
				if !job.Due.Equal(due) {
					t.Errorf("%s is due since %v, want %v", job.ID, job.Due, due)
				}
				q.Work(t.Context(), kinds, job, time.Now().Add(Lease))
			}
			if jobs, _, err := kept.Claim(t.Context(), time.Now(), Lease, 5); err != nil || len(jobs) != 0 {
				t.Errorf("claimed %+v again, %v", jobs, err)
			}
			time.Sleep(NewerFor)
		}
		if n := strings.Count(log.String(), "level=WARN"); n != 1 {
			t.Errorf("%d warnings:\n%s", n, &log)
		}
	})
}

// lagging is a store that answers a claim of jobs, and commits with one, late, and lets nobody give back a job.
type lagging struct {
	*storetest.Memory
	late, lateCommit time.Duration
	asked            chan struct{}
}

func (s *lagging) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := s.Memory.Claim(ctx, now, lease, limit)
	if len(jobs) > 0 {
		close(s.asked)
		time.Sleep(s.late)
	}
	return jobs, next, err
}

func (s *lagging) Commit(ctx context.Context, c store.Change) error {
	defer time.Sleep(s.lateCommit)
	return s.Memory.Commit(ctx, c)
}

func (*lagging) Release(ctx context.Context, _ store.Job, _, _ time.Time) error {
	<-ctx.Done()
	return ctx.Err()
}

// A stop takes 8 s, even if the store answers a claim after the stop.
func TestAStopWhileTheStoreIsLate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ claim, commit time.Duration }{
		"a claim":                 {claiming - time.Millisecond, 0},
		"a commit with a claim":   {0, 5 * time.Second},
		"both":                    {claiming - time.Millisecond, 5 * time.Second},
		"neither, and a long job": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kept := &lagging{storetest.NewMemory(), c.claim, c.commit, make(chan struct{})}
				defer kept.Close()
				q := New(&doc.Docs{Store: kept, Now: time.Now, Log: slog.New(slog.DiscardHandler), Wakes: make(chan struct{}, 1)})
				if err := kept.Memory.Commit(t.Context(), store.Change{Due: []store.Mark{{ID: "a:b", At: time.Now()}}}); err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				hangs := func(ctx context.Context, _ string, _ store.Job, _ time.Time) error { <-ctx.Done(); return ctx.Err() }
				go func() { ended <- q.Run(ctx, map[string]doc.Kind{"a": {Job: hangs}, "table": {Job: hangs}}, func() {}) }()
				<-kept.asked
				pressed := make(chan error)
				go func() {
					now := time.Now()
					pressed <- q.Commit(t.Context(), "press", store.Change{Now: now, Claim: q.Claim("c", now)})
				}()
				synctest.Wait()
				began := time.Now()
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took > 8*time.Second {
					t.Errorf("the stop took %v", took)
				}
				if err := <-pressed; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Many jobs that are late, as after a start, begin little by little, so that they don't hold up the presses. All of them
// are done.
func TestLateJobsBeginLittleByLittle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const late = 500
		kept := storetest.NewMemory()
		defer kept.Close()
		docs := &doc.Docs{Store: kept, Now: time.Now, Log: slog.New(slog.DiscardHandler), Wakes: make(chan struct{}, 1)}
		q := New(docs)
		c := store.Change{Now: time.Now()}
		for i := range late {
			c.Due = append(c.Due, store.Mark{ID: fmt.Sprint("a:", i), At: c.Now})
		}
		if err := kept.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		var done atomic.Int64
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			_ = q.Run(ctx, map[string]doc.Kind{"a": {Job: func(ctx context.Context, _ string, job store.Job, _ time.Time) error {
				done.Add(1)
				return kept.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Now: time.Now()})
			}}}, func() {})
		})
		time.Sleep(50 * time.Millisecond)
		if n := done.Load(); n == 0 || n > 40 {
			t.Errorf("%d jobs in the first moment", n)
		}
		time.Sleep(3 * time.Second)
		if n := done.Load(); n != late {
			t.Errorf("%d of %d jobs are done", n, late)
		}
		stop()
		running.Wait()
	})
}

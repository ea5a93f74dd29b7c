package work

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// counting is a store that counts the jobs that are claimed.
type counting struct {
	*storetest.Memory
	claimed *atomic.Int64
}

func (s counting) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := s.Memory.Claim(ctx, now, lease, limit)
	s.claimed.Add(int64(len(jobs)))
	return jobs, next, err
}

// Two processes whose clocks differ by more than a lease don't take each other's jobs all the time.
func TestWrongClocksStealFewJobs(t *testing.T) {
	t.Parallel()
	for name, ahead := range map[string]time.Duration{"right": 0, "ahead": 30 * time.Second, "behind": -30 * time.Second} {
		for _, takes := range []time.Duration{5 * time.Millisecond, 200 * time.Millisecond, 4 * time.Second} {
			t.Run(name+" "+takes.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					var claimed, done atomic.Int64
					var mu sync.Mutex
					deadlines := map[string]time.Time{} // by job, as a document has it
					kept := counting{storetest.NewMemory(), &claimed}
					defer kept.Close()
					const jobs = 4
					for i := range jobs {
						if err := kept.Commit(t.Context(), store.Change{Due: []store.Mark{{ID: "a:" + strconv.Itoa(i), At: time.Now()}}}); err != nil {
							t.Fatal(err)
						}
					}
					ctx, stop := context.WithCancel(t.Context())
					var running sync.WaitGroup
					for _, by := range []time.Duration{0, ahead} {
						d := &doc.Docs{
							Store: kept, Log: slog.New(slog.DiscardHandler), Wakes: make(chan struct{}, 1),
							Now: func() time.Time { return time.Now().Add(by) },
						}
						q := New(d)
						work := func(ctx context.Context, id string, job store.Job, ends time.Time) error {
							chat.Pause(ctx, takes)
							mu.Lock()
							next, due := deadlines[id], !deadlines[id].After(d.Now())
							mu.Unlock()
							if due {
								next = d.Now().Add(time.Minute)
							}
							err := q.Complete(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next}, ends)
							if err == nil && due {
								done.Add(1)
								mu.Lock()
								deadlines[id] = next
								mu.Unlock()
							}
							return err
						}
						running.Go(func() {
							if err := q.Run(ctx, map[string]doc.Kind{"a": {Job: work}}, func() {}); err != nil {
								t.Error(err)
							}
						})
					}
					const span = 10 * time.Minute
					time.Sleep(span)
					stop()
					running.Wait()
					if n := float64(claimed.Load()) / span.Seconds(); n > jobs {
						t.Errorf("%.0f claims a second", n)
					}
					if n := done.Load(); n < jobs*int64(span/time.Minute)*2/3 {
						t.Errorf("only %d jobs were done", n)
					}
				})
			})
		}
	}
}

package work_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game/ai"
	"sedmabot/store"
)

const thinks = 5 * time.Millisecond // about as long as the coach thinks about one choice

// While presses wait, idle computations take at most a tenth of a core, however the
// presses come. While none wait, they take a whole one.
func TestIdleCapacity(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for name, test := range map[string]struct {
		press, gap time.Duration // presses of this length, with such gaps between them
		least      float64       // least share of a core in all
	}{
		"nobody waits":       {0, time.Second, 1},
		"always":             {time.Second, 0, 0.099},
		"short presses":      {3 * time.Millisecond, time.Millisecond, 0.099},
		"rare presses":       {2 * time.Millisecond, 200 * time.Millisecond, 0.85},
		"a longer one first": {10 * time.Second, 10 * time.Second, 0.54},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				idle := work.NewIdle()
				var stop, pressed atomic.Bool
				var presses sync.WaitGroup
				presses.Go(func() {
					for test.press > 0 && !stop.Load() {
						idle.Begin()
						idle.Begin() // two people
						pressed.Store(true)
						time.Sleep(test.press)
						idle.End()
						pressed.Store(false)
						idle.End()
						time.Sleep(test.gap)
					}
				})
				const long, step = 20 * time.Second, thinks / 50
				var all, meanwhile time.Duration
				for end := time.Now().Add(long); time.Now().Before(end); {
					if err := idle.Take(t.Context(), func() {
						for range thinks / step {
							if time.Sleep(step); pressed.Load() {
								meanwhile += step
							}
							all += step
						}
					}); err != nil {
						t.Fatal(err)
					}
				}
				if share := float64(meanwhile) / float64(long); share > 0.101 {
					t.Errorf("while presses waited, they took %.3f of a core", share)
				}
				if share := float64(all) / float64(long); share < test.least {
					t.Errorf("they took only %.3f of a core", share)
				}
				stop.Store(true)
				presses.Wait()
			})
		})
	}
}

// A caller that doesn't get its turn soon, or would wait behind too many others, is sent
// away. So idle computations never hold all workers.
func TestIdleIsCrowded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		idle := work.NewIdle()
		done := make(chan struct{})
		go func() { _ = idle.Take(t.Context(), func() { <-done }) }()
		synctest.Wait()
		began := time.Now()
		at := make(chan time.Duration)
		const many = 20
		for range many {
			go func() {
				if err := idle.Take(t.Context(), func() {}); !errors.Is(err, ai.ErrCrowded) {
					t.Error(err)
				}
				at <- time.Since(began)
			}()
		}
		at0 := 0
		for range many {
			if <-at == 0 {
				at0++
			}
		}
		if at0 < many-8 || at0 == many {
			t.Errorf("%d of %d were sent away at once", at0, many)
		}
		close(done)
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		idle.Begin()
		for range 2 {
			_ = idle.Take(t.Context(), func() { time.Sleep(thinks) })
		}
		if err := idle.Take(ctx, func() { t.Error("it ran after the end") }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A job counts as somebody who waits, unless its kind works in idle capacity itself.
func TestJobsTakeCapacity(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]time.Duration{"table": (10 - 1) * thinks, "verdict": 0} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := work.New(&doc.Docs{Log: slog.New(slog.DiscardHandler), Now: time.Now})
				done := make(chan struct{})
				job := func(context.Context, string, store.Job, time.Time) error { <-done; return nil }
				kinds := map[string]doc.Kind{"table": {Job: job}, "verdict": {Job: job, Idle: true}}
				go q.Work(t.Context(), kinds, store.Job{ID: kind + ":x"}, time.Now().Add(work.Lease))
				synctest.Wait()
				if err := q.Idle.Take(t.Context(), func() { time.Sleep(thinks) }); err != nil {
					t.Fatal(err)
				}
				close(done)
				synctest.Wait()
				began := time.Now()
				if err := q.Idle.Take(t.Context(), func() {}); err != nil || time.Since(began) != want {
					t.Errorf("it rested for %v, want %v: %v", time.Since(began), want, err)
				}
			})
		})
	}
}

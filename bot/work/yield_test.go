package work

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// Hundreds of jobs can wait at once, with small stacks. Each continues after its wait.
func TestJobsThatWaitHaveSmallStacks(t *testing.T) {
	const jobs = 4 * Workers
	kept := storetest.NewMemory()
	defer kept.Close()
	for i := range jobs {
		if err := kept.Commit(t.Context(), store.Change{Due: []store.Mark{{ID: "a:" + strconv.Itoa(i), At: time.Now()}}}); err != nil {
			t.Fatal(err)
		}
	}
	q := New(&doc.Docs{Store: kept, Log: slog.New(slog.DiscardHandler), Wakes: make(chan struct{}, 1), Now: time.Now})
	wait, done := make(chan struct{}), make(chan struct{})
	var waiting, continued sync.WaitGroup
	waiting.Add(jobs)
	continued.Add(jobs)
	work := func(ctx context.Context, _ string, job store.Job, ends time.Time) error {
		return q.Yield(ctx, job, func(context.Context) {
			waiting.Done()
			<-wait
		}, func() error {
			defer continued.Done()
			return q.Complete(ctx, store.Change{Partition: job.Partition, Done: &job}, ends)
		})
	}
	before := stacks()
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		_ = q.Run(ctx, map[string]doc.Kind{"a": {Job: work}}, func() {})
	}()
	waiting.Wait()
	if each := (stacks() - before) / jobs; each > 16<<10 {
		t.Errorf("each job waits with a stack of %d kB", each>>10)
	}
	close(wait)
	continued.Wait()
	stop()
	<-done
	if left, _, err := kept.Claim(t.Context(), time.Now().Add(time.Hour), Lease, jobs); err != nil || len(left) > 0 {
		t.Errorf("%d jobs are left, %v", len(left), err)
	}
}

// stacks returns the memory of all stacks.
func stacks() int {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

package town

import (
	"context"
	"sync"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// Works waits a minute and lets the bot do a job that is due then. If it isn't due, the test fails.
func (w *Town) Works(id string) {
	w.t.Helper()
	time.Sleep(time.Minute)
	jobs, _, err := w.Docs.Store.Claim(w.t.Context(), w.Docs.Now(), work.Lease, work.Workers)
	if err != nil {
		w.t.Fatal(err)
	}
	var found *store.Job
	for i, job := range jobs {
		if job.ID == id {
			found = &jobs[i]
		} else if err := w.Docs.Store.Release(w.t.Context(), job, w.Docs.Now(), w.Docs.Now()); err != nil {
			w.t.Fatal(err)
		}
	}
	if found == nil {
		w.t.Fatalf("%s is not due", id)
	}
	w.Queue.Work(w.t.Context(), w.Kinds, *found, w.Docs.Now().Add(work.Lease))
}

// Due waits so long and returns the jobs of a kind that are due then. Nobody does any of them meanwhile.
func (w *Town) Due(kind string, after time.Duration) (ids []string) {
	w.t.Helper()
	time.Sleep(after)
	jobs, _, err := w.Docs.Store.Claim(w.t.Context(), w.Docs.Now(), work.Lease, work.Workers)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, job := range jobs {
		if doc.KindOf(job.ID) == kind {
			ids = append(ids, job.ID)
		}
		if err := w.Docs.Store.Release(w.t.Context(), job, w.Docs.Now(), w.Docs.Now()); err != nil {
			w.t.Fatal(err)
		}
	}
	return ids
}

// Slow makes time pass with each look of the bot at its clock, as on a slow machine. Everybody else sees that time when
// the returned function ends this.
func (w *Town) Slow(each time.Duration) (end func()) {
	now, passed := w.Docs.Now, time.Duration(0)
	w.Docs.Now = func() time.Time { passed += each; return now().Add(passed) }
	return func() { w.Docs.Now = now; time.Sleep(passed) }
}

// Crowded runs f while all turns to think are taken.
func (w *Town) Crowded(f func()) {
	w.t.Helper()
	done := make(chan struct{})
	var others sync.WaitGroup
	for range work.MaxThinking() {
		began := make(chan struct{})
		others.Go(func() {
			if err := w.Thinkers.Turns.Take(w.t.Context(), time.Minute, func(context.Context) { close(began); <-done }); err != nil {
				w.t.Error(err)
			}
		})
		<-began
	}
	f()
	close(done)
	others.Wait()
}

// Occupied runs f while another computation takes all idle capacity.
func (w *Town) Occupied(f func()) {
	w.t.Helper()
	began, done := make(chan struct{}), make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		if err := w.Queue.Idle.Take(w.t.Context(), func() { close(began); <-done }); err != nil {
			w.t.Error(err)
		}
	})
	<-began
	f()
	close(done)
	other.Wait()
}

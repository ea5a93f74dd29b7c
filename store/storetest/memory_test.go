package storetest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"sedmabot/store"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	Run(t, func(t *testing.T) store.Store {
		s := NewMemory()
		t.Cleanup(func() { s.Close() })
		return s
	})
}

// A store that is opened again has its data, and nobody holds a job. The old one can't be used.
func TestReopen(t *testing.T) {
	t.Parallel()
	first := NewMemory()
	change := store.Change{
		Writes: []store.Write{{Name: "a", Data: []byte("x")}},
		Claim:  &store.Claim{ID: "job", Token: 7, Until: time.Now().Add(time.Hour)}, Now: time.Now(),
	}
	if err := first.Commit(t.Context(), change); err != nil || !change.Claim.Claimed {
		t.Fatal(err)
	}
	second := first.Reopen()
	if docs, err := second.Get(t.Context(), store.Key{Name: "a"}); err != nil || string(docs[0].Data) != "x" {
		t.Errorf("%v, %v", docs, err)
	}
	if jobs, _, err := second.Claim(t.Context(), time.Now().Add(time.Millisecond), time.Minute, 1); err != nil || len(jobs) != 1 {
		t.Errorf("%v, %v", jobs, err)
	}
	if err := first.Commit(t.Context(), store.Change{}); err == nil {
		t.Error("the closed store takes a change")
	}
}

// Calls of a store that shows what was read before have no order.
func TestAStaleReadIsSeen(t *testing.T) {
	t.Parallel()
	calls := history(t.Context(), &stale{Store: NewMemory()})
	if result := porcupine.CheckOperationsTimeout(oneAtATime, calls, time.Minute); result != porcupine.Illegal {
		t.Error(result)
	}
}

// stale is a store of which every second read may be older than a commit before it.
type stale struct {
	store.Store
	last atomic.Pointer[[]store.Doc]
	n    atomic.Int64
}

func (s *stale) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	if docs := s.last.Load(); docs != nil && s.n.Add(1)%2 == 0 {
		return *docs, nil
	}
	docs, err := s.Store.Get(ctx, keys...)
	s.last.Store(&docs)
	return docs, err
}

package storetest

import (
	"context"
	"errors"
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

// After an undoing, everything is as it was kept, watches tell so, and the store counts an interruption.
func TestUndo(t *testing.T) {
	t.Parallel()
	m, a, now := NewMemory(), store.Key{Name: "a"}, time.Now()
	commit := func(data string, expect int64) (version int64, err error) {
		t.Helper()
		err = m.Commit(t.Context(), store.Change{
			Writes: []store.Write{{Name: "a", Expect: expect, Data: []byte(data)}},
			Rows:   []store.Row{{Board: "league", Member: data, Score: 1}},
			Due:    []store.Mark{{ID: "job " + data, At: now}},
		})
		docs, err2 := m.Get(t.Context(), a)
		return docs[0].Version, errors.Join(err, err2)
	}
	kept, err := commit("kept", 0)
	if err != nil {
		t.Fatal(err)
	}
	undo := m.Keep()
	undone, err := commit("undone", kept)
	if err != nil {
		t.Fatal(err)
	}
	watch := m.Watch(t.Context(), a)
	receivedUntil(t, watch, "a", "undone")
	undo()
	receivedUntil(t, watch, "a", "kept")
	_, rows, err := m.Board(t.Context(), 0, "league", 0, 10, "")
	jobs, _, err2 := m.Claim(t.Context(), now.Add(time.Millisecond), time.Minute, 10)
	if err != nil || err2 != nil || rows != 1 || len(jobs) != 1 || jobs[0].ID != "job kept" || m.Interruptions() != 1 {
		t.Errorf("%d rows, %v, %d interruptions: %v, %v", rows, jobs, m.Interruptions(), err, err2)
	}
	if _, err := commit("again", kept); err != nil {
		t.Error(err)
	}
	if _, err := commit("of what was undone", undone); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a change of what was undone: %v", err)
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

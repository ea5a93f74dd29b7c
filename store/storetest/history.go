package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"sedmabot/store"
)

// concurrentCalls checks the order of what callers of one store see, several times, as they meet in other places each time.
func concurrentCalls(s *suite) {
	for range 5 {
		Ordered(s.T, s.Store)
	}
}

// Ordered lets callers of these stores, which share their data, read and write three documents at the same time. It checks
// that what they see could have happened one call after the other, each between its beginning and its end. Some commits are
// given up in the middle, and stores may fail.
func Ordered(t *testing.T, stores ...store.Store) {
	t.Helper()
	if result := porcupine.CheckOperationsTimeout(oneAtATime, history(t.Context(), stores...), time.Minute); result != porcupine.Ok {
		t.Fatalf("the calls have no order: %s", result)
	}
}

// call is a Get of the three documents of a history, or a Commit to one or two of them.
type call struct {
	expect map[int]string // of a commit, by document: what the caller has read; not if any version is accepted
	write  map[int]string // of a commit, by document; empty deletes. Nil: the call reads.
}

// end is how a call ended.
type end struct {
	read []string // of a Get, by document; empty: absent
	err  error    // of a Commit
}

// history lets callers of these stores read and write three new documents, and returns all calls.
func history(ctx context.Context, stores ...store.Store) []porcupine.Operation {
	begun := time.Now()
	keys := make([]store.Key, 3)
	for i := range keys {
		keys[i] = key(fmt.Sprintf("history %d, %d", begun.UnixNano(), i))
	}
	var mu sync.Mutex
	var calls []porcupine.Operation
	record := func(client int, c call, at time.Time, e end) {
		op := porcupine.Operation{ClientId: client, Input: c, Call: at.Sub(begun).Nanoseconds(), Output: e, Return: time.Since(begun).Nanoseconds()}
		if e.err != nil && !errors.Is(e.err, store.ErrConflict) {
			op.Return = math.MaxInt64 // it may take effect at any time, or never
		}
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, op)
	}
	var all sync.WaitGroup
	for client := range 6 {
		on := stores[client%len(stores)]
		all.Go(func() {
			for n := range 20 {
				at := time.Now()
				docs, err := on.Get(ctx, keys...)
				if err != nil {
					continue // it changed nothing, and told nothing
				}
				read := make([]string, len(docs))
				for i, doc := range docs {
					read[i] = string(doc.Data)
				}
				record(client, call{}, at, end{read: read})

				c, change := call{expect: map[int]string{}, write: map[int]string{}}, store.Change{Partition: part}
				for _, i := range rand.Perm(len(docs))[:1+rand.IntN(2)] {
					w := store.Write{Name: keys[i].Name, Expect: docs[i].Version}
					if rand.IntN(8) == 0 {
						w.Expect = store.Any
					} else {
						c.expect[i] = read[i]
					}
					if rand.IntN(8) > 0 {
						c.write[i] = fmt.Sprintf("%d by %d", n, client)
						w.Data = []byte(c.write[i])
					} else {
						c.write[i] = ""
					}
					change.Writes = append(change.Writes, w)
				}
				trying, giveUp := context.WithCancel(ctx)
				if rand.IntN(12) == 0 {
					go giveUp()
				}
				at = time.Now()
				err = on.Commit(trying, change)
				record(client, c, at, end{err: err})
				giveUp()
			}
		})
	}
	all.Wait()
	return calls
}

// oneAtATime is a store that does one call after the other. Its state is the three documents.
var oneAtATime = porcupine.Model{
	Init: func() any { return make([]string, 3) },
	Step: func(state, input, output any) (bool, any) {
		docs, c, e := state.([]string), input.(call), output.(end)
		if c.write == nil {
			return slices.Equal(docs, e.read), docs
		}
		current := true
		for i, want := range c.expect {
			current = current && docs[i] == want
		}
		switch {
		case errors.Is(e.err, store.ErrConflict):
			return !current, docs
		case !current:
			return e.err != nil, docs
		}
		next := slices.Clone(docs)
		for i, data := range c.write {
			next[i] = data
		}
		return true, next
	},
	Equal: func(a, b any) bool { return slices.Equal(a.([]string), b.([]string)) },
}

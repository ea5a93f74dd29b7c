package chat

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// The inputs of a queue are done one after another in the order in which they came, whichever ends first, and those of
// other queues meanwhile. A full queue refuses more, and an empty one leaves nothing behind.
func TestQueues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var q Queues[string]
		var begun []string
		var mu sync.Mutex
		ends := map[string]func() bool{}
		for _, name := range []string{"ann 1", "ann 2", "ann 3", "ben 1"} {
			place, ok := q.Join(name[:3], 3)
			if !ok {
				t.Fatalf("%s is refused", name)
			}
			ends[name] = place.End
			go func() {
				<-place.Ready
				mu.Lock()
				defer mu.Unlock()
				begun = append(begun, name)
			}()
		}
		if _, ok := q.Join("ann", 3); ok {
			t.Error("a full queue takes another input")
		}
		got := func(want ...string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if slices.Sort(begun); !slices.Equal(begun, want) {
				t.Errorf("%q have begun, not %q", begun, want)
			}
		}
		got("ann 1", "ben 1")
		go ends["ann 2"]() // it gives up before its turn
		got("ann 1", "ben 1")
		for range 2 { // the second time does nothing
			if ends["ann 1"]() {
				t.Error("a queue with inputs counts as empty")
			}
		}
		got("ann 1", "ann 2", "ann 3", "ben 1")
		if !ends["ann 3"]() || !ends["ben 1"]() || len(q.all) > 0 {
			t.Errorf("%d queues are kept", len(q.all))
		}
	})
}

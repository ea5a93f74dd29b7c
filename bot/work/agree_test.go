package work

import (
	"context"
	"sync"
	"testing"

	"sedmabot/store"
	"sedmabot/store/storetest"
)

// TestProcessesAgree lets processes change a number at the same time. None of the changes is lost.
func TestProcessesAgree(t *testing.T) {
	t.Parallel()
	kept := storetest.NewMemory()
	defer kept.Close()
	more := func(now int) int { return now + 1 }
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := Agree(kept)(t.Context(), "shards", more); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	same := func(now int) int { return now }
	if n, err := Agree(kept)(t.Context(), "shards", same); n != 8 || err != nil {
		t.Errorf("the number is %d, %v", n, err)
	}
}

// TestAgreeLeavesNewerDocumentsAlone finds a number that a later version of the program has stored.
func TestAgreeLeavesNewerDocumentsAlone(t *testing.T) {
	t.Parallel()
	kept := storetest.NewMemory()
	defer kept.Close()
	p := store.Partition("shards")
	write := store.Write{Name: "hold:shards", Data: []byte(`{"v":99,"d":{"number":7}}`)}
	if err := kept.Commit(t.Context(), store.Change{Partition: p, Writes: []store.Write{write}}); err != nil {
		t.Fatal(err)
	}
	n, err := Agree(kept)(context.Background(), "shards", func(int) int { return 3 })
	if n != 3 || err != nil {
		t.Errorf("the number is %d, %v", n, err)
	}
	docs, err := kept.Get(t.Context(), store.Key{Partition: p, Name: "hold:shards"})
	if err != nil || string(docs[0].Data) != string(write.Data) {
		t.Errorf("the document has changed: %v, %v", docs, err)
	}
}

package boltstore

import (
	"errors"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// A request that fails in the middle of its work, as no change should, writes nothing to the file. The requests that
// share its transaction are not affected.
func TestBrokenRequestSpoilsNothing(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	put := func(name string, then error) *request {
		return &request{func(tx *bbolt.Tx) error {
			err := apply(tx, store.Change{Writes: []store.Write{{Name: name, Data: []byte("x")}}})
			return errors.Join(err, then)
		}, make(chan error, 1)}
	}
	broken := errors.New("broken")
	batch := []*request{put("a", nil), put("b", broken), put("c", nil), put("c", nil)}
	s.update(batch) // safe, as the writer is idle
	for i, want := range []error{nil, broken, nil, store.ErrConflict} {
		if err := <-batch[i].done; !errors.Is(err, want) {
			t.Errorf("request %d: %v, want %v", i, err, want)
		}
	}
	docs, err := s.Get(t.Context(), store.Key{Name: "a"}, store.Key{Name: "b"}, store.Key{Name: "c"})
	if err != nil || docs[0].Version == 0 || docs[1].Version != 0 || docs[2].Version == 0 {
		t.Errorf("documents %+v, %v", docs, err)
	}
}

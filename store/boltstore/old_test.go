package boltstore_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// summed makes a file one of schema 2, as versions until December 2026 wrote it.
func summed(t *testing.T, path string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		documents, all := tx.Bucket([]byte("documents")), map[string][]byte{}
		err := documents.ForEach(func(key, value []byte) error {
			all[string(key)] = slices.Concat(value[:16], []byte{1, 2, 3, 4}, value[16:])
			return nil
		})
		for key, value := range all {
			err = errors.Join(err, documents.Put([]byte(key), value))
		}
		counts, countsErr := tx.CreateBucket([]byte("counts"))
		if countsErr != nil {
			return countsErr
		}
		meta := tx.Bucket([]byte("meta"))
		return errors.Join(err, counts.Put([]byte("a board"), make([]byte, 8)), meta.Put([]byte("counted"), make([]byte, 32)),
			meta.Put([]byte("sums"), make([]byte, 44)), meta.Put([]byte("schema"), []byte("2")))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A file with checksums can be read without a change. When it is opened, it becomes one that every version opens, with
// the same contents.
func TestOldFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	fill(t, path, rand.New(rand.NewPCG(3, 4)))
	s := open(t, path)
	want, err := scan(t, s)
	rows, _, boardErr := s.Board(t.Context(), 0, board, 0, store.MaxRows, "")
	if err := errors.Join(err, boardErr, s.Close()); err != nil {
		t.Fatal(err)
	}
	summed(t, path)
	if !sound(t, path) {
		t.Error("an old file is found to be damaged")
	}
	if s, err = boltstore.OpenToRead(path); err != nil {
		t.Fatal(err)
	}
	if docs, err := scan(t, s); err != nil || !reflect.DeepEqual(want, docs) {
		t.Errorf("read from an old file: %v\n%s", err, cmp.Diff(want, docs))
	}
	if err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "a", Data: []byte("x")}}}); err == nil {
		t.Error("a file that was opened to read was written")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}

	s = open(t, path)
	if got, err := read(t, s); err != nil || !reflect.DeepEqual(want, got.docs) || !reflect.DeepEqual(rows, got.boards["0"]) || len(got.jobs) == 0 {
		t.Errorf("an old file: %v, %d jobs\n%s\n%s", err, len(got.jobs), cmp.Diff(want, got.docs), cmp.Diff(rows, got.boards["0"]))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket([]byte("meta"))
		if string(meta.Get([]byte("schema"))) != "1" || meta.Get([]byte("sums")) != nil || meta.Get([]byte("counted")) != nil || tx.Bucket([]byte("counts")) != nil {
			t.Error("an older version would refuse the file")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

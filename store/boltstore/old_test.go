package boltstore_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// oldFile writes a file of schema 1, without checksums, with the contents of a new one.
func oldFile(t *testing.T, path, from string) {
	t.Helper()
	s := open(t, from)
	docs, _ := scan(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := bbolt.Open(from, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoFreelistSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = source.View(func(old *bbolt.Tx) error {
		return db.Update(func(tx *bbolt.Tx) error {
			return old.ForEach(func(name []byte, b *bbolt.Bucket) error {
				to, err := tx.CreateBucket(name)
				if err != nil {
					return err
				}
				return errors.Join(to.SetSequence(b.Sequence()), b.ForEach(func(k, v []byte) error {
					switch {
					case string(k) == "sums":
						return nil
					case string(k) == "schema":
						v = []byte("1")
					case string(name) == "documents":
						doc := docs[store.Key{Partition: int(k[0]), Name: string(k[1:])}]
						v = append(append([]byte{}, v[:16]...), doc.Data...)
					}
					return to.Put(k, v)
				}))
			})
		})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A file without checksums can be read without a change, and gets checksums when it is opened. It keeps all its contents.
func TestOldFile(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	dir := t.TempDir()
	made, old := filepath.Join(dir, "new.db"), filepath.Join(dir, "old.db")
	fill(t, made, rand.New(rand.NewPCG(3, 4)))
	oldFile(t, old, made)
	s := open(t, made)
	want, _ := read(t, s)

	if d, used, err := boltstore.Check(old); err != nil || used || d.Any() {
		t.Errorf("an old file: %v, %v, %v", d, used, err)
	}
	r, err := boltstore.Read(old)
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := scan(t, r)
	if diff := cmp.Diff(want.docs, docs); diff != "" {
		t.Errorf("read from an old file:\n%s", diff)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}

	s = open(t, old)
	got, bad := read(t, s)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(contents{})); diff != "" || len(bad) > 0 {
		t.Errorf("%v\n%s", bad, diff)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if d, _, err := boltstore.Check(old); err != nil || d.Any() {
		t.Errorf("a file that was old: %v, %v", d, err)
	}
	db, err := bbolt.Open(old, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.View(func(tx *bbolt.Tx) error {
		if schema := tx.Bucket([]byte("meta")).Get([]byte("schema")); string(schema) != "2" {
			t.Errorf("it has schema %s now", schema)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// A damaged file without checksums causes no panic either. If it has a damaged page, it is refused.
func TestDamagedOldFiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 12))
	dir := t.TempDir()
	made, old := filepath.Join(dir, "new.db"), filepath.Join(dir, "old.db")
	fill(t, made, r)
	oldFile(t, old, made)
	file, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	each := 6
	if testing.Short() {
		each = 1
	}
	for i := range each * len(damages) {
		kind := damages[i%len(damages)]
		path := filepath.Join(dir, "damaged.db")
		if err := os.WriteFile(path, kind.apply(bytes.Clone(file), r), 0o600); err != nil {
			t.Fatal(err)
		}
		found, _, err := boltstore.Check(path)
		s, openErr := boltstore.Open(path)
		switch {
		case openErr == nil:
			scan(t, s)
			s.Close()
			if err != nil || found.Pages > 0 || found.Documents() {
				t.Errorf("%s: opened, but %v, %v", kind.name, found, err)
			}
		case err == nil && (!found.Any() || !errors.Is(openErr, store.ErrDamaged)) || strings.Contains(openErr.Error(), secret):
			t.Errorf("%s: %v, but %v", kind.name, openErr, found)
		}
	}
}

package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// edit changes a file without the store.
func edit(t *testing.T, path string, f func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(f), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// spoils are the ways in which the counts of a file become wrong. Each calls commit, which changes rows.
var spoils = map[string]func(t *testing.T, path string, commit func()){
	"an older file": func(t *testing.T, path string, commit func()) {
		commit()
		edit(t, path, func(tx *bbolt.Tx) error {
			return errors.Join(tx.DeleteBucket(countsBucket), tx.Bucket(metaBucket).Delete(countedKey))
		})
	},
	"an older program in between": func(t *testing.T, path string, commit func()) {
		old, stamped := map[string][]byte{}, []byte(nil)
		edit(t, path, func(tx *bbolt.Tx) error {
			stamped = bytes.Clone(tx.Bucket(metaBucket).Get(countedKey))
			return tx.Bucket(countsBucket).ForEach(func(k, v []byte) error { old[string(k)] = bytes.Clone(v); return nil })
		})
		commit()
		edit(t, path, func(tx *bbolt.Tx) error { // the counts as the older program leaves them
			err := tx.DeleteBucket(countsBucket)
			counts, err2 := tx.CreateBucket(countsBucket)
			err = errors.Join(err, err2, tx.Bucket(metaBucket).Put(countedKey, stamped))
			for key, value := range old {
				err = errors.Join(err, counts.Put([]byte(key), value))
			}
			return err
		})
	},
	"a changed count": func(t *testing.T, path string, commit func()) {
		commit()
		edit(t, path, func(tx *bbolt.Tx) error {
			c := tx.Bucket(countsBucket).Cursor()
			key, value := c.First()
			return tx.Bucket(countsBucket).Put(bytes.Clone(key), encodeCount(readCount(value)+1))
		})
	},
}

// TestCountsOfAnotherProgram checks that a board is right after a program that doesn't know of the counts changed its
// rows, and after the counts were damaged.
func TestCountsOfAnotherProgram(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 1))
	change := func() (c store.Change) {
		for range 500 {
			c.Rows = append(c.Rows, store.Row{Board: fmt.Sprint("board", r.IntN(2)), Member: fmt.Sprint(r.IntN(2000)), Score: float64(r.IntN(99)), Delete: r.IntN(3) == 0})
		}
		return c
	}
	for name, spoil := range spoils {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data.db")
			with := func(f func(s *Store)) {
				t.Helper()
				s, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if d := s.Damage(); d.Any() {
					t.Errorf("damage: %v", d)
				}
				f(s)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			commit := func() {
				with(func(s *Store) {
					for range 4 {
						if err := s.Commit(t.Context(), change()); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
			commit()
			spoil(t, path, commit)
			with(func(s *Store) {
				comparePages(t, s)
				if err := s.Commit(t.Context(), change()); err != nil {
					t.Fatal(err)
				}
				comparePages(t, s)
			})
		})
	}
}

// comparePages compares pages of the boards with the whole boards, and with the number of their places.
func comparePages(t *testing.T, s *Store) {
	t.Helper()
	for _, board := range []string{"board0", "board1"} {
		whole, all, err := s.Board(t.Context(), 0, board, 0, store.MaxRows, "")
		if err != nil || len(whole) != min(all, store.MaxRows) || all < 200 {
			t.Fatalf("%d of %d rows: %v", len(whole), all, err)
		}
		for at := 0; at+10 < len(whole); at += 97 {
			some, n, err := s.Board(t.Context(), 0, board, at, 10, "")
			if diff := cmp.Diff(whole[at:at+10], some); diff != "" || n != all || err != nil {
				t.Errorf("from %d: %d rows, %v\n%s", at, n, err, diff)
			}
			near, n, err := s.Board(t.Context(), 0, board, 0, 1, whole[at].Member)
			if diff := cmp.Diff(whole[at:at+1], near); diff != "" || n != all || err != nil {
				t.Errorf("around %d: %d rows, %v\n%s", at, n, err, diff)
			}
		}
		rows := 0
		_ = s.view(t.Context(), func(tx *bbolt.Tx) error {
			c, begin := tx.Bucket(rankingBucket).Cursor(), boardKey(0, board)
			for key, _ := c.Seek(begin); bytes.HasPrefix(key, begin); key, _ = c.Next() {
				rows++
			}
			return nil
		})
		if rows != all {
			t.Errorf("%d rows are counted, there are %d", all, rows)
		}
	}
}

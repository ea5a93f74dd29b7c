package boltstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"
)

// Reading a file page by page gives the same result as bbolt, whatever bbolt did to the file before.
func TestPages(t *testing.T) {
	t.Parallel()
	seeds := uint64(24)
	if testing.Short() {
		seeds = 4 // every size of a page
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 0))
		path := filepath.Join(t.TempDir(), "data.db")
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{
			NoSync: true, NoFreelistSync: seed%2 == 0, FreelistType: bbolt.FreelistMapType, PageSize: 1024 << (seed % 4),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]map[string]string{}
		for step := range 1 + r.IntN(60) {
			change := func(tx *bbolt.Tx) error {
				name := fmt.Sprint("bucket", r.IntN(5))
				b, err := tx.CreateBucketIfNotExists([]byte(name))
				if err != nil {
					return err
				}
				if want[name] == nil {
					want[name] = map[string]string{}
				}
				for range 1 + r.IntN(100) {
					key := fmt.Sprint(r.IntN(3000))
					if r.IntN(3) == 0 || step%10 == 9 {
						delete(want[name], key)
						err = b.Delete([]byte(key))
					} else {
						value := make([]byte, r.IntN(1<<r.IntN(14)))
						for i := range value {
							value[i] = byte(r.Uint32())
						}
						want[name][key] = string(value)
						err = b.Put([]byte(key), value)
					}
					if err != nil {
						return err
					}
				}
				return nil
			}
			if err := db.Update(change); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		h, both, err := latestHead(f, info.Size())
		if err != nil || !both {
			t.Fatalf("seed %d: the heads: %v, %v", seed, both, err)
		}
		p := openPages(f, info.Size(), h)
		got := map[string]map[string]string{}
		for name, b := range p.readBuckets() {
			got[name] = map[string]string{}
			p.read(b, func(e element) {
				got[name][string(e.key)] = string(e.value)
				value := make([]byte, len(e.value))
				if _, err := f.ReadAt(value, e.at); err != nil || string(value) != string(e.value) {
					t.Errorf("seed %d: a value isn't where it should be: %v", seed, err)
				}
			})
		}
		p.checkFreelist()
		if diff := cmp.Diff(want, got); diff != "" || p.bad > 0 {
			t.Errorf("seed %d: %d bad pages\n%s", seed, p.bad, diff)
		}
	}
}

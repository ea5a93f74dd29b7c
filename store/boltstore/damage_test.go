package boltstore_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// secret is part of the data and of the names in these tests' files. No message about a damaged file may show it.
const secret = "herz-eso"

// contents are the documents, jobs and boards of a file.
type contents struct {
	docs   map[store.Key]store.Doc
	boards map[string][]store.Standing
	jobs   []store.Job
}

const (
	kinds = "table shown notes member record home player result"
	board = "board:" + secret
)

// fill creates a file like that of a real bot. It has documents of all sizes, written many times, some of which expire or
// are deleted, and jobs and boards.
func fill(t *testing.T, path string, r *rand.Rand) {
	t.Helper()
	s := open(t, path)
	now := time.Now()
	for round := range 60 {
		c := store.Change{Partition: round % 3, Now: now}
		written := map[string]bool{}
		for range 12 {
			kind := strings.Fields(kinds)[r.IntN(8)]
			w := store.Write{Name: fmt.Sprintf("%s:%s-%d", kind, secret, r.IntN(15)), Expect: store.Any}
			if written[w.Name] {
				continue
			}
			written[w.Name] = true
			if r.IntN(10) > 0 {
				w.Data = []byte(`{"v":2,"d":"` + strings.Repeat(secret+fmt.Sprint(r.Uint64()), 1+r.IntN(200)) + `"}`)
			}
			if kind == "record" {
				w.Expires = now.Add(1000 * time.Hour)
			}
			c.Writes = append(c.Writes, w)
			c.Due = append(c.Due, store.Mark{ID: w.Name, At: now.Add(time.Duration(1+r.IntN(1000)) * time.Minute)})
			c.Rows = append(c.Rows, store.Row{Board: board, Member: w.Name, Score: float64(r.IntN(50)), Data: []byte(secret)})
		}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// scan reads all documents.
func scan(t *testing.T, s *boltstore.Store) (map[store.Key]store.Doc, error) {
	t.Helper()
	docs := map[store.Key]store.Doc{}
	for p := range store.Partitions {
		for cursor := ""; ; {
			some, next, err := s.Scan(t.Context(), p, "", cursor)
			if err != nil {
				return nil, err
			}
			for _, doc := range some {
				docs[doc.Key] = doc
			}
			if cursor = next; cursor == "" {
				break
			}
		}
	}
	return docs, nil
}

// read returns the contents of a store.
func read(t *testing.T, s *boltstore.Store) (c contents, err error) {
	t.Helper()
	c.boards = map[string][]store.Standing{}
	if c.docs, err = scan(t, s); err != nil {
		return c, err
	}
	for p := range store.Partitions {
		rows, _, err := s.Board(t.Context(), p, board, 0, store.MaxRows, "")
		if err != nil {
			return c, err
		}
		c.boards[fmt.Sprint(p)] = rows
	}
	jobs, _, err := s.Claim(t.Context(), time.Now().Add(10000*time.Hour), time.Minute, 10000)
	for i := range jobs {
		jobs[i].Token = 0
	}
	c.jobs = jobs
	return c, err
}

const pageSize = 4096

// page returns one of the pages of a file.
func page(file []byte, r *rand.Rand) []byte {
	return file[r.IntN(len(file)/pageSize)*pageSize:][:pageSize]
}

// damages are the ways in which the tests damage a file. The file that they get ends with its last used page.
var damages = []struct {
	name  string
	apply func(file []byte, r *rand.Rand) []byte
}{
	{"cut short", func(file []byte, r *rand.Rand) []byte { return file[:r.IntN(len(file))] }},
	{"changed bits", func(file []byte, r *rand.Rand) []byte {
		for range 1 + r.IntN(8) {
			file[r.IntN(len(file))] ^= 1 << r.IntN(8)
		}
		return file
	}},
	{"one changed bit in what a page begins with", func(file []byte, r *rand.Rand) []byte {
		page(file, r)[r.IntN(64)] ^= 1 << r.IntN(8)
		return file
	}},
	{"zeroed page", func(file []byte, r *rand.Rand) []byte {
		clear(page(file, r))
		return file
	}},
	{"zeroed sector", func(file []byte, r *rand.Rand) []byte {
		clear(file[r.IntN(len(file)/512)*512:][:512])
		return file
	}},
	{"copied page", func(file []byte, r *rand.Rand) []byte {
		copy(page(file, r), page(file, r))
		return file
	}},
	{"copied page under its own number", func(file []byte, r *rand.Rand) []byte {
		to := page(file, r)
		number := bytes.Clone(to[:8])
		copy(to, page(file, r))
		copy(to, number)
		return file
	}},
	{"random page", func(file []byte, r *rand.Rand) []byte {
		to := page(file, r)
		for i := range to {
			to[i] = byte(r.Uint32())
		}
		return file
	}},
	{"damaged head", func(file []byte, r *rand.Rand) []byte {
		file[r.IntN(2)*pageSize+r.IntN(80)] ^= 1 << r.IntN(8)
		return file
	}},
	{"changed number", func(file []byte, r *rand.Rand) []byte {
		page(file, r)[16+16*r.IntN(8)+r.IntN(16)] ^= 1 << r.IntN(8)
		return file
	}},
}

// None of 250 damaged files causes a panic. Check finds it, or Open refuses it, or the store can be used.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	files := 2 * len(damages)
	if clocktest.IsWhole() && !testing.Short() {
		files = 250
	}
	r := rand.New(rand.NewPCG(15, 12))
	dir := t.TempDir()
	original := filepath.Join(dir, "whole.db")
	fill(t, original, r)
	file, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	used := bytes.LastIndexFunc(file, func(r rune) bool { return r != 0 })/pageSize*pageSize + pageSize
	if !sound(t, original) {
		t.Fatal("a sound file is found to be damaged")
	}
	want, err := read(t, open(t, original))
	if err != nil || len(want.docs) < 200 || len(want.jobs) < 200 || len(want.boards["0"]) < 50 {
		t.Fatalf("%d documents, %d jobs, %d rows", len(want.docs), len(want.jobs), len(want.boards["0"]))
	}
	outcomes := map[string]int{}
	for i := range files {
		kind := damages[i%len(damages)]
		damaged := kind.apply(bytes.Clone(file[:used]), r)
		if len(damaged) == used {
			damaged = append(damaged, file[used:]...)
		}
		path := filepath.Join(dir, fmt.Sprintf("damaged-%d.db", i))
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		ok := t.Run(fmt.Sprintf("%d %s", i, kind.name), func(t *testing.T) {
			outcomes[damagedFile(t, path, want)]++
		})
		if ok {
			os.Remove(path)
		}
	}
	t.Logf("%v", outcomes)
}

// sound reports whether Check finds nothing in another process.
func sound(t *testing.T, path string) bool {
	t.Helper()
	check := exec.Command(os.Args[0])
	check.Env = append(os.Environ(), "SEDMABOT_TEST_CHECK="+path)
	err := check.Run()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return err == nil
}

// damagedFile uses a damaged file, and returns what became of it.
func damagedFile(t *testing.T, path string, want contents) string {
	if !sound(t, path) {
		return "found"
	}
	told := func(err error) string {
		if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore a backup") || strings.Contains(err.Error(), secret) {
			t.Error(err)
		}
		return "refused"
	}
	s, err := boltstore.Open(path)
	if err != nil {
		return told(err)
	}
	defer s.Close()
	got, err := read(t, s)
	if err == nil {
		err = s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "table:new", Data: []byte("{}")}}})
	}
	switch {
	case err != nil:
		return told(err)
	case reflect.DeepEqual(want, got):
		return "nothing is missing"
	}
	for _, doc := range got.docs {
		if !json.Valid(doc.Data) {
			return "a document can't be read"
		}
	}
	return "not noticed"
}

// If the file of an open store is damaged, calls that read the damage return an error, and nothing panics.
func TestDamageWhileOpen(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(f *os.File, size int64) error{
		"zeroed": func(f *os.File, size int64) error {
			_, err := f.WriteAt(make([]byte, size-2*pageSize), 2*pageSize)
			return err
		},
		"cut short": func(f *os.File, _ int64) error { return f.Truncate(2 * pageSize) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "data.db")
			fill(t, path, rand.New(rand.NewPCG(1, 2)))
			s := open(t, path)
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(f, info.Size()); err != nil {
				t.Fatal(err)
			}
			key := store.Key{Name: "table:" + secret + "-1"}
			for range 3 {
				_, err := s.Get(t.Context(), key)
				_, _, err2 := s.Scan(t.Context(), 0, "", "")
				_, _, err3 := s.Claim(t.Context(), time.Now().Add(time.Hour), time.Minute, 1)
				_, _, err4 := s.Board(t.Context(), 0, board, 0, 10, "")
				err5 := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: key.Name, Expect: store.Any, Data: []byte("{}")}}})
				for _, err := range []error{err, err2, err3, err4, err5} {
					if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore a backup") || strings.Contains(err.Error(), secret) {
						t.Errorf("%v", err)
					}
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

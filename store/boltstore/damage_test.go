package boltstore_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

// scanner is a store or a Reader.
type scanner interface {
	Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error)
}

// scan reads all documents. It also returns the damaged ones.
func scan(t *testing.T, s scanner) (docs map[store.Key]store.Doc, bad []store.Key) {
	t.Helper()
	docs = map[store.Key]store.Doc{}
	for p := range store.Partitions {
		for cursor := ""; ; {
			some, next, err := s.Scan(t.Context(), p, "", cursor)
			var d *store.Damaged
			if errors.As(err, &d) {
				bad = append(bad, d.Keys...)
			} else if err != nil {
				t.Fatal(err)
			}
			for _, doc := range some {
				docs[doc.Key] = doc
			}
			if cursor = next; cursor == "" {
				break
			}
		}
	}
	return docs, bad
}

// read returns the contents of a store, without damaged documents.
func read(t *testing.T, s *boltstore.Store) (contents, []store.Key) {
	t.Helper()
	docs, bad := scan(t, s)
	c := contents{docs: docs, boards: map[string][]store.Standing{}}
	for p := range store.Partitions {
		rows, _, err := s.Board(t.Context(), p, board, 0, store.MaxRows, "")
		if err != nil {
			t.Fatal(err)
		}
		c.boards[fmt.Sprint(p)] = rows
	}
	jobs, _, err := s.Claim(t.Context(), time.Now().Add(10000*time.Hour), time.Minute, 10000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].Token = 0
	}
	c.jobs = jobs
	return c, bad
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

// None of 250 damaged files causes a panic. Every difference from the original file is reported, every readable document
// is read, and no message shows the file's contents.
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
	t.Logf("%d pages of %d are used", used/pageSize, len(file)/pageSize)
	s := open(t, original)
	if d := s.Damage(); d.Any() {
		t.Fatalf("a sound file: %v", d)
	}
	want, bad := read(t, s)
	if len(want.docs) < 200 || len(want.jobs) < 200 || len(want.boards["0"]) < 50 || len(bad) > 0 {
		t.Fatalf("%d documents, %d jobs, %d rows, damaged: %v", len(want.docs), len(want.jobs), len(want.boards["0"]), bad)
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

// damagedFile checks a damaged file against its original contents, and returns the outcome.
func damagedFile(t *testing.T, path string, want contents) string {
	var report strings.Builder
	say := func(v any) { fmt.Fprintln(&report, v) }
	defer func() {
		text := report.String()
		if strings.Contains(text, secret) || strings.Contains(text, hex.EncodeToString([]byte(secret))) || strings.Contains(text, "goroutine") {
			t.Errorf("what is said shows what is in the file:\n%s", text)
		}
	}()

	found, used, err := boltstore.Check(path)
	say(found)
	if err != nil || used {
		say(err)
		if s, err := boltstore.Open(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("it can't be checked, but opened: %v, %v", s, err)
		}
		return "no data file"
	}
	rescued(t, path, found, want)

	s, err := boltstore.Open(path)
	if err != nil {
		say(err)
		if !found.Any() || !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore a backup") {
			t.Errorf("%v; found: %v", err, found)
		}
		return "refused"
	}
	defer s.Close()
	if s.Damage().String() != found.String() {
		t.Errorf("open found %v, check %v", s.Damage(), found)
	}
	got, bad := read(t, s)
	lost := map[string]int{}
	for _, key := range bad {
		lost[key.Kind()]++
		if _, err := s.Get(t.Context(), key); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("get a damaged %s: %v", key.Kind(), err)
		} else {
			say(err)
		}
		c := store.Change{Partition: key.Partition, Writes: []store.Write{{Name: key.Name, Expect: store.Any}}}
		if c.Check() != nil {
			continue // the name is also damaged
		}
		if err := s.Commit(t.Context(), c); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("delete a damaged %s: %v", key.Kind(), err)
		}
	}
	if found.Head {
		return "the last change may be missing"
	}
	compare(t, got.docs, found, want)
	if fmt.Sprint(lost) != fmt.Sprint(found.Lost) && !slices.ContainsFunc(bad, func(k store.Key) bool { return k.Kind() == "" }) {
		t.Errorf("%v documents are refused, reported are %v", lost, found.Lost)
	}
	if diff := cmp.Diff(want.boards, got.boards); diff != "" {
		t.Errorf("the boards are others:\n%s", diff)
	}
	if diff := cmp.Diff(want.jobs, got.jobs); diff != "" {
		t.Errorf("the jobs are others:\n%s", diff)
	}
	if len(bad) > 0 {
		return "documents are damaged"
	}
	return "nothing is missing"
}

// rescued checks what a Reader can read from a damaged file.
func rescued(t *testing.T, path string, found boltstore.Damage, want contents) {
	t.Helper()
	r, err := boltstore.Read(path)
	if err != nil {
		t.Errorf("read: %v", err)
		return
	}
	defer r.Close()
	if r.Damage().String() != found.String() {
		t.Errorf("read found %v, check %v", r.Damage(), found)
	}
	docs, bad := scan(t, r)
	if len(bad) > 0 {
		t.Errorf("a reader has damaged documents: %v", bad)
	}
	if !found.Head {
		compare(t, docs, found, want)
	}
}

// compare checks that the documents match a file's original contents, except for the reported damage.
func compare(t *testing.T, docs map[store.Key]store.Doc, found boltstore.Damage, want contents) {
	t.Helper()
	for key, doc := range docs {
		if !reflect.DeepEqual(doc, want.docs[key]) && !slices.Contains(found.Stale, key.Kind()) {
			t.Errorf("a %s is another, and that isn't reported: %v", key.Kind(), found)
		}
	}
	missing := map[string]int{}
	for key := range want.docs {
		if _, ok := docs[key]; !ok {
			missing[key.Kind()]++
		}
	}
	for kind := range strings.FieldsSeq(kinds) {
		if missing[kind] != found.Lost[kind] && !found.Uncounted && !slices.Contains(found.Stale, kind) {
			t.Errorf("%d %s are missing, reported is %v", missing[kind], kind, found)
		}
	}
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

// A damaged document affects only the calls that need it. It doesn't expire unnoticed.
func TestDamagedDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	s := open(t, path)
	now := time.Now()
	expires := now.Add(time.Hour)
	err := s.Commit(t.Context(), store.Change{Writes: []store.Write{
		{Name: "record:a", Data: []byte(`"first"`), Expires: expires}, {Name: "record:b", Data: []byte(`"second"`), Expires: expires},
		{Name: "record:c", Data: []byte(`"third"`)},
	}})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The eight bytes of the expiry are before the checksum, which is before the data.
	for _, at := range [][]byte{[]byte(`"first"`), []byte(`"second"`)} {
		file[bytes.LastIndex(file, at)-4-8] ^= 0x80
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	if d := s.Damage(); d.String() != "documents that can't be read: 2 (2 record)" {
		t.Errorf("found: %v", d)
	}
	key := func(name string) store.Key { return store.Key{Name: "record:" + name} }
	if docs, err := s.Get(t.Context(), key("c")); err != nil || string(docs[0].Data) != `"third"` {
		t.Errorf("%v, %v", docs, err)
	}
	var d *store.Damaged
	if _, err := s.Get(t.Context(), key("c"), key("b")); !errors.As(err, &d) || !slices.Equal(d.Keys, []store.Key{key("b")}) {
		t.Errorf("%v", err)
	}
	docs, next, err := s.Scan(t.Context(), 0, "record:", "")
	if !errors.As(err, &d) || !slices.Equal(d.Keys, []store.Key{key("a"), key("b")}) || len(docs) != 1 || next != "" {
		t.Errorf("%v, %q, %v", docs, next, err)
	}
	both := store.Change{Writes: []store.Write{{Name: "record:c", Expect: store.Any, Data: []byte("4")}, {Name: "record:a", Expect: store.Any}}}
	if err := s.Commit(t.Context(), both); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v", err)
	}
	if docs, err := s.Get(t.Context(), key("c")); err != nil || string(docs[0].Data) != `"third"` {
		t.Errorf("a refused change was done in part: %v, %v", docs, err)
	}
	both.Writes = both.Writes[:1]
	if err := s.Commit(t.Context(), both); err != nil {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if d, _, err := boltstore.Check(path); err != nil || d.String() != "documents that can't be read: 2 (2 record)" {
		t.Errorf("found later: %v, %v", d, err)
	}
}

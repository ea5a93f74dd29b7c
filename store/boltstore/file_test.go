package boltstore_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

func TestOpenMakesMissingFolders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "data.db")
	open(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestOpenInUse(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	open(t, path)
	watch := clocktest.Start(t)
	s, err := boltstore.Open(path)
	if !errors.Is(err, boltstore.ErrInUse) {
		t.Fatalf("open a second time: %v, %v", s, err)
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "store.path") {
		t.Errorf("%q does not say what to do", err)
	}
	if took := watch.Now(); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, bytes.Repeat([]byte("not a data file\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(dir, "newer.db")
	if err := open(t, newer).Close(); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(newer, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("3")) })
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		text:                             "invalid database",
		newer:                            "newer version",
		dir:                              "is a directory",
		filepath.Join(text, "below.txt"): "not a directory",
	} {
		if s, err := boltstore.Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("open %s: %v, %v, want %q", path, s, err, want)
		}
	}
}

// killed opens a copy of the current file, as if the process was killed now.
func killed(t *testing.T, path string) *boltstore.Store {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, copied)
}

// The jobs of a killed process can be claimed at once, as the file's lock shows that their holder is gone. Later marks
// that arrived meanwhile are kept, and parked jobs stay parked.
func TestLeasesEndWithTheProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	s := open(t, path)
	now := time.Now()
	later := now.Add(time.Hour).Truncate(time.Millisecond)
	due := func(ids map[string]time.Time) {
		t.Helper()
		c := store.Change{Partition: 5, Now: now}
		for id, at := range ids {
			c.Due = append(c.Due, store.Mark{ID: id, At: at})
		}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	due(map[string]time.Time{"held": now, "marked": now, "parked": later})
	if jobs, _, err := s.Claim(t.Context(), now.Add(time.Millisecond), 15*time.Second, 10); err != nil || len(jobs) != 2 {
		t.Fatalf("claimed %+v, %v", jobs, err)
	}
	due(map[string]time.Time{"marked": later})

	again := killed(t, path)
	at := time.Now().Add(time.Millisecond)
	jobs, _, err := again.Claim(t.Context(), at, 15*time.Second, 10)
	if err != nil || len(jobs) != 2 {
		t.Fatalf("after the kill %+v could be claimed, %v", jobs, err)
	}
	for _, job := range jobs {
		if job.Due.After(at) || job.Due.Before(now.Add(-time.Second)) {
			t.Errorf("%s is due since %v", job.ID, job.Due)
		}
		if err := again.Release(t.Context(), job, at, time.Time{}); err != nil {
			t.Error(err)
		}
	}
	jobs, _, err = again.Claim(t.Context(), later, 15*time.Second, 10)
	var left []string
	for _, job := range jobs {
		left = append(left, job.ID)
	}
	slices.Sort(left)
	if err != nil || !slices.Equal(left, []string{"marked", "parked"}) {
		t.Errorf("an hour later %v can be claimed, %v", left, err)
	}
}

func TestWhatWasCommittedStandsAfterReopening(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	s := open(t, path)
	now := time.Now()
	err := s.Commit(t.Context(), store.Change{
		Partition: 5,
		Writes:    []store.Write{{Name: "a", Data: []byte("one")}, {Name: "b", Data: []byte("two"), Expires: now.Add(time.Hour)}},
		Rows:      []store.Row{{Board: "league", Member: "ann", Score: 3, Data: []byte("row")}},
		Due:       []store.Mark{{ID: "job", At: now}},
	})
	if err != nil {
		t.Fatal(err)
	}
	before, err := s.Get(t.Context(), store.Key{Partition: 5, Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	again := killed(t, path)
	docs, err := again.Get(t.Context(), store.Key{Partition: 5, Name: "a"}, store.Key{Partition: 5, Name: "b"})
	if err != nil || string(docs[0].Data) != "one" || docs[0].Version != before[0].Version || string(docs[1].Data) != "two" {
		t.Errorf("documents %+v, %v", docs, err)
	}
	rows, all, err := again.Board(t.Context(), 5, "league", 0, 10, "")
	if err != nil || all != 1 || rows[0].Member != "ann" || string(rows[0].Data) != "row" {
		t.Errorf("board %+v, %d, %v", rows, all, err)
	}
	jobs, _, err := again.Claim(t.Context(), now.Add(time.Second), time.Minute, 10)
	if err != nil || len(jobs) != 1 || jobs[0].ID != "job" {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
}

func TestIdleClaimDoesNotWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	s := open(t, path)
	now := time.Now()
	err := s.Commit(t.Context(), store.Change{
		Partition: 5,
		Writes:    []store.Write{{Name: "a", Data: []byte("x"), Expires: now.Add(time.Hour)}},
		Due:       []store.Mark{{ID: "parked", At: now.Add(time.Hour)}, {ID: "held", At: now}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if jobs, _, err := s.Claim(t.Context(), now.Add(time.Second), time.Hour, 10); err != nil || len(jobs) != 1 {
		t.Fatalf("claimed %+v, %v", jobs, err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if jobs, _, err := s.Claim(t.Context(), now.Add(2*time.Second), time.Minute, 10); err != nil || len(jobs) != 0 {
			t.Fatalf("claimed %+v, %v", jobs, err)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) { // each transaction changes the file's head
		t.Errorf("an idle claim wrote to the file, %v", err)
	}
}

func TestCommitsThatShareAWriteAreDoneOnTheirOwn(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "data.db"))
	if err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "taken", Data: []byte("x")}}}); err != nil {
		t.Fatal(err)
	}
	const n = 200
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			c := store.Change{Writes: []store.Write{{Name: fmt.Sprint("doc ", i), Data: []byte("x")}}}
			switch i % 4 {
			case 1:
				c.Writes = append(c.Writes, store.Write{Name: "taken", Data: []byte("y")})
			case 2:
				c.Done = &store.Job{ID: "nobody's", Token: 7}
			}
			errs[i] = s.Commit(t.Context(), c)
		})
	}
	all.Wait()
	for i, err := range errs {
		want := []error{nil, store.ErrConflict, store.ErrFenced, nil}[i%4]
		docs, readErr := s.Get(t.Context(), store.Key{Name: fmt.Sprint("doc ", i)})
		if readErr != nil {
			t.Fatal(readErr)
		}
		if !errors.Is(err, want) || (docs[0].Version != 0) != (want == nil) {
			t.Errorf("commit %d: %v, want %v; version %d", i, err, want, docs[0].Version)
		}
	}
}

func TestCloseWhileCommitting(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	s := open(t, path)
	const n = 64
	var mu sync.Mutex
	done := make(map[string]bool)
	var all sync.WaitGroup
	first := make(chan bool, n)
	for i := range n {
		all.Go(func() {
			for k := 0; ; k++ {
				name := fmt.Sprint("doc ", i, " ", k)
				if err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: name, Data: []byte("x")}}}); err != nil {
					return
				}
				if k == 0 {
					first <- true
				}
				mu.Lock()
				done[name] = true
				mu.Unlock()
			}
		})
	}
	<-first
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	again := open(t, path)
	for name := range done {
		docs, err := again.Get(t.Context(), store.Key{Name: name})
		if err != nil || docs[0].Version == 0 {
			t.Errorf("%q was committed and is lost, %v", name, err)
		}
	}
}

// After a stop, the list of free pages is in the file, so that the next Open doesn't read all of it. A killed process leaves
// none, and the file opens, too.
func TestFreePagesAreKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	kept := func(path string) bool {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var latest, free uint64
		for i := range 2 { // the two meta pages: see internal/common/meta.go of bbolt
			meta := data[i*os.Getpagesize()+16:]
			if tx := binary.NativeEndian.Uint64(meta[48:]); tx >= latest {
				latest, free = tx, binary.NativeEndian.Uint64(meta[32:])
			}
		}
		return free != 1<<64-1
	}
	for n := range 2 {
		s := open(t, path)
		for i := range 100 {
			write := store.Write{Name: fmt.Sprint(n, "/", i), Data: bytes.Repeat([]byte("x"), 5000)}
			if err := s.Commit(t.Context(), store.Change{Writes: []store.Write{write}}); err != nil {
				t.Fatal(err)
			}
		}
		killed := filepath.Join(t.TempDir(), "killed.db")
		data, err := os.ReadFile(path)
		if err := errors.Join(err, os.WriteFile(killed, data, 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if kept(killed) || !kept(path) {
			t.Errorf("killed: %v, stopped: %v", kept(killed), kept(path))
		}
		for _, path := range []string{killed, path} {
			if err := boltstore.Check(path); err != nil {
				t.Error(err)
			}
			open(t, path).Close()
		}
	}
}

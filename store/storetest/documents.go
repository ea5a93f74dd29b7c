package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/store"
)

func documentsInOrder(s *suite) {
	s.put("a", "one")
	s.put("b", "two")
	s.commit(store.Change{Partition: 11, Writes: []store.Write{{Name: "a", Data: []byte("three")}}})
	keys := []store.Key{key("b"), {Partition: 11, Name: "a"}, key("none"), key("a"), {Partition: 11, Name: "b"}, key("b")}
	docs, err := s.Get(s.ctx, keys...)
	if err != nil {
		s.Fatal(err)
	}
	want := []string{"two", "three", "", "one", "", "two"}
	for i, doc := range docs {
		if doc.Key != keys[i] || string(doc.Data) != want[i] || (doc.Version == 0) != (want[i] == "") {
			s.Errorf("document %d: %+v, want %q", i, doc, want[i])
		}
	}
	if len(docs) != len(want) {
		s.Errorf("%d documents, want %d", len(docs), len(want))
	}
	if docs, err := s.Get(s.ctx); err != nil || len(docs) != 0 {
		s.Errorf("no keys: %v, %v", docs, err)
	}
	if _, err := s.Get(s.ctx, store.Key{Partition: store.Partitions, Name: "a"}); err == nil {
		s.Error("a partition that does not exist was read")
	}
}

func versions(s *suite) {
	write := func(expect int64, data string) store.Change {
		return store.Change{Writes: []store.Write{{Name: "a", Expect: expect, Data: []byte(data)}}}
	}
	s.refuse(store.ErrConflict, write(1, "of nothing"))
	s.commit(write(0, "first"))
	first := s.get("a").Version
	s.refuse(store.ErrConflict, write(0, "again"))
	s.refuse(store.ErrConflict, write(first+1, "of the future"))
	s.want("a", "first")
	s.commit(write(first, "second"))
	second := s.get("a").Version
	if second <= first {
		s.Errorf("version %d after %d", second, first)
	}
	s.refuse(store.ErrConflict, write(first, "stale"))
	s.commit(write(store.Any, "third"))
	s.refuse(store.ErrConflict, write(second, "stale"))
	s.want("a", "third")

	third := s.get("a").Version
	if third <= second {
		s.Errorf("version %d after %d", third, second)
	}
	c := write(third, "fourth")
	s.commit(c)
	third = s.get("a").Version
	if third != c.Version("a") {
		s.Errorf("version %d was written as %d", third, c.Version("a"))
	}
	s.refuse(store.ErrConflict, store.Change{Writes: []store.Write{{Name: "a", Expect: second}}})
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: third}}})
	s.want("a", "")
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: 0}}})
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: store.Any}}})
	s.want("a", "")
}

func versionsAcrossDeletions(s *suite) {
	last := int64(0)
	for i := range 6 {
		version := int64(0)
		for range i + 1 { // so that an old document's version is larger than the number of documents so far
			version = s.put("a", "again")
			if version <= last {
				s.Fatalf("version %d after %d", version, last)
			}
			last = version
		}
		switch i % 3 {
		case 0:
			s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: version}}})
		case 1: // expires and is swept
			s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: version, Data: []byte("x"), Expires: s.now}}})
			s.none(s.now)
			last++
		case 2: // expires and is overwritten
			s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: version, Data: []byte("x"), Expires: s.now}}})
			last++
		}
		s.refuse(store.ErrConflict, store.Change{Writes: []store.Write{{Name: "a", Expect: version, Data: []byte("late")}}})
	}
}

func lostUpdates(s *suite) {
	const workers, times = 64, 4
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for done := 0; done < times; {
				docs, err := s.Get(s.ctx, key("count"))
				if err != nil {
					s.Error(err)
					return
				}
				n, _ := strconv.Atoi(string(docs[0].Data))
				err = s.Commit(s.ctx, store.Change{Partition: part, Now: s.now, Writes: []store.Write{{
					Name: "count", Expect: docs[0].Version, Data: strconv.AppendInt(nil, int64(n+1), 10),
				}}})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, store.ErrConflict):
					s.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	s.want("count", strconv.Itoa(workers*times))
}

func conflictLeavesNothing(s *suite) {
	version := s.put("b", "stands")
	s.put("c", "to be deleted")
	s.commit(store.Change{Rows: []store.Row{{Board: "league", Member: "ann", Score: 1}}})
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.refuse(store.ErrConflict, store.Change{
		Writes: []store.Write{
			{Name: "a", Data: []byte("new")},
			{Name: "c", Expect: store.Any},
			{Name: "b", Expect: version + 1, Data: []byte("changed")},
		},
		Rows: []store.Row{{Board: "league", Member: "ann", Delete: true}, {Board: "league", Member: "bob", Score: 2}},
		Due:  []store.Mark{{ID: "other", At: s.now}, {ID: "job", At: s.now}},
		Done: &job,
		Next: s.now,
	})
	s.want("a", "")
	s.want("b", "stands")
	s.want("c", "to be deleted")
	if got := s.get("b").Version; got != version {
		s.Errorf("version %d, want %d", got, version)
	}
	s.board(0, 10, "", 1, "1 ann 1 ")
	s.none(s.now)
	s.release(job, s.now, time.Time{}, nil)
	s.none(s.later(time.Hour))
}

func fencedLeavesNothing(s *suite) {
	change := func(job store.Job) store.Change {
		return store.Change{
			Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte("late")}},
			Rows:   []store.Row{{Board: "league", Member: "bob", Score: 2}},
			Due:    []store.Mark{{ID: "other", At: s.now}},
			Done:   &job,
			Next:   s.now,
		}
	}
	s.refuse(store.ErrFenced, change(store.Job{Partition: part, ID: "job", Token: 1}))
	s.mark("job", s.now)
	s.refuse(store.ErrFenced, change(store.Job{Partition: part, ID: "job"}))
	first := s.one("job", s.now)
	second := s.one("job", s.later(10*time.Second))
	s.refuse(store.ErrFenced, change(first))
	s.want("a", "")
	s.board(0, 10, "", 0)
	s.none(s.later(11 * time.Second))
	s.release(second, s.later(11*time.Second), time.Time{}, nil)
	s.none(s.later(time.Hour))
	s.refuse(store.ErrFenced, change(second))
	s.none(s.later(time.Hour))
}

func names(s *suite) {
	odd := []string{"{p01}:a", "}{", "a:b:c", "a\x00b", "a\x00", "a", "a\r\nb", "\xff\xfe", "Žižka 7♥", " ", "*", "[a-z]", "-", "+",
		strings.Repeat("n", store.MaxName)}
	for _, name := range odd {
		s.put(name, "document "+name)
		s.mark(name, s.now)
		s.commit(store.Change{Rows: []store.Row{{Board: name, Member: name, Data: []byte("row " + name)}}})
	}
	for _, name := range odd {
		s.want(name, "document "+name)
		rows, all, err := s.Board(s.ctx, part, name, 0, 10, "")
		if err != nil || all != 1 || rows[0].Member != name || string(rows[0].Data) != "row "+name {
			s.Errorf("board %q: %v, %d, %v", name, rows, all, err)
		}
	}
	jobs := s.claim(s.now)
	var got []string
	for _, job := range jobs {
		got = append(got, job.ID)
		s.release(job, s.now, time.Time{}, nil)
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(odd))
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("jobs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, s.scanAll("")); diff != "" {
		s.Errorf("scan (-want +got):\n%s", diff)
	}
}

func sizes(s *suite) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 40_000)
	writes := []store.Write{{Name: "big", Data: big}, {Name: "empty", Data: []byte{}}, {Name: "binary", Data: []byte{0, 255, 13, 10, 0}}}
	for i := range 200 {
		writes = append(writes, store.Write{Name: fmt.Sprintf("many:%d", i), Data: []byte("x")})
	}
	s.commit(store.Change{Writes: writes})
	for _, w := range writes {
		doc := s.get(w.Name)
		if doc.Version == 0 || !bytes.Equal(doc.Data, w.Data) {
			s.Errorf("document %q: version %d, %d bytes, want %d", w.Name, doc.Version, len(doc.Data), len(w.Data))
		}
	}
	doc := s.get("big")
	doc.Data[0]++ // the caller may change what Get returned
	if !bytes.Equal(s.get("big").Data, big) {
		s.Error("the stored document changed in the caller's hands")
	}
}

func malformed(s *suite) {
	long := strings.Repeat("n", store.MaxName+1)
	for _, c := range []store.Change{
		{Partition: -1},
		{Partition: store.Partitions},
		{Writes: []store.Write{{Name: "", Data: []byte("x")}}},
		{Writes: []store.Write{{Name: long, Data: []byte("x")}}},
		{Writes: []store.Write{{Name: "a", Data: []byte("x")}, {Name: "a", Data: []byte("y")}}},
		{Writes: []store.Write{{Name: "a", Expect: -2, Data: []byte("x")}}},
		{Rows: []store.Row{{Board: "", Member: "ann"}}},
		{Rows: []store.Row{{Board: "league", Member: ""}}},
		{Rows: []store.Row{{Board: "league", Member: "ann", Score: math.NaN()}}},
		{Rows: []store.Row{{Board: "league", Member: "ann", Score: math.Inf(1)}}},
		{Due: []store.Mark{{ID: "", At: s.now}}},
		{Due: []store.Mark{{ID: long, At: s.now}}},
		{Due: []store.Mark{{ID: "job"}}},
		{Done: &store.Job{Partition: part + 1, ID: "job", Token: 1}},
		{Done: &store.Job{Partition: part}},
		{Claim: &store.Claim{ID: "", Token: 1, Until: s.now}, Now: s.now},
		{Claim: &store.Claim{ID: "job", Until: s.now}, Now: s.now},
		{Claim: &store.Claim{ID: "job", Token: 1}, Now: s.now},
		{Claim: &store.Claim{ID: "job", Token: 1, Until: s.now, Read: []string{""}}, Now: s.now},
		{Claim: &store.Claim{ID: "job", Token: 1, Until: s.now}},
		{Claim: &store.Claim{ID: "job", Token: 1, Until: s.now}, Due: []store.Mark{{ID: "job", At: s.now}}, Now: s.now},
		{Claim: &store.Claim{ID: "job", Token: 1, Until: s.now}, Done: &store.Job{Partition: part, ID: "job", Token: 1}, Now: s.now},
	} {
		if c.Partition == 0 {
			c.Partition = part
		}
		c.Writes = append(c.Writes, store.Write{Name: "companion", Expect: store.Any, Data: []byte("x")})
		err := s.Commit(s.ctx, c)
		if err == nil || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrFenced) {
			s.Errorf("%+v: %v", c, err)
		}
	}
	s.want("companion", "")
	for _, p := range []int{-1, store.Partitions} {
		if _, _, err := s.Scan(s.ctx, p, "", ""); err == nil {
			s.Errorf("partition %d was scanned", p)
		}
		if _, _, err := s.Board(s.ctx, p, "league", 0, 10, ""); err == nil {
			s.Errorf("a board of partition %d was read", p)
		}
	}
}

func expiry(s *suite) {
	s.commit(store.Change{Writes: []store.Write{
		{Name: "gone", Data: []byte("x"), Expires: s.later(-time.Hour)},
		{Name: "just gone", Data: []byte("x"), Expires: s.now},
		{Name: "stays", Data: []byte("stays"), Expires: s.later(time.Hour)},
	}})
	s.want("gone", "")
	s.want("just gone", "")
	s.want("stays", "stays")
	if diff := cmp.Diff([]string{"stays"}, s.scanAll("")); diff != "" {
		s.Errorf("scan (-want +got):\n%s", diff)
	}
	// The last write decides: without Expires, a document never expires.
	s.put("stays", "for good")
	s.commit(store.Change{Now: s.later(2 * time.Hour), Writes: []store.Write{{Name: "other", Data: []byte("x")}}})
	s.refuse(store.ErrConflict, store.Change{Now: s.later(2 * time.Hour), Writes: []store.Write{{Name: "stays", Data: []byte("x")}}})
	s.want("stays", "for good")
}

func expiredGivesWay(s *suite) {
	hold := func(now time.Duration, expect int64, holder string) store.Change {
		return store.Change{Now: s.later(now), Writes: []store.Write{
			{Name: "lease", Expect: expect, Data: []byte(holder), Expires: s.later(now + 15*time.Second)},
		}}
	}
	s.commit(hold(0, 0, "first"))
	first := s.get("lease").Version
	s.refuse(store.ErrConflict, hold(14999*time.Millisecond, 0, "second"))
	s.commit(hold(10*time.Second, first, "first again"))
	renewed := s.get("lease").Version
	s.refuse(store.ErrConflict, hold(24999*time.Millisecond, 0, "second"))
	s.refuse(store.ErrConflict, hold(25*time.Second, renewed, "first, too late"))
	s.commit(hold(25*time.Second, 0, "second"))
	s.refuse(store.ErrConflict, hold(26*time.Second, renewed, "first, much too late"))
	s.want("lease", "second")
	if got := s.get("lease").Version; got <= renewed {
		s.Errorf("version %d after %d", got, renewed)
	}
}

func sweeping(s *suite) {
	var writes []store.Write
	for i := range 300 {
		writes = append(writes, store.Write{Name: fmt.Sprintf("old:%d", i), Data: []byte("x"), Expires: s.later(-time.Second)})
	}
	writes = append(writes, store.Write{Name: "young", Data: []byte("young"), Expires: s.later(time.Hour)})
	s.commit(store.Change{Writes: writes})
	s.put("old:7", "written again")
	s.commit(store.Change{Writes: []store.Write{{Name: "old:9", Expect: store.Any}}})
	s.put("old:9", "deleted and written again")
	for range 10 {
		s.none(s.later(2 * time.Hour)) // sweeps by the wall clock
	}
	s.want("old:7", "written again")
	s.want("old:9", "deleted and written again")
	s.want("young", "young")
	if diff := cmp.Diff([]string{"old:7", "old:9", "young"}, s.scanAll("")); diff != "" {
		s.Errorf("scan (-want +got):\n%s", diff)
	}
	s.commit(store.Change{Writes: []store.Write{{Name: "old:8", Expect: 0, Data: []byte("new")}}})
	s.want("old:8", "new")
}

// scanAll returns the names of part's documents with a prefix, in the order of the pages.
func (s *suite) scanAll(prefix string) []string {
	s.Helper()
	var names []string
	for cursor := ""; ; {
		docs, next, err := s.Scan(s.ctx, part, prefix, cursor)
		if err != nil {
			s.Fatal(err)
		}
		for _, doc := range docs {
			names = append(names, doc.Key.Name)
		}
		if cursor = next; next == "" {
			return names
		}
	}
}

func scan(s *suite) {
	const n = 1000
	want := make(map[string]string)
	var writes []store.Write
	for i := range n {
		name, data := fmt.Sprintf("doc:%d", i*7919%n), fmt.Sprintf("data %d", i)
		want[name] = data
		writes = append(writes, store.Write{Name: name, Data: []byte(data)})
	}
	s.commit(store.Change{Writes: writes})
	s.commit(store.Change{Partition: part + 1, Writes: []store.Write{{Name: "doc:elsewhere", Data: []byte("x")}}})

	got := make(map[string]string)
	pages := 0
	last := ""
	for cursor := ""; ; {
		docs, next, err := s.Scan(s.ctx, part, "", cursor)
		if err != nil {
			s.Fatal(err)
		}
		for _, doc := range docs {
			if _, twice := got[doc.Key.Name]; twice || doc.Key.Partition != part || doc.Version == 0 || doc.Key.Name <= last {
				s.Fatalf("document %+v came twice, or after %q", doc.Key, last)
			}
			last = doc.Key.Name
			got[last] = string(doc.Data)
		}
		// New and deleted documents must not disturb a scan.
		s.commit(store.Change{Writes: []store.Write{{Name: fmt.Sprintf("a-new:%d", pages), Data: []byte("x")}}})
		if pages++; next == "" {
			break
		}
		cursor = next
	}
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, "a-new:") })
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("scan (-want +got):\n%s", diff)
	}
	if pages < 2 {
		s.Errorf("%d documents in %d page", n, pages)
	}
	if docs, next, err := s.Scan(s.ctx, 0, "", ""); err != nil || len(docs) != 0 || next != "" {
		s.Errorf("an empty partition: %v, %q, %v", docs, next, err)
	}
}

func scanPrefix(s *suite) {
	for _, name := range []string{"a", "a:1", "a:2", "a;", "b:1", "a\xff", "a\xff\xff1", "a\xff\xff2", "\xff", "\xffz"} {
		s.put(name, "x")
	}
	for prefix, want := range map[string][]string{
		"a:":        {"a:1", "a:2"},
		"a:1":       {"a:1"},
		"a":         {"a", "a:1", "a:2", "a;", "a\xff", "a\xff\xff1", "a\xff\xff2"},
		"a\xff\xff": {"a\xff\xff1", "a\xff\xff2"},
		"\xff":      {"\xff", "\xffz"},
		"c":         nil,
	} {
		if diff := cmp.Diff(want, s.scanAll(prefix)); diff != "" {
			s.Errorf("prefix %q (-want +got):\n%s", prefix, diff)
		}
	}
}

func cancelled(s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	if _, err := s.Get(ctx, key("a")); !errors.Is(err, context.Canceled) {
		s.Errorf("get: %v", err)
	}
	err := s.Commit(ctx, store.Change{Partition: part, Writes: []store.Write{{Name: "a", Data: []byte("x")}}})
	if !errors.Is(err, context.Canceled) {
		s.Errorf("commit: %v", err)
	}
	if _, _, err := s.Claim(ctx, s.now, time.Second, 1); !errors.Is(err, context.Canceled) {
		s.Errorf("claim: %v", err)
	}
	if _, _, err := s.Board(ctx, part, "league", 0, 1, ""); !errors.Is(err, context.Canceled) {
		s.Errorf("board: %v", err)
	}
	if _, _, err := s.Scan(ctx, part, "", ""); !errors.Is(err, context.Canceled) {
		s.Errorf("scan: %v", err)
	}
	s.want("a", "")
}

func closed(s *suite) {
	s.put("a", "x")
	if err := s.Close(); err != nil {
		s.Fatal(err)
	}
	if _, err := s.Get(s.ctx, key("a")); err == nil {
		s.Error("get succeeded")
	}
	err := s.Commit(s.ctx, store.Change{Partition: part, Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte("y")}}})
	if err == nil {
		s.Error("commit succeeded")
	}
	if _, _, err := s.Claim(s.ctx, s.now, time.Second, 1); err == nil {
		s.Error("claim succeeded")
	}
}

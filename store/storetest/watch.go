package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"sedmabot/store"
)

// patience is how long to wait for a watch before the test fails.
const patience = 2 * time.Minute

// received returns what a watch sends next.
func received(t testing.TB, watch <-chan []store.Doc) []store.Doc {
	t.Helper()
	select {
	case docs, ok := <-watch:
		if !ok {
			t.Fatal("the watch has ended")
		}
		if len(docs) == 0 {
			t.Fatal("a watch sent nothing")
		}
		return docs
	case <-time.After(patience):
		t.Fatal("the watch reports no change")
	}
	return nil
}

// receivedUntil receives until a document has that data, and returns how often it received.
func receivedUntil(t testing.TB, watch <-chan []store.Doc, name, data string) int {
	t.Helper()
	for n := 1; ; n++ {
		for _, doc := range received(t, watch) {
			if doc.Key.Name == name && string(doc.Data) == data {
				return n
			}
		}
	}
}

// ended checks that a watch ends.
func ended(t testing.TB, watch <-chan []store.Doc) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case _, ok := <-watch:
			if !ok {
				return
			}
		case <-late:
			t.Fatal("the watch doesn't end")
		}
	}
}

func watchChanges(s *suite) {
	version := s.put("a", "1")
	watch := s.Watch(s.ctx, key("a"), key("b"))
	first := received(s, watch)
	if len(first) != 2 || first[0].Key != key("a") || first[0].Version != version || string(first[0].Data) != "1" || first[1].Key != key("b") || first[1].Version != 0 {
		s.Fatalf("at first: %v", first)
	}
	only := func(name, data string) {
		s.Helper()
		if docs := received(s, watch); len(docs) != 1 || docs[0].Key != key(name) || string(docs[0].Data) != data || docs[0].Version != s.get(name).Version {
			s.Fatalf("%v, want only %s, %q", docs, name, data)
		}
	}
	s.put("a", "2")
	only("a", "2")
	s.put("c", "of another name")
	s.commit(store.Change{Partition: part + 1, Writes: []store.Write{{Name: "a", Data: []byte("of another partition")}}})
	s.put("b", "3")
	only("b", "3")
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: store.Any}}})
	only("a", "")
	s.put("a", "4")
	only("a", "4")
	s.refuse(store.ErrConflict, store.Change{Writes: []store.Write{{Name: "a", Data: []byte("refused")}}})
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte("5")}, {Name: "b", Expect: store.Any, Data: []byte("5")}}})
	if docs := received(s, watch); len(docs) != 2 || string(docs[0].Data)+string(docs[1].Data) != "55" {
		s.Errorf("after a change of both: %v", docs)
	}
}

// watchAtOnce makes changes one after another, each when the one before was reported. If only the regular reading
// noticed them, that would take several times as long.
func watchAtOnce(s *suite) {
	const rounds = 20
	watch := s.Watch(s.ctx, key("a"))
	received(s, watch)
	s.put("a", "the first")
	receivedUntil(s, watch, "a", "the first")
	began := time.Now()
	for i := range rounds {
		s.put("a", fmt.Sprint(i))
		receivedUntil(s, watch, "a", fmt.Sprint(i))
	}
	if took := time.Since(began); took > rounds*store.WatchEvery/4 {
		s.Errorf("%d changes were noticed in %v", rounds, took)
	}
}

func watchSlowly(s *suite) {
	const changes = 300
	watch := s.Watch(s.ctx, key("a"))
	for i := range changes {
		s.put("a", fmt.Sprint(i)) // no commit waits for the reader
	}
	if n := receivedUntil(s, watch, "a", fmt.Sprint(changes-1)); n > changes/10 {
		s.Errorf("a slow reader received %d states of %d changes", n, changes)
	}
}

func watchExpiry(s *suite) {
	if testing.Short() {
		s.Skip("-short leaves out what waits for the next look of a watch")
	}
	s.put("a", "long")
	watch := s.Watch(s.ctx, key("a"))
	receivedUntil(s, watch, "a", "long")
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte("short"), Expires: time.Now().Add(50 * time.Millisecond)}}})
	for received(s, watch)[0].Version != 0 {
	}
}

func watchEnds(s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	ends, goesOn, unread := s.Watch(ctx, key("a")), s.Watch(s.ctx, key("a")), s.Watch(ctx, key("b"))
	received(s, ends)
	received(s, goesOn)
	cancel()
	ended(s, ends)
	ended(s, unread)
	s.put("a", "after")
	receivedUntil(s, goesOn, "a", "after")
	ended(s, s.Watch(ctx, key("a")))
	if err := s.Close(); err != nil {
		s.Fatal(err)
	}
	ended(s, goesOn)
	ended(s, s.Watch(s.ctx, key("a")))
}

func watchMany(s *suite) {
	const documents, watches = 8, 40
	name := func(i int) string { return fmt.Sprint("table:", i%documents) }
	var all []<-chan []store.Doc
	for i := range watches {
		p := i % documents // in many partitions
		all = append(all, s.Watch(s.ctx, store.Key{Partition: p, Name: name(i)}))
	}
	for round := range 3 {
		for p := range documents {
			if err := s.Commit(s.ctx, store.Change{Partition: p, Writes: []store.Write{{Name: name(p), Expect: store.Any, Data: []byte(fmt.Sprint(round))}}, Now: s.now}); err != nil {
				s.Fatal(err)
			}
		}
		for i, watch := range all {
			receivedUntil(s, watch, name(i), fmt.Sprint(round))
		}
	}
}

// WatchThrough checks that a watch of one store reports the changes made through another one, before a fault, after it,
// and a change made during it whose report may be lost.
func WatchThrough(t *testing.T, watcher, writer store.Store, fault func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	watch, slow := watcher.Watch(ctx, key("a"), key("b")), watcher.Watch(ctx, key("a"))
	write := func(data string) {
		t.Helper()
		for began := time.Now(); ; {
			err := writer.Commit(ctx, store.Change{Partition: part, Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte(data)}}})
			if err == nil {
				return
			}
			if time.Since(began) > patience {
				t.Fatal(err)
			}
		}
	}
	write("before")
	receivedUntil(t, watch, "a", "before")
	fault()
	write("after")
	receivedUntil(t, watch, "a", "after")
	for i := range 3 {
		write(fmt.Sprint(i))
		receivedUntil(t, watch, "a", fmt.Sprint(i))
	}
	receivedUntil(t, slow, "a", "2")
	cancel()
	ended(t, watch)
	ended(t, slow)
}

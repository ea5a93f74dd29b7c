package bot

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// spoil changes a bit in a document in the file of an open store.
func spoil(t *testing.T, path string, s store.Store, key store.Key) {
	t.Helper()
	docs, err := s.Get(t.Context(), key)
	if err != nil || docs[0].Version == 0 {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	last := docs[0].Data[len(docs[0].Data)-1]
	for from := 0; ; from++ {
		at := bytes.Index(file[from:], docs[0].Data)
		if at < 0 {
			return
		}
		from += at
		if _, err := f.WriteAt([]byte{last ^ 1}, int64(from+len(docs[0].Data)-1)); err != nil {
			t.Fatal(err)
		}
	}
}

// If a table's document is damaged, the table is left alone for a minute at a time, and other tables continue. A backup
// leaves out the document, and counts it by its kind.
func TestDamagedTableIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		file, err := boltstore.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		p, s := &chats{}, &trips{Store: file}
		var log bytes.Buffer
		b := New(Config{Store: s, Platforms: []chat.Platform{p}, Think: easy, Worlds: 20, Pace: time.Second, Log: slog.New(slog.NewTextHandler(&log, nil))})
		command(b, "ann", "new")
		id := theTable(t, b).ID
		other := by("cat")
		other.Command, other.Chat.ID = "new", "test:other"
		b.Handle(t.Context(), other)
		keys, _ := doc.TableKeys(id)
		running(t, b, func() { time.Sleep(time.Minute) })
		p.count("")

		spoil(t, path, s, keys[0])
		if err := s.Commit(t.Context(), store.Change{Partition: keys[0].Partition, Due: []store.Mark{{ID: keys[0].Name, At: time.Now()}}}); err != nil {
			t.Fatal(err)
		}
		if reply := command(b, "ben", "join"); reply.Outcome != chat.Failed || !strings.Contains(reply.Toast, "is damaged, so it can't go on") {
			t.Errorf("who joins a damaged table is told %+v", reply)
		}
		running(t, b, func() {
			s.take()
			time.Sleep(3 * time.Minute)
			s.mu.Lock()
			commits := s.commits
			s.mu.Unlock()
			if commits > 5 {
				t.Errorf("%d commits for a damaged table", commits)
			}
			p.count("")
			other.Player, other.Command = chat.Player{ID: "test:dan", Name: "dan", Lang: "en"}, "join"
			if reply := b.Handle(t.Context(), other); reply.Outcome == chat.Failed {
				t.Errorf("who joins another table is told %+v", reply)
			}
			time.Sleep(time.Minute)
			if p.count("") == 0 {
				t.Error("another table isn't shown any more")
			}
		})
		if text := log.String(); !strings.Contains(text, "read document: table") || strings.Contains(text, "test:ann") {
			t.Errorf("logged:\n%s", text)
		}

		var backup bytes.Buffer
		if kept, err := upkeep.WriteBackup(t.Context(), s, Kinds(), &backup, time.Now()); err != nil || kept.Tables != 1 || kept.Skipped["table"] != 1 || len(kept.Skipped) != 1 {
			t.Errorf("backed up %+v, %v", kept, err)
		}
		empty, err := boltstore.Open(path + ".new")
		if err != nil {
			t.Fatal(err)
		}
		defer empty.Close()
		if restored, err := upkeep.Restore(t.Context(), empty, Kinds(), bytes.NewReader(backup.Bytes()), time.Now()); err != nil || restored.Tables != 1 {
			t.Errorf("restored %+v, %v", restored, err)
		}
	})
}

// Documents that aren't ours aren't backed up, in any partition, and one doesn't hide another.
func TestABackupLeavesOutWhatCannotBeRestored(t *testing.T) {
	t.Parallel()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for p, names := range map[int][]string{3: {"player:a", "table:b"}, 7: {"member:c", "table:d"}} {
		c := store.Change{Partition: p, Writes: []store.Write{{Name: "player:good", Data: []byte(`{"v":1,"d":{}}`)}}}
		for i, name := range names {
			c.Writes = append(c.Writes, store.Write{Name: name, Data: []byte([]string{"no document", `{"v":1,"d":[]}`}[i])})
		}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var backup bytes.Buffer
	b, err := upkeep.WriteBackup(t.Context(), s, Kinds(), &backup, time.Now())
	if want := `{"member":1,"player":1,"table":2}`; err != nil || b.Documents != 2 || jsonOf(t, b.Skipped) != want {
		t.Errorf("backed up %+v, %v, want %s skipped", b, err, want)
	}
}

// A damaged table doesn't keep its chat from others: anyone may open a new table there, and a manager may close it.
func TestADamagedTableFreesItsChat(t *testing.T) {
	onBothStores(t, func(t *testing.T, kept store.Store) {
		b := New(Config{Store: kept, Platforms: []chat.Platform{&chats{}}, Think: easy, Log: slog.New(slog.DiscardHandler)})
		damage := func() string {
			t.Helper()
			id := theTable(t, b).ID
			keys, _ := doc.TableKeys(id)
			if err := kept.Commit(t.Context(), store.Change{Partition: keys[0].Partition, Writes: []store.Write{{Name: keys[0].Name, Expect: store.Any, Data: []byte("no document")}}}); err != nil {
				t.Fatal(err)
			}
			return id
		}
		command(b, "ann", "new")
		if reply := command(b, "ben", "new"); reply.Screen == nil || reply.Toast != by("ben").Text("reply.table_exists") {
			t.Errorf("beside a table that isn't damaged: %+v", reply)
		}
		first := damage()
		if reply := command(b, "ben", "new"); reply.Outcome != chat.Done || reply.Toast != by("ben").Text("reply.opened") {
			t.Fatalf("a new table in place of a damaged one: %+v", reply)
		}
		if id := theTable(t, b).ID; id == first {
			t.Fatal("the chat still has the damaged table")
		}
		second := damage()
		if reply := command(b, "cat", "close"); reply.Outcome != chat.Failed || !strings.Contains(reply.Toast, "is damaged, so it can't go on") {
			t.Errorf("someone who does not manage the chat closes a damaged table: %+v", reply)
		}
		in := by("cat")
		in.Command, in.Admin = "close", true
		if reply := b.Handle(t.Context(), in); reply.Outcome != chat.Done || !strings.Contains(reply.Toast, "this chat is free again") {
			t.Errorf("a manager closes a damaged table: %+v", reply)
		}
		home, err := b.docs.Home(t.Context(), in.Chat.Home)
		if err != nil || len(home.Open) > 0 {
			t.Errorf("after the table %s, the chat has %v, %v", second, home.Open, err)
		}
		if _, n, err := kept.Board(t.Context(), doc.HomeKey(in.Chat.Home).Partition, doc.OpenBoard, 0, 1, ""); err != nil || n != 0 {
			t.Errorf("%d tables count as open, %v", n, err)
		}

		solo := by("dan")
		solo.Command = "solo"
		b.Handle(t.Context(), solo)
		home, err = b.docs.Home(t.Context(), "test:dan")
		if err != nil || len(home.Open) != 1 {
			t.Fatal(home.Open, err)
		}
		keys, _ := doc.TableKeys(home.Open["test:dan"])
		if err := kept.Commit(t.Context(), store.Change{Partition: keys[0].Partition, Writes: []store.Write{{Name: keys[0].Name, Expect: store.Any, Data: []byte("no document")}}}); err != nil {
			t.Fatal(err)
		}
		if reply := b.Handle(t.Context(), solo); reply.Outcome != chat.Done {
			t.Errorf("a new game alone in place of a damaged one: %+v", reply)
		}
	})
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A table that can be decoded and makes no sense is damaged too: people are told so, and no worker panics.
func TestATableWithoutSenseIsDamaged(t *testing.T) {
	onBothStores(t, func(t *testing.T, kept store.Store) {
		var log bytes.Buffer
		p := &chats{}
		b := New(Config{Store: kept, Platforms: []chat.Platform{p}, Think: easy, Log: slog.New(slog.NewTextHandler(&log, nil))})
		command(b, "ann", "new")
		command(b, "ann", "start")
		id := theTable(t, b).ID
		keys, _ := doc.TableKeys(id)
		docs, err := kept.Get(t.Context(), keys[0])
		if err != nil {
			t.Fatal(err)
		}
		for what, change := range map[string][2]string{
			"no seats":    {`"seats":[`, `"seats":[],"none":[`},
			"no deal":     {`"deal":{`, `"none":{`},
			"no match":    {`"match":{`, `"none":{`},
			"no document": {`{"v":`, `{"w"`},
		} {
			data := bytes.Replace(docs[0].Data, []byte(change[0]), []byte(change[1]), 1)
			if bytes.Equal(data, docs[0].Data) {
				t.Fatalf("%s: %s isn't in %s", what, change[0], docs[0].Data)
			}
			if err := kept.Commit(t.Context(), store.Change{Partition: keys[0].Partition, Writes: []store.Write{{Name: keys[0].Name, Expect: store.Any, Data: data}}}); err != nil {
				t.Fatal(err)
			}
			in := by("ben")
			in.Press = view.Press{Action: view.ActJoin, Table: id}.String()
			if reply := b.Handle(t.Context(), in); reply.Outcome != chat.Failed || !strings.Contains(reply.Toast, "is damaged, so it can't go on") {
				t.Errorf("%s: %+v", what, reply)
			}
			b.queue.Work(t.Context(), b.kinds, store.Job{Partition: keys[0].Partition, ID: keys[0].Name, Token: 1}, time.Now().Add(time.Minute))
			if bad, err := upkeep.Unreadable(t.Context(), kept, Kinds()); err != nil || bad["table"] != 1 || len(bad) != 1 {
				t.Errorf("%s: unreadable are %v, %v", what, bad, err)
			}
		}
		if text := log.String(); strings.Contains(text, "panic") || !strings.Contains(text, "read document: table") {
			t.Errorf("logged:\n%s", text)
		}
	})
}

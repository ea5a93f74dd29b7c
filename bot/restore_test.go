package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// backupText writes a backup of these documents, in this order.
func backupText(t *testing.T, docs ...store.Doc) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	n := len(docs)
	for _, line := range slices.Concat([]any{backupHead{backupFormat, schema}}, lines(docs), []any{backupLine{Documents: &n}}) {
		if err := e.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.NewReader(b.Bytes())
}

func lines(docs []store.Doc) (all []any) {
	for _, doc := range docs {
		all = append(all, backupLine{Partition: doc.Key.Partition, Name: doc.Key.Name, Doc: doc.Data})
	}
	return all
}

// storedIn returns the names of the documents in a store.
func storedIn(t *testing.T, s store.Store) []string {
	t.Helper()
	var names []string
	for p := range store.Partitions {
		docs, err := scanAll(t.Context(), s, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			names = append(names, doc.Key.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestRestoreExpiry restores documents that expire, and waits until they have.
func TestRestoreExpiry(t *testing.T) {
	t.Parallel()
	brief, usual := "test:brief", "test:usual"
	tables := map[string]string{} // by home
	var docs []store.Doc
	add := func(p int, name string, v any) {
		docs = append(docs, store.Doc{Key: store.Key{Partition: p, Name: name}, Data: encode(v)})
	}
	for home, keep := range map[string]int{brief: 30, usual: 0} {
		p, id := store.Partition(home), newTableID(home)
		tables[home] = id
		add(p, homeName(home), homeDoc{Keep: keep, Matches: []string{"x"}})
		add(p, matchName(id, 1), matchDoc{Home: home, Rules: preset(t, "sedma-4p")})
		add(p, recordName(id, 1), json.RawMessage(`{}`))
		add(p, coachName(id, 1), coachDoc{Done: true})
	}
	orphan := newTableID(brief)
	add(store.Partition(brief), recordName(orphan, 1), json.RawMessage(`{}`))
	share := shareKey("ABCDEFGH")
	add(share.Partition, share.Name, shareDoc{Table: tables[usual]})
	slices.SortFunc(docs, func(a, b store.Doc) int {
		if a.Key.Partition != b.Key.Partition {
			return a.Key.Partition - b.Key.Partition
		}
		return strings.Compare(a.Key.Name, b.Key.Name)
	})
	records := func(id string) []string {
		return []string{coachName(id, 1), matchName(id, 1), recordName(id, 1)}
	}
	steps := []struct {
		day  time.Duration
		want []string
	}{
		{0, slices.Concat([]string{share.Name}, records(tables[brief]), records(tables[usual]), []string{recordName(orphan, 1)})},
		{time.Hour, slices.Concat(records(tables[brief]), records(tables[usual]), []string{recordName(orphan, 1)})},
		{29 * 24 * time.Hour, slices.Concat(records(tables[brief]), records(tables[usual]), []string{recordName(orphan, 1)})},
		{31 * 24 * time.Hour, records(tables[usual])},
		{181 * 24 * time.Hour, nil},
	}
	for _, order := range []string{"as written", "reversed"} {
		if order == "reversed" {
			docs = slices.Clone(docs)
			slices.Reverse(docs)
		}
		text := backupText(t, docs...)
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "restored.db")
			synctest.Test(t, func(t *testing.T) {
				s, err := boltstore.Open(file)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				if _, err := Restore(t.Context(), s, Kinds(), text, time.Now()); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				for _, step := range steps {
					time.Sleep(time.Until(began.Add(step.day)))
					want := slices.Concat([]string{homeName(brief), homeName(usual)}, step.want)
					slices.Sort(want)
					if got := storedIn(t, s); !slices.Equal(got, want) {
						t.Errorf("after %v there are %v, want %v", step.day, got, want)
					}
				}
			})
		})
	}
}

func preset(t *testing.T, name string) game.Rules {
	t.Helper()
	r, err := game.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sampleTable returns a stored table at play, with changes to its JSON.
func sampleTable(t *testing.T, change func(d map[string]any)) store.Doc {
	t.Helper()
	for _, doc := range storedDocuments(t) {
		l, err := decodeTable(doc)
		if kindOf(doc.Key.Name) != "table" || err != nil || l.Phase != table.Playing {
			continue
		}
		var whole map[string]any
		d := json.NewDecoder(bytes.NewReader(doc.Data))
		d.UseNumber()
		if err := d.Decode(&whole); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(whole["d"].(map[string]any))
		}
		if doc.Data, err = json.Marshal(whole); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	t.Fatal("no table at play is stored")
	return store.Doc{}
}

// TestRestoreChecksFirst gives Restore backups that are wrong late in the file,
// and checks that nothing was written.
func TestRestoreChecksFirst(t *testing.T) {
	t.Parallel()
	var many []store.Doc // more than a commit takes
	for i := range 3 * restoreBatch {
		many = append(many, store.Doc{Key: store.Key{Partition: 0, Name: playerName(fmt.Sprintf("x:%04d", i))}, Data: encode(playerDoc{Lang: "cs"})})
	}
	good := sampleTable(t, nil)
	table := func(change func(d map[string]any)) []store.Doc {
		return append(slices.Clip(many), sampleTable(t, change))
	}
	elsewhere := good
	elsewhere.Key.Partition = (good.Key.Partition + 1) % store.Partitions
	for name, test := range map[string]struct {
		docs []store.Doc
		want string
	}{
		"twice in a row":         {append(slices.Clip(many), many[len(many)-1]), "a document appears twice: player"},
		"twice":                  {append(slices.Clip(many), many[0]), "a document appears twice: player"},
		"twice, out of order":    {append([]store.Doc{good}, append(slices.Clip(many), good)...), "a document appears twice: table"},
		"no seats":               {table(func(d map[string]any) { d["seats"] = []any{} }), "read document: table: the table has not the seats"},
		"a seat less":            {table(func(d map[string]any) { d["seats"] = d["seats"].([]any)[1:] }), "read document: table: the table has not the seats"},
		"playing without a deal": {table(func(d map[string]any) { delete(d, "deal") }), "read document: table: the table is at play without a running deal"},
		"no phase":               {table(func(d map[string]any) { d["phase"] = "asleep" }), "read document: table: the table is in no known phase"},
		"another table":          {table(func(d map[string]any) { d["id"] = newTableID("x") }), "read document: table: the table has another id"},
		"another partition":      {append(slices.Clip(many), elsewhere), "read document: table: the table has another id"},
		"a board's name":         {append(slices.Clip(many), store.Doc{Key: store.Key{Partition: 1, Name: memberName(strings.Repeat("y", store.MaxName-9), "x")}, Data: encode(memberDoc{Games: map[string]Totals{"all": {}}})}), "the name of a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t)
			_, err := Restore(t.Context(), s, Kinds(), backupText(t, test.docs...), time.Now())
			if line := fmt.Sprintf("line %d: ", len(test.docs)+1); err == nil || !strings.HasPrefix(err.Error(), line) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s%s", err, line, test.want)
			}
			if names := storedIn(t, s); len(names) > 0 {
				t.Errorf("%d documents were written", len(names))
			}
		})
	}
	s := openStore(t)
	docs := append([]store.Doc{good}, many...)
	if _, err := Restore(t.Context(), s, Kinds(), backupText(t, docs...), time.Now()); err != nil || len(storedIn(t, s)) != len(docs) {
		t.Errorf("a good backup out of order: %d documents, %v", len(storedIn(t, s)), err)
	}
}

// TestRestoredTablesWork damages stored tables value by value. Restore refuses
// them, or they are shown and played on without a panic.
func TestRestoredTablesWork(t *testing.T) {
	t.Parallel()
	damage := []any{nil, json.Number("7"), []any{}, []any{nil}, "playing"}
	kinds := map[table.Phase]bool{}
	refused, worked := 0, 0
	for _, doc := range storedDocuments(t) {
		if kindOf(doc.Key.Name) != "table" {
			continue
		}
		if _, err := Restore(t.Context(), nowhere{}, Kinds(), backupText(t, doc), time.Now()); err != nil {
			t.Errorf("a stored table is refused: %v", err)
		}
		l, err := decodeTable(doc)
		if err != nil || kinds[l.Phase] {
			continue
		}
		kinds[l.Phase] = true
		damaged(t, doc.Data, damage, func(where string, data []byte) {
			doc.Data = data
			if _, err := Restore(t.Context(), nowhere{}, Kinds(), backupText(t, doc), time.Now()); err != nil {
				refused++
				return
			}
			worked++
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("a %s table with a damaged %s was restored: %v", l.Phase, where, r)
				}
			}()
			l, err := decodeTable(doc)
			if err != nil {
				t.Fatal(err)
			}
			playOn(l.Table)
		})
	}
	if len(kinds) < 2 || refused == 0 || worked == 0 {
		t.Errorf("tables in %d phases: %d were refused and %d worked", len(kinds), refused, worked)
	}
}

// nowhere is a store that keeps nothing.
type nowhere struct{ store.Store }

func (nowhere) Scan(context.Context, int, string, string) ([]store.Doc, string, error) {
	return nil, "", nil
}
func (nowhere) Commit(context.Context, store.Change) error { return nil }

// damaged calls f with data of which one value is another, or is missing, for
// each value and each damage.
func damaged(t *testing.T, data []byte, damage []any, f func(where string, data []byte)) {
	t.Helper()
	var whole any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	give := func(where string) {
		data, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		f(where, data)
	}
	var walk func(where string, v any)
	walk = func(where string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				for _, v[name] = range damage {
					give(where + "." + name)
				}
				delete(v, name)
				give(where + "." + name)
				v[name] = value
				walk(where+"."+name, value)
			}
		case []any:
			for i, value := range v[:min(len(v), 1)] { // the others are like it
				for _, v[i] = range damage {
					give(where + "[]")
				}
				v[i] = value
				walk(where+"[]", value)
			}
		}
	}
	walk("", whole)
}

// playOn shows a table to everybody, and lets time and people do a few things.
func playOn(t table.Table) {
	think := func(_ string, v game.View, _ game.Match) game.Move { return v.Legal[0] }
	now := time.Now()
	for range 3 {
		public, private := t.Readers()
		view.PastPosts(public)
		view.Posts(public, private, view.Reach{})
		for _, s := range t.Seats {
			if p, ok := private(s.Player.ID); ok {
				view.Hand(p)
				for _, c := range []table.Command{table.Join{Seat: -1}, table.Back{}, table.Rematch{}, table.Leave{}} {
					_, _, _ = table.Apply(t, s.Player, c, table.Env{Now: now})
				}
			}
		}
		if due := t.Due(); due.After(now) {
			now = due
		}
		t, _ = table.Advance(t, table.Env{Now: now}, think)
	}
}

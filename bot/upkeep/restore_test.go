package upkeep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/club/review"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/play"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// backupText returns a backup of these documents, in this order.
func backupText(t *testing.T, docs ...store.Doc) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	n := len(docs)
	for _, line := range slices.Concat([]any{upkeep.BackupHead{Backup: upkeep.BackupFormat, Schema: doc.Schema}}, lines(docs), []any{upkeep.BackupLine{Documents: &n}}) {
		if err := e.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.NewReader(b.Bytes())
}

func lines(docs []store.Doc) (all []any) {
	for _, doc := range docs {
		all = append(all, upkeep.BackupLine{Partition: doc.Key.Partition, Name: doc.Key.Name, Doc: doc.Data})
	}
	return all
}

// storedIn returns the names of the documents in a store.
func storedIn(t *testing.T, s store.Store) []string {
	t.Helper()
	var names []string
	for p := range store.Partitions {
		docs, err := upkeep.ScanAll(t.Context(), s, p)
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

// TestRestoreExpiry restores documents that expire, and waits until they have expired.
func TestRestoreExpiry(t *testing.T) {
	t.Parallel()
	brief, usual, older := "test:brief", "test:usual", "test:older"
	tables := map[string]string{} // by home
	var docs []store.Doc
	add := func(p int, name string, v any) {
		docs = append(docs, store.Doc{Key: store.Key{Partition: p, Name: name}, Data: doc.Encode(v)})
	}
	begins := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // when a bubble begins
	for home, keep := range map[string]int{brief: 30, usual: 0, older: 30} {
		p, id := store.Partition(home), doc.NewTableID(home)
		tables[home] = id
		add(p, doc.HomeName(home), doc.Home{Keep: keep, Matches: []string{"x"}})
		m := doc.Match{Home: home, Rules: gametest.Preset(t, "sedma-4p"), First: 1, Seeds: make([]table.Seed, 1), At: begins.Add(time.Hour)}
		if home == older {
			m.At = begins.Add(-20 * 24 * time.Hour) // its time doesn't begin again
		}
		add(p, doc.MatchName(id, 1), m)
		add(p, doc.RecordName(id, 1), json.RawMessage(`{"rules":"sedma-4p","dealer":0,"deals":[]}`))
		add(p, doc.CoachName(id, 1), review.Coach{})
	}
	orphan := doc.NewTableID(brief)
	add(store.Partition(brief), doc.RecordName(orphan, 1), json.RawMessage(`{"rules":"sedma-4p","dealer":0,"deals":[]}`))
	share := play.ShareKey("ABCDEFGH")
	add(share.Partition, share.Name, play.Share{Table: tables[usual]})
	slices.SortFunc(docs, func(a, b store.Doc) int {
		if a.Key.Partition != b.Key.Partition {
			return a.Key.Partition - b.Key.Partition
		}
		return strings.Compare(a.Key.Name, b.Key.Name)
	})
	records := func(id string) []string {
		return []string{doc.CoachName(id, 1), doc.MatchName(id, 1), doc.RecordName(id, 1)}
	}
	steps := []struct {
		day  time.Duration
		want []string
	}{
		{0, slices.Concat([]string{share.Name}, records(tables[brief]), records(tables[usual]), records(tables[older]), []string{doc.RecordName(orphan, 1)})},
		{time.Hour, slices.Concat(records(tables[brief]), records(tables[usual]), records(tables[older]), []string{doc.RecordName(orphan, 1)})},
		{9 * 24 * time.Hour, slices.Concat(records(tables[brief]), records(tables[usual]), records(tables[older]), []string{doc.RecordName(orphan, 1)})},
		{11 * 24 * time.Hour, slices.Concat(records(tables[brief]), records(tables[usual]), []string{doc.RecordName(orphan, 1)})},
		{29 * 24 * time.Hour, slices.Concat(records(tables[brief]), records(tables[usual]), []string{doc.RecordName(orphan, 1)})},
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
			synctest.Test(t, func(t *testing.T) {
				s := storetest.NewMemory()
				defer s.Close()
				if _, err := upkeep.Restore(t.Context(), s, bot.Kinds(), text, time.Now()); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				for _, step := range steps {
					time.Sleep(time.Until(began.Add(step.day)))
					want := slices.Concat([]string{doc.HomeName(brief), doc.HomeName(usual), doc.HomeName(older)}, step.want)
					slices.Sort(want)
					if got := storedIn(t, s); !slices.Equal(got, want) {
						t.Errorf("after %v there are %v, want %v", step.day, got, want)
					}
				}
			})
		})
	}
}

// sampleTable returns a stored table during a match, with changes to its JSON.
func sampleTable(t *testing.T, change func(d map[string]any)) store.Doc {
	t.Helper()
	for _, stored := range storedDocuments(t) {
		l, err := doc.DecodeTable(stored)
		if doc.KindOf(stored.Key.Name) != "table" || err != nil || l.Phase != table.Playing {
			continue
		}
		var document map[string]any
		d := json.NewDecoder(bytes.NewReader(stored.Data))
		d.UseNumber()
		if err := d.Decode(&document); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(document["d"].(map[string]any))
		}
		if stored.Data, err = json.Marshal(document); err != nil {
			t.Fatal(err)
		}
		return stored
	}
	t.Fatal("no table at play is stored")
	return store.Doc{}
}

// TestRestoreChecksFirst gives Restore backups that are wrong late in the file,
// and checks that nothing was written.
func TestRestoreChecksFirst(t *testing.T) {
	t.Parallel()
	var many []store.Doc // more documents than one commit takes
	for i := range 3 * upkeep.RestoreBatch {
		many = append(many, store.Doc{Key: store.Key{Partition: 0, Name: doc.PlayerName(fmt.Sprintf("x:%04d", i))}, Data: doc.Encode(doc.Player{PlayerSettings: table.PlayerSettings{Lang: "cs"}})})
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
		"another table":          {table(func(d map[string]any) { d["id"] = doc.NewTableID("x") }), "read document: table: the table has another id"},
		"another partition":      {append(slices.Clip(many), elsewhere), "read document: table: the table has another id"},
		"a board's name":         {append(slices.Clip(many), store.Doc{Key: store.Key{Partition: 1, Name: doc.MemberName(strings.Repeat("y", store.MaxName-9), "x")}, Data: doc.Encode(league.Member{Games: map[string]league.Totals{"all": {}}})}), "the name of a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.NewMemory()
			_, err := upkeep.Restore(t.Context(), s, bot.Kinds(), backupText(t, test.docs...), time.Now())
			if line := fmt.Sprintf("line %d: ", len(test.docs)+1); err == nil || !strings.HasPrefix(err.Error(), line) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s%s", err, line, test.want)
			}
			if names := storedIn(t, s); len(names) > 0 {
				t.Errorf("%d documents were written", len(names))
			}
		})
	}
	s := storetest.NewMemory()
	docs := append([]store.Doc{good}, many...)
	if _, err := upkeep.Restore(t.Context(), s, bot.Kinds(), backupText(t, docs...), time.Now()); err != nil || len(storedIn(t, s)) != len(docs) {
		t.Errorf("a good backup out of order: %d documents, %v", len(storedIn(t, s)), err)
	}
}

// A stored table in which any one value is changed or missing is refused by Restore, or it is shown and played on without a
// panic.
func TestDamagedTablesAreRefusedOrWork(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it restores thousands of backups, one after the other")
	}
	kinds := map[table.Phase]bool{}
	refused, worked := 0, 0
	for _, stored := range storedDocuments(t) {
		if doc.KindOf(stored.Key.Name) != "table" {
			continue
		}
		if _, err := upkeep.Restore(t.Context(), nowhere{}, bot.Kinds(), backupText(t, stored), time.Now()); err != nil {
			t.Errorf("a stored table is refused: %v", err)
		}
		l, err := doc.DecodeTable(stored)
		if err != nil || kinds[l.Phase] {
			continue
		}
		kinds[l.Phase] = true
		eachDamage(t, stored, func(where string, data []byte) {
			stored.Data = data
			if _, err := upkeep.Restore(t.Context(), nowhere{}, bot.Kinds(), backupText(t, stored), time.Now()); err != nil {
				refused++
				return
			}
			worked++
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("a %s table with a damaged %s was restored: %v", l.Phase, where, r)
				}
			}()
			l, err := doc.DecodeTable(stored)
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

// nowhere is a store that discards all changes.
type nowhere struct{ store.Store }

func (nowhere) Scan(context.Context, int, string, string) ([]store.Doc, string, error) {
	return nil, "", nil
}

func (nowhere) Commit(context.Context, store.Change) error { return nil }

// playOn shows a table to everyone, lets time pass, and gives some commands.
func playOn(t table.Table) {
	now := time.Now()
	for range 3 {
		public, private := t.Readers()
		view.PastPosts(public)
		view.PresentPosts(public, private, nil, nil)
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
		env := table.Env{Now: now}
		next, _, wanted := table.Advance(t, env)
		for wanted != nil {
			next, _, wanted = table.Answer(next, env, wanted.View.Legal[0])
		}
		t = next
	}
}

package upkeep_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/club/marks"
	"sedmabot/bot/club/meet"
	"sedmabot/bot/club/puzzle"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/pages"
	"sedmabot/bot/people"
	"sedmabot/bot/upkeep"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// gather returns an export of the person, as JSON.
func gather(t testing.TB, player string, fill func(x *doc.Export) error) string {
	t.Helper()
	x := &doc.Export{Player: player, Lists: map[string][]any{}, Maps: map[string]map[string]any{}}
	if err := fill(x); err != nil {
		t.Fatal(err)
	}
	for section, list := range x.Lists {
		var texts []string
		for _, v := range list {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		x.Lists[section] = []any{texts}
	}
	text, err := json.MarshalIndent(map[string]any{"lists": x.Lists, "maps": x.Maps}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// everything exports all that the whole store has about a person.
func everything(t testing.TB, s store.Store) func(x *doc.Export) error {
	return func(x *doc.Export) error {
		kinds := bot.Kinds()
		for p := range store.Partitions {
			docs, err := upkeep.ScanAll(t.Context(), s, p)
			if err != nil {
				return err
			}
			for _, stored := range docs {
				if err := kinds[doc.KindOf(stored.Key.Name)].Export(x, stored); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// found exports what /mydata finds.
func found(t testing.TB, s store.Store) func(x *doc.Export) error {
	return func(x *doc.Export) error {
		return x.Gather(t.Context(), s, bot.Kinds(), func(err error) { t.Error(err) })
	}
}

var playerID = regexp.MustCompile(`(?:test|discord|telegram):[a-z0-9]+`)

// An export reads a part of the store, but has all that the whole store has about the person: in each kind of document,
// of this version and of earlier ones.
func TestExportIsComplete(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		live(t, w)
		s := w.Docs.Store
		samples, err := filepath.Glob("testdata/schema*.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		players := map[string]bool{town.Ann: true, "test:ben": true, "test:cat": true, "test:eve": true}
		for _, sample := range samples {
			text, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range playerID.FindAllString(string(text), -1) {
				players[id] = true
			}
			_, err = upkeep.ReadBackup(bytes.NewReader(text), func(stored store.Doc) error {
				c := store.Change{Partition: stored.Key.Partition, Writes: []store.Write{{Name: stored.Key.Name, Expect: store.Any, Data: stored.Data}}}
				if kind, rest := doc.KindAndRest(stored.Key.Name); kind == "coach" || kind == "verdict" { // the samples lack its match
					match, _, _ := strings.Cut(rest, "|")
					c.Writes = append(c.Writes, store.Write{Name: "match:" + match, Expect: store.Any, Data: append(slices.Clone(stored.Data), rest...)})
				}
				if kind, rest := doc.KindAndRest(stored.Key.Name); kind == "streak" { // the samples lack its home
					home, _, _ := doc.CutLast(rest, "|")
					c.Writes = append(c.Writes, store.Write{Name: doc.HomeName(home), Expect: store.Any, Data: doc.Encode(doc.Home{})})
				}
				return s.Commit(t.Context(), c)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		sections := map[string]bool{}
		for player := range players {
			want := gather(t, player, everything(t, s))
			if diff := gocmp.Diff(want, gather(t, player, found(t, s))); diff != "" {
				t.Errorf("%s (-everything +found):\n%s", player, diff)
			}
			for _, section := range strings.Fields("told_of_tables_in tables homes medals matches tournaments coach skill daily") {
				sections[section] = sections[section] || strings.Contains(want, `"`+section+`"`)
			}
		}
		for section, has := range sections {
			if !has {
				t.Errorf("nobody has any %s", section)
			}
		}
	})
}

// BenchmarkExport exports the data of a person who played in one of 200 homes. The metric ratio is how many times as long it
// takes to read the whole store.
func BenchmarkExport(b *testing.B) {
	s, err := boltstore.Open(cmp.Or(os.Getenv("EXPORT_FILE"), filepath.Join(b.TempDir(), "data.db")))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	fillMatches(b, s, 2000)
	var whole time.Duration
	b.ResetTimer()
	for range b.N {
		begin := time.Now()
		want := gather(b, "test:p001", everything(b, s))
		whole += time.Since(begin)
		if got := gather(b, "test:p001", found(b, s)); got != want || len(got) < 1000 {
			b.Fatalf("%d bytes, not %d", len(got), len(want))
		}
	}
	b.ReportMetric(whole.Seconds()/(b.Elapsed()-whole).Seconds(), "ratio")
}

// fillMatches stores what matches leave: about 38 kB each.
func fillMatches(b *testing.B, s store.Store, matches int) {
	b.Helper()
	long := func(n int) string { return strings.Repeat("x", n) }
	for i := range matches {
		home := fmt.Sprintf("test:home%d", i%200)
		table := doc.NewTableID(home)
		player := fmt.Sprintf("test:p%03d", i%200)
		write := func(name, data string) store.Write {
			return store.Write{Name: name, Expect: store.Any, Data: []byte(`{"v":2,"d":` + data + `}`)}
		}
		seats := `[{"player":"` + player + `","name":"Ann","side":0,"rank":1},{"player":"test:ben","side":1,"rank":2}]`
		match := `{"home":"` + home + `","at":"2026-01-01T00:00:00Z","rules":{"preset":"sedma-2p"},"seats":[{"player":{"id":"` + player + `"}}],"x":"` + long(1200) + `"}`
		c := store.Change{Partition: store.Partition(home), Writes: []store.Write{
			write("result:"+home+"|"+table+"-1", `{"no":1,"at":"2026-01-01T00:00:00Z","family":"sedma","seats":`+seats+`}`),
			write("match:"+table+":1", match),
			write("coach:"+table+":1", `{"deals":[],"x":"`+long(26000)+`","seats":[{"seat":0,"player":"`+player+`","choices":9}]}`),
			write(doc.HomeName(home), `{"played":1,"x":"`+long(800)+`"}`),
			write(doc.MemberName(home, player), `{"name":"Ann","games":{"all":{"matches":1,"wins":1,"stakes":1}},"x":"`+long(1500)+`"}`),
		}}
		for n := range 6 {
			c.Writes = append(c.Writes, write(doc.RecordName(table, n), `"`+long(1500)+`"`))
		}
		if err := s.Commit(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// silent lists the kinds whose documents about a person an export doesn't show, with the reason.
var silent = map[string]string{
	"match": "its result is in the ledger, and what the coach found out in a verdict",
	"shown": "it has the places of messages",
}

// Each kind of document about a person comes to the file that they get.
func TestExportFileHasEachKind(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		live(t, w)
		now := w.Docs.Now()
		const home = "test:one"
		tab := w.At("test:three")
		company, _ := doc.CompanyKey(tab.ID)
		if err := w.Tables.Note(t.Context(), tab.ID, func(n *doc.Notes) { n.Saw(town.Ann, 1, now) }); err != nil {
			t.Fatal(err)
		}
		w.Put(company.Partition, map[string]any{company.Name: pages.Company{
			Photos: map[string]pages.Photo{town.Ann: {Address: "https://photo", Until: now.Add(time.Hour)}},
			Said:   map[string]pages.Said{town.Ann: {What: "well", At: now}},
		}})
		w.Put(store.Partition(town.Ann), map[string]any{
			doc.SessionsKey(town.Ann).Name: pages.Sessions{Until: map[string]time.Time{"s": now.Add(time.Hour)}},
			"ladder:" + town.Ann:           league.Ladder{Tutorial: true},
			"solver:" + town.Ann:           puzzle.Solver{Answers: []puzzle.Answer{{Puzzle: "p"}}},
			"apart:" + town.Ann:            meet.Apart{People: []meet.Other{{Player: "test:eve", Table: "t", At: now}}},
		})
		w.Put(store.Partition(home), map[string]any{
			"quiz:" + home:    upkeep.Withdrawn{Home: home, Date: "2026-01-01", Votes: map[string]int{town.Ann: 1}},
			"final:" + home:   upkeep.Withdrawn{Home: home, Date: "2026-01-04", In: []table.Player{{ID: town.Ann}}},
			"marks:" + home:   marks.Marks{Given: map[string]chat.Mark{town.Ann: {}}},
			"welcome:" + home: people.Welcome{By: town.Ann},
		})
		file := func() map[string]json.RawMessage {
			var sections map[string]json.RawMessage
			if err := json.Unmarshal(w.Command(town.Ann, town.Ann, "mydata", "what", "export").Screen.File.Data, &sections); err != nil {
				t.Fatal(err)
			}
			return sections
		}
		sections, shown := file(), map[string]bool{"player": true}
		for _, own := range []string{"player", "name", "at", "settings"} {
			if sections[own] == nil {
				t.Errorf("the file has no %s", own)
			}
		}
		kinds := bot.Kinds()
		for p := range store.Partitions {
			docs, err := upkeep.ScanAll(t.Context(), w.Docs.Store, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, stored := range docs {
				name := doc.KindOf(stored.Key.Name)
				x := &doc.Export{Player: town.Ann, Lists: map[string][]any{}, Maps: map[string]map[string]any{}}
				if !x.Mentions(stored) {
					continue
				}
				shown[name] = shown[name] || silent[name] != ""
				if err := kinds[name].Export(x, stored); err != nil {
					t.Error(err)
				}
				for section, list := range x.Lists {
					for _, entry := range list {
						shown[name] = true
						if text, _ := json.Marshal(entry); !strings.Contains(compact(sections[section]), string(text)) {
							t.Errorf("%s: %s lacks %s", name, section, text)
						}
					}
				}
				for section, entries := range x.Maps {
					for key, entry := range entries {
						shown[name] = true
						var got map[string]json.RawMessage
						_ = json.Unmarshal(sections[section], &got)
						if text, _ := json.Marshal(entry); compact(got[key]) != string(text) {
							t.Errorf("%s: %s lacks %s of %s", name, section, text, key)
						}
					}
				}
			}
		}
		for name, ok := range shown {
			if !ok {
				t.Errorf("%s: it has data about the person, and the file has none of it", name)
			}
		}
	})
}

// compact returns JSON without spaces.
func compact(text []byte) string {
	var b bytes.Buffer
	_ = json.Compact(&b, text)
	return b.String()
}

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
	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
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
				if export := kinds[doc.KindOf(stored.Key.Name)].Export; export != nil && x.Mentions(stored) {
					if err := export(x, stored); err != nil {
						return err
					}
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
	clock.Waits(t)
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

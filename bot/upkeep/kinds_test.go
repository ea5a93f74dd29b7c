package upkeep_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// unsampled lists the kinds that need no sample of a schema, with the reason.
var unsampled = map[string]string{
	"share":      "a code is gone an hour after it was made",
	"puzzle/1":   "no schema 1 document of this kind exists",
	"meet/1":     "no schema 1 document of this kind exists",
	"puzzles/1":  "no schema 1 document of this kind exists",
	"apart/1":    "no schema 1 document of this kind exists",
	"spent":      "it is gone two hours after it was made",
	"company":    "it is gone an hour after the last page was closed",
	"sessions":   "they end a day after they began",
	"voice":      "it is gone a day after the channel refused",
	"seen/1":     "no schema 1 document of this kind exists",
	"evenings/1": "no schema 1 document of this kind exists",
	"marks/1":    "no schema 1 document of this kind exists",
	"solver/1":   "no schema 1 document of this kind exists",
	"secret/1":   "no schema 1 document of this kind exists",
	"verdict/1":  "no schema 1 document of this kind exists",
	"heard/1":    "no schema 1 document of this kind exists",
	"welcome/1":  "no schema 1 document of this kind exists",
	"streak/1":   "no schema 1 document of this kind exists",
	"tell/1":     "no schema 1 document of this kind exists",
	"budget/1":   "no schema 1 document of this kind exists",
	"ladder/1":   "no schema 1 document of this kind exists",
	"news/1":     "no schema 1 document of this kind exists",
	"quiz/1":     "no schema 1 document of this kind exists",
	"final/1":    "no schema 1 document of this kind exists",
}

// ownerless lists the kinds whose documents may be in any partition, with the reason.
var ownerless = map[string]string{
	"seen": "it is in the partition of the change that the event made",
}

// misplaced lists the samples that are not in their owner's partition, with the reason.
var misplaced = map[string]string{
	"hold:telegram": "the sample was put beside the others",
}

// unforgotten lists the kinds that mention a person but are kept when that person's data is deleted, with the reason.
var unforgotten = map[string]string{
	"erase": "it is the deletion itself, whose job deletes it at the end",
}

// samplesOf returns the stored documents of a schema, by kind.
func samplesOf(t *testing.T, schema int) map[string][]store.Doc {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("testdata/schema%d*.jsonl", schema))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string][]store.Doc{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := upkeep.ReadBackup(bytes.NewReader(text), func(stored store.Doc) error {
			kind := doc.KindOf(stored.Key.Name)
			all[kind] = append(all[kind], stored)
			return nil
		}); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// peopleIn returns the ids of the people whom the samples name or seat.
func peopleIn(t *testing.T, samples map[string][]store.Doc) map[string]bool {
	t.Helper()
	people := map[string]bool{}
	for _, kind := range []string{"player", "member", "try", "skill", "erase", "verdict", "streak"} {
		for _, sample := range samples[kind] {
			_, rest := doc.KindAndRest(sample.Key.Name)
			people[rest[strings.LastIndex(rest, "|")+1:]] = true
		}
	}
	for _, sample := range samples["table"] {
		l, err := doc.DecodeTable(sample)
		if err != nil {
			t.Fatal(err)
		}
		for _, seat := range l.Seats {
			if seat.Player.ID != "" {
				people[seat.Player.ID] = true
			}
		}
	}
	if len(people) < 3 {
		t.Fatalf("the samples name only %d people", len(people))
	}
	return people
}

// jobs are the kinds of jobs that commits make due.
var jobs = []string{"boards", "coach", "daily", "erase", "evenings", "final", "home", "marks", "meet", "news", "player", "purge", "puzzles", "quiz", "rate", "result", "solver", "table", "tournament", "undone", "verdict", "welcome"}

// TestEveryKind checks all kinds of documents and jobs. A new kind needs a sample, and rules for a restore and for
// deleting a person's data.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	kinds := bot.Kinds()
	used := map[string]bool{}
	excused := func(reasons map[string]string, name string) bool {
		if reasons[name] == "" {
			return false
		}
		used[name] = true
		return true
	}
	for schema := 1; schema <= doc.Schema; schema++ {
		samples := samplesOf(t, schema)
		for kind := range samples {
			if kinds[kind].New == nil {
				t.Errorf("%s: a stored document is of no known kind", kind)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			kind := kinds[name]
			if does := slices.Contains(jobs, name); does != (kind.Job != nil) {
				t.Errorf("%s: it has a job: %v, want %v", name, !does, does)
			}
			switch {
			case kind.Name != name:
				t.Errorf("%s: its name is %q", name, kind.Name)
			case kind.New == nil && kind.Job == nil:
				t.Errorf("%s: neither a document nor a job", name)
			case kind.New != nil && kind.Owner == nil && !excused(ownerless, name):
				t.Errorf("%s: a document without an owner", name)
			case kind.New != nil && len(samples[name]) == 0 && !excused(unsampled, name) && !excused(unsampled, fmt.Sprintf("%s/%d", name, schema)):
				t.Errorf("%s: no sample of schema %d", name, schema)
			}
			for _, sample := range samples[name] {
				if kind.New == nil {
					continue
				}
				if err := doc.Decode(sample, kind.New()); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if !excused(misplaced, sample.Key.Name) {
					checkOwner(t, kind, sample)
				}
				checkRestore(t, kinds, sample)
			}
		}
	}
	for _, reasons := range []map[string]string{unsampled, ownerless, misplaced} {
		for name := range reasons {
			if !used[name] {
				t.Errorf("%s needs no excuse any more: %s", name, reasons[name])
			}
		}
	}
}

// checkOwner checks that a kind finds the partition in which a document was stored.
func checkOwner(t *testing.T, kind doc.Kind, sample store.Doc) {
	t.Helper()
	if kind.Owner == nil {
		return
	}
	_, rest := doc.KindAndRest(sample.Key.Name)
	if partition, ok := kind.Owner(rest); !ok || partition != sample.Key.Partition {
		t.Errorf("%s: its owner finds partition %d, %v; it was stored in %d", sample.Key.Name, partition, ok, sample.Key.Partition)
	}
	if _, ok := kind.Owner(""); ok {
		t.Errorf("%s: its owner takes a document without a name", kind.Name)
	}
}

// checkRestore checks the change that restores a document. A store must accept it, and each job that it makes due must
// have a kind that runs it.
func checkRestore(t *testing.T, kinds map[string]doc.Kind, sample store.Doc) {
	t.Helper()
	now := time.Now()
	c := store.Change{Partition: sample.Key.Partition, Now: now}
	w := store.Write{Name: sample.Key.Name, Data: sample.Data}
	if restore := kinds[doc.KindOf(sample.Key.Name)].Restore; restore != nil {
		until := func(store.Key) time.Time { return now.Add(doc.KeepRecord) }
		if err := restore(&doc.Restored{Change: &c, Write: &w, Now: now, Until: until}, sample); err != nil {
			t.Errorf("%s: restore: %v", sample.Key.Name, err)
		}
	}
	c.Writes = append(c.Writes, w)
	if err := c.Check(); err != nil {
		t.Errorf("%s: restore: %v", sample.Key.Name, err)
	}
	for _, due := range c.Due {
		if kinds[doc.KindOf(due.ID)].Job == nil {
			t.Errorf("%s: restoring it makes %s due, which nobody does", sample.Key.Name, doc.KindOf(due.ID))
		}
	}
}

// Zoe is the person who takes the place of others in the samples.
const zoe = "test:zoe4711"

// placed returns copies of a sample, each with Zoe in another one of the places that name one of the people.
func placed(kind doc.Kind, sample store.Doc, people map[string]bool) (all []store.Doc) {
	for person := range people {
		for at := range sample.Data {
			before, after := sample.Data[:at], sample.Data[at:]
			if !bytes.HasPrefix(after, []byte(person+`"`)) && !bytes.HasPrefix(after, []byte(person+" ")) || bytes.HasSuffix(before, []byte(`"name":"`)) {
				continue // the address of a message has the id of a private chat, too, and some names are ids
			}
			one := sample
			one.Data = slices.Concat(before, []byte(zoe), after[len(person):])
			all = append(all, one)
		}
		if name, own := strings.CutSuffix(sample.Key.Name, person); own && kind.Name != "player" { // see tendErase
			one := sample
			one.Key.Name = name + zoe
			_, rest := doc.KindAndRest(one.Key.Name)
			one.Key.Partition, _ = kind.Owner(rest)
			all = append(all, one)
		}
	}
	return all
}

// Whatever place of a document names a person: the deletion of their data finds it, and nobody's export has the id of
// somebody else.
func TestAPersonInEachPlace(t *testing.T) {
	t.Parallel()
	for schema := 1; schema <= doc.Schema; schema++ {
		town.In(t, func(t *testing.T, w *town.Town) {
			samples := samplesOf(t, schema)
			people := peopleIn(t, samples)
			put := func(stored store.Doc) {
				t.Helper()
				if err := w.Docs.Store.Commit(t.Context(), store.Change{
					Partition: stored.Key.Partition, Now: w.Docs.Now(), Writes: []store.Write{{Name: stored.Key.Name, Expect: store.Any, Data: stored.Data}},
				}); err != nil {
					t.Fatal(err)
				}
			}
			for stored := range slices.Values(slices.Concat(slices.Collect(maps.Values(samples))...)) {
				put(stored)
			}
			places := 0
			for name, list := range samples {
				for _, sample := range list {
					for _, one := range placed(w.Kinds[name], sample, people) {
						if unforgotten[name] != "" {
							continue
						}
						places++
						put(one)
						exported(t, w, one, people)
						swept(t, w, one)
						put(sample)
					}
				}
			}
			if places < 40 {
				t.Errorf("schema %d has only %d places of people", schema, places)
			}
		})
	}
}

// exported checks that no export from a document has the id of anybody else.
func exported(t *testing.T, w *town.Town, stored store.Doc, people map[string]bool) {
	t.Helper()
	for _, person := range append(slices.Collect(maps.Keys(people)), zoe) {
		got := gather(t, person, func(x *doc.Export) error { return w.Kinds[doc.KindOf(stored.Key.Name)].Export(x, stored) })
		for _, id := range playerID.FindAllString(got, -1) {
			if id != person && (people[id] || id == zoe) && !strings.Contains(got, `"name": "`+id) {
				t.Errorf("%s: the export of %s has the id of %s: %s", stored.Key.Name, person, id, got)
			}
		}
	}
}

// swept deletes Zoe's data, and checks that it is gone.
func swept(t *testing.T, w *town.Town, one store.Doc) {
	t.Helper()
	for s := (doc.Sweep{Player: zoe, Home: zoe, Stage: doc.SweepAll}); ; s.Round++ {
		found := false
		for p := range store.Partitions {
			docs, err := upkeep.ScanAll(t.Context(), w.Docs.Store, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, stored := range docs {
				if !s.Mentioned(stored) {
					continue
				}
				removed, err := w.Kinds[doc.KindOf(stored.Key.Name)].Remove(t.Context(), w.Docs, s, stored)
				if err != nil && !errors.Is(err, store.ErrConflict) {
					t.Fatalf("%s: %v", stored.Key.Name, err)
				}
				found = found || removed || err != nil
			}
		}
		if !found {
			break
		}
		if s.Round > 10 {
			t.Fatalf("%s: the deletion doesn't end", one.Key.Name)
		}
	}
	for name, data := range w.Stored() {
		if strings.Contains(name+data, zoe) {
			t.Errorf("%s with her in %s: %s still has her: %s", one.Key.Name, one.Data, name, data)
		}
	}
}

package bot

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Documents as they were stored by each schema are read for ever. A file of
// testdata is never changed: a new schema gets a new one, and this test then
// compares what it makes of the older ones with what they mean now.
func TestStoredSamples(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	check := func(doc store.Doc) error {
		kind := kindOf(doc.Key.Name)
		seen[kind] = true
		into, ok := map[string]any{
			"home": new(homeDoc), "table": new(table.Table), "shown": new(shownDoc), "notes": new(notesDoc), "record": new(json.RawMessage),
			"match": new(matchDoc), "result": new(resultDoc), "hall": new(hallDoc), "member": new(memberDoc), "player": new(playerDoc), "hold": new(holdDoc), "chat": new(chatDoc), "tournament": new(cupDoc),
			"coach": new(coachDoc), "skill": new(skillDoc), "daily": new(dailyDoc), "try": new(tryDoc), "erase": new(sweepDoc), "purge": new(sweepDoc),
		}[kind]
		if !ok {
			t.Fatalf("%s: no such kind of document", kind)
		}
		if err := decode(doc, into); err != nil {
			return err
		}
		if kind == "record" {
			r, err := record.Read(*into.(*json.RawMessage))
			if err != nil {
				return err
			}
			if out, err := r.Replay(); err != nil || len(out.Deals) != 1 || !out.Deals[0].State.Over() {
				t.Errorf("the record does not replay to its end: %v", err)
			}
		}
		var was, is any
		if err := json.Unmarshal(doc.Data, &was); err != nil {
			return err
		}
		if err := json.Unmarshal(encode(into), &is); err != nil {
			return err
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%s is read as something else:\n%s", kind, diff)
		}
		return nil
	}
	tables := 0
	for _, name := range []string{"schema1.jsonl", "schema1-moved.jsonl", "schema1-daily.jsonl", "schema1-boards.jsonl", "schema1-tournament.jsonl"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		backup, err := readBackup(bytes.NewReader(text), check)
		if err != nil {
			t.Fatal(err)
		}
		tables += backup.Tables
	}
	want := []string{"chat", "coach", "daily", "erase", "hall", "hold", "home", "match", "member", "notes", "player", "purge", "record", "result", "shown", "skill", "table", "tournament", "try"}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, want) {
		t.Errorf("samples of %v, want %v", got, want)
	}
	if tables != 5 {
		t.Errorf("%d tables", tables)
	}
}

// What a later version wrote is left alone.
func TestNewerDocument(t *testing.T) {
	t.Parallel()
	var home homeDoc
	err := decode(store.Doc{Key: homeKey("x"), Version: 1, Data: []byte(`{"v":2,"d":{"open":{"a":"b"}}}`)}, &home)
	if err != errNewer || home.Open != nil {
		t.Errorf("%v: %v", err, home)
	}
}

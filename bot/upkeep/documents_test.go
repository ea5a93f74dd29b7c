package upkeep_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Documents of every earlier schema must remain readable. A file of testdata is never
// changed. A new schema gets a new file with the same documents, and the older files
// must decode to the same values.
func TestStoredSamples(t *testing.T) {
	t.Parallel()
	samples := []string{".jsonl", "-moved.jsonl", "-daily.jsonl", "-boards.jsonl", "-tournament.jsonl"}
	for _, sample := range samples {
		now := readSample(t, doc.Schema, sample)
		for n := 1; n < doc.Schema; n++ {
			if diff := cmp.Diff(readSample(t, n, sample), now, cmp.AllowUnexported(deliver.Shown{})); diff != "" {
				t.Errorf("schema %d%s means something else (-%d +%d):\n%s", n, sample, n, doc.Schema, diff)
			}
		}
	}
}

// readSample reads the documents of a sample, by name.
func readSample(t *testing.T, n int, sample string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("testdata/schema%d%s", n, sample))
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]any{}
	_, err = upkeep.ReadBackup(bytes.NewReader(text), func(stored store.Doc) error {
		kind := doc.KindOf(stored.Key.Name)
		into := emptyDocument(kind)
		if kind == "table" {
			into = new(table.Table)
		}
		if err := doc.Decode(stored, into); err != nil {
			return err
		}
		docs[stored.Key.Name] = into
		if kind == "record" {
			r, err := record.Read(*into.(*json.RawMessage))
			if err != nil {
				return err
			}
			if out, err := r.Replay(); err != nil || len(out.Deals) != 1 || !out.Deals[0].State.Over() {
				t.Errorf("the record does not replay to its end: %v", err)
			}
		}
		if n < doc.Schema {
			return nil
		}
		var was, is any
		if err := json.Unmarshal(stored.Data, &was); err != nil {
			return err
		}
		if err := json.Unmarshal(doc.Encode(into), &is); err != nil {
			return err
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%s is read as something else:\n%s", kind, diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// A document written by a later version must not be changed.
func TestNewerDocument(t *testing.T) {
	t.Parallel()
	var home doc.Home
	err := doc.Decode(store.Doc{Key: doc.HomeKey("x"), Version: 1, Data: []byte(`{"v":4,"d":{"open":{"a":"b"}}}`)}, &home)
	if !errors.Is(err, doc.ErrNewer) || home.Open != nil {
		t.Errorf("%v: %v", err, home)
	}
}

package upkeep_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// emptyDocument returns an empty document of a kind, by the name that fuzzing inputs use.
func emptyDocument(name string) any { return documentKinds()[name].New() }

// documentKinds returns the kinds of documents by the names that fuzzing inputs use.
var documentKinds = sync.OnceValue(func() map[string]doc.Kind {
	all := bot.Kinds()
	maps.DeleteFunc(all, func(_ string, kind doc.Kind) bool { return kind.New == nil })
	all["sweep"], all["cup"] = all["erase"], all["tournament"]
	return all
})

// storedDocuments returns the sample documents of all schemas.
func storedDocuments(t testing.TB) []store.Doc {
	files, err := filepath.Glob("testdata/schema*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var docs []store.Doc
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := upkeep.ReadBackup(bytes.NewReader(text), func(doc store.Doc) error { docs = append(docs, doc); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return docs
}

// checkDocument decodes a document of a kind. The data must be decoded or refused. A decoded document must stay the
// same when encoded and decoded again.
func checkDocument(t *testing.T, kind string, data []byte) {
	kept, again := emptyDocument(kind), emptyDocument(kind)
	if doc.Decode(store.Doc{Version: 1, Data: data}, kept) != nil {
		return
	}
	if text, ok := kept.(*json.RawMessage); ok && *text == nil {
		return
	}
	once := doc.Encode(kept)
	if err := doc.Decode(store.Doc{Version: 1, Data: once}, again); err != nil {
		t.Errorf("%s: %s is written as %s: %v", kind, data, once, err)
		return
	}
	if twice := doc.Encode(again); !bytes.Equal(once, twice) {
		t.Errorf("%s is written as\n%s\nand then as\n%s", kind, once, twice)
	}
}

func FuzzDocument(f *testing.F) {
	for _, doc := range storedDocuments(f) {
		f.Add(doc.Data)
	}
	f.Add([]byte(`{"v":2,"d":{}}`))
	f.Add([]byte(`{"v":1,"d":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for kind := range documentKinds() {
			checkDocument(t, kind, data)
		}
	})
}

// A document in which any one value is changed or missing must be decoded or refused too.
func TestDamagedDocuments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it has no goroutines, and takes long under the race detector")
	}
	for _, stored := range storedDocuments(t) {
		kind := doc.KindOf(stored.Key.Name)
		switch kind { // use the similar document, or the other name, that fuzzing has for this kind
		case "erase", "purge":
			kind = "sweep"
		case "tournament":
			kind = "cup"
		}
		if documentKinds()[kind].New == nil {
			t.Fatalf("no document is known as %q", kind)
		}
		eachDamage(t, stored, func(_ string, data []byte) { checkDocument(t, kind, data) })
	}
}

// eachDamage calls check with the document in which any one value is changed or missing, and with the name of that value. Where
// tests needn't run whole, it tries each seventh change.
func eachDamage(t *testing.T, stored store.Doc, check func(where string, data []byte)) {
	t.Helper()
	damage := []any{nil, "playing", json.Number("7"), map[string]any{}, []any{nil}}
	var document any
	d := json.NewDecoder(bytes.NewReader(stored.Data))
	d.UseNumber()
	if err := d.Decode(&document); err != nil {
		t.Fatal(err)
	}
	tried := 0
	try := func(where string) {
		if tried++; tried%7 != 1 && !clocktest.IsWhole() {
			return
		}
		data, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		check(where, data)
	}
	var walk func(where string, v any)
	walk = func(where string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				at := where + "." + name
				for _, v[name] = range damage {
					try(at)
				}
				delete(v, name)
				try(at)
				v[name] = value
				walk(at, value)
			}
		case []any:
			for i, value := range v[:min(len(v), 1)] { // one element is enough, because the others are alike
				at := where + "[]"
				for _, v[i] = range damage {
					try(at)
				}
				v[i] = value
				walk(at, value)
			}
		}
	}
	walk("", document)
}

// A backup that anybody may have edited must be restored or refused.
func FuzzBackup(f *testing.F) {
	text, err := os.ReadFile("testdata/schema1.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("{\"sedmabot_backup\":1,\"schema\":1}\n{\"p\":0,\"documents\":0}\n"))
	f.Add([]byte("{\"sedmabot_backup\":1,\"schema\":1}\n{\"p\":16,\"name\":\"\",\"doc\":{}}\n{\"documents\":-1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		backup, err := upkeep.ReadBackup(bytes.NewReader(data), func(doc store.Doc) error {
			n++
			change := store.Change{Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Data: doc.Data}}}
			return change.Check()
		})
		if err == nil && backup.Documents != n {
			t.Errorf("%d documents, %d were read", backup.Documents, n)
		}
	})
}

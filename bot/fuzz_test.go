package bot

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/store"
)

// emptyDocuments are all documents, empty.
func emptyDocuments() map[string]any {
	return map[string]any{
		"home": new(homeDoc), "table": new(loaded), "shown": new(shownDoc), "notes": new(notesDoc), "record": new(json.RawMessage),
		"match": new(matchDoc), "member": new(memberDoc), "player": new(playerDoc), "hold": new(holdDoc), "seen": new(seenDoc), "chat": new(chatDoc),
		"coach": new(coachDoc), "daily": new(dailyDoc), "try": new(tryDoc), "sweep": new(sweepDoc), "result": new(resultDoc),
		"hall": new(hallDoc), "share": new(shareDoc), "skill": new(skillDoc), "cup": new(cupDoc),
	}
}

// storedDocuments are the documents of all schemas that are kept as examples.
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
		if _, err := readBackup(bytes.NewReader(text), func(doc store.Doc) error { docs = append(docs, doc); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return docs
}

// checkDocument reads a document of a kind. What is stored is read, or refused; what was
// read is written so that it is read as the same again.
func checkDocument(t *testing.T, kind string, data []byte) {
	doc, again := emptyDocuments()[kind], emptyDocuments()[kind]
	if decode(store.Doc{Version: 1, Data: data}, doc) != nil {
		return
	}
	if text, ok := doc.(*json.RawMessage); ok && *text == nil {
		return
	}
	once := encode(doc)
	if err := decode(store.Doc{Version: 1, Data: once}, again); err != nil {
		t.Errorf("%s: %s is written as %s: %v", kind, data, once, err)
		return
	}
	if twice := encode(again); !bytes.Equal(once, twice) {
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
		for kind := range emptyDocuments() {
			checkDocument(t, kind, data)
		}
	})
}

// A document of which any one value is another, or is missing, is read or refused too.
func TestDamagedDocuments(t *testing.T) {
	t.Parallel()
	damage := []any{nil, "", json.Number("0"), map[string]any{}, []any{nil}}
	for _, doc := range storedDocuments(t) {
		kind := kindOf(doc.Key.Name)
		switch kind { // other documents that are alike, or are called otherwise
		case "erase", "purge":
			kind = "sweep"
		case "tournament":
			kind = "cup"
		}
		if emptyDocuments()[kind] == nil {
			t.Fatalf("no document is known as %q", kind)
		}
		var whole any
		d := json.NewDecoder(bytes.NewReader(doc.Data))
		d.UseNumber()
		if err := d.Decode(&whole); err != nil {
			t.Fatal(err)
		}
		check := func() {
			data, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			checkDocument(t, kind, data)
		}
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				for name, value := range v {
					for _, other := range damage {
						v[name] = other
						check()
					}
					delete(v, name)
					check()
					v[name] = value
					walk(value)
				}
			case []any:
				for i, value := range v[:min(len(v), 1)] { // the others are like it
					for _, other := range damage {
						v[i] = other
						check()
					}
					v[i] = value
					walk(value)
				}
			}
		}
		walk(whole)
	}
}

// A backup that anybody may have edited is restored or refused.
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
		backup, err := readBackup(bytes.NewReader(data), func(doc store.Doc) error {
			n++
			change := store.Change{Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Data: doc.Data}}}
			return change.Check()
		})
		if err == nil && backup.Documents != n {
			t.Errorf("%d documents, %d were read", backup.Documents, n)
		}
	})
}

// Whatever words come after a command, they are understood or refused in words
// that can be shown.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"4", "sedma 4", "osmova 170", "křížek", "hola 6", "sedma-4p", "hard 3 solo", "5 hola 7", "ristikontra easy"} {
		f.Add(s, "en")
		f.Add(s, "cs")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		c := lang.For(language)
		var home homeDoc
		begin, err := home.beginning()
		if err != nil {
			t.Fatal(err)
		}
		begin, err = asked(strings.Fields(text), begin, c)
		if err != nil {
			if said := new(Bot).refuse(Input{Player: Player{Lang: language}}, err).Toast; said == "" || !utf8.ValidString(said) && utf8.ValidString(text) {
				t.Errorf("%q is refused with %q", text, said)
			}
			return
		}
		if err := begin.Rules.Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

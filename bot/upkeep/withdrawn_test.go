package upkeep_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// withdrawn are the kinds of documents of features that no longer exist.
var withdrawn = []string{"final", "puzzles", "quiz", "voice"}

// Documents of a feature that no longer exists stay as an earlier release left them, their jobs end, and nothing is shown. They lose a
// person whose data is deleted, and go with their home.
func TestWithdrawnDocumentsStay(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, leaver = "test:here", "test:eva"
		samples := samplesOf(t, doc.Schema)
		var docs []store.Doc
		for _, kind := range withdrawn {
			docs = append(docs, samples[kind]...)
		}
		for _, stored := range docs {
			now := w.Docs.Now()
			if err := w.Docs.Store.Commit(t.Context(), store.Change{
				Partition: stored.Key.Partition, Now: now, Writes: []store.Write{{Name: stored.Key.Name, Data: stored.Data}},
				Due: []store.Mark{{ID: stored.Key.Name, At: now}},
			}); err != nil {
				t.Fatal(err)
			}
		}
		w.Pass(2 * 24 * time.Hour)
		for _, stored := range docs {
			if got := w.Stored()[stored.Key.Name]; got != string(stored.Data) {
				t.Errorf("%s is %s, want %s", stored.Key.Name, got, stored.Data)
			}
			if due := w.Due(doc.KindOf(stored.Key.Name), 0); len(due) > 0 {
				t.Errorf("%s are still due", due)
			}
		}
		if sent := w.Chats.Deliveries(); len(sent) > 0 {
			t.Errorf("something is shown: %+v", sent)
		}
		w.PressButton(leaver, leaver, w.Command(leaver, leaver, "mydata", "what", "delete"), "Yes, delete all of it")
		w.Pass(time.Minute)
		for _, stored := range docs {
			if got := w.Stored()[stored.Key.Name]; got == "" || strings.Contains(got, leaver) || strings.Contains(string(stored.Data), "test:ota") && !strings.Contains(got, "test:ota") {
				t.Errorf("without the person it is %s, was %s", got, stored.Data)
			}
		}
		w.Presence(home, chat.Removed)
		w.Pass(upkeep.PurgeAfter + time.Hour)
		for name := range w.Stored() {
			if slices.Contains(withdrawn, doc.KindOf(name)) && strings.Contains(name, home) {
				t.Errorf("%s is left of a removed home", name)
			}
		}
	})
}

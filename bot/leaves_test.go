package bot

import (
	"maps"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/store"
)

// sizes returns how many bytes the store keeps, by kind of document, with their names.
func (w *town) sizes() map[string]int {
	w.t.Helper()
	sum := map[string]int{}
	for p := range store.Partitions {
		for cursor := ""; ; {
			docs, next, err := w.docs.Store.Scan(w.t.Context(), p, "", cursor)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, d := range docs {
				sum[doc.KindOf(d.Key.Name)] += len(d.Key.Name) + len(d.Data)
			}
			if cursor = next; cursor == "" {
				break
			}
		}
	}
	return sum
}

// A finished match of Sedma leaves at most 12 kB, even if all four players have opened it.
func TestAFinishedMatchLeavesLittle(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const home = "test:one"
		people := []string{ann, "test:ben", "test:cat", "test:dan"}
		w.thinkers.Worlds = 100 // scores vary as much as with all worlds
		play := func() string {
			tab := w.sit(home, "sedma-4p", people...)
			w.presses(ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			return doc.MatchID(w.playOn(tab.ID, 5000).ID, 1)
		}
		w.command(ann, home, "replay", "id", play())
		w.pass(time.Minute)
		before := w.sizes()
		id := play()
		w.pass(time.Minute)
		at := w.sizes()
		t.Logf("at once: %v", at)
		for _, who := range people {
			w.command(who, home, "replay", "id", id)
		}
		w.pass(time.Minute)
		left, all := w.sizes(), 0
		for _, kind := range slices.Sorted(maps.Keys(left)) {
			all += left[kind] - before[kind]
			t.Logf("%s: %d bytes", kind, left[kind]-before[kind])
		}
		if all > 12_000 {
			t.Errorf("%d bytes", all)
		}
	})
}

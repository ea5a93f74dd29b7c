package bot

import (
	"log/slog"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// sizes returns the size of the stored documents and their names in bytes, by kind.
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

// A finished match of Sedma leaves at most 12 kB in the store, even if it was long. If all four
// players open its replay, the coach adds at most 4 kB. The documents of the table and its
// messages are deleted a few days later.
func TestAFinishedMatchLeavesLittle(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("whole matches take too long under the race detector")
	}
	inTown(t, func(t *testing.T, w *town) {
		const home, most = "test:one", 12_000
		people := []string{ann, "test:ben", "test:cat", "test:dan"}
		seeds := 0
		w.Bot = New(Config{
			Store: w.docs.Store, Platforms: []chat.Platform{w.chats}, Think: easy, Log: slog.New(slog.DiscardHandler),
			Seed: func() table.Seed { seeds++; return table.Seed{byte(seeds), byte(seeds >> 8)} },
		})
		play := func() (deals int) {
			tab := w.sit(home, "sedma-4p", people...)
			w.presses(ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			tab = w.playOn(tab.ID, 5000)
			for _, who := range people {
				w.command(who, home, "replay", "id", doc.MatchID(tab.ID, 1))
			}
			w.pass(7 * 24 * time.Hour)
			return len(tab.Past)
		}
		play() // so that the members and the home are there
		var before map[string]int
		deals := 0
		for deals < 10 {
			before = w.sizes()
			deals = play()
		}
		left, all := w.sizes(), 0
		for kind, n := range left {
			left[kind] = n - before[kind]
			all += left[kind]
		}
		if all-left["verdict"] > most || left["verdict"] > 4096 || left["verdict"] == 0 {
			t.Errorf("a match of %d deals leaves %d bytes: %v", deals, all, left)
		}
	})
}

package bot_test

import (
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// sizes returns the size of the stored documents and their names in bytes, by kind.
func sizes(w *town.Town) map[string]int {
	sum := map[string]int{}
	for name, data := range w.Stored() {
		sum[doc.KindOf(name)] += len(name) + len(data)
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
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, most = "test:one", 12_000
		people := []string{town.Ann, "test:ben", "test:cat", "test:dan"}
		play := func() (deals int) {
			tab := w.Sit(home, "sedma-4p", people...)
			w.Presses(town.Ann, home, view.Press{Action: view.ActSet, Table: tab.ID, What: "length", Value: "t10"})
			w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			tab = w.PlayOn(tab.ID, 5000)
			for _, who := range people {
				w.Command(who, home, "replay", "id", doc.MatchID(tab.ID, 1))
			}
			w.Pass(7 * 24 * time.Hour)
			return len(tab.Past)
		}
		play() // so that the members and the home are there
		var before map[string]int
		deals := 0
		for deals < 10 || deals > 15 {
			before = sizes(w)
			deals = play()
		}
		left, all := sizes(w), 0
		for kind, n := range left {
			left[kind] = n - before[kind]
			all += left[kind]
		}
		if all-left["verdict"] > most || left["verdict"] > 4096 || left["verdict"] == 0 {
			t.Errorf("a match of %d deals leaves %d bytes: %v", deals, all, left)
		}
	})
}

package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// A press of hours ago begins nothing, and cards stay cards.
func TestOldPressesBeginNothing(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		in := w.Input(town.Ann, home)
		in.Old = func(context.Context) bool { return true }
		for _, press := range []string{
			view.Press{Action: view.ActStart, Table: tab.ID}.String(), view.Press{Action: view.ActRematch, Table: tab.ID}.String(),
			view.Press{Action: view.ActSeries, Table: tab.ID, Place: 3}.String(), screen.PressOf(view.ActNew), screen.PressOf(view.ActSolo), screen.PressOf(view.ActNow), screen.PressOf(view.ActLesson), view.DailyNow,
		} {
			in.Press = press
			if r := w.Bot.Handle(t.Context(), in); !strings.Contains(r.Toast, "I was away") {
				t.Errorf("%s: %+v", press, r)
			}
			w.Pass(time.Second)
		}
		if at := w.Load(tab.ID); at.Phase != table.Lobby {
			t.Errorf("the match runs: %v", at.Phase)
		}
		in.Press = view.Press{Action: view.ActJoin, Table: tab.ID}.String()
		if r := w.Bot.Handle(t.Context(), in); strings.Contains(r.Toast, "I was away") {
			t.Errorf("a press that begins nothing: %+v", r)
		}
	})
}

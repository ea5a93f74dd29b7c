package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/play"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// TestMoreOffersWhatIsAllowed opens More as everyone, where a table is at home, where it is a guest, and in the private chats
// of strangers. It has Close and a button against a player exactly where their presses are taken.
func TestMoreOffersWhatIsAllowed(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, guest = "test:group", "test:guest"
		friends := w.Sit(home, "2", "test:ann", "test:ben").ID
		_, code, _ := strings.Cut(w.Command("test:ann", home, "share").Screen.String(), "!share-en ")
		code = code[:play.CodeLength]
		w.Presses("test:cat", guest, view.Press{Action: view.ActPost, Table: code})
		w.Presses("test:ann", home, view.Press{Action: view.ActStart, Table: friends})
		strangers := meet(t, w, "test:gil", "test:hal").ID
		w.Pass(table.FullWait + time.Second)
		for _, c := range []struct {
			who, where, table string
			manages           bool
			closes, kicks     bool
		}{
			{"test:ann", home, friends, false, true, true}, // the host
			{"test:ben", home, friends, false, false, false},
			{"test:mia", home, friends, true, true, true},
			{"test:mia", home, friends, false, false, false},
			{"test:ben", guest, friends, false, false, false},
			{"test:hal", "test:hal", strangers, true, false, false},
			{"test:mia", guest, friends, false, false, false},
			{"test:mia", guest, friends, true, true, false}, // it takes the table out of this chat
		} {
			does := func(p view.Press) chat.Reply {
				p.Table = c.table
				in := w.Input(c.who, c.where)
				in.Press, in.Manages = p.String(), func(context.Context, string) (bool, error) { return c.manages, nil }
				return w.Handle(t.Context(), in)
			}
			offers := map[string]bool{}
			for _, row := range does(view.Press{Action: view.ActMore}).Screen.Rows {
				for _, b := range row {
					if p, err := view.ParsePress(b.Press); err == nil {
						offers[p.Action] = true
					}
				}
			}
			if offers[view.ActClose] != c.closes || offers[view.ActKick] != c.kicks {
				t.Errorf("%+v: Close %v, Kick %v", c, offers[view.ActClose], offers[view.ActKick])
			}
			if r := does(view.Press{Action: view.ActClose}); (r.Outcome == chat.Done) != c.closes {
				t.Errorf("%+v closes: %+v", c, r)
			}
			if c.kicks {
				continue // the game needs its players
			}
			for seat := range 2 {
				if r := does(view.Press{Action: view.ActKick, Place: seat}); r.Outcome == chat.Done {
					t.Errorf("%+v takes seat %d", c, seat)
				}
			}
		}
		if at := w.Load(friends); at.Phase != table.Playing || len(at.Chats) != 1 {
			t.Errorf("after all that: %s in %d chats", at.Phase, len(at.Chats))
		}
	})
}

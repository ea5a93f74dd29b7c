package deliver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// spaced is a platform that takes one delivery a second in a place.
type spaced struct{ *town.Chats }

func (spaced) Gap(chat.Target) time.Duration { return time.Second }

// A move changes the hands of the mover and of the player on turn, which are shown at once, as the table is. The
// other hands only repeat what the table shows, or have drawn cards. They change when the moment has lasted for three seconds, or, if
// the table's message couldn't be edited, for one.
func TestAHandRepeatsTheTableLater(t *testing.T) {
	t.Parallel()
	p := spaced{&town.Chats{}}
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		who := []string{"test:a", "test:b", "test:c", "test:d"}
		tab := w.Sit(home, "4", who...)
		w.Presses(who[0], home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(20 * time.Second)
		p.Deliveries()
		first := w.At(home).Public().Turn
		names := map[string]string{home: "table"} // by place
		for n, name := range []string{"first", "second", "third", "fourth"} {
			names[w.At(home).Seats[(first+n)%4].Player.ID] = name
		}
		var message chat.Address // the table's
		edited := func(during time.Duration) string {
			w.Pass(during)
			var all []string
			for _, d := range p.Deliveries() {
				all = append(all, names[d.To])
				if d.To == home {
					message = d.Message
				}
			}
			slices.Sort(all)
			return strings.Join(all, " ")
		}
		check := func(when, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %q, want %q", when, got, want)
			}
		}
		w.PlayOn(tab.ID, 1)
		check("after a move", edited(2900*time.Millisecond), "first second table")
		check("after three seconds", edited(200*time.Millisecond), "fourth third")
		w.PlayOn(tab.ID, 1)
		check("after another move", edited(2*time.Second), "second table third")
		w.PlayOn(tab.ID, 1)
		check("after one that came soon", edited(2*time.Second), "fourth table third")
		check("after three seconds again", edited(2*time.Second), "first second")

		p.Failing(func(call string) error {
			if call == "edit "+string(message) {
				return &chat.DeliveryError{Fault: chat.Retry, After: time.Minute, Held: true, Err: errors.New("limited")}
			}
			return nil
		})
		w.PlayOn(tab.ID, 1)
		check("after a move that the table can't show", edited(900*time.Millisecond), "first fourth table")
		check("after a second", edited(200*time.Millisecond), "second third")
	}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

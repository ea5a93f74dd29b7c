package deliver_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// A player opens their hand in the chat, and then closes their private chat while it is somebody else's turn. No message
// becomes empty.
func TestNoEmptyHand(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(time.Second)
		own := map[string]bool{}
		for _, d := range w.Chats.Deliveries() {
			own["edit "+string(d.Message)] = d.To == town.Ann
		}
		for w.At(home).Deal.Plies() < 8 {
			for w.At(home).Awaits() == town.Ann {
				w.PlayOn(tab.ID, 1)
			}
			w.Presses(town.Ann, home, view.Press{Action: view.ActCards, Table: tab.ID})
			w.Chats.Failing(func(call string) error {
				if own[call] || call == "send "+town.Ann {
					return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("blocked")}
				}
				return nil
			})
			w.Pass(time.Second)
			w.PlayOn(tab.ID, 1)
			w.Pass(time.Second)
		}
		for _, d := range w.Chats.Deliveries() {
			if d.Verb == "edit" && strings.TrimSpace(d.Text) == "" {
				t.Errorf("%s to %s becomes empty", d.Message, d.To)
			}
		}
	})
}

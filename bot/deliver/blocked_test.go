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

// A player who blocks the bot has two hands in their private chat, one of which they opened. Once they take messages again,
// neither shows cards of an older moment. Until then, the group shows the hand to the player alone.
func TestHandsAfterABlock(t *testing.T) {
	t.Parallel()
	for _, deals := range []int{0, 1} { // how many end in the meantime
		town.In(t, func(t *testing.T, w *town.Town) {
			const home, opened = "test:one", "test:opened"
			tab := w.Sit(home, "2", town.Ann, "test:ben")
			w.Presses(town.Ann, home, view.Press{Action: view.ActSet, Table: tab.ID, What: "length", Value: "t10"})
			w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			w.Pass(time.Second)
			own := map[string]bool{opened: true}
			for _, d := range w.Chats.Deliveries() {
				if d.To == town.Ann {
					own[string(d.Message)] = true
				}
			}
			w.Command(town.Ann, town.Ann, "hand").Shown(t.Context(), opened, "")
			w.PlayOn(tab.ID, 2)
			w.Pass(time.Second)

			w.Chats.Failing(func(call string) error {
				verb, at, _ := strings.Cut(call, " ")
				if own[at] || at == town.Ann && verb == "send" {
					return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("blocked")}
				}
				return nil
			})
			w.Chats.Deliveries()
			for no := w.At(home).DealNo; w.At(home).DealNo < no+deals; {
				w.PlayOn(tab.ID, 1)
			}
			w.PlayOn(tab.ID, 6)
			w.Pass(time.Minute)
			if w.Chats.Count("send "+home+town.Ann) == 0 {
				t.Errorf("%d deals: the group doesn't show the hand", deals)
			}

			w.Chats.Failing(nil)
			w.Command(town.Ann, town.Ann, "hello")
			w.Pass(time.Minute)
			for _, d := range w.Chats.Deliveries() {
				delete(own, string(d.Message))
			}
			if len(own) > 0 {
				t.Errorf("%d deals: these hands stay as they were before the block: %v", deals, own)
			}
			w.PlayOn(tab.ID, 4)
			w.Pass(time.Minute)
			if w.Chats.Count("edit "+opened) == 0 {
				t.Errorf("%d deals: the opened hand isn't edited any more", deals)
			}
		})
	}
}

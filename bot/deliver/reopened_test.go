package deliver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/store"
)

// A chat refuses the last edit of a lobby, and then takes edits of the table below it. The lobby is edited then, too: nobody
// can join any more.
func TestAChatTakesEditsAgain(t *testing.T) {
	t.Parallel()
	for before := range 4 { // every fourth delivery may begin with what is less urgent
		town.In(t, func(t *testing.T, w *town.Town) {
			const home = "test:one"
			tab := w.Sit(home, "2", town.Ann, "test:ben")
			for i := range before {
				w.Presses(town.Ann, home, view.Press{Action: view.ActSet, Table: tab.ID, What: "level", Value: []string{"easy", "hard"}[i%2]})
				w.Pass(time.Second)
			}
			var lobby chat.Address
			for _, d := range w.Chats.Deliveries() {
				if d.Verb == "send" && d.To == home {
					lobby = d.Message
				}
			}
			edits, closing := 0, false
			w.Chats.Failing(func(call string) error {
				switch {
				case call != "edit "+string(lobby):
				case !closing:
					return &chat.DeliveryError{Fault: chat.Retry, Err: errors.New("not now")}
				case edits == 0:
					edits++
					return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("no rights")}
				default:
					edits++
				}
				return nil
			})
			w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			w.Presses(town.Ann, home, view.Press{Action: view.ActBump, Table: tab.ID})
			w.Pass(10 * time.Second)
			closing = true
			w.Presses(town.Ann, home, view.Press{Action: view.ActSure, Table: tab.ID, What: view.ActClose})
			w.Pass(time.Minute)
			if last := w.Chats.Deliveries(); edits < 2 && !(last[len(last)-1].Message == lobby) {
				t.Errorf("after %d changes, the chat took other edits than the lobby's: %v", before, last)
			}
		})
	}
}

// A chat that refuses edits and new messages is asked for each once, and not again and again in turn.
func TestAChatThatRefusesAllIsLeftAlone(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		lobby := "edit " + string(w.Chats.Deliveries()[0].Message)
		refusing, tries := false, 0
		w.Chats.Failing(func(call string) error {
			switch {
			case !refusing && call == lobby:
				return &chat.DeliveryError{Fault: chat.Retry, Err: errors.New("not now")}
			case refusing && tries < 100 && (call == "send "+home || strings.HasPrefix(call, "edit ")):
				tries++
				return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("no rights")}
			}
			return nil
		})
		w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(10 * time.Second)
		refusing = true
		w.Presses(town.Ann, home, view.Press{Action: view.ActBump, Table: tab.ID})
		w.Pass(time.Minute)
		if tries < 2 || tries > 4 {
			t.Errorf("%d tries in a minute", tries)
		}
	})
}

// A process lost a table, perhaps after it had sent a message. A platform that takes no message twice then keeps that one when
// it is sent again, so it is edited once more.
func TestWhatWasPerhapsSentBeforeIsEdited(t *testing.T) {
	t.Parallel()
	for doubts := range 2 {
		town.In(t, func(t *testing.T, w *town.Town) {
			const home = "test:one"
			tab := w.Sit(home, "2", town.Ann, "test:ben")
			w.Put(store.Partition(tab.Home), map[string]any{"notes:" + tab.ID: doc.Notes{Doubts: doubts}})
			w.Pass(10 * time.Second)
			w.Chats.Deliveries()
			w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			w.Pass(10 * time.Second)
			var sent chat.Address
			edits := 0
			for _, d := range w.Chats.Deliveries() {
				switch {
				case d.Verb == "send" && d.To == home && sent == "":
					sent = d.Message
				case d.Verb == "edit" && d.Message == sent:
					edits++
				}
			}
			if sent == "" || edits != doubts {
				t.Errorf("the deal %q was edited %d times, not %d", sent, edits, doubts)
			}
		})
	}
}

// The store came back without its latest changes. A message about the past may show one of them, for example who leads the
// table, so it is edited once more.
func TestMessagesAboutThePastAreEditedWhenChangesAreUndone(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		w.Pass(10 * time.Second)
		var lobby chat.Address
		for _, d := range w.Chats.Deliveries() {
			if d.Verb == "send" && d.To == home {
				lobby = d.Message
			}
		}
		w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(10 * time.Second)
		w.Chats.Deliveries()
		w.Put(store.Partition(tab.Home), map[string]any{"notes:" + tab.ID: doc.Notes{Undone: time.Now()}})
		w.Presses(town.Ann, home, view.Press{Action: view.ActBump, Table: tab.ID})
		w.Pass(10 * time.Second)
		if !slices.ContainsFunc(w.Chats.Deliveries(), func(d town.Delivery) bool { return d.Verb == "edit" && d.Message == lobby }) {
			t.Errorf("%q, which says who played, is as it was", lobby)
		}
	})
}

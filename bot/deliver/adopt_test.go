package deliver_test

import (
	"errors"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// A hand that a person opened in the chat may be gone. The bot finds that out once, and sends a new message at the
// person's next turn.
func TestAnOpenedHandThatIsGoneIsSentAgain(t *testing.T) {
	t.Parallel()
	p := &town.Chats{}
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, opened = "test:one", "test:answer" // the address that the town gives to a press of ActCards
		p.Failing(func(call string) error {
			switch call {
			case "edit " + opened:
				return &chat.DeliveryError{Fault: chat.Gone, Err: errors.New("no such message")}
			case "send " + town.Ann:
				return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
			}
			return nil
		})
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(time.Second)
		p.Deliveries()
		w.Presses(town.Ann, home, view.Press{Action: view.ActCards, Table: tab.ID})
		w.PlayOn(tab.ID, 6)
		w.Pass(time.Minute)
		edits, sends := 0, 0
		for _, d := range p.Deliveries() {
			switch {
			case d.Message == opened:
				edits++
			case d.Verb == "send" && d.To == home+town.Ann:
				sends++
			}
		}
		if edits != 1 || sends == 0 {
			t.Errorf("%d edits of the message that is gone, and %d new messages", edits, sends)
		}
	}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

// Somebody presses a button on their hand, and their next hand comes before the bot notes what the press changed. The new
// hand stays, although both seem to be theirs: the old one is about to be deleted.
func TestAHandThatIsAboutToGoIsNotKept(t *testing.T) {
	t.Parallel()
	p := &town.Chats{}
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		p.Refusing(chat.Unreachable, town.Ann)
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(time.Second)
		hands := func() (sent []chat.Address) {
			for _, d := range p.Deliveries() {
				if d.Verb == "send" && d.To == home+town.Ann {
					sent = append(sent, d.Message)
				}
			}
			return sent
		}
		old := hands()[0]
		p.Failing(func(call string) error {
			switch call {
			case "delete " + string(old):
				return &chat.DeliveryError{Fault: chat.Retry, After: 5 * time.Second, Err: errors.New("later")}
			case "send " + town.Ann:
				return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
			}
			return nil
		})
		var next []chat.Address
		for next == nil {
			w.PlayOn(tab.ID, 1)
			w.Pass(time.Second)
			next = hands()
		}

		in := w.Input(town.Ann, home)
		in.Press = view.Press{Action: view.ActCards, Table: tab.ID}.String()
		in.Answer, in.Origin, in.Until = old, string(old), time.Now().Add(time.Hour)
		w.Handle(t.Context(), in).Shown(t.Context(), old, in.Aside())
		p.Refusing(chat.Unreachable, town.Ann)
		w.Pass(time.Minute / 4)

		var gone []chat.Address
		for _, d := range p.Deliveries() {
			if d.Verb == "delete" {
				gone = append(gone, d.Message)
			}
		}
		if len(gone) != 1 || gone[0] != old {
			t.Errorf("%v are deleted; the old hand is %v, the next %v", gone, old, next)
		}
	}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

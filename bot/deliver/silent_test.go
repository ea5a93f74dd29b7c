package deliver_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// told returns the private chats that were told since the last call that the table's chat refuses its messages.
func told(p *town.Chats, words string) (all []string) {
	for _, d := range p.Deliveries() {
		if d.Verb == "send" && strings.Contains(d.Text, words) {
			all = append(all, d.To)
		}
	}
	return all
}

// Whoever opened a table reads in private that the chat refuses it, whatever the reason. Once it is allowed, the table is
// posted there at the next request, and the private message goes.
func TestARefusedTableIsToldInPrivate(t *testing.T) {
	t.Parallel()
	for _, fault := range []chat.Fault{chat.Invalid, chat.Unreachable, chat.Gone} {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			p := &town.Chats{}
			town.In(t, func(t *testing.T, w *town.Town) {
				const home, words = "test:one", "I can't post your table"
				p.Refusing(fault, home)
				w.Command(town.Ann, home, "new")
				w.Pass(time.Second)
				if to := told(p, words); len(to) != 1 || to[0] != town.Ann {
					t.Fatalf("told: %q", to)
				}
				w.Pass(time.Minute)
				if to := told(p, words); len(to) != 0 {
					t.Errorf("told again: %q", to)
				}
				p.Failing(nil)
				w.Command(town.Ann, home, "table")
				w.Pass(time.Second)
				if p.Count("send "+home) != 1 || p.Shows(words) != 0 {
					t.Errorf("%q stands", p.Standing())
				}
			}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
		})
	}
}

// If the private chat refuses as well, whoever opened the table reads it in the reply to the command, which can be edited
// for some time. Nothing else is done to that reply, even if the chat takes the table.
func TestARefusedTableIsToldInTheReply(t *testing.T) {
	t.Parallel()
	for _, fault := range []chat.Fault{chat.Invalid, chat.Unreachable, chat.Gone} {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			p := &town.Chats{}
			town.In(t, func(t *testing.T, w *town.Town) {
				const home, words = "test:one", "I can't post your table"
				open := func(reply chat.Address) {
					in := w.Input(town.Ann, home)
					in.Command, in.Answer, in.Origin, in.Until = "new", reply, string(reply), time.Now().Add(15*time.Minute)
					if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
						t.Fatal(r.Toast)
					}
					w.Pass(time.Minute)
				}
				p.Refusing(fault, home, town.Ann, home+town.Ann)
				open("test:reply")
				edits := 0
				for _, d := range p.Deliveries() {
					if d.Message == "test:reply" && d.Verb == "edit" && strings.Contains(d.Text, words) {
						edits++
					}
				}
				if edits != 1 {
					t.Errorf("the reply was edited %d times", edits)
				}
				p.Failing(nil)
				w.Command(town.Ann, home, "table")
				w.Pass(time.Minute)
				if p.Count("delete test:reply") != 1 {
					t.Errorf("the chat takes the table, and %q stands", p.Standing())
				}
				edits = 0
				p.Failing(func(call string) error {
					if call == "edit test:reply" {
						edits++
						return &chat.DeliveryError{Fault: chat.Gone, Err: errors.New("deleted")}
					}
					return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("no rights")}
				})
				for _, friend := range []string{"test:ben", "test:cat"} { // the chat doesn't show them
					w.Command(friend, home, "join")
					w.Pass(time.Minute)
				}
				if edits > 0 {
					t.Errorf("the reply that was deleted was edited %d times", edits)
				}
				p.Failing(nil)
				w.Command(town.Ann, home, "close")
				w.Pass(time.Minute)
				open("test:another")
				if p.Count("edit test:another") != 0 {
					t.Error("the reply was edited though the chat shows the table")
				}
			}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
		})
	}
}

// The players of a match are told in private if its chat refuses messages from some moment on.
func TestPlayersAreToldWhyTheChatIsSilent(t *testing.T) {
	t.Parallel()
	gone := &chat.DeliveryError{Fault: chat.Gone, Err: errors.New("deleted")}
	refused := &chat.DeliveryError{Fault: chat.Invalid, Err: errors.New("filtered")}
	closed := &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
	for name, faults := range map[string]struct{ send, edit error }{
		"refused": {refused, gone}, "deleted": {gone, gone}, "closed": {closed, closed}, "the message deleted and the chat closed": {closed, gone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &town.Chats{}
			town.In(t, func(t *testing.T, w *town.Town) {
				const home, words = "test:one", "The chat is silent"
				tab := w.Sit(home, "2", town.Ann, "test:ben")
				w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
				w.Pass(time.Second)
				inChat := map[string]bool{}
				for _, d := range p.Deliveries() {
					inChat["edit "+string(d.Message)] = d.To == home
				}
				p.Failing(func(call string) error {
					switch {
					case call == "send "+home:
						return faults.send
					case inChat[call]:
						return faults.edit
					}
					return nil
				})
				w.PlayOn(tab.ID, 2)
				w.Pass(time.Second)
				if to := told(p, words); len(to) != 2 {
					t.Errorf("told: %q", to)
				}
				for no := w.Load(tab.ID).DealNo; w.Load(tab.ID).DealNo == no; {
					w.PlayOn(tab.ID, 1)
				}
				w.Pass(time.Minute)
				if to := told(p, words); len(to) != 0 {
					t.Errorf("told again: %q", to)
				}
				p.Failing(nil)
				w.Command(town.Ann, home, "table")
				w.Pass(time.Second)
				if n := p.Shows(words); n != 0 {
					t.Errorf("%d messages still say that the chat is silent", n)
				}
			}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
		})
	}
}

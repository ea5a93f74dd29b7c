package deliver_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// While a player has the table's page open, their hand is deleted, and then it comes again. Each time it is a message of its own:
// Discord drops a message with a nonce that it has seen some minutes ago, even if that message was deleted.
func TestAHandComesBackFromThePage(t *testing.T) {
	t.Parallel()
	p := &town.Chats{}
	town.In(t, func(t *testing.T, w *town.Town) {
		tab := w.Sit("test:one", "2", town.Ann, "test:ben")
		w.Presses(town.Ann, "test:one", view.Press{Action: view.ActStart, Table: tab.ID})
		hands := map[chat.Address]bool{}
		for n := range 4 {
			w.Pass(chat.SeenFor + time.Second)
			for _, d := range p.Deliveries() {
				if d.Verb == "send" && d.To == town.Ann {
					hands[d.Message] = true
				}
			}
			if len(hands) != n+1 {
				t.Fatalf("%d pages were open, and the hands were %v", n, hands)
			}
			if err := w.Pages().Seen(t.Context(), tab.ID, []chat.Visitor{{Player: chat.Player{ID: town.Ann}}}); err != nil {
				t.Fatal(err)
			}
			w.Pass(time.Second)
			if n := p.Count("delete "); n != 1 {
				t.Fatalf("%d messages were deleted when the page was opened", n)
			}
		}
	}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

// A call is deleted while its player has the page open, and comes again as a message of its own.
func TestACallComesBackFromThePage(t *testing.T) {
	t.Parallel()
	p := &town.Chats{}
	town.In(t, func(t *testing.T, w *town.Town) {
		tab := w.Sit("test:one", "2", town.Ann, "test:ben")
		w.Presses(town.Ann, "test:one", view.Press{Action: view.ActStart, Table: tab.ID})
		tab = w.Load(tab.ID)
		turn := tab.Seats[tab.Deal.Turn()].Player.ID
		calls := map[chat.Address]bool{}
		for n := range 2 {
			w.Pass(chat.SeenFor + 20*time.Second)
			for _, d := range p.Deliveries() {
				if d.Verb == "send" && d.To == "test:one" && strings.Contains(d.Text, ", it is your turn") {
					calls[d.Message] = true
				}
			}
			if len(calls) != n+1 {
				t.Fatalf("%d pages were open, and the calls were %v", n, calls)
			}
			if err := w.Pages().Seen(t.Context(), tab.ID, []chat.Visitor{{Player: chat.Player{ID: turn}}}); err != nil {
				t.Fatal(err)
			}
			w.Pass(time.Second)
		}
	}, func(c *bot.Config) { c.Platforms, c.Pace = []chat.Platform{p}, time.Second })
}

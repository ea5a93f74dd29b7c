package deliver_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// While a player has the table's page open, their hand and the call of their turn are deleted, and then they come again. Each time
// it is a message of its own: Discord drops a message with a nonce that it has seen some minutes ago, even if that one was deleted.
func TestMessagesComeBackFromThePage(t *testing.T) {
	t.Parallel()
	const home = "test:one"
	for name, c := range map[string]struct {
		pages int           // how often the page is opened
		pace  time.Duration // without one, nobody is called
		comes func(d town.Delivery, player string) bool
	}{
		"hand": {4, 0, func(d town.Delivery, player string) bool { return d.To == player }},
		"call": {2, time.Second, func(d town.Delivery, _ string) bool {
			return d.To == home && strings.Contains(d.Text, ", it is your turn")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &town.Chats{}
			town.In(t, func(t *testing.T, w *town.Town) {
				tab := w.Sit(home, "2", town.Ann, "test:ben")
				w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
				tab = w.Load(tab.ID)
				player := tab.Seats[tab.Deal.Turn()].Player.ID
				came := map[chat.Address]bool{}
				for n := range c.pages {
					w.Pass(chat.SeenFor + table.CallAfter)
					for _, d := range p.Deliveries() {
						if d.Verb == "send" && c.comes(d, player) {
							came[d.Message] = true
						}
					}
					if len(came) != n+1 {
						t.Fatalf("%d pages were open, and the messages were %v", n, came)
					}
					if err := w.Pages().Seen(t.Context(), tab.ID, []chat.Visitor{{Player: chat.Player{ID: player}}}); err != nil {
						t.Fatal(err)
					}
					w.Pass(time.Second)
					if p.Count("delete ") == 0 {
						t.Fatal("nothing was deleted when the page was opened")
					}
				}
			}, func(cfg *bot.Config) { cfg.Platforms, cfg.Pace = []chat.Platform{p}, c.pace })
		})
	}
}

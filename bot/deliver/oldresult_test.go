package deliver_test

import (
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// unhurried are chats that take a delivery every three seconds, as Telegram's groups do.
type unhurried struct{ *town.Chats }

func (unhurried) Gap(chat.Target) time.Duration { return 3 * time.Second }

// When a rematch begins, the old result offers no rematch any more: its edit doesn't wait until the new messages are there.
func TestAnOldResultLosesRematchAtOnce(t *testing.T) {
	t.Parallel()
	p := &town.Chats{}
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, ben = "test:one", "test:ben"
		over := w.Match(home, "2", town.Ann, ben)
		w.Pass(time.Minute)
		old := map[chat.Address]bool{}
		for _, d := range p.Deliveries() {
			old[d.Message] = d.To == home
		}
		for _, who := range []string{town.Ann, ben} {
			w.Presses(who, home, view.Press{Action: view.ActRematch, Table: over.ID})
		}
		edited := func(d time.Duration) (n int) {
			w.Pass(d)
			for _, d := range p.Deliveries() {
				if d.Verb == "edit" && old[d.Message] {
					n++
				}
			}
			return n
		}
		if n := edited(2 * time.Second); n == 0 {
			t.Error("the old result wasn't edited within two seconds")
		}
		if n := edited(time.Minute); n > 0 {
			t.Errorf("old messages were edited %d times later", n)
		}
	}, func(c *bot.Config) { c.Platforms = []chat.Platform{unhurried{p}} })
}

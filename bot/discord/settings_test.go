package discord_test

import (
	"strings"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/discord/discordtest"
)

func TestPrivateSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	newest := func() discordtest.Message {
		all := w.ann.Sees(w.ann.DM())
		return all[len(all)-1]
	}
	bottest.PrivateSettings(t, bottest.Private{
		Home:         "discord:" + w.ann.ID,
		AskElsewhere: func() { w.ann.Slash(w.channel, "settings", nil).Wait() },
		Ask:          func() { w.ann.Slash(w.ann.DM(), "settings", nil).Wait() },
		Press: func(data string) string {
			m := newest()
			if answer, ok := w.ann.Press(m, data).Wait(); ok && answer.ID != m.ID {
				answer.Delete() // like a person who dismisses it
				return answer.Text
			}
			return ""
		},
		Shown: func() (text string, buttons []string) {
			m := newest()
			for _, b := range m.Buttons {
				buttons = append(buttons, b.CustomID)
			}
			for _, menu := range m.Menus {
				for _, o := range menu.Options {
					buttons = append(buttons, o.Value)
				}
			}
			return m.Text, buttons
		},
		Until: func(what string, ok func() bool) { t.Helper(); w.Until(what, ok) },
	})
	w.ann.Press(newest(), "mine:page:lang:").Wait()
	if m, _ := w.ann.Choose(newest(), "English").Wait(); !strings.Contains(m.Text, "Your settings") {
		t.Errorf("her choice from the menu shows %v", m)
	}
}

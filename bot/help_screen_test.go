package bot

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
)

func TestHelpScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		var help []screen.Screen
		for _, want := range []string{"", "play", "table"} {
			page := HelpPage{Wants: []string{"play", "table", "better", "compare", "data"}, Want: want}
			if want != "" {
				page.Commands = [][2]string{{"/new", c.Text("cmd.new")}, {"/play", c.Text("cmd.play")}}
			}
			help = append(help, page.Screen(c))
		}
		screentest.Golden(t, language, "help", screentest.Words(t, help...))
	})
}

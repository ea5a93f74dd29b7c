package discord_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/bottest"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// TestRequestsOfEveryKindOfScreen compares what is sent for each kind of screen
// of a match, in English and Czech, with golden files.
func TestRequestsOfEveryKindOfScreen(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, language := range []string{"en", "cs"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			nth := map[string]int{"lobby": 3, "settings": 4, "opening": 1, "deal": 3, "more": 4, "proof": 1, "hand": 12, "result": 1, "rules": 1, "board": 1, "prefs": 2, "cup": 1,
				"hall": 1, "stats": 1, "matches": 1, "daily": 1, "puzzle": 1, "privacy": 1, "mydata": 1, "erase": 1,
			}
			seen := map[string]int{}
			var got strings.Builder
			request := func(what string, s screen.Screen) {
				t.Helper()
				if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, s, what); err != nil {
					t.Fatal(err)
				}
				var body any
				if err := json.Unmarshal(w.last().Body, &body); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&got, "== %s\n%s", what, indented(t, body))
			}
			bottest.Screens(t, w.adapter, "sedma-4p", language, func(what string, s screen.Screen) {
				if seen[what]++; seen[what] == nth[what] {
					request(what, s)
				}
			})
			request("help", bot.HelpScreen(lang.For(language)))
			for what := range nth {
				if seen[what] < nth[what] {
					t.Errorf("only %d screens of kind %s", seen[what], what)
				}
			}
			golden(t, "requests."+language+".golden", got.String())
		})
	}
}

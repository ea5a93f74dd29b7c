package bottest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/bottest"
	"sedmabot/bot/lang"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
)

// scenes are the screens that a reader of a language should look at after a change of texts: the kind of each, and the number among
// the screens of its kind in a match of sedma-4p.
var scenes = []struct {
	name, kind string
	no         int
}{
	{"the lobby", "lobby", 0}, {"the turn", "deal", 1}, {"a hand", "hand", 1}, {"stop or continue", "stop", 0}, {"the result", "result", 0},
	{"the coach", "coach", 0}, {"a puzzle", "puzzle", 0}, {"its answer", "puzzle", 1}, {"a leaderboard", "board", 0}, {"settings", "prefs", 0}, {"help", "help", 0},
}

// TestScenes holds ten scenes and all refusals to one golden per language, so that each change of a text shows where people read it.
func TestScenes(t *testing.T) {
	t.Parallel()
	ground, err := playground.New(playground.Config{Commands: bot.Commands(), Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range lang.Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			shown := map[string][]string{}
			bottest.Screens(t, ground, "sedma-4p", language, func(what string, s screen.Screen) {
				if what == "hand" && slices.ContainsFunc(slices.Concat(s.Rows...), func(b screen.Button) bool { return strings.HasSuffix(b.Press, ":stop") }) {
					what = "stop"
				}
				shown[what] = append(shown[what], s.String())
			})
			var b strings.Builder
			for _, scene := range scenes {
				if len(shown[scene.kind]) <= scene.no {
					t.Fatalf("there are %d screens of the kind %s", len(shown[scene.kind]), scene.kind)
				}
				b.WriteString("== " + scene.name + "\n" + shown[scene.kind][scene.no] + "\n")
			}
			b.WriteString("== what is refused\n")
			refusals := lang.For(language).Under("refusal.")
			for _, key := range slices.Sorted(maps.Keys(refusals)) {
				b.WriteString(refusals[key] + "\n")
			}
			screentest.InEveryLanguage(t, language, "scenes", b.String())
		})
	}
}

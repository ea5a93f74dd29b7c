package bottest_test

import (
	"fmt"
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
	{"the coach", "coach", 0}, {"a puzzle", "puzzle", 0}, {"its answer", "puzzle", 1}, {"a leaderboard", "board", 0}, {"the deal of the day", "daily", 0},
	{"statistics", "stats", 0}, {"a tournament", "cup", 0}, {"the tutorial", "tutorial", 1}, {"how to play", "rules", 1}, {"the exact rules", "rules", 2},
	{"settings of a table", "settings", 0}, {"settings", "prefs", 0}, {"your data", "mydata", 0}, {"help", "help", 0},
}

// names makes names readable.
var names = strings.NewReplacer("*_A_* ~|von-und-zu|~ <Löwe & Söhne>", "Ann", "*_B_* ~|von-und-zu|~ <Löwe & Söhne>", "Ben", "*_C_* ~|von-und-zu|~ <Löwe & Söhne>", "Cat", "*_D_* ~|von-und-zu|~ <Löwe & Söhne>", "Dan")

// nasty is the scene in which names are as people may choose them.
const nasty = "a leaderboard"

// TestScenes holds the scenes, all refusals and all texts of the page to one golden per language, so that each change of a
// text shows where people read it. The number of words is beside each scene's name, so that it doesn't grow unseen.
func TestScenes(t *testing.T) {
	t.Parallel()
	ground, err := playground.New(playground.Config{Commands: bot.Commands(), Check: bottest.Fits, Lang: "en"})
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
			add := func(name, text string) {
				fmt.Fprintf(&b, "== %s (%d words)\n%s\n", name, len(strings.Fields(text)), text)
			}
			for _, scene := range scenes {
				if len(shown[scene.kind]) <= scene.no {
					t.Fatalf("there are %d screens of the kind %s", len(shown[scene.kind]), scene.kind)
				}
				text := shown[scene.kind][scene.no]
				if scene.name != nasty {
					text = names.Replace(text)
				}
				add(scene.name, text)
			}
			for _, list := range [][2]string{{"what is refused", "refusal."}, {"the page", "web."}} {
				texts := lang.For(language).Under(list[1])
				var lines []string
				for _, key := range slices.Sorted(maps.Keys(texts)) {
					lines = append(lines, strings.ReplaceAll(texts[key], "{command}", "/new"))
				}
				add(list[0], strings.Join(lines, "\n")+"\n")
			}
			screentest.InEveryLanguage(t, language, "scenes", b.String())
		})
	}
}

package bottest_test

import (
	"slices"
	"strings"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/bottest"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
)

// TestEachSettingIsShownOnce looks at every page of a table's and a tournament's settings.
// No value is both in the text and among the choices, and no choice is offered or explained twice.
func TestEachSettingIsShownOnce(t *testing.T) {
	t.Parallel()
	pages := 0
	everyScreen(t, func(preset, language, what string, s screen.Screen) {
		if what != "settings" && what != "prefs" && (what != "cup" || len(s.Menus) == 0) {
			return
		}
		pages++
		texts, explained := pieces(s)
		for i, value := range explained {
			if slices.Contains(explained[:i], value) {
				t.Errorf("%s in %s: %q is explained twice:\n%s", preset, language, value, s)
			}
		}
		offered := map[string]bool{}
		for _, row := range append(s.MenuRows(), s.Rows...) {
			for _, b := range row {
				if offered[b.Label] {
					t.Errorf("%s in %s: %q is offered twice:\n%s", preset, language, b.Label, s)
				}
				offered[b.Label] = true
				label := strings.TrimLeft(b.Label, "✓● ")
				_, value, opens := strings.Cut(label, ": ")
				p, err := view.ParsePress(b.Press)
				if (err == nil || p.Action == "mine" || p.Action == "cfg") && !opens && !strings.Contains(b.Press, ":page:") {
					value = label
				}
				if value != "" && slices.Contains(texts, value) {
					t.Errorf("%s in %s: the value %q is listed twice:\n%s", preset, language, value, s)
				}
			}
		}
	})
	if pages < 5*len(game.Presets()) {
		t.Errorf("only %d pages", pages)
	}
}

// pieces returns the parts of a screen's text in which a value may stand. That is all but the title and the bold words at the
// beginning of a quote's lines. Those words are returned in explained, such as "Sedma" in "Sedma: same rank or a seven takes
// the trick".
func pieces(s screen.Screen) (out, explained []string) {
	body := screen.Screen{Face: s.Face}
	for _, b := range s.Blocks {
		if b.Look == screen.Title {
			continue
		}
		if b.Look == screen.Quote {
			var rest []screen.Span
			for i, span := range b.Spans {
				if span.Kind == screen.SpanBold && (i == 0 || b.Spans[i-1].Kind == screen.SpanBreak) {
					explained = append(explained, strings.TrimSuffix(span.Text, ": "))
				} else {
					rest = append(rest, span)
				}
			}
			b.Spans = rest
		}
		body.Blocks = append(body.Blocks, b)
	}
	for _, piece := range strings.FieldsFunc(body.String(), func(r rune) bool { return strings.ContainsRune("\n:;·", r) }) {
		out = append(out, strings.TrimSpace(piece))
	}
	return out, explained
}

// everyScreen calls f for each screen of a match of every preset.
func everyScreen(t *testing.T, f func(preset, language, what string, s screen.Screen)) {
	t.Helper()
	if testing.Short() {
		t.Skip("every screen takes long under the race detector, and one goroutine looks at them all")
	}
	ground, err := playground.New(playground.Config{Commands: bot.Commands(), Check: bottest.Fits, Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	for i, preset := range game.Presets() {
		for _, language := range bottest.Languages(i) {
			bottest.Screens(t, ground, preset, language, func(what string, s screen.Screen) { f(preset, language, what, s) })
		}
	}
}

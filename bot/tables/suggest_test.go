package tables

import (
	"slices"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/game"
)

// TestSuggestions checks that suggestions exist, match the typed text, and fit in a menu.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args map[string]string
		want []string // some of the expected presets
		n    int
	}{
		{map[string]string{"rules": ""}, []string{"sedma-2p", "sedma-4p-kase1"}, maxSuggestions},
		{map[string]string{"rules": "", "game": "hola"}, []string{"hola-2p", "hola-4p", "hola-6p"}, 3},
		{map[string]string{"rules": "KAŠ", "players": "4"}, []string{"sedma-4p-kase4"}, 4},
		{map[string]string{"rules": "hartmann"}, []string{"sedma-3p-hartmann"}, 1},
		{map[string]string{"rules": "bridge"}, nil, 0},
	} {
		got := Suggest(t.Context(), chat.Input{Command: "new", Focus: "rules", Args: test.args})
		var presets []string
		for _, s := range got {
			if presets = append(presets, s.Value); s.Name == "" || utf8.RuneCountInString(s.Name) > 100 || !slices.Contains(game.Presets(), s.Value) {
				t.Errorf("%v: suggested is %+v", test.args, s)
			}
		}
		if len(got) != test.n {
			t.Errorf("%v: %d are suggested: %v", test.args, len(got), presets)
		}
		for _, preset := range test.want {
			if !slices.Contains(presets, preset) {
				t.Errorf("%v: %s is not among %v", test.args, preset, presets)
			}
		}
	}
}

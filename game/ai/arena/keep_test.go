package arena

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// A meeting that was interrupted, even in the middle of a line, continues after the last whole result, and ends like one
// that wasn't.
func TestAMeetingContinues(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-3p")
	played := 0
	first := func(s game.State) (game.Move, error) { played++; return s.Legal()[0], nil }
	last := func(s game.State) (game.Move, error) { legal := s.Legal(); return legal[len(legal)-1], nil }
	want, err := Play(t.Context(), r, first, last, 8, 5)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "results")
	keep := func(what string, a, b Player, decks int) (Report, error) {
		f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return Keep(t.Context(), f, what, r, a, b, decks, 5)
	}
	if _, err := keep("first against last", first, last, 5); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)-3], 0o644); err != nil {
		t.Fatal(err)
	}
	played = 0
	got, err := keep("first against last", first, last, 8)
	if err != nil {
		t.Fatal(err)
	}
	if got.Score != want.Score || got.Stakes != want.Stakes || got.Decks != 8 || got.Deals != want.Deals {
		t.Errorf("continued %+v, at once %+v", got, want)
	}
	if all := want.A.Moves; played == 0 || got.A.Moves >= all {
		t.Errorf("%d moves of %d were played again", got.A.Moves, all)
	}
	if _, err := keep("last against first", last, first, 8); err == nil || !strings.Contains(err.Error(), "first against last") {
		t.Errorf("another meeting continues in the same file: %v", err)
	}
}

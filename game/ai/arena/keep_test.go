package arena

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
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
	if _, err := Keep(t.Context(), file, "first against last", r, first, last, 5, 5); err != nil {
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
	got, err := Keep(t.Context(), file, "first against last", r, first, last, 8, 5)
	if err != nil {
		t.Fatal(err)
	}
	if got.Score != want.Score || got.Stakes != want.Stakes || got.Decks != 8 || got.Deals != want.Deals {
		t.Errorf("continued %+v, at once %+v", got, want)
	}
	if all := want.A.Moves; played == 0 || got.A.Moves >= all {
		t.Errorf("%d moves of %d were played again", got.A.Moves, all)
	}
	if _, err := Keep(t.Context(), file, "last against first", r, last, first, 8, 5); err == nil || !strings.Contains(err.Error(), "first against last") {
		t.Errorf("another meeting continues in the same file: %v", err)
	}
}

// The command measures against the yardsticks, and prints the decks that it plays.
func TestTheBenchmark(t *testing.T) {
	t.Parallel()
	var out, wrong bytes.Buffer
	file := filepath.Join(t.TempDir(), "results")
	if err := Command(t.Context(), []string{"--a", "sampler", "--b", "greedy", "--decks", "3", "--keep", file}, &out, &wrong); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.Count(text, []byte("\n")) != 4 {
		t.Errorf("%v: the results are\n%s", err, text)
	}
	out.Reset()
	if err := Command(t.Context(), []string{"--decks", "3", "--seed", "2", "--list"}, &out, &wrong); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "1 1 ") {
		t.Fatalf("the decks are\n%s", &out)
	}
	r := gametest.Preset(t, "sedma-4p")
	var deck []game.Card
	for _, word := range strings.Fields(lines[2])[2:] {
		var c game.Card
		if err := c.UnmarshalText([]byte(word)); err != nil {
			t.Fatal(err)
		}
		deck = append(deck, c)
	}
	if cards, _ := deckOf(r, 2, 2); !slices.Equal(deck, cards) {
		t.Errorf("the third deck is %v, not %v", deck, cards)
	}
}

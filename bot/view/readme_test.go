package view

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/lang"
	"sedmabot/game"
)

// The list of games in the README is between these lines.
const (
	listBegins = "<!-- games: written by go test ./bot/view -update -->\n"
	listEnds   = "<!-- end of games -->\n"
)

func TestTheREADMEListsEveryPreset(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), listBegins)
	got, after, ended := strings.Cut(rest, listEnds)
	if !found || !ended {
		t.Fatal("the README has no place for the list of games")
	}
	want := gameList()
	if *update {
		if err := os.WriteFile(file, []byte(before+listBegins+want+listEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the README's games (-now +there; -update writes them):\n%s", diff)
	}
}

// gameList returns a row for each family of games.
func gameList() string {
	c := lang.For("en")
	var b strings.Builder
	b.WriteString("| game | players | presets |\n|---|---|---|\n")
	for _, family := range game.Families() {
		var players, presets []string
		for _, n := range game.FamilyPlayers(family) {
			players = append(players, fmt.Sprint(n))
			for _, name := range game.FamilyPresets(family, n) {
				presets = append(presets, "`"+name+"`")
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", FamilyName(c, family), strings.Join(players, ", "), strings.Join(presets, " "))
	}
	return b.String()
}

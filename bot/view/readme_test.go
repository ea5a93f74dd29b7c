package view

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/table"
)

// The list of games in game/README.md is between these lines.
const (
	listBegins = "<!-- games: written by go test ./bot/view -update -->\n"
	listEnds   = "<!-- end of games -->\n"
)

func TestTheREADMEListsEveryPreset(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "game", "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), listBegins)
	got, after, ended := strings.Cut(rest, listEnds)
	if !found || !ended {
		t.Fatalf("%s has no place for the list of games", file)
	}
	want := gameList()
	if *screentest.Update {
		if err := os.WriteFile(file, []byte(before+listBegins+want+listEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the games in %s (-now +there; -update writes them):\n%s", file, diff)
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
		fmt.Fprintf(&b, "| %s | %s | %s |\n", screen.FamilyName(c, family), strings.Join(players, ", "), strings.Join(presets, " "))
	}
	return b.String()
}

// prettySeed begins a match that makes good pictures.
const prettySeed = 600

// prettyMatch returns the beginning of the match that the README shows.
func prettyMatch(t *testing.T) *scene {
	s := open(t, "sedma-4p", "en")
	s.seeds = prettySeed
	s.table.Seats[0].Player.Name = "Ann"
	s.do(table.Player{ID: petr.ID, Name: "Ben"}, table.Join{Seat: 1})
	s.do(table.Player{ID: "test:3", Name: "Cat"}, table.Join{Seat: 2})
	s.do(eva, table.Start{})
	return s
}

// TestTheREADMEShowsAMatch draws the pictures of the README from one match: a trick, the
// hand of the player whose turn it is, and the result.
func TestTheREADMEShowsAMatch(t *testing.T) {
	t.Parallel()
	s := prettyMatch(t)
	s.until(func(p table.Public) bool {
		return len(p.Past) == 6 && len(p.View.Tricks) == 2 && p.Turn == 0 && len(p.View.Trick) == 5
	})
	shown(t, s, "table", "deal:")
	shown(t, s, "hand", "hand:")
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	shown(t, s, "result", "result:")
}

// pictureOf returns the picture of the first post whose key has a prefix.
func pictureOf(s *scene, prefix string) face.Picture {
	posts := allPosts(s.table.Public(), s.table.Private, nil)
	return posts[slices.IndexFunc(posts, func(p screen.Post) bool { return strings.HasPrefix(p.Key, prefix) })].Screen.Picture.Draw
}

// shown compares the picture of the first post whose key has a prefix with the one that the
// README shows.
func shown(t *testing.T, s *scene, name, prefix string) {
	t.Helper()
	now := face.NewEasel().PNG(pictureOf(s, prefix))
	file := filepath.Join("..", "..", ".github", "pictures", name+".png")
	if *screentest.Update {
		if err := os.WriteFile(file, now, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was, err := png.Decode(bytes.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(now))
	if err != nil {
		t.Fatal(err)
	}
	if !alike(was, got) {
		t.Errorf("%s shows something else than the bot (-update draws it again)", file)
	}
}

// alike reports whether two pictures show the same. A few points may differ, because
// machines round differently.
func alike(was, got image.Image) bool {
	size, differ := got.Bounds(), 0
	if was.Bounds() != size {
		return false
	}
	for y := range size.Dy() {
		for x := range size.Dx() {
			r, g, b, _ := was.At(x, y).RGBA()
			nr, ng, nb, _ := got.At(x, y).RGBA()
			if max(r, nr)-min(r, nr)+max(g, ng)-min(g, ng)+max(b, nb)-min(b, nb) > 0x6000 {
				differ++
			}
		}
	}
	return differ <= size.Dx()*size.Dy()/2000
}

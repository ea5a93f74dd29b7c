package main

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/record"
)

// frames returns the pictures of an animation, each as it is shown.
func frames(t *testing.T, data []byte) (all []*image.RGBA, delays []int) {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewRGBA(g.Image[0].Rect)
	for _, part := range g.Image {
		draw.Draw(canvas, part.Rect, part, part.Rect.Min, draw.Over)
		shown := image.NewRGBA(canvas.Rect)
		copy(shown.Pix, canvas.Pix)
		all = append(all, shown)
	}
	return all, g.Delay
}

// The animation in the README is what the command in CONTRIBUTING.md draws from the record, in at most 400 kB and 25 seconds.
func TestTheREADMEShowsARecordedDeal(t *testing.T) {
	t.Parallel()
	unhurried(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	contributing, err := os.ReadFile(filepath.Join(root, ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^    go run ./cmd/sedmabot (film .*) --out (\S+) (\S+)$`).FindSubmatch(contributing)
	if command == nil || !bytes.Contains(readme, slices.Concat([]byte("]("), command[2], []byte(")"))) {
		t.Fatal("no command draws the animation of the README")
	}
	file := filepath.Join(root, string(command[2]))
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := tool(t, "", append(strings.Fields(string(command[1])), filepath.Join(root, string(command[3])))...)
	if err != nil {
		t.Fatal(err)
	}
	was, wasDelays := frames(t, old)
	now, delays := frames(t, []byte(drawn))
	if !slices.Equal(wasDelays, delays) {
		t.Fatalf("%s has frames of %v, want %v hundredths of a second; draw it again", file, wasDelays, delays)
	}
	total := 0
	for i := range now {
		total += delays[i]
		differ := 0 // a few points may, because other processors round differently
		for at := range now[i].Pix {
			if max(was[i].Pix[at], now[i].Pix[at])-min(was[i].Pix[at], now[i].Pix[at]) > 0x60 {
				differ++
			}
		}
		if differ > len(now[i].Pix)/4000 {
			t.Errorf("frame %d of %s shows something else; draw it again", i, file)
		}
	}
	if len(old) > 400_000 || total < 1000 || total > 2500 {
		t.Errorf("%s has %d bytes and takes %d hundredths of a second", file, len(old), total)
	}
}

// A deal of each game can be filmed, whether it has ended or not. Its frames are different, and have a place for each seat.
func TestFilmOfEachGame(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, name := range game.Presets() {
		r := gametest.Preset(t, name)
		deck := game.Shuffle(r.Pack(), [32]byte{7})
		s, err := game.Deal(r, deck, 0)
		if err != nil {
			t.Fatal(err)
		}
		deal := record.Deal{Deck: deck}
		for !s.Over() {
			seat, move := s.Turn(), s.Legal()[0]
			deal.Actions = append(deal.Actions, record.Action{Seat: seat, Move: move})
			if s, err = game.Apply(s, seat, move); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range []int{0, 3, len(deal.Actions)} {
			f, err := filmOf(record.Record{Rules: r, Deals: []record.Deal{{Deck: deck, Actions: deal.Actions[:n]}}}, 1, "")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all := f.Frames(lang.For("en"))
			last := all[len(all)-1].Picture.Table
			if len(all) != n+1 || (f.Past != nil) != (n == len(deal.Actions)) || len(last.Seats) != r.Players || last.Seats[1].Name != "2" || last.Headline == "" {
				t.Errorf("%s: %d frames of %d actions; the last is %+v", name, len(all), n, last)
			}
		}
	}
}

// A record that can't be filmed gives one sentence, and no file.
func TestNoFilm(t *testing.T) {
	t.Parallel()
	const none = `{"rules":"sedma-4p","dealer":3,"deals":[]}`
	good, err := os.ReadFile(filepath.Join(root, ".github/pictures/deal.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, in, want string }{
		{"", "no record", "read the record"},
		{"", none, "is 0"},
		{"--deal 2", string(good), "is 1"},
		{"--deal 0", string(good), "is 1"},
		{"--names Ann,Ben", string(good), "4 players"},
		{"", strings.Replace(string(good), "0:Ta", "0:Tb", 1), "replay the record"},
		{"--speed 2", string(good), "--speed"},
	} {
		file := filepath.Join(t.TempDir(), "out.gif")
		out, err := tool(t, tt.in, append([]string{"film", "--out", file}, strings.Fields(tt.args)...)...)
		if err == nil || out != "" || !strings.Contains(err.Error(), strings.TrimLeft(tt.want, "-")) || strings.Contains(err.Error(), "\n") {
			t.Errorf("film %s: %v\n%.100s", tt.args, err, out)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("film %s left a file", tt.args)
		}
	}
}

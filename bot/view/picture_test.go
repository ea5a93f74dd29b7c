package view

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestPicturesOfEveryGame draws a deal of every preset, move by move: every
// picture has words that tell the same.
func TestPicturesOfEveryGame(t *testing.T) {
	t.Parallel()
	easel := face.NewEasel()
	for _, preset := range game.Presets() {
		s := open(t, preset, "en")
		s.do(eva, table.Start{})
		drawn := map[string]bool{}
		s.until(func(p table.Public) bool {
			for _, post := range Posts(p, s.table.Private, nil) {
				kind, _, _ := strings.Cut(post.Key, ":")
				pic := post.Screen.Picture
				if pic == nil || drawn[kind] && len(p.View.Log)%16 != 5 {
					continue
				}
				drawn[kind] = true
				img, err := png.DecodeConfig(bytes.NewReader(easel.PNG(pic.Draw)))
				if size := pic.Draw.Size(); err != nil || img.Width != size.X || img.Height != size.Y {
					t.Errorf("%s: %s is %v, %v", preset, post.Key, img, err)
				}
				if n := len([]rune(pic.Alt)); n == 0 || n > altLimit {
					t.Errorf("%s: %s is described by %d characters", preset, post.Key, n)
				}
			}
			return p.Phase == table.Pause || p.Phase == table.Over
		})
		if !drawn["deal"] || !drawn["hand"] {
			t.Errorf("%s: drawn are %v", preset, drawn)
		}
	}
}

// TestNumbersStandForNamesThatCannotBeDrawn: the words say whose they are.
func TestNumbersStandForNamesThatCannotBeDrawn(t *testing.T) {
	t.Parallel()
	s := open(t, "sedma-2p", "en")
	s.do(table.Player{ID: "test:9", Name: "张伟"}, table.Join{Seat: -1})
	s.do(eva, table.Start{})
	for _, p := range Posts(s.table.Public(), s.table.Private, nil) {
		if p.Key != "deal:1" {
			continue
		}
		if got := p.Screen.Picture.Draw.Table.Seats[1].Name; got != "2" {
			t.Errorf("the seat is called %q in the picture", got)
		}
		if words := p.Screen.String(); !strings.Contains(words, "张伟 (") || !strings.Contains(words, "no. 2") {
			t.Errorf("the words do not say who that is:\n%s", words)
		}
	}
}

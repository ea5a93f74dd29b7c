package view

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestPicturesOfEveryGame draws a deal of every preset, move by move. Every picture
// has a text that says the same.
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

// TestNumbersStandForNamesThatCannotBeDrawn checks that the text says which player
// each number means.
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

// TestAHandIsDrawnForItsPlayerAlone checks in every preset that no chat gets a picture
// of a hand.
func TestAHandIsDrawnForItsPlayerAlone(t *testing.T) {
	t.Parallel()
	for _, preset := range game.Presets() {
		s := open(t, preset, "en")
		s.do(petr, table.Join{Seat: -1})
		s.do(eva, table.Start{})
		hands := 0
		s.until(func(p table.Public) bool {
			for _, post := range Posts(p, s.table.Private, nil) {
				if pic := post.Screen.Picture; pic != nil && pic.Draw.Hand != nil {
					hands++
					if post.Chat != "" || post.Player == "" {
						t.Fatalf("%s: %s in %q shows a hand", preset, post.Key, post.Chat)
					}
				}
			}
			private, _ := s.table.Private(petr.ID)
			if aside, ok := HandAside(private, "test:chat", func(Post) bool { return false }); ok && aside.Screen.Picture != nil || Hand(private).Picture != nil {
				t.Fatalf("%s: a hand in a chat has a picture", preset)
			}
			return p.Phase == table.Pause || p.Phase == table.Over
		})
		if hands == 0 {
			t.Errorf("%s: no hand was drawn", preset)
		}
	}
}

// TestAPictureStaysTrueUntilTheNext checks that a chat's picture stays the same and
// true between two finished tricks. It also checks that a player alone with the AI
// sees the trick at each of their turns.
func TestAPictureStaysTrueUntilTheNext(t *testing.T) {
	t.Parallel()
	s, _ := playing(t, "en")
	shown, tricks, changes := "", 0, 0
	s.until(func(p table.Public) bool {
		if p.Phase != table.Playing {
			return true
		}
		at := channelOf(p, s.table.Chats[0])
		w := at.writer()
		pic := Picture{Draw: at.tablePicture(w, -1)}
		if name := pic.Name(); name != shown {
			if shown != "" && len(p.View.Tricks) == tricks {
				t.Errorf("the picture changed within trick %d", tricks+1)
			}
			shown, tricks = name, len(p.View.Tricks)
			changes++
		}
		board := pic.Draw.Table
		for side, points := range pointsSoFar(p.View) {
			if board.Sides[side].Points != points || board.Stock != p.View.Stock || !board.Seats[p.View.Leader].Leads {
				t.Errorf("the picture says %+v", board)
			}
		}
		if p.Turn == 0 && len(p.View.Trick) > 0 {
			own := at.tablePicture(w, 0).Table
			if len(own.Plays) != len(p.View.Trick) || own.Winning != winningPlay(p.View) || !own.Seats[0].Turn {
				t.Errorf("on his turn he sees %+v of %+v", own, p.View.Trick)
			}
		}
		return false
	})
	if changes != tricks+1 {
		t.Errorf("%d pictures of %d tricks", changes, tricks)
	}
}

// TestThePicturesTrickIsDescribed checks the description of a picture with a finished
// trick: its cards, who took it, the stock and the points.
func TestThePicturesTrickIsDescribed(t *testing.T) {
	t.Parallel()
	s, _ := playing(t, "en")
	s.until(func(p table.Public) bool { return len(p.View.Tricks) == 2 && len(p.View.Trick) == 1 })
	p := s.table.Public()
	for _, post := range Posts(p, s.table.Private, nil) {
		if pic := post.Screen.Picture; pic == nil || pic.Draw.Table == nil {
			continue
		}
		w := newWriter(lang.For("en"), face.French)
		line := plainText(face.French, trickLine(w, p, 2, p.View.Tricks[1], false))
		if alt := post.Screen.Picture.Alt; !strings.Contains(alt, line) || !strings.Contains(alt, plainText(face.French, stockLine(w, p.View))) || !strings.Contains(alt, "In this deal") {
			t.Errorf("the picture is described by\n%s\nwithout %q, the stock, or the points", alt, line)
		}
		return
	}
	t.Fatal("no table is shown")
}

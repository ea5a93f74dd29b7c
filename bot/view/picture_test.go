package view

import (
	"bytes"
	"fmt"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestPicturesOfEveryGame draws a deal of every preset, move by move. Every picture
// has a text that says the same.
func TestPicturesOfEveryGame(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	easel := face.NewEasel()
	for _, preset := range game.Presets() {
		s := open(t, preset, "en")
		s.do(eva, table.Start{})
		drawn := map[string]bool{}
		s.until(func(p table.Public) bool {
			for _, post := range allPosts(p, s.table.Private, nil) {
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
				if n := len([]rune(pic.Alt)); n == 0 || n > screen.AltLimit {
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

// TestTheReaderIsAtTheBottom checks the pictures in the private chat of a player who doesn't
// sit on the first seat, as at a tournament's table. Each card lies in front of its player.
func TestTheReaderIsAtTheBottom(t *testing.T) {
	t.Parallel()
	s := open(t, "sedma-2p", "en")
	ben := table.Player{ID: "test:9", Name: "Ben"}
	s.do(ben, table.Join{Seat: -1})
	s.table.Chats = append(s.table.Chats, table.Chat{ID: ben.ID})
	s.do(eva, table.Start{})
	drawn := 0
	s.until(func(p table.Public) bool {
		for _, post := range allPosts(p, s.table.Private, nil) {
			if post.Screen.Picture == nil || post.Screen.Picture.Draw.Table == nil {
				continue
			}
			first, second := "Eva", "Ben"
			if post.Player == ben.ID {
				first, second = "Ben", "Eva"
			}
			pic := post.Screen.Picture.Draw.Table
			drawn++
			if pic.Seats[0].Name != first || pic.Seats[1].Name != second {
				t.Errorf("%s of %s%s: the seats are %+v", post.Key, post.Chat, post.Player, pic.Seats)
			}
			if len(p.View.Trick) == 1 && !pic.Past && pic.Seats[pic.Plays[0].Seat].Name != p.Seats[p.View.Trick[0].Seat].Player.Name {
				t.Errorf("%s of %s%s: the cards are %+v", post.Key, post.Chat, post.Player, pic.Plays)
			}
		}
		return p.Phase != table.Playing
	})
	if drawn < 20 {
		t.Errorf("%d pictures", drawn)
	}
}

// TestNumbersStandForNamesThatCannotBeDrawn checks that the text says which player
// each number means.
func TestNumbersStandForNamesThatCannotBeDrawn(t *testing.T) {
	t.Parallel()
	s := open(t, "sedma-2p", "en")
	s.do(table.Player{ID: "test:9", Name: "张伟"}, table.Join{Seat: -1})
	s.do(eva, table.Start{})
	for _, p := range allPosts(s.table.Public(), s.table.Private, nil) {
		if p.Key != "deal:1" {
			continue
		}
		if got := p.Screen.Picture.Draw.Table.Seats[1].Name; got != "2" {
			t.Errorf("the seat is called %q in the picture", got)
		}
		if words := p.Screen.String(); !strings.Contains(words, "2: 张伟") {
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
			for _, post := range allPosts(p, s.table.Private, nil) {
				if pic := post.Screen.Picture; pic != nil && pic.Draw.Hand != nil {
					hands++
					if post.Chat != "" || post.Player == "" {
						t.Fatalf("%s: %s in %q shows a hand", preset, post.Key, post.Chat)
					}
				}
			}
			private, _ := s.table.Private(petr.ID)
			if aside, ok := HandAside(private.Public, private.Seat, s.table.Private, "test:chat", func(screen.Post) bool { return false }); ok && aside.Screen.Picture != nil || Hand(private).Picture != nil {
				t.Fatalf("%s: a hand in a chat has a picture", preset)
			}
			return p.Phase == table.Pause || p.Phase == table.Over
		})
		if hands == 0 {
			t.Errorf("%s: no hand was drawn", preset)
		}
	}
}

// TestPictureWordsAndButtonsAgree plays every preset at random with one to all seats
// taken by people, over 10,000 positions. In each of them, the table's picture, its first
// line, the words for those who see no picture, and the buttons say the same turn, winner
// and worth: those of this moment. The same goes for the message in a private chat that has the hand too.
func TestPictureWordsAndButtonsAgree(t *testing.T) {
	t.Parallel()
	enough := 4000
	if testing.Short() {
		enough = 1 // one match of each game
	}
	positions := 0
	for round := 0; positions < enough; round++ {
		for _, preset := range game.Presets() {
			s := open(t, preset, "en")
			chance := rand.New(rand.NewPCG(uint64(round), 17))
			s.think = func(v game.View) game.Move { return v.Legal[chance.IntN(len(v.Legal))] }
			s.table.Pace = time.Second
			for i := 1; i < s.table.Rules.Players && chance.IntN(3) > 0; i++ {
				s.do(table.Player{ID: fmt.Sprint("test:", 20+i), Name: fmt.Sprint("Player", i)}, table.Join{Seat: -1})
			}
			s.do(eva, table.Start{})
			s.until(func(p table.Public) bool {
				if p.Phase != table.Playing {
					return true
				}
				positions++
				agree(t, p, dealScreen{channel: channelOf(p, s.table.Chats[0])}.table())
				for _, seat := range p.Seats {
					if own, sits := s.table.Private(seat.Player.ID); sits {
						agreeInPrivate(t, own, tableAndHand(own))
					}
				}
				return false
			})
		}
	}
}

// TestEveryTableFits plays a match of every preset, with people who have long names on all
// seats. At every position the table's message is within its bounds in one of the
// languages, and at the end of each deal in all of them.
func TestEveryTableFits(t *testing.T) {
	t.Parallel()
	most := 3
	if testing.Short() {
		most = 1
	}
	positions := 0
	for _, preset := range game.Presets() {
		s := open(t, preset, "en")
		chance := rand.New(rand.NewPCG(18, 17))
		s.think = func(v game.View) game.Move { return v.Legal[chance.IntN(len(v.Legal))] }
		for i := 1; i < s.table.Rules.Players; i++ {
			s.do(table.Player{ID: fmt.Sprint("test:", 20+i), Name: strings.Repeat("Kateřina ", 7) + fmt.Sprint(i)}, table.Join{Seat: -1})
		}
		s.do(eva, table.Start{})
		fits := func(p table.Public, language string) {
			chat := s.table.Chats[0]
			chat.Lang = language
			for _, post := range chatPosts(p, chat, Reach{eva.ID: ByButton}) {
				checkTable(t, post)
			}
		}
		for deals := 0; s.table.Phase != table.Over && deals < most; {
			s.until(func(p table.Public) bool {
				positions++
				fits(p, lang.Languages()[positions%len(lang.Languages())])
				return p.Phase != table.Playing
			})
			for _, language := range lang.Languages() {
				fits(s.table.Public(), language)
			}
			if deals++; s.table.Phase == table.Pause {
				s.wait()
			}
		}
	}
	if positions < 300*most {
		t.Errorf("only %d positions", positions)
	}
}

// agreeInPrivate fails unless the message in a private chat shows one moment: in its first line, its picture and its
// buttons. Its reader is at the bottom of the picture.
func agreeInPrivate(t *testing.T, p table.Private, s screen.Screen) {
	t.Helper()
	v, board, first := p.View, s.Picture.Draw.Table, screen.PlainText(s.Face, s.Blocks[0].Spans)
	mine := v.Turn == p.Seat
	if board.Seats[0].Name != p.Seats[p.Seat].Player.Name || board.Seats[0].Turn != mine || strings.HasPrefix(first, "Your") != mine || strings.HasPrefix(board.Headline, "Your") != mine {
		t.Fatalf("the turn is %d of %d: %q and %q, %+v", v.Turn, p.Seat, first, board.Headline, board.Seats)
	}
	if len(v.Trick) > 0 && len(board.Plays) != len(v.Trick) {
		t.Fatalf("%d cards of %d", len(board.Plays), len(v.Trick))
	}
	cards, offered, marks := 0, 0, false
	for _, b := range slices.Concat(s.Rows...) {
		taking := b.Card != 0 && mine && v.Phase == game.Follow && v.Taking.Ranks.Has(b.Card.Rank())
		if b.Card == v.Rules.SpecialSeven && b.Card != 0 {
			taking = mine && v.Taking.Special
		}
		if marked := strings.HasPrefix(b.Label, screen.TakesMark); marked != taking {
			t.Fatalf("%q takes the trick: %t\n%s", b.Label, taking, s)
		}
		marks = marks || taking
		press, err := ParsePress(b.Press)
		if b.Card != 0 {
			cards++
		}
		if err == nil && (press.Action == ActPlay || press.Action == ActPlace) && !b.Off {
			offered++
		}
	}
	if strings.Contains(first, screen.TakesMark) != marks {
		t.Fatalf("the first line explains the mark, and buttons have it: %t\n%s", marks, s)
	}
	if cards != v.Counts[p.Seat] || (offered > 0) != mine {
		t.Fatalf("%d cards and %d moves, the turn is %d of %d:\n%s", cards, offered, v.Turn, p.Seat, s)
	}
}

// TestTheReaderSitsAtTheBottom plays two deals of every preset with any number of people, as a table, as a lesson, and as
// a deal of the day. In every message of each person's private chat, that person is at the bottom of the picture, and
// all cards of their hand are in sight.
func TestTheReaderSitsAtTheBottom(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	seen := map[string]int{}
	for round, preset := range game.Presets() {
		for _, kind := range []string{"table", "lesson", "daily", "strangers"} {
			s := open(t, preset, "en")
			chance := rand.New(rand.NewPCG(uint64(round), 5))
			s.think = func(v game.View) game.Move { return v.Legal[chance.IntN(len(v.Legal))] }
			for i := 1; i < s.table.Rules.Players && chance.IntN(3) > 0 && kind != "lesson"; i++ {
				s.do(table.Player{ID: fmt.Sprint("test:", 20+i), Name: fmt.Sprint("Player", i)}, table.Join{Seat: -1})
			}
			s.do(eva, table.Start{})
			switch kind {
			case "daily":
				s.table.Daily = &table.Daily{Date: "2026-03-01"}
			case "lesson":
				if preset != "sedma-4p" {
					continue
				}
				s.table.Lesson = true
			case "strangers":
				s.table.Strangers = &table.Strangers{}
			}
			s.table.Inherit()
			s.until(func(p table.Public) bool {
				for seat := range p.Seats {
					player := s.table.Seats[seat].Player
					own, ok := s.table.Private(player.ID)
					if !ok {
						continue
					}
					for _, post := range ownPosts(chatPosts(own.Public, table.Chat{ID: player.ID}, nil), own) {
						if post.Screen.Picture == nil || post.Screen.Picture.Draw.Table == nil {
							continue
						}
						what, _, _ := strings.Cut(post.Key, ":")
						seen[kind+" "+what+" "+string(p.Phase)]++
						if got := post.Screen.Picture.Draw.Table.Seats[0].Name; got != player.Name {
							t.Fatalf("%s, %s: %s reads %s, and at the bottom is %s", preset, kind, player.Name, post.Key, got)
						}
						if p.Phase == table.Playing {
							for _, c := range own.View.Hand {
								if c != 0 && !slices.ContainsFunc(slices.Concat(post.Screen.Rows...), func(b screen.Button) bool { return b.Card == c }) {
									t.Fatalf("%s, %s: %s doesn't see %v:\n%s", preset, kind, player.Name, c, post.Screen)
								}
							}
						}
					}
				}
				return p.Phase == table.Over || len(p.Past) > 0 && p.Phase == table.Playing
			})
		}
	}
	for _, want := range []string{"table deal playing", "table deal pause", "lesson deal playing", "daily deal playing", "strangers deal playing", "strangers deal pause"} {
		if seen[want] == 0 {
			t.Errorf("no message of %s: %v", want, seen)
		}
	}
}

// agree fails unless everything on the table's screen says what the rules say of the
// moment that it shows.
func agree(t *testing.T, p table.Public, s screen.Screen) {
	t.Helper()
	v := p.View
	name := func(seat int) string {
		if n := p.Seats[seat].Player.Name; n != "" {
			return n
		}
		w := NewWriter(lang.For("en"), s.Face)
		return screen.PlainText(s.Face, SeatName(w, p, seat))
	}
	first, words := screen.PlainText(s.Face, s.Blocks[0].Spans), s.WithoutPicture().String()
	board := s.Picture.Draw.Table
	for seat, plate := range board.Seats {
		if plate.Turn != (seat == v.Turn) {
			t.Fatalf("seat %d of %+v, on turn is %d", seat, plate, v.Turn)
		}
	}
	_, marked, _ := strings.Cut(words, "▸ ")
	marked, _, _ = strings.Cut(marked, "\n")
	if !strings.HasPrefix(first, name(v.Turn)) || !strings.HasPrefix(board.Headline, name(v.Turn)) || !strings.Contains(marked, name(v.Turn)) {
		t.Fatalf("%q and %q, on turn is %s:\n%s", first, board.Headline, name(v.Turn), words)
	}
	stop := strings.Contains(screen.Screen{Places: s.Places}.String(), "Stop")
	if stop != (v.Phase == game.Decide) || strings.Contains(first, "stop?") != stop || strings.Contains(board.Headline, "stop?") != stop {
		t.Fatalf("in the phase %v the buttons are %v, and it says %q and %q", v.Phase, s.Places, first, board.Headline)
	}
	for side, points := range PointsSoFar(v) {
		if board.Sides[side].Points != points || board.Stock != v.Stock {
			t.Fatalf("the picture says %+v", board)
		}
	}
	if len(v.Trick) == 0 {
		return
	}
	worth := 0
	for _, play := range v.Trick {
		worth += v.Rules.CardPoints.Of(play.Card.Rank())
	}
	if v.Rules.TrickUnit == game.ByRound {
		worth += v.Rules.TrickPoints * v.Rounds
	} else {
		worth += v.Rules.TrickPoints
	}
	if v.Taking.Last {
		worth += v.Rules.LastTrick
	}
	points := fmt.Sprintf("%d point", worth)
	best := v.Trick[board.Winning]
	if best.Seat != v.Winner || len(board.Plays) != len(v.Trick) ||
		!strings.HasPrefix(board.Detail, points) || !strings.Contains(first, " "+points) ||
		!strings.Contains(first, name(v.Winner)) || !strings.Contains(first, face.Text(s.Face, best.Card)) {
		t.Fatalf("%s is winning %d points with %v: %q and %+v", name(v.Winner), worth, best.Card, first, board)
	}
}

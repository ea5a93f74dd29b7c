package telegram

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// pictured returns a screen with a chart of the numbers.
func pictured(words string, kept bool, numbers ...int) screen.Screen {
	s := text(words)
	s.Picture = &screen.Picture{
		Draw: face.Picture{Chart: &face.Chart{Title: "Eva", Lines: []face.Line{{Name: "Sedma", Points: numbers}}}},
		Alt:  "how it went", Kept: kept,
	}
	return s
}

// TestAPictureIsSentOnce checks that a picture's file is uploaded only once, even if
// several messages show it.
func TestAPictureIsSentOnce(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Sparing = true
	a, _ := connected(t, s, quiet, nil)
	group, ann := s.Group("Cards"), s.Person("Ann")
	ann.Start("")
	at, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, pictured("one", false, 1, 2), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		screen screen.Screen
		method string
		files  int
	}{
		{pictured("two", true, 1, 2), "editMessageCaption", 1},
		{pictured("three", false, 1, 3), "editMessageMedia", 2},
		{pictured("four", false, 1, 2), "editMessageMedia", 2},
		{text("five"), "editMessageCaption", 2},
	} {
		if err := a.Edit(t.Context(), at, step.screen); err != nil {
			t.Errorf("%s: %v", step.screen, err)
		}
		calls := s.Calls("")
		if last := calls[len(calls)-1]; last.Method != step.method || len(group.Uploads()) != step.files {
			t.Errorf("%s: %s, %d files, want %s and %d", step.screen, last.Method, len(group.Uploads()), step.method, step.files)
		}
	}
	if _, err := a.Send(t.Context(), chat.Target{Player: chatID(ann.ID, 0)}, pictured("six", false, 1, 3), ""); err != nil {
		t.Fatal(err)
	}
	if m := group.Messages(); len(m) != 1 || m[0].Text != "five" || m[0].Photo == "" {
		t.Errorf("the group sees %+v", m)
	}

	// A message sent as text stays text.
	at, err = a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, text("words"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Edit(t.Context(), at, pictured("other words", false, 1, 2)); err != nil {
		t.Error(err)
	}
	if m := group.Messages(); m[1].Text != "other words" || m[1].Photo != "" {
		t.Errorf("the group sees %+v", m[1])
	}
}

// TestAChatThatTakesNoPhotosGetsWords checks a chat where the bot may not send photos.
// The bot doesn't try again for a while. It deletes an existing photo message, which
// is then sent again.
func TestAChatThatTakesNoPhotosGetsWords(t *testing.T) {
	t.Parallel()
	for _, refused := range []telegramtest.Failure{
		{Code: 400, Description: "Bad Request: not enough rights to send photos to the chat"},
		{Code: 413, Description: "Request Entity Too Large"},
	} {
		t.Run(fmt.Sprint(refused.Code), func(t *testing.T) {
			t.Parallel()
			s := telegramtest.New(t)
			a, _ := connected(t, s, quiet, nil)
			group := s.Group("Cards")
			to := chat.Target{Chat: chatID(group.ID, 0)}
			at, err := a.Send(t.Context(), to, pictured("a table", false, 1, 2), "")
			if err != nil {
				t.Fatal(err)
			}
			refused.Method, refused.Times = "editMessageMedia", 1
			s.Fail(refused)
			var d *chat.DeliveryError
			if err := a.Edit(t.Context(), at, pictured("a later table", false, 1, 3)); !errors.As(err, &d) || d.Fault != chat.Gone {
				t.Errorf("an edit: %v", err)
			}
			if _, err := a.Send(t.Context(), to, pictured("a later table", false, 1, 3), ""); err != nil {
				t.Fatal(err)
			}
			if m := group.Messages(); len(m) != 1 || m[0].Photo != "" || m[0].Text != "a later table" {
				t.Errorf("the group sees %+v", m)
			}
			other := s.Group("Others")
			refused.Method = "sendPhoto"
			s.Fail(refused)
			for range 2 {
				if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(other.ID, 0)}, pictured("words", false, 1, 4), ""); err != nil {
					t.Fatal(err)
				}
			}
			if m := other.Messages(); len(m) != 2 || m[0].Photo+m[1].Photo != "" || len(s.Calls("sendPhoto")) != 2 {
				t.Errorf("the others see %+v after %d tries", m, len(s.Calls("sendPhoto")))
			}
		})
	}
}

// If a caption is too long, it must lose its oldest tricks first.
func TestACaptionKeepsWhatOnePlaysBy(t *testing.T) {
	t.Parallel()
	s := pictured("Deal 1", false, 1, 2)
	var tricks []screen.Span
	for i := range 40 {
		if i > 0 {
			tricks = append(tricks, screen.Span{Kind: screen.SpanBreak})
		}
		tricks = append(tricks, screen.Span{Text: fmt.Sprintf("trick %d, and who took it, with what he got for it", i)})
	}
	s.Blocks = append(s.Blocks, screen.Block{Look: screen.Quote, Spans: tricks}, screen.Block{Spans: []screen.Span{{Text: "Eva plays."}}})
	short, fits := captioned(s)
	words := short.String()
	if !fits || length(short) >= captionLimit || !strings.Contains(words, "Deal 1\n…\n") || !strings.Contains(words, "trick 39,") ||
		strings.Contains(words, "trick 0,") || !strings.Contains(words, "Eva plays.") {
		t.Errorf("%d characters:\n%s", length(short), words)
	}
	s.Blocks = append(s.Blocks, screen.Block{Spans: []screen.Span{{Text: strings.Repeat("too long ", 200)}}})
	if _, fits := captioned(s); fits {
		t.Error("more than a caption holds was said to fit")
	}
	if s := (&outbox{}).fitting(-1, s); s.Picture != nil {
		t.Error("it is not sent as words")
	}
}

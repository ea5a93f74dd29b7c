package discord_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

// pictured returns a screen with a chart of the numbers.
func pictured(text string, kept bool, numbers ...int) screen.Screen {
	s := textScreen(text)
	s.Picture = &screen.Picture{
		Draw: face.Picture{Chart: &face.Chart{Title: "Eva", Lines: []face.Line{{Name: "Sedma", Points: numbers}}}},
		Alt:  "how it went", Kept: kept,
	}
	return s
}

// TestAPictureThatStaysIsNotSentAgain checks that a message keeps its attachment until the
// picture changes.
func TestAPictureThatStaysIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{} })
	files := func() (n int) {
		for _, c := range w.Calls() {
			n += len(c.Files)
		}
		return n
	}
	at, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, pictured("one", false, 1, 2), "0")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    screen.Screen
		more int
	}{
		{pictured("two", true, 1, 2), 0},
		{pictured("three", false, 1, 3), 1},
		{pictured("four", true, 1, 3), 0},
		{pictured("five", true, 1, 4), 1}, // the message was expected to have it, but doesn't
		{textScreen("six"), 0},
	} {
		before := files()
		if err := w.adapter.Edit(t.Context(), at, c.s); err != nil {
			t.Errorf("%s: %v", c.s, err)
		}
		if n := files() - before; n != c.more {
			t.Errorf("%s: %d files, want %d", c.s, n, c.more)
		}
	}
}

// TestAChannelThatTakesNoPicturesGetsWords checks that a channel gets text if the bot may
// not attach files there, or the file is too large. For a while, no picture is tried again.
func TestAChannelThatTakesNoPicturesGetsWords(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]discordtest.Fault{
		"permission": {Status: 403, Code: 50013}, "size": {Status: 413, Code: 40005},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{} })
			target := chat.Target{Chat: "discord:" + w.channel.ID}
			at, err := w.adapter.Send(t.Context(), target, textScreen("none yet"), "0")
			if err != nil {
				t.Fatal(err)
			}
			fault.Path, fault.Times = "/channels/", 1
			w.Fail(fault)
			if err := w.adapter.Edit(t.Context(), at, pictured("an edit", false, 1, 2)); err != nil {
				t.Fatal(err)
			}
			before := w.calls("POST /channels/")
			if _, err := w.adapter.Send(t.Context(), target, pictured("a message", false, 1, 2), "1"); err != nil {
				t.Fatal(err)
			}
			if n := w.calls("POST /channels/") - before; n != 1 {
				t.Errorf("%d requests for a message where no picture is taken", n)
			}
			if last := w.last(); len(last.Files) > 0 || !strings.Contains(string(last.Body), "a message") {
				t.Errorf("it was sent %d files: %s", len(last.Files), last.Body)
			}
		})
	}
}

// TestPicturesReturnWithThePermission checks that the next picture is sent once an
// interaction shows that the bot may attach files in the channel.
func TestPicturesReturnWithThePermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "here"} })
	target := chat.Target{Chat: "discord:" + w.channel.ID}
	sent := func() int {
		last := w.last()
		if last.Status != http.StatusOK {
			t.Errorf("%s %s: status %d", last.Method, last.Path, last.Status)
		}
		return len(last.Files)
	}
	w.guild.Permit(discordtest.MayAll &^ discordtest.MayAttach)
	at, err := w.adapter.Send(t.Context(), target, pictured("a table", false, 1, 2), "1")
	if err != nil || sent() != 0 {
		t.Fatalf("without the permission: %v, %d files", err, sent())
	}
	w.ann.Slash(w.channel, "hand", nil).Wait() // nothing has changed yet
	before := w.calls("PATCH ")
	if err := w.adapter.Edit(t.Context(), at, pictured("a card", false, 1, 3)); err != nil || sent() != 0 || w.calls("PATCH ") != before+1 {
		t.Errorf("still without: %v, %d files in %d requests", err, sent(), w.calls("PATCH ")-before)
	}
	w.guild.Permit(discordtest.MayAll)
	w.ann.Slash(w.channel, "hand", nil).Wait()
	if err := w.adapter.Edit(t.Context(), at, pictured("another card", false, 1, 4)); err != nil || sent() != 1 {
		t.Errorf("with the permission: %v, %d files", err, sent())
	}
}

// TestAnAnswerChangesItsPicture checks that an answer to one person carries a picture, and
// that a press on it shows the next one in its place.
func TestAnAnswerChangesItsPicture(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	step := 0
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		step++
		s := pictured("step", false, step)
		s.Rows = [][]screen.Button{{{Label: "next", Press: "cards:t1"}}}
		return chat.Reply{Screen: &s, Replace: in.OnAnswer}
	})
	m, ok := w.ann.Slash(w.channel, "replay", nil).Wait()
	for i := 1; i <= 3; i++ {
		last := w.last()
		if !ok || !m.Ephemeral || len(last.Files) != 1 {
			t.Fatalf("step %d: %v, %+v, %d files by %s", i, ok, m, len(last.Files), last.Path)
		}
		before := m.ID
		if m, ok = w.ann.Click(m, "next").Wait(); m.ID != before {
			t.Fatalf("step %d is another message", i+1)
		}
	}
}

// TestATableWhereNoPicturesAreTaken checks that Discord refuses no edit of a table's message because of a picture that the
// message doesn't have: the channel took no pictures, and takes them later.
func TestATableWhereNoPicturesAreTaken(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.guild.Permit(discordtest.MayAll &^ discordtest.MayAttach)
	w.deal(w.channel)
	table := w.table(w.ann, w.channel)
	pauses := func(p *discordtest.Person) {
		t.Helper()
		p.Slash(w.channel, "pause", nil).Wait()
		w.Until("the table says that it happened", func() bool {
			now := w.table(w.ann, w.channel)
			changed := now.Text != table.Text
			table = now
			return changed
		})
	}
	pauses(w.ann)
	w.guild.Permit(discordtest.MayAll)
	w.ann.Click(table, "My cards").Wait() // now the bot knows it
	pauses(w.bob)
	for _, c := range w.Calls() {
		if c.Status == http.StatusBadRequest {
			t.Errorf("%s %s was refused: %s", c.Method, c.Path, c.Body)
		}
	}
}

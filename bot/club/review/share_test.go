package review_test

import (
	"bytes"
	"image/gif"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/game/gametest"
)

// The result of a match can be copied as a text, and its last deal watched. In another chat, only those who played can
// show it.
func TestAResultIsShared(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	r := gametest.Preset(t, "sedma-4p")
	town.In(t, func(t *testing.T, w *town.Town) {
		over := w.PlayOut(here, r, 2)
		id := doc.MatchID(over.ID, 1)
		press := func(word string) chat.Reply {
			in := w.Input("test:spectator", here)
			in.Press = screen.PressOf(word, over.ID, "1", "0", "0", "")
			return w.Handle(t.Context(), in)
		}
		pasted := press("send")
		if pasted.Screen == nil || pasted.Public || !strings.Contains(pasted.Screen.String(), " win") && !strings.Contains(pasted.Screen.String(), "draw") {
			t.Fatalf("the text to paste is %+v", pasted)
		}
		for _, b := range pasted.Screen.Blocks {
			for _, span := range b.Spans {
				if span.Kind == screen.SpanText && span.Text == "" {
					t.Error("an empty line")
				}
			}
		}
		if pasted.Screen.Picture == nil || !strings.Contains(pasted.Screen.String(), "Sedma, 4 players · ") || !strings.Contains(pasted.Screen.String(), "🟩") {
			t.Errorf("the result to paste is\n%s", pasted.Screen)
		}
		if last := pasted.Screen.Blocks[len(pasted.Screen.Blocks)-1]; last.Look != screen.Code {
			t.Errorf("the text isn't for copying: %+v", last)
		}
		rows := pasted.Screen.Rows
		if len(rows) != 1 || len(rows[0]) != 1 || rows[0][0].Label != "Copy" {
			t.Fatalf("the text can't be copied: %+v", rows)
		}
		began := time.Now()
		film := press("film")
		if film.Screen == nil || film.Screen.File == nil || film.Public {
			t.Fatalf("no film for the presser alone: %+v", film)
		}
		frames, err := gif.DecodeAll(bytes.NewReader(film.Screen.File.Data))
		if err != nil || len(frames.Image) < over.Deal.Plies()/2 {
			t.Fatalf("the film of %d moves has %d pictures, %v", over.Deal.Plies(), len(frames.Image), err)
		}
		t.Logf("a film of %d pictures takes %d bytes and %v", len(frames.Image), len(film.Screen.File.Data), time.Since(began))
		for player, may := range map[string]bool{town.Eva: true, town.Ota: true, "test:spectator": false} {
			for _, asked := range []string{id, over.ID + "-2", "nonsense"} {
				in := w.Input(player, player)
				in.Chat.Private, in.Command, in.Args = true, "offer", map[string]string{"id": asked}
				got := w.Handle(t.Context(), in).Offers
				i := slices.IndexFunc(got, func(o chat.Offer) bool { return o.ID == id })
				// Words that ask for no match are no question: the person is offered everything.
				if (i >= 0) != (may && asked == id) && asked != "nonsense" || i >= 0 && !may {
					t.Errorf("%s asks for %s, and gets %+v", player, asked, got)
				}
				if i >= 0 && (got[i].Screen.Picture == nil || len(got[i].Screen.Rows) > 0) {
					t.Errorf("%s gets no picture, or buttons:\n%s", player, got[i].Screen)
				}
				if all := len(got) > 1; all != (asked == "nonsense") {
					t.Errorf("%s asks for %s, and gets %d offers", player, asked, len(got))
				}
			}
		}
	})
}

package review_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

// A player plays on from a moment of the coach as often as they like, to the end of the deal. It is the same each time
// that they choose the same cards. It counts nowhere: nothing at all is stored.
func TestTryAgainFromAMoment(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-4p", "sedma-2p-kase1", "ristikontra", "sedma-3p-hartmann", "sedma-3p-solo-hearts", "hola-6p"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, preset)
			town.In(t, func(t *testing.T, w *town.Town) {
				over := w.PlayOut(here, r, 2)
				coach := w.Input(town.Eva, here)
				coach.Press = screen.PressOf("coach", over.ID, "1", "0", "0", "")
				w.Handle(t.Context(), coach)
				w.Pass(time.Minute)
				moment := w.Handle(t.Context(), coach)
				if on := moment.Position; on == nil || len(on.Best) != 1 || on.Moves[on.Best[0]] == "" || on.Moves[on.Wrong] == "" || on.Wrong == on.Best[0] || !strings.HasPrefix(on.Beside.String(), "Moment 1 of ") {
					t.Errorf("on a page's felt: %+v", on)
				}
				before := w.Stored()
				var ends []string
				for range 2 {
					at := w.PressButton(town.Eva, here, moment, "Try again from here")
					for n := 0; !strings.Contains(at.Screen.String(), "In the match: "); n++ {
						if n > 60 || !at.Replace || at.Screen.Picture == nil || !strings.Contains(at.Screen.String(), "what do you play?") {
							t.Fatalf("after %d choices: %+v", n, at)
						}
						at = w.PressButton(town.Eva, here, at, at.Screen.Rows[0][0].Label)
					}
					if strings.Count(at.Screen.String(), "eva") < 2 || !can(at, "Once more") || !can(at, "Coach") {
						t.Errorf("at the end:\n%s", at.Screen)
					}
					ends = append(ends, at.Screen.String())
				}
				if ends[0] != ends[1] {
					t.Errorf("the same cards led to\n%s\nand to\n%s", ends[0], ends[1])
				}
				if after := w.Stored(); !maps.Equal(before, after) {
					t.Error("something was stored")
				}
			})
		})
	}
}

// Nobody else can play on from a player's moment, and no press can make moves that aren't legal there.
func TestTryAgainIsForThePlayer(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	town.In(t, func(t *testing.T, w *town.Town) {
		over := w.PlayOut(here, r, 1)
		seat := slices.IndexFunc(dealt(t, w, over, 1).Log, func(e game.Entry) bool { return over.Seats[e.Seat].Player.ID == town.Eva })
		at := func(action, moves string) string { return screen.PressOf("retry", over.ID, "1", "1", action, moves) }
		for _, c := range []struct {
			who, press string
			done       bool
		}{
			{town.Eva, at(strconv.Itoa(seat), "x"), true},
			{"test:zoe", at(strconv.Itoa(seat), "x"), false},
			{town.Ota, at(strconv.Itoa(seat), "x"), false},
			{town.Eva, at("9999", "x"), false},
			{town.Eva, at(strconv.Itoa(seat), "xU"), false},
			{town.Eva, screen.PressOf("retry", over.ID, "1", "7", "0", "x"), false},
			{town.Eva, screen.PressOf("retry", over.ID, "2", "1", strconv.Itoa(seat), "x"), false},
		} {
			in := w.Input(c.who, here)
			in.Press = c.press
			if got := w.Handle(t.Context(), in); (got.Screen != nil) != c.done || (got.Outcome == chat.Done) != c.done {
				t.Errorf("%s with %s: %+v", c.who, c.press, got)
			}
		}
	})
}

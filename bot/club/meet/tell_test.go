package meet_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/meet"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

const here = "test:here"

// called opens a table in the home, closes it, and returns the ids of the people whom it calls.
func called(t *testing.T, w *town.Town, words string) []string {
	t.Helper()
	w.Command("test:ota", here, "new", "rules", words)
	at := w.At(here)
	w.Command("test:ota", here, "close")
	var ids []string
	for _, p := range at.Tell {
		ids = append(ids, p.ID)
	}
	return ids
}

// The buttons that put a person on the list, and take them off.
var (
	tell = town.Press(screen.PressOf(view.ActTell, "t"))
	hush = town.Press(screen.PressOf(view.ActHush, "t"))
)

// A new table calls people also if it takes the place of a rematch in which nobody else waits.
func TestATableInPlaceOfARematchCalls(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		over := w.PlayOn(w.Match(here, "2", "test:ota", "test:jan").ID, 1000)
		w.Presses("test:eva", here, tell)
		w.Presses("test:ota", here, town.Press("rematch:"+over.ID))
		if at := w.At(here); at.ID != over.ID || at.MatchNo != 2 {
			t.Fatalf("there is no rematch, but table %s with match %d", at.ID, at.MatchNo)
		}
		if got := called(t, w, "hola"); !slices.Equal(got, []string{"test:eva"}) {
			t.Errorf("%v are called", got)
		}
	})
}

// A person on the list is called about the games and at the hours that they chose, in the time
// zone of the home. A chat calls at most every ten minutes.
func TestWhoIsCalled(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		until := func(day, hour, minute int) {
			t.Helper()
			w.Pass(time.Until(time.Date(2000, 1, day, hour, minute, 0, 0, time.UTC)))
		}
		check := func(what, words string, want ...string) {
			t.Helper()
			if got := called(t, w, words); !slices.Equal(got, want) {
				t.Errorf("%s: %v are called, want %v", what, got, want)
			}
		}
		set := func(what, value string) {
			t.Helper()
			w.Presses("test:eva", here, town.OwnSetting(what, value, here))
		}
		until(2, 12, 0)
		check("nobody asked", "")
		w.Presses("test:eva", here, tell)
		check("she asked", "", "test:eva")
		w.Pass(9 * time.Minute)
		check("nine minutes later", "")
		w.Pass(time.Minute)
		check("ten minutes after the call", "", "test:eva")

		w.Pass(time.Hour)
		set("tell_game", "hola")
		check("another game", "sedma")
		check("her game", "hola", "test:eva")
		set("tell_game", "any")

		set("tell_quiet", "22-8")
		for day, hour := range []int{21, 22, 7, 8} {
			until(3+day, hour, 59)
			if got := len(called(t, w, "")) == 1; got != (hour == 21 || hour == 8) {
				t.Errorf("at %d:59 UTC she is called: %v", hour, got)
			}
		}
		w.Manages("test:eva", here, "zone", "cz")
		until(7, 21, 0)
		check("22:00 in Prague", "")
		set("tell_quiet", "off")
		check("no quiet hours", "", "test:eva")

		w.Presses("test:eva", here, hush)
		w.Pass(time.Hour)
		check("she stopped it", "")
		w.Presses("test:eva", here, hush)
		check("stopping twice lists nobody", "")
		if r := w.Asks("test:eva", here, town.OwnSetting("tell_game", "hola", here)); r.Outcome != chat.Refused {
			t.Errorf("a wish of a person who isn't on the list: %+v", r)
		}
	})
}

// After a month without a match, a person is no longer called. For people whom an earlier
// version of the program put on the list, the month begins with the first new table.
func TestCallsEndAfterAMonth(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Put(doc.HomeKey(here).Partition, map[string]any{
			doc.HomeKey(here).Name: doc.Home{Tell: map[string]string{"test:old": "Old"}}, // an earlier version's list
		})
		for _, player := range []string{"test:eva", "test:jan"} {
			w.Presses(player, here, tell)
		}
		check := func(when string, want ...string) {
			t.Helper()
			if got := called(t, w, ""); !slices.Equal(got, want) {
				t.Errorf("%s %v are called, want %v", when, got, want)
			}
			var h doc.Home
			var wishes meet.Wishes
			w.Get(doc.HomeKey(here), &h)
			w.Get(doc.InHome(here, "tell:"+here), &wishes)
			if got := slices.Sorted(maps.Keys(h.Tell)); !slices.Equal(got, want) || len(wishes.People) != len(want) {
				t.Errorf("%s %v are on the list with %d wishes, want %v", when, got, len(wishes.People), want)
			}
		}
		check("at first", "test:eva", "test:jan", "test:old")
		w.Pass(20 * 24 * time.Hour)
		w.Match(here, "2", "test:eva", "test:pia")
		w.Command("test:eva", here, "close")
		w.Pass(11 * 24 * time.Hour)
		check("after a month", "test:eva")
		w.Pass(31 * 24 * time.Hour)
		check("after two months")
		w.Presses("test:eva", here, tell)
		check("after she asked again", "test:eva")
	})
}

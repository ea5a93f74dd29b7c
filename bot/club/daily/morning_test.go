package daily_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/daily"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// until lets time pass until a moment.
func until(w *town.Town, at time.Time) { w.Pass(time.Until(at)) }

// postsOf returns a function that returns what was done since its last call with the posts to the chat.
func postsOf(w *town.Town) func() []string {
	ours := map[chat.Address]bool{}
	return func() (out []string) {
		for _, d := range w.Chats.Deliveries() {
			if d.To == here && strings.Contains(d.Text, "Stop these posts") {
				ours[d.Message] = true
			}
			if ours[d.Message] {
				out = append(out, strings.TrimSpace(d.Verb+"\n"+d.Text))
			}
		}
		return out
	}
}

// If its managers asked for it, a chat gets yesterday's board at the hour that they chose, in
// its time zone. There is one message. It is edited if the bot did nothing else in the chat
// since; otherwise it is sent again. Its button turns it off.
func TestMorningBoard(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		at := func(day, hour int) time.Time { return time.Date(2000, 2, day, hour, 0, 0, 0, time.UTC) }
		posts := postsOf(w)
		until(w, at(1, 12)) // a Tuesday
		w.Manages("test:eva", here, "zone", "cz")
		if r := w.Asks("test:eva", here, town.HomeSetting("morning", "9", here)); r.Outcome != chat.Refused {
			t.Errorf("someone who doesn't manage the chat: %+v", r)
		}
		play := func() {
			t.Helper()
			w.Command("test:eva", here, "daily")
			var own league.Try
			date, _ := league.CalendarOf(doc.Home{Zone: "Europe/Prague"}).Today(time.Now())
			w.Get(doc.InHome(here, league.TryName(league.Day(here, date), "test:eva")), &own)
			if over := w.PlayOn(own.Table, 1000); over.Phase != table.Over {
				t.Fatalf("the deal is in phase %s", over.Phase)
			}
		}
		expect := func(when string, want ...string) {
			t.Helper()
			got := posts()
			ok := len(got) == len(want)
			for i := range min(len(got), len(want)) {
				ok = ok && strings.HasPrefix(got[i], want[i])
			}
			if !ok {
				t.Errorf("%s: %q, want %q", when, got, want)
			}
		}
		play()
		until(w, at(2, 12))
		expect("nobody asked")
		w.Manages("test:eva", here, "morning", "9")
		play()
		until(w, at(3, 8).Add(-time.Minute))
		expect("at 8:59 in Prague")
		until(w, at(3, 8).Add(time.Minute))
		expect("at 9:00 in Prague", "send\nDeal of the day, 2 Feb 2000")
		play()
		until(w, at(4, 12))
		expect("nothing came between", "edit\nDeal of the day, 3 Feb 2000")
		until(w, at(5, 12))
		expect("nobody played")
		play()
		tab := w.Match(here, "2", "test:ota", "test:eva")
		w.Presses("test:ota", here, town.Press(screen.PressOf("close", tab.ID)))
		w.Pass(time.Minute)
		posts()
		until(w, at(6, 12))
		expect("a match came between", "send\nDeal of the day, 5 Feb 2000", "delete")

		var d daily.Morning
		w.Get(doc.InHome(here, "news:"+here), &d)
		stop := town.Press(screen.PressOf("silence", d.ID))
		if r := w.Asks("test:eva", here, stop); r.Outcome != chat.Refused {
			t.Errorf("the button for someone who doesn't manage the chat: %+v", r)
		}
		in := w.Input("test:eva", here)
		in.Admin, in.Press = true, stop.String()
		if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
			t.Errorf("the button: %+v", r)
		}
		play()
		until(w, at(8, 12))
		expect("it was turned off")
	})
}

// A page of the week that an earlier version posted stays, and no other one follows.
func TestAPageOfTheWeekStays(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		until(w, time.Date(2000, 2, 2, 12, 0, 0, 0, time.UTC))
		w.Manages("test:eva", here, "morning", "9")
		w.Command("test:eva", here, "daily")
		var own league.Try
		w.Get(doc.InHome(here, league.TryName(league.Day(here, "2000-02-02"), "test:eva")), &own)
		w.PlayOn(own.Table, 1000)
		until(w, time.Date(2000, 2, 3, 12, 0, 0, 0, time.UTC))
		if w.Chats.Shows("Stop these posts") != 1 {
			t.Fatalf("no post: %q", w.Chats.Standing())
		}
		var d daily.Morning
		key := doc.InHome(here, "news:"+here)
		w.Get(key, &d)
		d.Hour, d.Date, d.Weekly, d.Week, d.Fresh = "", "", true, "2000-W04", true
		w.Put(key.Partition, map[string]any{key.Name: d})
		w.Chats.Deliveries()
		w.Pass(14 * 24 * time.Hour)
		if got := w.Chats.Deliveries(); len(got) != 0 {
			t.Errorf("delivered: %+v", got)
		}
		var then daily.Morning
		if w.Get(key, &then); !then.Due.IsZero() || !then.Weekly {
			t.Errorf("%+v", then)
		}
		stop := w.Input("test:eva", here)
		stop.Admin, stop.Press = true, screen.PressOf("silence", d.ID)
		if r := w.Handle(t.Context(), stop); r.Outcome != chat.Done {
			t.Errorf("the button: %+v", r)
		}
	})
}

package daily_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/daily"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/game/table"
)

// On Sunday, the best of the week who press the button play one match at one table in the chat. Only people with a result this
// week can sign up, and it happens once.
func TestFinalOnSunday(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		at := func(day, hour int) time.Time { return time.Date(2000, 2, day, hour, 0, 0, 0, time.UTC) }
		until := func(at time.Time) { w.Pass(time.Until(at)) }
		final := func() (f daily.Final) {
			w.Get(doc.InHome(here, "final:"+here), &f)
			return f
		}
		until(at(2, 12)) // a Wednesday
		w.Manages(town.Eva, here, "zone", "cz")
		w.Manages(town.Eva, here, "final", "on")
		people := []string{town.Eva, town.Ota, "test:jan", "test:ida", "test:uma"}
		for _, player := range people {
			w.Command(player, here, "daily")
			var own league.Try
			date, _ := league.CalendarOf(doc.Home{Zone: "Europe/Prague"}).Today(time.Now())
			w.Get(doc.InHome(here, league.TryName(league.Day(here, date), player)), &own)
			if over := w.PlayOn(own.Table, 1000); over.Phase != table.Over {
				t.Fatalf("the deal is in phase %s", over.Phase)
			}
		}
		until(at(6, 17).Add(-time.Minute)) // Sunday, 17:59 in Prague
		if f := final(); f.Date != "" {
			t.Errorf("too early: %+v", f)
		}
		until(at(6, 17).Add(time.Minute))
		f := final()
		if f.Date != "2000-02-06" || !f.At.Equal(at(6, 19)) {
			t.Fatalf("the sign-up is %+v", f)
		}
		press := func(player, word string) chat.Reply {
			return w.Asks(player, here, town.Press(word+":"+f.Date+":"+here))
		}
		for _, player := range people {
			if r := press(player, "finalin"); r.Outcome != chat.Done {
				t.Fatalf("%s signs up: %+v", player, r)
			}
		}
		press(town.Ota, "finalout")
		if r := press("test:zoe", "finalin"); r.Outcome != chat.Refused {
			t.Errorf("somebody without a result: %+v", r)
		}
		w.Pass(time.Minute)
		until(at(6, 19).Add(time.Minute))
		f = final()
		if f.Result != "plays" || len(f.In) != 4 {
			t.Fatalf("it became %+v", f)
		}
		tab := w.At(here)
		seated := map[string]bool{}
		for _, s := range tab.Seats {
			seated[s.Player.ID] = true
		}
		if tab.Phase != table.Playing || len(seated) != 4 || seated[town.Ota] || !seated[town.Eva] {
			t.Errorf("the table is in phase %s with %v", tab.Phase, seated)
		}
		if r := press(town.Ota, "finalin"); r.Outcome != chat.Refused {
			t.Errorf("too late: %+v", r)
		}
		sends := 0
		for _, d := range w.Chats.Deliveries() {
			if d.To == here && d.Verb == "send" && strings.Contains(d.Text, "Sunday's match") {
				sends++
			}
		}
		if sends != 1 {
			t.Errorf("%d messages", sends)
		}
		w.Pass(24 * time.Hour)
		if again := final(); again.Result != "plays" || !again.Due.Equal(at(13, 17)) {
			t.Errorf("on Monday: %+v", again)
		}
	})
}

// With fewer than two people there is no match. If another table is open in the chat, the match begins when that is closed, or
// not at all if it is closed too late.
func TestFinalWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []string
		busy time.Duration // how long another table is open
		want string
	}{
		{"one person", []string{town.Eva}, 0, "few"},
		{"another table", []string{town.Eva, town.Ota}, 20 * time.Minute, "plays"},
		{"another table for long", []string{town.Eva, town.Ota}, 4 * time.Hour, "busy"},
	} {
		town.In(t, func(t *testing.T, w *town.Town) {
			at := func(day, hour int) time.Time { return time.Date(2000, 2, day, hour, 0, 0, 0, time.UTC) }
			w.Pass(time.Until(at(2, 12)))
			w.Manages(town.Eva, here, "final", "on")
			for _, player := range []string{town.Eva, town.Ota} {
				_, tab := begins(t, w, player)
				plays(t, w, player, tab)
			}
			w.Pass(time.Until(at(6, 18).Add(time.Minute)))
			for _, player := range c.in {
				w.Presses(player, here, town.Press("finalin:2000-02-06:"+here))
			}
			w.Pass(time.Until(at(6, 20).Add(-time.Second)))
			final := func() (f daily.Final) {
				w.Get(doc.InHome(here, "final:"+here), &f)
				return f
			}
			if c.busy > 0 {
				tab := w.Sit(here, "4", "test:jan", "test:ida")
				for end := time.Now().Add(c.busy); time.Now().Before(end); {
					w.Command("test:jan", here, "table") // so that the lobby isn't abandoned
					w.Pass(time.Minute)
				}
				if got := final().Result; (got == "busy") != (c.want == "busy") || got == "plays" {
					t.Errorf("%s: while it is open the result is %q", c.name, got)
				}
				w.Presses("test:jan", here, town.Press("close:"+tab.ID))
			}
			w.Pass(10 * time.Minute)
			if f := final(); f.Result != c.want {
				t.Errorf("%s: %+v", c.name, f)
			}
		})
	}
}

// If the bot doesn't run when the match should begin, the players don't wait for it: it begins soon after, or not at all.
func TestFinalAfterAnOutage(t *testing.T) {
	t.Parallel()
	for outage, want := range map[time.Duration]string{time.Hour: "plays", 12 * time.Hour: "missed"} {
		town.In(t, func(t *testing.T, w *town.Town) {
			at := func(day, hour int) time.Time { return time.Date(2000, 2, day, hour, 0, 0, 0, time.UTC) }
			w.Pass(time.Until(at(2, 12)))
			w.Manages(town.Eva, here, "final", "on")
			for _, player := range []string{town.Eva, town.Ota} {
				_, tab := begins(t, w, player)
				plays(t, w, player, tab)
			}
			w.Pass(time.Until(at(6, 18).Add(time.Minute)))
			for _, player := range []string{town.Eva, town.Ota} {
				w.Presses(player, here, town.Press("finalin:2000-02-06:"+here))
			}
			w.Pass(time.Until(at(6, 20).Add(-time.Minute)))
			time.Sleep(outage) // nobody does any jobs
			w.Pass(time.Minute)
			var f daily.Final
			if w.Get(doc.InHome(here, "final:"+here), &f); f.Result != want {
				t.Errorf("after %v: %+v", outage, f)
			}
		})
	}
}

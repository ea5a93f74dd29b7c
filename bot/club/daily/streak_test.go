package daily_test

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// A streak survives a missed day and a change of the home's time zone. The deal, its result,
// its board and /stats show it. It is in the export of a person's data.
func TestStreak(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		ask := func(command, press string) chat.Reply {
			in := w.Input(town.Eva, here)
			in.Command, in.Press = command, press
			return w.Handle(t.Context(), in)
		}
		time.Sleep(time.Until(time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)))
		zone := doc.Home{}
		play := func(want int) table.Table {
			t.Helper()
			date, _ := league.CalendarOf(zone).Today(time.Now())
			w.Command(town.Eva, here, "daily")
			var own league.Try
			w.Get(doc.InHome(here, league.TryName(league.Day(here, date), town.Eva)), &own)
			over := plays(t, w, town.Eva, w.Load(own.Table))
			if over.Daily.Streak != want {
				t.Errorf("on %s the streak has %d days, want %d", date, over.Daily.Streak, want)
			}
			return over
		}
		explains := func(over table.Table) bool {
			posts := view.PresentPosts(over.Public(), over.Private, nil, nil)
			return strings.Contains(posts[len(posts)-1].Screen.String(), "Each square is a trick")
		}
		if !explains(play(1)) {
			t.Error("the first result doesn't explain the squares")
		}
		time.Sleep(1 * 24 * time.Hour)
		play(2)
		time.Sleep(2 * 24 * time.Hour) // a missed day
		play(3)
		w.Manages(town.Eva, here, "zone", "cz")
		zone.Zone = "Europe/Prague"
		time.Sleep(time.Until(time.Date(2026, 12, 5, 23, 30, 0, 0, time.UTC))) // the sixth in Prague, but the fifth in UTC
		over := play(4)
		days := "🔥 Streak in days: 4"
		posts := view.PresentPosts(over.Public(), over.Private, nil, nil)
		if text := posts[len(posts)-1].Screen.String(); !strings.Contains(text, days) {
			t.Errorf("the result says %s", text)
		}
		board := ask("", screen.PressOf("daily", over.Daily.Date, here))
		if board.Screen == nil || !strings.Contains(board.Screen.String(), days) || !strings.Contains(board.Screen.String(), "Sedma 2026-12-06 🔥4\n") {
			t.Errorf("the board says %s", board.Screen)
		}
		if r := ask("stats", ""); r.Screen == nil || !strings.Contains(r.Screen.String(), "4-day streak (best 4)") {
			t.Errorf("/stats says %+v", r)
		}
		x := doc.Export{Player: town.Eva, Lists: map[string][]any{}, Maps: map[string]map[string]any{}}
		docs, err := w.Docs.Store.Get(t.Context(), doc.InHome(here, league.StreakName(here, town.Eva)))
		if err == nil {
			err = bot.Kinds()["streak"].Export(&x, docs[0])
		}
		if err != nil || x.Maps["streaks"][here].(league.Streak).Days != 4 {
			t.Errorf("the export has %v, %v", x.Maps, err)
		}
		// Two missed days end the streak. The longest one is still shown.
		time.Sleep(3 * 24 * time.Hour)
		if r := ask("stats", ""); r.Screen == nil || !strings.Contains(r.Screen.String(), "0-day streak (best 4)") {
			t.Errorf("/stats says %+v", r)
		}
		if explains(play(1)) {
			t.Error("the squares are explained a second time")
		}
	})
}

// A result to paste has four lines, and a fifth with the link. It is the same in every
// language, shows no card, and fits into a button.
func TestDailyPaste(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		_, at := begins(t, w, town.Eva)
		over := plays(t, w, town.Eva, at)
		var texts []string
		for _, code := range []string{"en", "cs", "uk"} {
			over.Chats[0].Lang = code
			for i := range over.Seats {
				over.Seats[i].Player.Lang = code
			}
			posts := view.PresentPosts(over.Public(), over.Private, nil, nil)
			for _, post := range posts {
				for _, row := range post.Screen.Rows {
					for _, b := range row {
						if b.Copy != "" {
							texts = append(texts, b.CopyText("https://t.me/a_name_of_32_characters_000000bot?start="+b.Private))
						}
					}
				}
			}
		}
		if len(texts) != 3 || texts[0] != texts[1] || texts[0] != texts[2] {
			t.Fatalf("the results to paste are %q", texts)
		}
		lines := strings.Split(texts[0], "\n")
		if len(lines) != 5 || lines[0] != "Sedma "+over.Daily.Date+" 🔥1" || strings.Trim(lines[1], "🟩⬜") != "" || !strings.HasPrefix(lines[2], "👤 ") ||
			lines[3] != "🤖 …" || !strings.HasSuffix(lines[4], "?start=d-test_here") || utf8.RuneCountInString(texts[0]) > screen.CopyLimit {
			t.Errorf("it is %q", texts[0])
		}
		if tricks := over.Past[len(over.Past)-1].Tricks; utf8.RuneCountInString(lines[1]) != len(tricks) {
			t.Errorf("%s for %d tricks", lines[1], len(tricks))
		}
	})
}

// The link in a pasted result opens the chat's deal for its members, and the reader's own for
// everyone else.
func TestDailyLink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		payload string
		belongs func(context.Context, string) (bool, error)
		home    string
	}{
		{"a member", "d-test_here", func(_ context.Context, home string) (bool, error) { return home == here, nil }, here},
		{"a stranger", "d-test_here", func(context.Context, string) (bool, error) { return false, nil }, town.Eva},
		{"Telegram fails", "d-test_here", func(context.Context, string) (bool, error) { return false, context.DeadlineExceeded }, town.Eva},
		{"a platform that doesn't say", "d-test_here", nil, town.Eva},
		{"a forged link", "d-here", nil, ""},
		{"all homes together", "d-*", nil, ""},
	} {
		town.In(t, func(t *testing.T, w *town.Town) {
			in := w.Input(town.Eva, town.Eva)
			in.Chat = chat.Chat{ID: town.Eva, Home: town.Eva, Private: true, Lang: "en"}
			in.Command, in.Args, in.Belongs = "hello", map[string]string{"payload": c.payload}, c.belongs
			r := w.Handle(t.Context(), in)
			date, _ := league.CalendarOf(doc.Home{}).Today(w.Docs.Now())
			for _, home := range []string{here, town.Eva} {
				var own league.Try
				w.Get(doc.InHome(home, league.TryName(league.Day(home, date), town.Eva)), &own)
				if (own.Table != "") != (home == c.home) {
					t.Errorf("%s: a try in %s: %v; %+v", c.name, home, own.Table != "", r)
				}
			}
		})
	}
}

// A private chat is in the time zone of the chat where its person last took a seat, or in the one that they have chosen.
func TestAPrivateChatHasAZone(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		begins := func(at time.Time, date string) {
			t.Helper()
			time.Sleep(time.Until(at))
			w.Command(town.Eva, town.Eva, "daily")
			var own league.Try
			if w.Get(doc.InHome(town.Eva, league.TryName(league.Day(town.Eva, date), town.Eva)), &own) == 0 {
				t.Fatalf("at %s, no deal of %s has begun", at, date)
			}
			if over := plays(t, w, town.Eva, w.Load(own.Table)); over.Daily.Date != date {
				t.Error(over.Daily)
			}
		}
		at := func(day, hour int) time.Time { return time.Date(2026, 12, day, hour, 30, 0, 0, time.UTC) }
		begins(at(2, 23), "2026-12-02")
		w.Manages(town.Ann, here, "zone", "cz")
		w.Sit(here, "sedma-2p", town.Ann, town.Eva)
		begins(at(3, 23), "2026-12-04")
		w.Manages(town.Ann, here, "zone", "utc") // it is the zone of the chat when they took the seat
		for _, v := range [][2]string{{"utc", "2026-12-05"}, {"fi", "2026-12-06"}} {
			if r := w.Presses(town.Eva, town.Eva, town.OwnSetting("zone", v[0], "")); !strings.Contains(r.Screen.String(), "Time zone") {
				t.Errorf("the settings say %s", r.Screen)
			}
			begins(at(5, 22), v[1])
		}
		w.Presses(town.Eva, town.Eva, town.OwnSetting("zone", "auto", ""))
		begins(at(6, 23), "2026-12-07")
		if r := w.Command(town.Eva, town.Eva, "stats"); !strings.Contains(r.Screen.String(), "5-day streak") {
			t.Errorf("/stats says %s", r.Screen)
		}
	})
}

package tournaments_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/tournaments"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/store"
)

// evenings returns the stored evenings of a home and their id.
func evenings(t *testing.T, w *town.Town, home string) (e tournaments.Evenings, id string) {
	t.Helper()
	docs, _, err := w.Docs.Store.Scan(t.Context(), store.Partition(home), "evenings:", "")
	if err != nil || len(docs) > 1 {
		t.Fatal(len(docs), err)
	}
	if len(docs) == 1 {
		_, id = doc.KindAndRest(docs[0].Key.Name)
		if err := doc.Decode(docs[0], &e); err != nil {
			t.Fatal(err)
		}
	}
	return e, id
}

// evening presses a button of the club's first evening.
func evening(t *testing.T, w *town.Town, player, what string) chat.Reply {
	t.Helper()
	e, id := evenings(t, w, eveningHome)
	r := w.Asks(player, eveningHome, town.Press(screen.PressOf("evening", id, what, fmt.Sprintf("%d-%d", e.List[0].No, e.List[0].At.Unix()))))
	if r.Outcome == chat.Failed {
		t.Fatal(what, r.Err)
	}
	return r
}

const eveningHome = "test:evening"

// planned plans a weekly evening in a home in Prague, as its manager.
func planned(t *testing.T, w *town.Town, args ...string) chat.Reply {
	in := w.Input("test:ann", eveningHome)
	in.Admin, in.Command, in.Args = true, "tournament", map[string]string{"kind": "singles"}
	for i := 0; i+1 < len(args); i += 2 {
		in.Args[args[i]] = args[i+1]
	}
	r := w.Handle(t.Context(), in)
	if r.Screen == nil {
		return r
	}
	in.Command, in.Args, in.Press = "", nil, r.Screen.Rows[0][0].Press
	return w.Handle(t.Context(), in)
}

// A weekly tournament comes up three times: with enough people, with too few, and again with
// enough. It is always at the same time of day, although the clocks change in between.
func TestAWeeklyTournamentRunsThreeTimes(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		prague, err := time.LoadLocation("Europe/Prague")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(time.Date(2000, 3, 15, 12, 0, 0, 0, prague))) // a Wednesday; the clocks change on the 26th
		w.Manages("test:ann", eveningHome, "zone", "cz")
		if r := planned(t, w, "when", "Friday 20:00", "repeat", "weekly"); r.Outcome != chat.Done {
			t.Fatal(r.Toast)
		}
		w.Pass(time.Minute)
		if w.Chats.Shows("Begins: Friday 17 Mar 2000 20:00 CET, and then every week") != 1 {
			t.Fatalf("the message: %v", w.Chats.Standing())
		}
		w.Has(w.Command("test:ben", eveningHome, "evening"), "Friday 17 Mar 2000 20:00 CET", "1. Sign up")
		w.Has(w.Command("test:ben", eveningHome, "tournament"), "[Pairs] [Singles]", "Friday 17 Mar 2000 20:00 CET", "1. Sign up")
		w.Manages("test:ann", eveningHome, "openers", "admins")
		w.Has(w.Command("test:ben", eveningHome, "tournament"), "only its managers can open tables", "1. Sign up")
		for week, people := range []int{4, 1, 5} {
			e, _ := evenings(t, w, eveningHome)
			at := e.List[0].At
			if want := time.Date(2000, 3, 17+7*week, 20, 0, 0, 0, prague); !at.Equal(want) {
				t.Fatalf("week %d begins at %v, want %v", week, at, want)
			}
			w.Pass(time.Until(at) - time.Hour)
			if got := w.Chats.Shows("Entries: 0"); got != 1 {
				t.Fatalf("week %d: %d lists to sign up", week, got)
			}
			for i := range people {
				if r := evening(t, w, fmt.Sprintf("test:p%d", i), "join"); r.Outcome != chat.Done {
					t.Fatal(r.Toast)
				}
			}
			w.Chats.Deliveries()
			w.Pass(50 * time.Minute)
			if called := w.Chats.Notified(); len(called) != people || w.Chats.Shows("begins soon") != 1 {
				t.Errorf("week %d: called %v of %d", week, called, people)
			}
			w.Pass(11 * time.Minute)
			if w.Chats.Shows("begins soon") != 0 {
				t.Errorf("week %d: the call is still there", week)
			}
			if people < 4 {
				if w.Chats.Shows("too few players signed up (1, at least 3 are needed)") != 1 {
					t.Errorf("week %d: %v", week, w.Chats.Standing())
				}
				continue
			}
			id := opened(t, w, eveningHome)
			d := load(t, w, id)
			if len(d.Entrants) != people || d.Stage != tournaments.StageRound {
				t.Fatalf("week %d: %+v", week, d)
			}
			for range 120 {
				if w.Pass(time.Minute); d.Ended() {
					break
				}
				d = load(t, w, id)
			}
			if d.Stage != tournaments.StageOver {
				t.Errorf("week %d: stage %s", week, d.Stage)
			}
		}
		// A press on the message of an evening that is over doesn't sign anyone up for the next one.
		e, id := evenings(t, w, eveningHome)
		in := w.Input("test:p0", eveningHome)
		in.Press = screen.PressOf("evening", id, "join", fmt.Sprintf("1-%d", e.Past[0].At.Unix()))
		if r := w.Handle(t.Context(), in); r.Outcome != chat.Refused || !strings.Contains(r.Toast, "passed") {
			t.Errorf("an old list: %q", r.Toast)
		}
	})
}

// An organiser calls off one evening, then the series. Its message and the list say so. Others may not.
func TestAnEveningIsCalledOff(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		planned(t, w, "when", "monday 20:00", "repeat", "weekly")
		w.Pass(time.Minute)
		first, _ := evenings(t, w, eveningHome)
		if r := evening(t, w, "test:ben", "skip"); r.Outcome != chat.Refused {
			t.Errorf("a guest called it off: %q", r.Toast)
		}
		w.Has(evening(t, w, "test:ann", "off"), "Only this one", "This and all later")
		evening(t, w, "test:ann", "skip")
		w.Pass(time.Minute)
		then, _ := evenings(t, w, eveningHome)
		if len(then.List) != 1 || !then.List[0].At.Equal(first.List[0].At.AddDate(0, 0, 7)) || w.Chats.Shows("It was called off.") != 1 {
			t.Fatalf("after one was called off: %+v, %v", then.List, w.Chats.Standing())
		}
		evening(t, w, "test:ann", "stop")
		w.Has(w.Command("test:ben", eveningHome, "evening"), "Nothing is planned here.")
		w.Pass(30 * 24 * time.Hour)
		if e, id := evenings(t, w, eveningHome); id != "" {
			t.Errorf("still stored: %+v", e)
		}
		if w.Chats.Shows("Begins") != 0 {
			t.Errorf("a message of the stopped series: %v", w.Chats.Standing())
		}
	})
}

// A time that can't be understood, or is too far away, is refused with an example. Only a
// manager plans a weekly evening, and a home has at most four.
func TestPlansThatAreRefused(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		for when, want := range map[string]string{
			"sometime": "for example: !tournament-en friday 20:00", "friday": "for example", "friday 25:00": "for example", "friday saturday 20:00": "for example", "sunday 2000-01-09 20:00": "for example",
			"1999-12-31 20:00": "for example", "2000-13-01 20:00": "for example", "2000-12-01 20:00": "too far ahead",
		} {
			if r := planned(t, w, "when", when); r.Outcome != chat.Refused || !strings.Contains(r.Toast, want) {
				t.Errorf("%s: %q", when, r.Toast)
			}
		}
		if r := w.Command("test:ben", eveningHome, "tournament", "when", "20:00", "repeat", "weekly"); r.Outcome != chat.Refused {
			t.Errorf("a guest planned a weekly one: %q", r.Toast)
		}
		in := w.Input("test:ben", eveningHome) // in their language
		in.Player.Lang, in.Command, in.Args = "cs", "evening", map[string]string{"when": "pátek 20:00 Týdně"}
		if r := w.Handle(t.Context(), in); r.Toast != lang.For("cs").Text("reply.admin_only") {
			t.Errorf("a guest planned a weekly one in Czech: %q", r.Toast)
		}
		for i, when := range []string{"fri 8pm", "Saturday, 20.30", "2000-01-20 20h00", "12am", "20"} {
			if r := planned(t, w, "when", when); (r.Outcome == chat.Done) != (i < 4) {
				t.Errorf("%s: %q", when, r.Toast)
			}
		}
		e, _ := evenings(t, w, eveningHome)
		var got []string
		for _, v := range e.List {
			got = append(got, v.At.UTC().Format("Mon 2006-01-02 15:04"))
		}
		want := "Fri 2000-01-07 20:00, Sat 2000-01-01 20:30, Thu 2000-01-20 20:00, Sun 2000-01-02 00:00"
		if strings.Join(got, ", ") != want {
			t.Errorf("planned %v, want %s", got, want)
		}
	})
}

// A time that the change of the clocks skips is later on that day only: on the days before and after, it is as asked for.
func TestATimeThatTheClocksSkip(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		prague, err := time.LoadLocation("Europe/Prague")
		if err != nil {
			t.Fatal(err)
		}
		at := func(day int) { time.Sleep(time.Until(time.Date(2000, 3, day, 12, 0, 0, 0, prague))) }
		plan := func(when string) {
			if r := planned(t, w, "when", when, "repeat", "weekly"); r.Outcome != chat.Done {
				t.Error(r.Toast)
			}
		}
		check := func(want ...string) {
			t.Helper()
			w.Pass(time.Minute)
			e, _ := evenings(t, w, eveningHome)
			var all []string
			for _, v := range e.List {
				all = append(all, v.At.In(prague).Format("01-02 15:04"))
			}
			if diff := cmp.Diff(want, all); diff != "" {
				t.Error(diff)
			}
		}
		at(18) // a Saturday; 02:30 is skipped on the 26th
		w.Manages("test:ann", eveningHome, "zone", "cz")
		plan("sunday 02:30")
		check("03-19 02:30")
		at(25)
		plan("monday 02:30")
		plan("sunday 02:30")
		check("03-26 03:30", "03-27 02:30", "03-26 03:30")
		at(28)
		check("04-02 02:30", "04-03 02:30", "04-02 02:30")
	})
}

// A tournament that nobody has entered makes room for an evening. One with people doesn't.
func TestAnEmptyTournamentMakesRoomForAnEvening(t *testing.T) {
	t.Parallel()
	for _, entered := range []bool{false, true} {
		town.In(t, func(t *testing.T, w *town.Town) {
			if r := planned(t, w, "when", "Friday 20:00"); r.Outcome != chat.Done {
				t.Fatal(r.Toast)
			}
			e, _ := evenings(t, w, eveningHome)
			at := e.List[0].At
			for i := range 6 {
				evening(t, w, fmt.Sprintf("test:p%d", i), "join")
			}
			w.Pass(time.Until(at) - time.Hour)
			w.Asks("test:cat", eveningHome, town.Press("cup:new:open:singles"))
			lobby := opened(t, w, eveningHome)
			if entered {
				w.Asks("test:cat", eveningHome, town.Press(screen.PressOf("cup", lobby, "join", "new")))
			}
			w.Pass(time.Hour + time.Minute)
			id := opened(t, w, eveningHome)
			if d := load(t, w, id); (d.Stage == tournaments.StageRound) == entered || (id == lobby) != entered || load(t, w, lobby).Ended() == entered {
				t.Errorf("entered %v: %+v", entered, d)
			}
		})
	}
}

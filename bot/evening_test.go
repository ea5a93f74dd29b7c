package bot

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/tournaments"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// club is a platform whose homes have a calendar. It keeps the text of each message.
type club struct {
	*chats
	mu     sync.Mutex
	texts  map[chat.Address]string
	called []string // people whom new messages notified
	events map[string]chat.Event
	closed bool // the bot may not write in the calendar
}

func (p *club) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	at, err := p.chats.Send(ctx, to, s, nonce)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts[at] = s.String()
	for _, who := range s.Notify {
		p.called = append(p.called, who.Name)
	}
	return at, err
}

func (p *club) Edit(ctx context.Context, at chat.Address, s screen.Screen) error {
	p.mu.Lock()
	p.texts[at] = s.String()
	p.mu.Unlock()
	return p.chats.Edit(ctx, at, s)
}

func (p *club) Delete(ctx context.Context, at chat.Address) error {
	p.mu.Lock()
	delete(p.texts, at)
	p.mu.Unlock()
	return p.chats.Delete(ctx, at)
}

func (p *club) Abilities() chat.Abilities { return chat.Abilities{Calendar: p} }

func (p *club) PutEvent(_ context.Context, e chat.Event) (string, error) {
	if p.closed {
		return "", &chat.DeliveryError{Fault: chat.Unreachable}
	}
	id := fmt.Sprint(e.Start.Unix())
	p.events[id] = e
	return id, nil
}

func (p *club) DropEvent(_ context.Context, _, id string) error {
	delete(p.events, id)
	return nil
}

// shows counts the messages that contain the words.
func (p *club) shows(words string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.texts {
		if strings.Contains(text, words) {
			n++
		}
	}
	return n
}

// inClub runs f with a bot on a platform with a calendar.
func inClub(t *testing.T, f func(t *testing.T, w *town, p *club)) {
	inMemory(t, func(t *testing.T, s *storetest.Memory) {
		p := &club{chats: &chats{}, texts: map[chat.Address]string{}, events: map[string]chat.Event{}}
		w := &town{t: t, chats: p.chats}
		w.Bot = New(Config{Store: s, Platforms: []chat.Platform{p}, Think: easy, Worlds: 2, Log: slog.New(slog.DiscardHandler), Now: time.Now})
		f(t, w, p)
	})
}

// evenings returns the stored evenings of a home and their id.
func (w *town) evenings(home string) (e tournaments.Evenings, id string) {
	w.t.Helper()
	docs, _, err := w.docs.Store.Scan(w.t.Context(), store.Partition(home), "evenings:", "")
	if err != nil || len(docs) > 1 {
		w.t.Fatal(len(docs), err)
	}
	if len(docs) == 1 {
		_, id = doc.KindAndRest(docs[0].Key.Name)
		if err := doc.Decode(docs[0], &e); err != nil {
			w.t.Fatal(err)
		}
	}
	return e, id
}

// evening presses a button of a home's first evening.
func (w *town) evening(player, home, what string) chat.Reply {
	w.t.Helper()
	e, id := w.evenings(home)
	in := w.in(player, home)
	in.Press = screen.PressOf("evening", id, what, fmt.Sprintf("%d-%d", e.List[0].No, e.List[0].At.Unix()))
	r := w.Handle(w.t.Context(), in)
	if r.Outcome == chat.Failed {
		w.t.Fatal(what, r.Err)
	}
	return r
}

const eveningHome = "test:evening"

// planned plans a weekly evening in a home in Prague, as its manager.
func planned(w *town, args ...string) chat.Reply {
	in := w.in("test:ann", eveningHome)
	in.Admin, in.Command, in.Args = true, "evening", map[string]string{"kind": "singles"}
	for i := 0; i+1 < len(args); i += 2 {
		in.Args[args[i]] = args[i+1]
	}
	r := w.Handle(w.t.Context(), in)
	if r.Screen == nil {
		return r
	}
	in.Command, in.Args, in.Press = "", nil, r.Screen.Rows[0][0].Press
	return w.Handle(w.t.Context(), in)
}

// A weekly tournament comes up three times: with enough people, with too few, and again with
// enough. It is always at the same time of day, although the clocks change in between.
func TestAWeeklyTournamentRunsThreeTimes(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		prague, err := time.LoadLocation("Europe/Prague")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(time.Date(2000, 3, 15, 12, 0, 0, 0, prague))) // a Wednesday; the clocks change on the 26th
		w.manages("test:ann", eveningHome, "zone", "cz")
		if r := planned(w, "when", "Friday 20:00", "repeat", "weekly"); r.Outcome != chat.Done {
			t.Fatal(r.Toast)
		}
		w.pass(time.Minute)
		if p.shows("Begins: Friday 2000-03-17 20:00 CET, and then every week") != 1 || len(p.events) != 1 {
			t.Fatalf("the message and the calendar: %v, %v", p.texts, p.events)
		}
		w.has(w.command("test:ben", eveningHome, "evening"), "Friday 2000-03-17 20:00 CET", "1. Take part")
		for week, people := range []int{4, 1, 5} {
			e, _ := w.evenings(eveningHome)
			at := e.List[0].At
			if want := time.Date(2000, 3, 17+7*week, 20, 0, 0, 0, prague); !at.Equal(want) {
				t.Fatalf("week %d begins at %v, want %v", week, at, want)
			}
			w.pass(time.Until(at) - time.Hour)
			if got := p.shows("Entered: 0"); got != 1 {
				t.Fatalf("week %d: %d lists to sign up", week, got)
			}
			for i := range people {
				if r := w.evening(fmt.Sprintf("test:p%d", i), eveningHome, "join"); r.Outcome != chat.Done {
					t.Fatal(r.Toast)
				}
			}
			p.called = nil
			w.pass(50 * time.Minute)
			if len(p.called) != people || p.shows("begins soon") != 1 {
				t.Errorf("week %d: called %v of %d", week, p.called, people)
			}
			p.chats.count("")
			w.pass(11 * time.Minute)
			var h doc.Home
			docs, err := w.docs.Store.Get(t.Context(), doc.HomeKey(eveningHome))
			if err != nil || doc.Decode(docs[0], &h) != nil {
				t.Fatal(err)
			}
			if p.shows("begins soon") != 0 {
				t.Errorf("week %d: the call is still there", week)
			}
			if people < 4 {
				if p.shows("too few players signed up (1, at least 4 are needed)") != 1 {
					t.Errorf("week %d: %v", week, p.texts)
				}
				continue
			}
			d, _, err := w.cup.Load(t.Context(), h.Cup)
			if err != nil || len(d.Entrants) != people || d.Stage != tournaments.StageRound {
				t.Fatalf("week %d: %+v, %v", week, d, err)
			}
			for range 120 {
				if w.pass(time.Minute); d.Ended() {
					break
				}
				if d, _, err = w.cup.Load(t.Context(), h.Cup); err != nil {
					t.Fatal(err)
				}
			}
			if d.Stage != tournaments.StageOver {
				t.Errorf("week %d: stage %s", week, d.Stage)
			}
		}
		// A press on the message of an evening that is over doesn't sign anyone up for the next one.
		e, id := w.evenings(eveningHome)
		in := w.in("test:p0", eveningHome)
		in.Press = screen.PressOf("evening", id, "join", fmt.Sprintf("1-%d", e.Past[0].At.Unix()))
		if r := w.Handle(t.Context(), in); r.Outcome != chat.Refused || !strings.Contains(r.Toast, "passed") {
			t.Errorf("an old list: %q", r.Toast)
		}
	})
}

// An organiser calls off one evening, then the series. Its message, the calendar and the list
// say so. Others may not.
func TestAnEveningIsCalledOff(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		planned(w, "when", "monday 20:00", "repeat", "weekly")
		w.pass(time.Minute)
		first, _ := w.evenings(eveningHome)
		if r := w.evening("test:ben", eveningHome, "skip"); r.Outcome != chat.Refused {
			t.Errorf("a guest called it off: %q", r.Toast)
		}
		w.has(w.evening("test:ann", eveningHome, "off"), "Only this one", "This and all later")
		w.evening("test:ann", eveningHome, "skip")
		w.pass(time.Minute)
		then, _ := w.evenings(eveningHome)
		if len(then.List) != 1 || !then.List[0].At.Equal(first.List[0].At.AddDate(0, 0, 7)) || p.shows("It was called off.") != 1 || len(p.events) != 0 {
			t.Fatalf("after one was called off: %+v, %v, %v", then.List, p.texts, p.events)
		}
		w.evening("test:ann", eveningHome, "stop")
		w.has(w.command("test:ben", eveningHome, "evening"), "Nothing is planned here.")
		w.pass(30 * 24 * time.Hour)
		if e, id := w.evenings(eveningHome); id != "" {
			t.Errorf("still stored: %+v", e)
		}
		if p.shows("Begins") != 0 {
			t.Errorf("a message of the stopped series: %v", p.texts)
		}
	})
}

// A home has evenings even if it has no calendar, or if the bot may not write in it. Each
// evening is entered only once, even if that fails.
func TestAnEveningNeedsNoCalendar(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		p.closed = true
		planned(w, "when", "20:00")
		w.pass(time.Minute)
		if e, _ := w.evenings(eveningHome); !e.List[0].Plain || p.shows("Begins") != 1 {
			t.Errorf("%+v, %v", e, p.texts)
		}
	})
}

// A time that can't be understood, or is too far away, is refused with an example. Only a
// manager plans a weekly evening, and a home has at most four.
func TestPlansThatAreRefused(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, _ *club) {
		for when, want := range map[string]string{
			"sometime": "for example: !evening-en friday 20:00", "friday": "for example", "friday 25:00": "for example", "friday saturday 20:00": "for example",
			"1999-12-31 20:00": "for example", "2000-13-01 20:00": "for example", "2000-12-01 20:00": "next 60 days",
		} {
			if r := planned(w, "when", when); r.Outcome != chat.Refused || !strings.Contains(r.Toast, want) {
				t.Errorf("%s: %q", when, r.Toast)
			}
		}
		if r := w.command("test:ben", eveningHome, "evening", "when", "20:00", "repeat", "weekly"); r.Outcome != chat.Refused {
			t.Errorf("a guest planned a weekly one: %q", r.Toast)
		}
		in := w.in("test:ben", eveningHome) // in their language
		in.Player.Lang, in.Command, in.Args = "cs", "evening", map[string]string{"when": "pátek 20:00 Týdně"}
		if r := w.Handle(t.Context(), in); r.Toast != lang.For("cs").Text("reply.admin_only") {
			t.Errorf("a guest planned a weekly one in Czech: %q", r.Toast)
		}
		for i, when := range []string{"fri 8pm", "Saturday, 20.30", "2000-01-20 20h00", "12am", "20"} {
			if r := planned(w, "when", when); (r.Outcome == chat.Done) != (i < 4) {
				t.Errorf("%s: %q", when, r.Toast)
			}
		}
		e, _ := w.evenings(eveningHome)
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

package bot

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
)

// poster is a platform that keeps every message as people see it.
type poster struct {
	chats
	mu    sync.Mutex
	shown map[chat.Address]screen.Screen
	place map[chat.Address]string // where each message is
	log   []posting
}

// posting is a message that was sent or edited, or deleted.
type posting struct {
	verb    string // "send", "edit" or "delete"
	to      string // a chat or a person
	message chat.Address
	text    string
}

func (p *poster) Send(_ context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := chat.Address("test:" + nonce)
	p.shown[a], p.place[a] = s, to.Chat+to.Player
	p.log = append(p.log, posting{"send", p.place[a], a, s.String()})
	return a, nil
}

func (p *poster) Edit(_ context.Context, a chat.Address, s screen.Screen) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown[a] = s
	p.log = append(p.log, posting{"edit", p.place[a], a, s.String()})
	return nil
}

func (p *poster) Delete(_ context.Context, a chat.Address) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.shown, a)
	p.log = append(p.log, posting{verb: "delete", message: a})
	return nil
}

// postings returns the messages that were sent, edited and deleted since the last call.
func (p *poster) postings() []posting {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.log
	p.log = nil
	return out
}

// Posts returns the same as text. Only a message that was sent has its chat.
func (p *poster) posts() (out []string) {
	for _, post := range p.postings() {
		switch post.verb {
		case "send":
			out = append(out, "send "+post.to+"\n"+post.text)
		case "edit":
			out = append(out, "edit\n"+post.text)
		default:
			out = append(out, post.verb)
		}
	}
	return out
}

// onWall lets the shell show its messages on a wall.
func (w *shell) onWall() *poster {
	p := &poster{shown: map[chat.Address]screen.Screen{}, place: map[chat.Address]string{}}
	store, now := w.docs.Store, w.docs.Now
	w.Bot = New(Config{
		Store: store, Platforms: []chat.Platform{p}, Worlds: 20, Log: slog.New(slog.DiscardHandler), Now: now,
		Think: func(_ context.Context, level string, v game.View, m game.Match) game.Move { return choose(level, v, m) },
		Seed: func() (seed table.Seed) {
			w.seeds++
			seed[7] = byte(w.seeds)
			return seed
		},
	})
	return p
}

// runs does all jobs of a kind that are due now.
func (w *shell) runs(kind string) {
	w.t.Helper()
	for range 100 {
		jobs, _, err := w.docs.Store.Claim(w.t.Context(), w.now, work.Lease, 10)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(jobs) == 0 {
			return
		}
		for _, job := range jobs {
			if doc.KindOf(job.ID) == kind {
				w.queue.Work(w.t.Context(), job, w.now.Add(work.Lease))
			} else if err := w.docs.Store.Release(w.t.Context(), job, w.now, w.now.Add(time.Minute)); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.t.Fatal("the jobs don't end")
}

// until goes to a time, and does the jobs of morning posts that become due, hour by hour.
func (w *shell) until(at time.Time) {
	for w.now.Before(at) {
		w.now = w.now.Add(time.Hour)
		w.runs("news")
	}
}

// asks changes a setting of the home as its manager.
func (w *shell) asks(admin bool, what, value string) chat.Reply {
	in := w.input("test:eva", here)
	in.Admin, in.Press = admin, homeSetting(what, value, here).String()
	return w.Handle(w.t.Context(), in)
}

// If its managers asked for it, a chat gets yesterday's board at the hour that they chose, in
// its time zone. There is one message. It is edited if the bot did nothing else in the chat
// since; otherwise it is sent again. Its button turns it off.
func TestMorningBoard(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	p := w.onWall()
	w.now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) // a Tuesday
	w.zone("cz")
	if r := w.asks(false, "morning", "9"); r.Outcome != chat.Refused {
		t.Errorf("someone who doesn't manage the chat: %+v", r)
	}
	play := func() {
		t.Helper()
		in := w.input("test:eva", here)
		in.Command = "daily"
		w.Handle(t.Context(), in)
		var own league.Try
		date, _ := league.CalendarOf(doc.Home{Zone: "Europe/Prague"}).Today(w.now)
		w.get(doc.InHome(here, league.TryName(league.Day(here, date), "test:eva")), &own)
		at, err := w.tables.Load(t.Context(), own.Table)
		if err != nil {
			t.Fatal(err)
		}
		w.plays("test:eva", at)
	}
	posts := func(when string, want ...string) {
		t.Helper()
		got := p.posts()
		ok := len(got) == len(want)
		for i := range want {
			ok = ok && strings.HasPrefix(got[i], want[i])
		}
		if !ok {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	play()
	w.until(time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC))
	posts("nobody asked")
	if r := w.asks(true, "morning", "9"); r.Outcome != chat.Done {
		t.Fatalf("%+v", r)
	}
	play()
	w.until(time.Date(2026, 12, 3, 7, 0, 0, 0, time.UTC))
	posts("at 8:00 in Prague")
	w.until(time.Date(2026, 12, 3, 8, 0, 0, 0, time.UTC))
	posts("at 9:00 in Prague", "send test:here\nDeal of the day, 2 Dec 2026")
	play()
	w.until(time.Date(2026, 12, 4, 12, 0, 0, 0, time.UTC))
	posts("nothing came between", "edit\nDeal of the day, 3 Dec 2026")
	w.until(time.Date(2026, 12, 5, 12, 0, 0, 0, time.UTC))
	posts("nobody played")
	play()
	w.called("test:ota", "")
	rules, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w.playOut(rules, 1)
	p.posts()
	w.until(time.Date(2026, 12, 6, 12, 0, 0, 0, time.UTC))
	posts("a match came between", "send test:here\nDeal of the day, 5 Dec 2026", "delete")
	if len(p.shown) != 1 {
		t.Errorf("%d messages are left", len(p.shown))
	}
	var d boards.Morning
	w.get(doc.InHome(here, "news:"+here), &d)
	in := w.input("test:eva", here)
	in.Press = screen.PressOf("silence", d.ID)
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Refused {
		t.Errorf("the button for someone who doesn't manage the chat: %+v", r)
	}
	in.Admin = true
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
		t.Errorf("the button: %+v", r)
	}
	play()
	w.until(time.Date(2026, 12, 8, 12, 0, 0, 0, time.UTC))
	posts("it was turned off")
}

// The page of the week comes on Monday, and is about the week before.
func TestPageOfTheWeek(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	p := w.onWall()
	w.now = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC) // a Wednesday
	rules, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w.playOut(rules, 0)
	w.until(time.Date(2026, 12, 8, 12, 0, 0, 0, time.UTC))
	if got := p.posts(); len(got) > 0 {
		t.Errorf("nobody asked: %q", got)
	}
	if r := w.asks(true, "weekly", "on"); r.Outcome != chat.Done {
		t.Fatalf("%+v", r)
	}
	over := w.playOut(rules, 0)
	w.until(time.Date(2026, 12, 14, 8, 0, 0, 0, time.UTC))
	if got := p.posts(); len(got) > 0 {
		t.Errorf("before Monday at 9:00: %q", got)
	}
	w.until(time.Date(2026, 12, 20, 12, 0, 0, 0, time.UTC))
	got := p.posts()
	if len(got) != 1 || !strings.HasPrefix(got[0], "send test:here\nThe week from 7 Dec 2026 to 13 Dec 2026\n") {
		t.Fatalf("%q", got)
	}
	winner := over.Seats[over.Match.Winner].Player.ID
	for _, want := range []string{"Champion: " + winner + ", +", "Played most: test:", ", 1 match", "The trick worth most: test:", "Stop these posts"} {
		if !strings.Contains(got[0], want) {
			t.Errorf("it lacks %q: %s", want, got[0])
		}
	}
	w.until(time.Date(2026, 12, 29, 12, 0, 0, 0, time.UTC))
	if got := p.posts(); len(got) > 0 {
		t.Errorf("a week without matches: %q", got)
	}
}

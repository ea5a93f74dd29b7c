package bot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/store"
)

// tends does all jobs that are due now.
func (w *shell) tends() {
	w.t.Helper()
	var last []store.Job
	for range 300 {
		jobs, _, err := w.docs.Store.Claim(w.t.Context(), w.now, work.Lease, 50)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(jobs) == 0 {
			return
		}
		last = jobs
		w.now = w.now.Add(100 * time.Millisecond)
		for _, job := range jobs {
			w.queue.Work(w.t.Context(), job, w.now.Add(work.Lease))
		}
	}
	w.t.Fatalf("the jobs don't end: %+v", last)
}

// asked is a list of the things that people and chats asked for in the month.
type asked struct {
	boards, weeks map[string]bool         // chats that want yesterday's board, or the page of the week
	listed        map[string]bool         // people who want to be told of new tables
	sits          map[string]bool         // people who ask for a game of their own this hour
	opened        map[string]bool         // chats with a table this hour
	added         map[string]int          // by chat: how many welcomes it is to have
	kinds         map[chat.Address]string // by message: what it is
	got           map[string]int          // number of messages by what was done and by kind
}

// kindOf returns what a message is, by its text.
func kindOf(text string) string {
	switch {
	case strings.Contains(text, "Hello! I deal cards."):
		return "welcome"
	case strings.Contains(text, "a table is open here."):
		return "call"
	case strings.HasPrefix(text, "The week from"):
		return "week"
	case strings.Contains(text, "Stop these posts"):
		return "board"
	}
	return "table"
}

// wanted reports whether a chat or a person wants a message.
func (m *asked) wanted(kind, to, text string) bool {
	switch kind {
	case "welcome":
		m.added[to]--
		return m.added[to] >= 0
	case "call":
		who, _, _ := strings.Cut(text, ": a table")
		for name := range strings.SplitSeq(who, ", ") {
			if !m.listed[name] {
				return false
			}
		}
		return m.opened[to]
	case "week":
		return m.weeks[to]
	case "board":
		return m.boards[to]
	}
	return m.opened[to] || m.sits[to]
}

// check checks what was sent and edited until that time. An edit must leave a message what it was.
func (m *asked) check(t *testing.T, now time.Time, posts []posting) {
	t.Helper()
	for _, post := range posts {
		if post.verb == "delete" {
			continue
		}
		kind, before := kindOf(post.text), m.kinds[post.message]
		if post.verb == "edit" && (kind != before || kind == "welcome") {
			t.Errorf("%s: a message of the kind %s for %s becomes a %s: %s", now, before, post.to, kind, post.text)
		} else if !m.wanted(kind, post.to, post.text) {
			t.Errorf("%s: unasked: %s to %s, a %s: %s", now, post.verb, post.to, kind, post.text)
		}
		m.kinds[post.message] = kind
		m.got[post.verb+" "+kind]++
	}
}

// proves checks that there were messages of every kind, and a welcome for each addition.
func (m *asked) proves(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"send call", "send board", "send week", "send table", "send welcome", "edit table", "edit board"} {
		if m.got[kind] == 0 {
			t.Errorf("there was no %q, so the test proves nothing: %v", kind, m.got)
		}
	}
	for to, missing := range m.added {
		if missing != 0 {
			t.Errorf("%s has %d welcomes too few", to, missing)
		}
	}
}

// additions are the chats that the bot is in.
type additions struct {
	*shell
	*asked
	since map[string]time.Time // by chat: when the bot was added
}

// report tells the bot that it is in a chat, was added to it or removed from it.
func (a *additions) report(to string, what chat.Presence) {
	a.t.Helper()
	in := chat.Input{Chat: chat.Chat{ID: to, Home: to, Lang: "en"}, Presence: what}
	if what != chat.Removed {
		in.Joined, in.Places, in.Once = a.since[to], []string{to}, to+" added "+a.since[to].String()
	}
	if r := a.Handle(a.t.Context(), in); r.Outcome != chat.Done {
		a.t.Fatalf("%s: %+v", to, r)
	}
}

// start starts the program again: it hears of all chats, as on Discord.
func (a *additions) start() {
	a.t.Helper()
	for _, to := range slices.Sorted(maps.Keys(a.since)) {
		a.report(to, chat.Back)
	}
	a.now = a.now.Add(10 * time.Second) // time for a welcome
}

// day lets a chat add the bot, on every second day while no process runs.
func (a *additions) day(no int) {
	a.t.Helper()
	to := fmt.Sprintf("test:new%d", no%7)
	if _, there := a.since[to]; there {
		a.report(to, chat.Removed)
	}
	a.since[to] = a.now.Add(-time.Minute)
	a.added[to]++
	if no%2 == 0 {
		a.report(to, chat.Added)
	}
	a.start()
}

// Over a month, people in 50 chats open, join and close tables, begin the deal of the day, and
// ask for boards. A chat gets only its own tables, and the boards that it asked for. No message
// turns into another kind of message. A person gets private messages only about tables where
// they sit, and is called only if they are on the list. The program often starts again, and
// chats add and remove the bot: each addition has one welcome, even if it is reported again.
func TestNothingIsSentToThoseWhoDidNotAsk(t *testing.T) {
	t.Parallel()
	const many = 50
	w := newShell(t)
	p := w.onWall()
	w.now = time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC)
	home := func(i int) string {
		if i == 2 {
			return here // where playOut plays
		}
		return fmt.Sprintf("test:chat%d", i)
	}
	rules, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	person := func(i, k int) string { return fmt.Sprintf("test:person%dx%d", i, k) }
	act := func(who, where string, admin bool, command string, press view.Press) chat.Reply {
		t.Helper()
		in := w.input(who, where)
		if in.Admin = admin; command != "" {
			in.Command = command
		} else {
			in.Press = press.String()
		}
		r := w.Handle(t.Context(), in)
		if r.Outcome != chat.Done {
			t.Fatalf("%s, %s %s: %+v", who, command, in.Press, r)
		}
		return r
	}
	set := func(i int, what, value string) {
		act(person(i, 0), home(i), true, "", view.Press{Action: view.ActHome, What: what, Value: value, Home: home(i)})
	}
	m := &asked{boards: map[string]bool{}, weeks: map[string]bool{}, listed: map[string]bool{}, added: map[string]int{}, kinds: map[chat.Address]string{}, got: map[string]int{}}
	bots := &additions{shell: w, asked: m, since: map[string]time.Time{}}
	for i := range many { // what each chat asks for
		bots.since[home(i)] = w.now.Add(-time.Hour)
		switch i % 5 {
		case 1:
			set(i, "morning", "8")
			m.boards[home(i)] = true
		case 2:
			set(i, "weekly", "on")
			m.weeks[home(i)] = true
		case 3:
			act(person(i, 2), home(i), false, "", view.Press{Action: view.ActTell, Table: "t"})
			m.listed[person(i, 2)] = true
		}
	}
	bots.start()
	for hour := range 31 * 24 {
		i := hour * 7 % many
		m.sits, m.opened = map[string]bool{}, map[string]bool{}
		if hour%6 == 0 && i != 2 {
			m.opened[home(i)] = true
			act(person(i, 0), home(i), false, "new", view.Press{})
			w.tends()
			act(person(i, 1), home(i), false, "join", view.Press{})
			m.sits[person(i, 0)], m.sits[person(i, 1)] = true, true
			w.tends()
			act(person(i, 0), home(i), false, "close", view.Press{})
		}
		switch hour % 24 {
		case 20:
			bots.day(hour / 24)
		case 22:
			bots.start()
		}
		if hour%168 == 100 { // a match in a chat that gets the page of the week
			m.opened[here], m.sits["test:eva"], m.sits["test:ota"] = true, true, true
			at := w.playOut(rules, 1)
			w.tends()
			act("test:eva", here, false, "", view.Press{Action: view.ActClose, Table: at.ID})
		}
		if hour%24 == 12 {
			for _, i := range []int{1, 2, 6} { // some play the deal of the day
				who, where := person(i, 1), home(i)
				m.sits[who] = true
				in := w.input(who, where)
				in.Command = "daily"
				w.Handle(t.Context(), in)
				ids, err := w.tables.TablesOf(t.Context(), who)
				w.tends()
				if err == nil {
					ids, err = w.tables.TablesOf(t.Context(), who)
				}
				if err != nil || len(ids) == 0 {
					t.Fatal(ids, err)
				}
				at, err := w.tables.Load(t.Context(), ids[len(ids)-1])
				if err != nil {
					t.Fatal(err)
				}
				w.plays(who, at)
			}
		}
		w.tends()
		m.check(t, w.now, p.postings())
		w.now = w.now.Add(time.Hour)
		m.sits, m.opened = map[string]bool{}, map[string]bool{}
		w.tends()
		m.check(t, w.now, p.postings())
	}
	m.proves(t)
}

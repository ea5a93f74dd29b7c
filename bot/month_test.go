package bot

import (
	"fmt"
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
	boards, weeks map[string]bool // chats that want yesterday's board, or the page of the week
	listed        map[string]bool // people who want to be told of new tables
	sits          map[string]bool // people who ask for a game of their own this hour
	opened        map[string]bool // chats with a table this hour
	got           map[string]int  // number of messages by kind
}

// check checks the new messages at that time.
func (m *asked) check(t *testing.T, now time.Time, posts []string) {
	t.Helper()
	for _, post := range posts {
		line, text, _ := strings.Cut(post, "\n")
		verb, to, _ := strings.Cut(line, " ")
		if verb != "send" {
			continue
		}
		switch {
		case strings.Contains(text, "a table is open here."):
			who, _, _ := strings.Cut(text, ": a table")
			for name := range strings.SplitSeq(who, ", ") {
				if !m.listed[name] || !m.opened[to] {
					t.Errorf("%s is called in %s", name, to)
				}
			}
			m.got["call"]++
		case strings.HasPrefix(text, "The week from"):
			if !m.weeks[to] {
				t.Errorf("%s gets a page of the week", to)
			}
			m.got["week"]++
		case strings.Contains(text, "Stop these posts"):
			if !m.boards[to] {
				t.Errorf("%s gets a board", to)
			}
			m.got["board"]++
		case !m.opened[to] && !m.sits[to]:
			t.Errorf("%s: %s gets: %s", now, to, text)
		default:
			m.got["table"]++
		}
	}
}

// Over a month, people in 50 chats open, join and close tables, begin the deal of the day, and
// ask for boards. A chat gets only its own tables, and the boards that it asked for. A person
// gets private messages only about tables where they sit, and is called only if they are on
// the list.
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
	m := &asked{boards: map[string]bool{}, weeks: map[string]bool{}, listed: map[string]bool{}, got: map[string]int{}}
	for i := range many { // what each chat asks for
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
		m.check(t, w.now, p.posts())
		w.now = w.now.Add(time.Hour)
		m.sits, m.opened = map[string]bool{}, map[string]bool{}
		w.tends()
		m.check(t, w.now, p.posts())
	}
	for _, kind := range []string{"call", "board", "week", "table"} {
		if m.got[kind] == 0 {
			t.Errorf("no message of the kind %q was sent, so it wasn't tested: %v", kind, m.got)
		}
	}
}

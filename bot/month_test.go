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

// month is a month of 50 chats. The field asked has their requests.
type month struct {
	*shell
	*poster
	asked
	rules game.Rules
	since map[string]time.Time // by chat: when the bot was added
}

func newMonth(t *testing.T) *month {
	w := newShell(t)
	rules, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	m := &month{shell: w, poster: w.onWall(), rules: rules, since: map[string]time.Time{}, asked: asked{
		boards: map[string]bool{}, weeks: map[string]bool{}, listed: map[string]bool{}, added: map[string]int{}, kinds: map[chat.Address]string{}, got: map[string]int{},
	}}
	w.now = time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC)
	for i := range manyChats {
		m.since[m.home(i)] = w.now.Add(-time.Hour)
	}
	return m
}

// manyChats is the number of chats in which the bot is all the time.
const manyChats = 50

func (*month) home(i int) string {
	if i == 2 {
		return here // where playOut plays
	}
	return fmt.Sprintf("test:chat%d", i)
}

func (*month) person(i, k int) string { return fmt.Sprintf("test:person%dx%d", i, k) }

// act lets a person give a command or, if it is "", press a button.
func (m *month) act(who, where string, admin bool, command string, press fmt.Stringer) {
	m.t.Helper()
	in := m.input(who, where)
	if in.Admin = admin; command != "" {
		in.Command = command
	} else {
		in.Press = press.String()
	}
	if r := m.Handle(m.t.Context(), in); r.Outcome != chat.Done {
		m.t.Fatalf("%s, %s %s: %+v", who, command, in.Press, r)
	}
}

// present tells the bot that it is in a chat, or no longer.
func (m *month) present(to string, what chat.Presence) {
	m.t.Helper()
	in := chat.Input{Chat: chat.Chat{ID: to, Home: to, Lang: "en"}, Presence: what}
	if what != chat.Removed {
		in.Joined, in.Places, in.Once = m.since[to], []string{to}, to+" added "+m.since[to].String()
	}
	if r := m.Handle(m.t.Context(), in); r.Outcome != chat.Done {
		m.t.Fatalf("%s: %+v", to, r)
	}
}

// starts starts the program again: as on Discord, it hears of all chats in which it is.
func (m *month) starts() {
	m.t.Helper()
	for _, to := range slices.Sorted(maps.Keys(m.since)) {
		m.present(to, chat.Back)
	}
	m.now = m.now.Add(10 * time.Second)
}

// asks lets people ask for what they want to get.
func (m *month) asks() {
	m.t.Helper()
	set := func(i int, what, value string) {
		m.act(m.person(i, 0), m.home(i), true, "", homeSetting(what, value, m.home(i)))
	}
	for i := range manyChats {
		switch i % 5 {
		case 1:
			set(i, "morning", "8")
			m.boards[m.home(i)] = true
		case 2:
			set(i, "weekly", "on")
			m.weeks[m.home(i)] = true
		case 3:
			m.act(m.person(i, 2), m.home(i), false, "", view.Press{Action: view.ActTell, Table: "t"})
			m.listed[m.person(i, 2)] = true
		}
	}
}

// opens opens a table in a chat, lets somebody join, and closes it.
func (m *month) opens(i int) {
	m.t.Helper()
	m.opened[m.home(i)] = true
	m.act(m.person(i, 0), m.home(i), false, "new", view.Press{})
	m.tends()
	m.act(m.person(i, 1), m.home(i), false, "join", view.Press{})
	m.sits[m.person(i, 0)], m.sits[m.person(i, 1)] = true, true
	m.tends()
	m.act(m.person(i, 0), m.home(i), false, "close", view.Press{})
}

// adds adds the bot to a chat, after removing it if it is there. On every other day, no process runs at that time.
func (m *month) adds(day int) {
	m.t.Helper()
	to := fmt.Sprintf("test:new%d", day%7)
	if _, there := m.since[to]; there {
		m.present(to, chat.Removed)
	}
	m.since[to] = m.now.Add(-time.Minute)
	m.added[to]++
	if day%2 == 0 {
		m.present(to, chat.Added)
	}
	m.starts()
}

// match lets two people play a match in a chat that gets the page of the week.
func (m *month) match() {
	m.t.Helper()
	m.opened[here], m.sits["test:eva"], m.sits["test:ota"] = true, true, true
	at := m.playOut(m.rules, 1)
	m.tends()
	m.act("test:eva", here, false, "", view.Press{Action: view.ActClose, Table: at.ID})
}

// daily lets a person of a chat play the deal of the day.
func (m *month) daily(i int) {
	m.t.Helper()
	who := m.person(i, 1)
	m.sits[who] = true
	in := m.input(who, m.home(i))
	in.Command = "daily"
	m.Handle(m.t.Context(), in) // a deal that was played already shows its result
	m.tends()
	ids, err := m.tables.TablesOf(m.t.Context(), who)
	if err != nil || len(ids) == 0 {
		m.t.Fatal(ids, err)
	}
	at, err := m.tables.Load(m.t.Context(), ids[len(ids)-1])
	if err != nil {
		m.t.Fatal(err)
	}
	m.plays(who, at)
}

// hour lets people do what they do in the hour of that number.
func (m *month) hour(n int) {
	m.t.Helper()
	if i := n * 7 % manyChats; n%6 == 0 && i != 2 {
		m.opens(i)
	}
	switch n % 24 {
	case 20:
		m.adds(n / 24)
	case 22:
		m.starts()
	case 12:
		for _, i := range []int{1, 2, 6} {
			m.daily(i)
		}
	}
	if n%168 == 100 {
		m.match()
	}
}

// Over a month, people in 50 chats open, join and close tables, begin the deal of the day, and
// ask for boards. A chat gets only its own tables, and the boards that it asked for. No message
// turns into another kind of message. A person gets private messages only about tables where
// they sit, and is called only if they are on the list. The program often starts again, and
// chats add and remove the bot: each addition has one welcome, even if it is reported again.
func TestNothingIsSentToThoseWhoDidNotAsk(t *testing.T) {
	t.Parallel()
	m := newMonth(t)
	next := func() {
		m.tends()
		m.check(t, m.now, m.postings())
		m.sits, m.opened = map[string]bool{}, map[string]bool{}
	}
	m.starts()
	next()
	m.asks()
	for n := range 31 * 24 {
		m.hour(n)
		next()
		m.now = m.now.Add(time.Hour)
		next()
	}
	for _, kind := range []string{"send call", "send board", "send week", "send table", "send welcome", "edit table", "edit board"} {
		if m.got[kind] == 0 {
			t.Errorf("there was no %q, so it wasn't tested: %v", kind, m.got)
		}
	}
	for to, missing := range m.added {
		if missing != 0 {
			t.Errorf("%s has %d welcomes too few", to, missing)
		}
	}
}

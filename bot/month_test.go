package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/view"
)

// asked is a list of the things that people and chats asked for in the month.
type asked struct {
	boards map[string]bool         // chats that want yesterday's board
	listed map[string]bool         // names of people who want to be told of new tables
	sits   map[string]bool         // people who ask for a game of their own this hour
	opened map[string]bool         // chats with a table this hour
	added  map[string]int          // by chat: how many welcomes it is to have
	kinds  map[chat.Address]string // by message: what it is
	got    map[string]int          // number of messages by what was done and by kind
}

// kindOf returns what a message is, by its text.
func kindOf(text string) string {
	switch {
	case strings.Contains(text, "Hello! I deal cards."):
		return "welcome"
	case strings.Contains(text, "a table is open here."):
		return "call"
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
	case "board":
		return m.boards[to]
	}
	return m.opened[to] || m.sits[to]
}

// check checks what was sent and edited until that time. An edit must leave a message what it was.
func (m *asked) check(t *testing.T, done []town.Delivery) {
	t.Helper()
	for _, d := range done {
		if d.Verb == "delete" {
			continue
		}
		kind, before := kindOf(d.Text), m.kinds[d.Message]
		if d.Verb == "edit" && (kind != before || kind == "welcome") {
			t.Errorf("%s: a message of the kind %s for %s becomes a %s: %s", time.Now(), before, d.To, kind, d.Text)
		} else if !m.wanted(kind, d.To, d.Text) {
			t.Errorf("%s: unasked: %s to %s, a %s: %s", time.Now(), d.Verb, d.To, kind, d.Text)
		}
		m.kinds[d.Message] = kind
		m.got[d.Verb+" "+kind]++
	}
}

// month is a month of 50 chats. The field asked has their requests.
type month struct {
	*town.Town
	asked
	t     *testing.T
	since map[string]time.Time // by chat: when the bot was added
}

func newMonth(t *testing.T, w *town.Town) *month {
	m := &month{Town: w, t: t, since: map[string]time.Time{}, asked: asked{
		boards: map[string]bool{}, listed: map[string]bool{}, added: map[string]int{}, kinds: map[chat.Address]string{}, got: map[string]int{},
	}}
	w.Pass(29 * time.Hour) // till five o'clock
	for i := range manyChats {
		m.since[m.home(i)] = time.Now().Add(-time.Hour)
	}
	return m
}

// manyChats is the number of chats in which the bot is all the time.
const manyChats = 50

func (*month) home(i int) string { return fmt.Sprintf("test:chat%d", i) }

func (*month) person(i, k int) string { return fmt.Sprintf("test:person%dx%d", i, k) }

// act lets a person give a command or, if it is "", press a button.
func (m *month) act(who, where string, admin bool, command string, press fmt.Stringer) {
	m.t.Helper()
	in := m.Input(who, where)
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
	m.Pass(10 * time.Second)
}

// asks lets people ask for what they want to get.
func (m *month) asks() {
	m.t.Helper()
	set := func(i int, what, value string) {
		m.act(m.person(i, 0), m.home(i), true, "", town.HomeSetting(what, value, m.home(i)))
	}
	for i := range manyChats {
		switch i % 5 {
		case 1:
			set(i, "morning", "8")
			m.boards[m.home(i)] = true
		case 3:
			m.act(m.person(i, 2), m.home(i), false, "", view.Press{Action: view.ActTell, Table: "t"})
			m.listed[strings.TrimPrefix(m.person(i, 2), "test:")] = true
		}
	}
}

// opens opens a table in a chat, lets somebody join, and closes it.
func (m *month) opens(i int) {
	m.t.Helper()
	m.opened[m.home(i)] = true
	m.act(m.person(i, 0), m.home(i), false, "new", view.Press{})
	m.Pass(0)
	m.act(m.person(i, 1), m.home(i), false, "join", view.Press{})
	m.sits[m.person(i, 0)], m.sits[m.person(i, 1)] = true, true
	m.Pass(0)
	m.act(m.person(i, 0), m.home(i), false, "close", view.Press{})
}

// adds adds the bot to a chat, after removing it if it is there. On every other day, no process runs at that time.
func (m *month) adds(day int) {
	m.t.Helper()
	to := fmt.Sprintf("test:new%d", day%7)
	if _, there := m.since[to]; there {
		m.present(to, chat.Removed)
	}
	m.since[to] = time.Now().Add(-time.Minute)
	m.added[to]++
	if day%2 == 0 {
		m.present(to, chat.Added)
	}
	m.starts()
}

// daily lets a person of a chat play the deal of the day.
func (m *month) daily(i int) {
	m.t.Helper()
	who := m.person(i, 1)
	m.sits[who] = true
	m.Command(who, m.home(i), "daily") // a deal that was played already shows its result
	m.Pass(0)
	ids, err := m.Tables.TablesOf(m.t.Context(), who)
	if err != nil || len(ids) == 0 {
		m.t.Fatal(ids, err)
	}
	m.PlayOn(ids[len(ids)-1], 1000)
}

// hour lets people do what they do in the hour of that number.
func (m *month) hour(n int) {
	m.t.Helper()
	if i := n * 7 % manyChats; n%6 == 0 {
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
}

// Over a month, people in 50 chats open, join and close tables, begin the deal of the day, and
// ask for boards. A chat gets only its own tables, and the boards that it asked for. No message
// turns into another kind of message. A person gets private messages only about tables where
// they sit, and is called only if they are on the list. The program often starts again, and
// chats add and remove the bot: each addition has one welcome, even if it is reported again.
func TestNothingIsSentToThoseWhoDidNotAsk(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	clocktest.Single(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		m := newMonth(t, w)
		next := func(d time.Duration) {
			m.Pass(d)
			m.check(t, m.Chats.Deliveries())
			m.sits, m.opened = map[string]bool{}, map[string]bool{}
		}
		m.starts()
		next(0)
		m.asks()
		for n := range 31 * 24 {
			m.hour(n)
			next(time.Minute)
			next(59 * time.Minute)
		}
		for _, kind := range []string{"send call", "send board", "send table", "send welcome", "edit table", "edit board"} {
			if m.got[kind] == 0 {
				t.Errorf("there was no %q, so it wasn't tested: %v", kind, m.got)
			}
		}
		for to, missing := range m.added {
			if missing != 0 {
				t.Errorf("%s has %d welcomes too few", to, missing)
			}
		}
	})
}

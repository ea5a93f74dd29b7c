package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game"
	levels "sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// match is the whole bot in a group, with a table for two: Ann, who opened it and
// has a private chat with the bot, and Ben, who may not have one.
type match struct {
	*telegramtest.Server
	t        *testing.T
	topic    int64
	ann, ben *telegramtest.Person
	people   []*telegramtest.Person // who plays; Ann opens the table
	group    *telegramtest.Chat
	table    telegramtest.Message // the lobby at first
	change   func(*Config)        // changes the adapter's settings; nil: as they are
	level    string               // of all AIs; "": they play the first legal move
	adapter  *Adapter
	bot      *bot.Bot
	kept     store.Store
}

// lobby opens the table in a topic of the group, or in the whole group if topic is 0. Without a network, it is for a bubble: there, a
// busy machine doesn't exceed the limits of time that calls have.
// set prepares the scene first.
func lobby(t *testing.T, topic int64, set func(*match)) *match {
	t.Helper()
	s := telegramtest.Within(t)
	m := &match{Server: s, t: t, topic: topic, ann: s.Person("Ann"), ben: s.Person("Ben")}
	m.people = []*telegramtest.Person{m.ann, m.ben}
	m.group = s.Group("Cards", m.ann, m.ben)
	m.runs()
	if set != nil {
		set(m)
	}
	m.ann.Start("")
	m.see(m.ann.Private(), "Hello")
	m.ann.SayIn(m.group, topic, fmt.Sprintf("/new sedma-%dp", len(m.people)))
	m.table = m.see(m.group, "who plays?")
	return m
}

// runs runs the bot until the test ends.
func (m *match) runs() {
	t := m.t
	a, _ := adapter(t, m.Server, m.change)
	kept := storetest.NewMemory()
	m.adapter, m.kept = a, kept
	b := bot.New(bot.Config{
		Store: kept, Platforms: []chat.Platform{a}, Log: slog.New(slog.DiscardHandler), Worlds: 2, // few worlds, so that a hint is quick
		Think: func(ctx context.Context, _ string, v game.View, at game.Match) game.Move {
			if m.level == "" {
				return v.Legal[0]
			}
			return levels.Choose(ctx, m.level, v, at).Move
		},
	})
	m.bot = b
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = b.Run(ctx) })
	parts.Go(func() {
		if err := a.Run(ctx, b); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		parts.Wait()
		kept.Close()
	})
}

// begin makes the others join and Ann start a match to ten, so that no single deal ends it.
func (m *match) begin() *match {
	m.t.Helper()
	for _, who := range m.people[1:] {
		m.tap(who, m.table, "Join")
	}
	m.table = m.see(m.group, "Everyone is here")
	toTen := strings.Replace(startOf(m.table), "start:", "set:", 1) + ":length:t10"
	if got, err := m.ann.PressData(soon(m.t), m.table, toTen); err != nil || got.Text != "" {
		m.t.Fatalf("a match to ten: %q, %v", got.Text, err)
	}
	m.tap(m.ann, m.table, "Start")
	m.table = m.see(m.group, "leads · deal 1")
	return m
}

// see waits for a message in a chat.
func (m *match) see(c *telegramtest.Chat, words string) telegramtest.Message {
	m.t.Helper()
	got, err := c.Wait(soon(m.t), telegramtest.Contains(words))
	if err != nil {
		m.t.Fatal(err)
	}
	return got
}

// tap presses a button, and returns the answer to the press.
func (m *match) tap(who *telegramtest.Person, on telegramtest.Message, label string) telegramtest.Answer {
	m.t.Helper()
	got, err := who.Press(soon(m.t), on, label)
	if err != nil {
		m.t.Fatal(err)
	}
	return got
}

// ephemeral waits until one person sees such an ephemeral message in the group.
func (m *match) ephemeral(who *telegramtest.Person, words string) telegramtest.Message {
	m.t.Helper()
	var got telegramtest.Message
	err := m.Until(soon(m.t), func() bool {
		return slices.ContainsFunc(who.Ephemerals(m.group), func(a telegramtest.Message) bool {
			got = a
			return strings.Contains(a.Text, words)
		})
	})
	if err != nil {
		m.t.Fatalf("%s sees %v, and no %q", who.First, who.Ephemerals(m.group), words)
	}
	return got
}

// turn returns the hand of the player whose turn it is.
func (m *match) turn(who *telegramtest.Person) (hand telegramtest.Message, data string) {
	for _, a := range slices.Concat(who.Private().Messages(), who.Ephemerals(m.group)) {
		for _, row := range a.Buttons {
			for _, b := range row {
				if strings.Contains(a.Text, "Your turn") && strings.HasPrefix(b.Data, "play:") {
					hand, data = a, b.Data
				}
			}
		}
	}
	return hand, data
}

// play makes the players play from their hands while more returns true.
func (m *match) play(more func() bool) {
	m.t.Helper()
	pressed := map[*telegramtest.Person]string{}
	for more() {
		err := m.Until(soon(m.t), func() bool {
			for _, who := range m.people {
				if _, data := m.turn(who); data != "" && data != pressed[who] {
					return true
				}
			}
			return !more()
		})
		if err != nil {
			m.t.Fatalf("nobody can play: %v; Ann has %v, Ben %v and %v", m.group.Messages(), m.ann.Private().Messages(), m.ben.Private().Messages(), m.ben.Ephemerals(m.group))
		}
		for _, who := range m.people {
			if hand, data := m.turn(who); data != "" && data != pressed[who] && more() {
				pressed[who] = data
				if _, err := who.PressData(soon(m.t), hand, data); err != nil {
					m.t.Fatal(err)
				}
			}
		}
	}
}

// hasButton reports whether a message has a button with such data.
func hasButton(m telegramtest.Message, prefix string) bool {
	return slices.ContainsFunc(slices.Concat(m.Buttons...), func(b telegramtest.Button) bool { return strings.HasPrefix(b.Data, prefix) })
}

// startOf returns the data of a lobby's button Start.
func startOf(m telegramtest.Message) (data string) {
	for _, b := range slices.Concat(m.Buttons...) {
		if strings.HasPrefix(b.Data, "start:") {
			data = b.Data
		}
	}
	return data
}

// shows reports whether a public message of the group contains the words.
func (m *match) shows(words string) bool {
	return slices.ContainsFunc(m.group.Messages(), telegramtest.Contains(words))
}

// discreet checks at the end that no hand was ever sent to the group.
func (m *match) discreet() {
	m.t.Helper()
	for _, c := range m.Calls("") {
		if strings.HasPrefix(c.Params["chat_id"], "-") && c.Params["ephemeral_message_parameters"] == "" && c.Params["ephemeral_message_id"] == "" &&
			(strings.Contains(c.Params["text"], "Your turn") || strings.Contains(c.Params["reply_markup"], `"play:`)) {
			m.t.Errorf("%s to the group: %s", c.Method, c.Params["text"])
		}
	}
}

// dealOver reports whether the first deal is over.
func (m *match) dealOver() bool { return m.shows("deal 1 is over") || m.shows("deal 2") }

// If the bot is an administrator, a player who never pressed Start gets their cards as
// ephemeral messages in the group, and the lobby says so. If it no longer is one, they get their
// cards when they ask.
func TestStartNeverPressed(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, func(m *match) { m.group.Promote(true) })
		m.tap(m.ben, m.table, "Join")
		m.see(m.group, "I can't write to Ben privately: their cards come here")
		m.begin()
		m.ephemeral(m.ben, "deal 1")
		tricks := 0
		m.play(func() bool { tricks++; return tricks < 6 && !m.dealOver() })
		if err := m.Until(soon(t), func() bool { return len(m.ben.Ephemerals(m.group)) <= 2 }); err != nil { // old ones go after the new one comes
			t.Errorf("Ben sees %d hands", len(m.ben.Ephemerals(m.group)))
		}
		m.group.Promote(false)
		m.play(func() bool { return !m.shows("Ben: “My cards” shows your hand") && !m.dealOver() })
		if m.tap(m.ben, m.table, "My cards") != (telegramtest.Answer{}) {
			t.Error("My cards is not answered with an ephemeral message")
		}
		m.ephemeral(m.ben, "deal")
		m.play(func() bool { return !m.dealOver() })
		if n := len(m.ben.Private().Messages()); n != 0 {
			t.Errorf("Ben has %d private messages", n)
		}
		m.discreet()
	})
}

// On a server without ephemeral messages, that player must play with the numbered buttons, and see their cards in an
// alert.
func TestEphemeralMessagesRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, func(m *match) { m.Ephemerals = telegramtest.EphemeralsNever; m.group.Promote(true) })
		m.tap(m.ben, m.table, "Join")
		m.see(m.group, "Ben: I can't write to you privately")
		m.begin()
		if got := m.tap(m.ben, m.table, "My cards"); !got.Alert || !strings.Contains(got.Text, "1: ") {
			t.Errorf("My cards says %+v", got)
		}
		m.play(func() bool { return !m.shows("Ben leads") && !m.shows("Ben's turn") })
		if got := m.tap(m.ben, m.now(), "1"); !strings.Contains(got.Text, "You played") {
			t.Errorf("the number says %+v", got)
		}
		m.discreet()
	})
}

// A player who blocks the bot during a match gets their cards in the group from then
// on. After they unblock it, they get them in private again.
func TestBlockedInMidGame(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, func(m *match) { m.group.Promote(true); m.ben.Start("") }).begin()
		m.see(m.ben.Private(), "deal 1")
		m.ben.Block()
		m.play(func() bool { return len(m.ben.Ephemerals(m.group)) == 0 })
		if err := m.Until(soon(t), func() bool { return !m.shows("“My cards” shows") }); err != nil {
			t.Error("the table sends Ben to the button, although his hand is in the group")
		}
		time.Sleep(time.Second) // of the bubble: Ben isn't back at the very moment of a try
		m.ben.Start("")
		if err := m.Until(soon(t), func() bool { return len(m.ben.Ephemerals(m.group)) == 0 }); err != nil {
			t.Error("the hand stays in the group")
		}
		m.play(func() bool { return !m.dealOver() })
		m.discreet()
	})
}

// If a moderator deletes a message, it is posted again.
func TestAModeratorDeletes(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, func(m *match) { m.ben.Start("") }).begin()
		m.group.Lose(m.table)
		again := func(seen telegramtest.Message) bool { return seen.ID > m.table.ID && hasButton(seen, "more:") }
		m.play(func() bool { return !slices.ContainsFunc(m.group.Messages(), again) && !m.dealOver() })
		if m.dealOver() {
			t.Error("the table was not posted again")
		}
		m.play(func() bool { return !m.dealOver() })
	})
}

// All public messages go to the table's topic. If it is closed, the match continues in
// private, and nothing is posted anywhere else.
func TestAClosedTopic(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 17, func(m *match) { m.ben.Start("") }).begin()
		m.group.CloseTopic(17)
		before := len(m.group.Messages())
		m.play(func() bool {
			_, a := m.turn(m.ann)
			_, b := m.turn(m.ben)
			return !strings.HasPrefix(max(a, b), "play:"+strings.Split(m.table.Buttons[0][0].Data, ":")[1]+":2:")
		})
		if err := m.Until(soon(t), func() bool { return m.shows("leads · deal 2") }); err != nil {
			t.Errorf("the topic's table doesn't show the second deal: %v", m.group.Messages())
		}
		if n := len(m.group.Messages()); n != before {
			t.Errorf("%d messages more in the group", n-before)
		}
		for _, seen := range m.group.Messages() {
			if seen.Thread != 17 {
				t.Errorf("said elsewhere: %q", seen.Text)
			}
		}
	})
}

// If a guest presses another player's button, only the guest is told so.
func TestAGuestPresses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil).begin()
		guest := m.Person("Cat")
		for _, label := range []string{"My cards", "1"} {
			if got := m.tap(guest, m.table, label); got.Text != "You aren't at this table." {
				t.Errorf("%s: %+v", label, got)
			}
		}
		if n := len(guest.Ephemerals(m.group)) + len(guest.Private().Messages()); n != 0 || m.shows("Cat") {
			t.Errorf("the guest got %d messages", n)
		}
	})
}

// A link to a table opens the private chat and leads to a seat, or says why not.
func TestALinkToASeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		link := "t-" + strings.TrimPrefix(m.table.Buttons[0][0].Data, "join:")
		m.ben.Start(link)
		welcome := m.see(m.ben.Private(), "You've joined")
		m.see(m.group, "Everyone is here")
		m.tap(m.ben, welcome, "Leave")
		if err := m.Until(soon(t), func() bool { return !m.shows("Everyone is here") }); err != nil {
			t.Error("Ben did not leave")
		}
		m.ben.Start(link)
		m.see(m.group, "Everyone is here")
		m.tap(m.ann, m.table, "Start")
		m.see(m.ben.Private(), "deal 1")
		late := m.Person("Cat")
		late.Start(link)
		m.see(late.Private(), "All seats are taken by people.")
		late.Start("t-0000000000000")
		m.see(late.Private(), "Hello")
	})
}

// A game against the AI is dealt in the private chat, wherever it was requested. If the
// player hasn't opened that chat yet, the game waits there.
func TestAGameAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		m.ann.SayIn(m.group, 0, "/solo 2 easy")
		table := m.see(m.ann.Private(), "Your turn")
		if opening := m.see(m.ann.Private(), "first to 3"); !strings.Contains(opening.Text, "easy") || opening.ID >= table.ID {
			t.Errorf("she sees %v", m.ann.Private().Messages())
		}
		if got := m.tap(m.ann, table, "Hint"); !got.Alert || !strings.Contains(got.Text, "I would play") {
			t.Errorf("the hint says %+v", got)
		}
		m.ben.SayIn(m.group, 0, "/solo 2")
		if err := m.Until(soon(t), func() bool { return len(m.Calls("sendMessage")) > 0 && m.shows("private") }); err != nil {
			t.Errorf("nobody tells Ben how to get there: %v", m.group.Messages())
		}
		time.Sleep(time.Second) // of the bubble: Ben isn't there at the very moment of a try
		m.ben.Start("")
		m.see(m.ben.Private(), "first to 3")
		m.discreet()
	})
}

// now returns the group's message of a deal's table, with the latest id.
func (m *match) now() (found telegramtest.Message) {
	for _, seen := range m.group.Messages() {
		if hasButton(seen, "more:") {
			found = seen
		}
	}
	return found
}

// Telegram refuses to delete old messages. The table of a deal that is over then keeps its
// picture and one line. If it can't be edited either, it stays as it is. In both cases a
// press on one of its buttons is answered that the deal is over.
func TestATableTooOldToDelete(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, c := range []struct {
		refusal  string
		editable bool
	}{{"message can't be deleted for everyone", true}, {"message can't be deleted", false}} {
		t.Run(c.refusal, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := lobby(t, 0, func(m *match) { m.ben.Start("") }).begin()
				number := m.table.Buttons[1][0].Data
				m.Fail(telegramtest.Failure{Method: "deleteMessage", Chat: m.group.ID, Code: 400, Description: "Bad Request: " + c.refusal})
				if !c.editable {
					m.Fail(telegramtest.Failure{Method: "editMessageCaption", Chat: m.group.ID, Code: 400, Description: "Bad Request: message can't be edited"})
				}
				m.play(func() bool { return !m.shows("leads · deal 2") })
				tries := func(method, words string) (n int) {
					for _, call := range m.Calls(method) {
						if call.Params["chat_id"] == strconv.FormatInt(m.group.ID, 10) && call.Params["message_id"] == strconv.FormatInt(m.table.ID, 10) &&
							strings.Contains(call.Params["caption"], words) {
							n++
						}
					}
					return n
				}
				line := lang.For("en").Text("reply.retired")
				if err := m.Until(soon(t), func() bool { return tries("editMessageCaption", line) > 0 }); err != nil {
					t.Fatal(err)
				}
				turns := 0
				m.play(func() bool { turns++; return turns < 5 })
				var old telegramtest.Message
				for _, seen := range m.group.Messages() {
					if seen.ID == m.table.ID {
						old = seen
					}
				}
				if (old.Text == line) != c.editable || (len(old.Buttons) == 0) != c.editable || old.Photo == "" {
					t.Errorf("it is now %+v", old)
				}
				if d, e := tries("deleteMessage", ""), tries("editMessageCaption", line); d != 1 || e != 1 {
					t.Errorf("%d tries to delete it, %d to edit it", d, e)
				}
				if got, err := m.ben.PressData(soon(t), old, number); err != nil || !strings.Contains(got.Text, "over") {
					t.Errorf("a press says %+v, %v", got, err)
				}
				m.discreet()
			})
		})
	}
}

// Everybody may press More, and only the presser sees what it opens: in the group where
// Telegram can do that, else in private. Somebody whom the bot can't write to gets a link
// that opens it there.
func TestMore(t *testing.T) {
	t.Parallel()
	for _, ephemerals := range []telegramtest.Ephemerals{telegramtest.EphemeralsNow, telegramtest.EphemeralsNever} {
		t.Run(fmt.Sprint(ephemerals), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := lobby(t, 0, func(m *match) { m.Ephemerals = ephemerals }).begin()
				guest := m.Person("Cat")
				const inside = "deal 1\nfirst to "
				seen := len(m.group.Messages())
				for _, who := range []*telegramtest.Person{m.ann, m.ben, guest} {
					got := m.tap(who, m.table, "More")
					var more telegramtest.Message
					if ephemerals == telegramtest.EphemeralsNow {
						more = m.ephemeral(who, inside)
					} else if who == m.ann {
						if got.Text == "" || got.URL != "" {
							t.Errorf("Ann is told %+v", got)
						}
						more = m.see(who.Private(), inside)
					} else {
						link, payload, _ := strings.Cut(got.URL, "?start=")
						if link != "https://t.me/SedmaTestBot" || !strings.HasPrefix(payload, "m-") {
							t.Fatalf("%s is told %+v", who.First, got)
						}
						who.Start(payload)
						more = m.see(who.Private(), inside)
					}
					// Only the host can let the AI play for somebody: a vote of two can't succeed.
					if sits, host := who != guest, who == m.ann; hasButton(more, "rest:") != sits || hasButton(more, "kick:") != host || hasButton(more, "close:") != host {
						t.Errorf("%s has the buttons %v", who.First, more.Buttons)
					}
				}
				if n := len(m.group.Messages()); n != seen {
					t.Errorf("%d messages more in the group", n-seen)
				}
			})
		})
	}
}

// A match leaves two messages in the group, who played what and the result, and one at
// most in each private chat. People play from More's Last deal on to the end.
func TestAMatchLeavesTwoMessages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it plays a whole match")
	}
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, func(m *match) {
			m.people = append(m.people, m.Person("Cat"), m.Person("Dan"))
			for _, who := range m.people[1:] {
				who.Start("")
				m.see(who.Private(), "Hello")
			}
		})
		greetings := map[*telegramtest.Person]int{}
		for _, who := range m.people {
			greetings[who] = len(who.Private().Messages())
		}
		if _, err := m.ann.PressData(soon(t), m.table, strings.Replace(startOf(m.table), "start:", "set:", 1)+":length:t10"); err != nil { // no single deal ends it
			t.Fatal(err)
		}
		m.see(m.group, "first to 10")
		m.begin()
		m.play(func() bool { return !m.shows("leads · deal 2") })
		if err := m.Until(soon(t), func() bool { return len(m.group.Messages()) == 2 }); err != nil {
			t.Errorf("in the second deal the group has %v", m.group.Messages())
		}
		m.tap(m.ann, m.now(), "More")
		m.tap(m.ann, m.ephemeral(m.ann, "deal 2"), "Make this the last deal")
		m.tap(m.ann, m.ephemeral(m.ann, "Make this the last deal?"), "Make this the last deal")
		m.play(func() bool { return !m.shows("the match is over") })
		if err := m.Until(soon(t), func() bool { return len(m.group.Messages()) == 2 }); err != nil {
			t.Errorf("the group has %v", m.group.Messages())
		}
		for _, who := range m.people {
			if err := m.Until(soon(t), func() bool { return len(who.Private().Messages()) <= greetings[who]+1 }); err != nil {
				t.Errorf("%s has %v", who.First, who.Private().Messages())
			}
		}
		if left := m.group.Messages(); !strings.Contains(left[0].Text, "Ann + Cat – Ben + Dan") || len(left[0].Buttons) != 0 || !hasButton(left[1], "rematch:") {
			t.Errorf("it leaves %v", left)
		}
		m.discreet()
	})
}

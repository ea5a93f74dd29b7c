package telegram

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
)

// elsewhere is a match whose table is an inline message in a chat where the bot isn't, in a bubble. set prepares the server.
func elsewhere(t *testing.T, set func(*match)) *match {
	s := telegramtest.Within(t)
	m := &match{Server: s, t: t, ann: s.Person("Ann"), ben: s.Person("Ben")}
	m.people = []*telegramtest.Person{m.ann, m.ben}
	set(m)
	m.runs()
	m.ann.Start("")
	m.see(m.ann.Private(), "Hello")
	return m
}

// stored returns the names of all stored documents that begin so.
func (m *match) stored(prefix string) (names []string) {
	m.t.Helper()
	for p := range store.Partitions {
		for cursor := ""; ; {
			docs, next, err := m.kept.Scan(m.t.Context(), p, prefix, cursor)
			if err != nil {
				m.t.Fatal(err)
			}
			for _, d := range docs {
				names = append(names, d.Key.Name)
			}
			if cursor = next; next == "" {
				break
			}
		}
	}
	return names
}

// In guest mode, a person mentions the bot in a chat where it isn't, and gets a table. It is one message, which changes in
// words. Hands are shown in private, and the chat gets no board and no settings: its id may be that of another chat.
func TestATableInAChatWithoutTheBot(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := elsewhere(t, func(m *match) { m.Guests = true; m.ben.Start("") })
		same := m.Group("Another chat with the same id")
		var err error
		if m.group, err = m.ann.Summon(soon(t), same, "new sedma-2p"); err != nil {
			t.Fatal(err)
		}
		m.table = m.see(m.group, "who plays?")
		m.tap(m.ben, m.table, "Join")
		m.tap(m.ann, m.see(m.group, "Everyone is here"), "Start")
		m.play(func() bool { return !m.shows("Match over") && !m.shows("the match is over") })
		over := m.see(m.group, "match is over")
		if n := len(m.group.Messages()); n != 1 || over.Photo != "" {
			t.Errorf("the chat has %d messages of the bot, the last one with the photo %q", n, over.Photo)
		}
		if n := len(same.Messages()); n != 0 {
			t.Errorf("another chat has %d messages", n)
		}
		for _, c := range m.Calls("") {
			if c.Params["inline_message_id"] != "" && (c.Method != "editMessageText" || strings.Contains(c.Params["reply_markup"], `"play:`)) {
				t.Errorf("%s of the table, with %s", c.Method, c.Params["reply_markup"])
			}
		}
		for ctx := soon(t); len(m.stored("home:")) > 0; { // the store reports no changes
			if !chat.Pause(ctx, time.Second) {
				t.Fatalf("a home is stored: %v", m.stored("home:"))
			}
		}
		for _, kind := range []string{"member:", "ledger:", "skill:"} {
			if found := m.stored(kind); len(found) > 0 {
				t.Errorf("the match counts: %v", found)
			}
		}

		m.tap(m.ben, over, "Rematch")
		if err := m.Until(soon(t), func() bool { return !m.shows("match is over") }); err != nil {
			t.Errorf("no rematch: %v", m.group.Messages())
		}
		results, err := m.ann.Ask(soon(t), "")
		if err == nil && !strings.Contains(results.Text, "Your last result") {
			t.Errorf("Ann is offered %s, %v", results.Text, err)
		}
	})
}

// In a chat where the bot isn't, players who have no private chat with it read their cards in an alert, and play with the
// numbers under the table.
func TestAGuestWithoutAPrivateChat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := elsewhere(t, func(m *match) { m.Guests = true })
		var err error
		if m.group, err = m.ann.Summon(soon(t), m.Group("Cards"), "new sedma-2p"); err != nil {
			t.Fatal(err)
		}
		m.table = m.see(m.group, "who plays?")
		m.begin()
		if got := m.tap(m.ben, m.now(), "My cards"); !got.Alert || !strings.Contains(got.Text, "1: ") {
			t.Errorf("My cards says %+v", got)
		}
		m.play(func() bool { return !m.shows("Ben leads") && !m.shows("Ben's turn") })
		if got := m.tap(m.ben, m.now(), "1"); !strings.Contains(got.Text, "You played") {
			t.Errorf("the number says %+v", got)
		}
		if n := len(m.group.Messages()); n != 1 {
			t.Errorf("the chat has %d messages of the bot", n)
		}
	})
}

// In inline mode, a person posts an invitation in any chat. Whoever presses its button opens the table there, or the
// person who posted it if Telegram says that they did. A second table doesn't fit into the message.
func TestAnInvitationInAnyChat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, feedback := range []bool{false, true} {
			m := elsewhere(t, func(m *match) { m.Inline, m.Feedback = true, feedback; m.ben.Start("") })
			help, err := m.ann.Private().Wait(soon(t), telegramtest.Contains("Hello"))
			if err != nil || !strings.Contains(m.Calls("sendMessage")[0].Params["reply_markup"], `"switch_inline_query_chosen_chat":{"query":"new"`) {
				t.Errorf("no button to invite elsewhere: %+v, %v", help.Buttons, err)
			}
			if m.group, err = m.ann.Post(soon(t), "", "new"); err != nil {
				t.Fatal(err)
			}
			if !feedback {
				invitation := m.see(m.group, "Ann invites you")
				m.tap(m.ben, invitation, "New table")
				if got := m.tap(m.ann, invitation, "New table"); !strings.Contains(got.Text, "already") {
					t.Errorf("a second table: %+v", got)
				}
			}
			m.table = m.see(m.group, "who plays?")
			host := map[bool]string{false: "Ben (host)", true: "Ann (host)"}[feedback]
			if !strings.Contains(m.table.Text, host) {
				t.Errorf("feedback %v: the table says %s", feedback, m.table.Text)
			}
			deal, err := m.ann.Post(soon(t), "x", "daily")
			if err != nil {
				t.Fatal(err)
			}
			if b := m.see(deal, "deal of the day").Buttons[0][0]; !strings.Contains(b.URL, "?start=d-telegram_") {
				t.Errorf("the deal of the day leads to %+v", b)
			}
		}
	})
}

// A server without these modes sends no such updates, and isn't asked for them: it would refuse kinds that it doesn't
// know.
func TestKindsOfUpdatesThatTheServerKnows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		inline, guests bool
		want           string
	}{
		{false, false, `["message","callback_query","my_chat_member"]`},
		{true, false, `["message","callback_query","my_chat_member","inline_query","chosen_inline_result"]`},
		{true, true, `["message","callback_query","my_chat_member","inline_query","chosen_inline_result","guest_message"]`},
	} {
		s := telegramtest.New(t)
		s.Inline, s.Guests = test.inline, test.guests
		a, _ := connected(t, s, quiet, nil)
		if got := a.client.wanted(); got != test.want {
			t.Errorf("the bot asks for %s, wanted %s", got, test.want)
		}
	}
}

// A stranger who mentions the bot again and again, and asks it in inline mode, gets as many answers as they would get messages.
func TestAStrangerAtTheGuestDoor(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := elsewhere(t, func(m *match) {
			m.Guests, m.Inline = true, true
			m.change = func(c *Config) { c.Eager = false }
		})
		like := m.Group("Cards")
		from := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var all sync.WaitGroup
		for range 60 {
			all.Go(func() { _, _ = m.ben.Summon(ctx, like, "new sedma-2p") })
			all.Go(func() { _, _ = m.ben.Ask(ctx, "") })
		}
		all.Wait()
		most := 4 + int(time.Since(from).Seconds()) // a burst of three, and one a second
		if n := len(m.Calls("answerGuestQuery")) + len(m.Calls("answerInlineQuery")); n > most || n == 0 {
			t.Errorf("%d answers to one person in %v", n, time.Since(from))
		}
	})
}

package telegram

import (
	"strings"
	"testing"

	"sedmabot/bot/telegram/telegramtest"
)

// inTopics is the whole bot with Ann, who has opened her private chat, and a server that has topics as set says.
func inTopics(t *testing.T, set func(*telegramtest.Server)) *match {
	t.Helper()
	s := telegramtest.New(t)
	set(s)
	m := &match{Server: s, t: t, ann: s.Person("Ann")}
	m.runs()
	m.ann.Start("")
	m.see(m.ann.Private(), "Hello")
	return m
}

// prefers presses a button of Ann's settings, which then show these words.
func (m *match) prefers(press, words string) telegramtest.Message {
	m.t.Helper()
	m.ann.Say(m.ann.Private(), "/settings")
	page := m.see(m.ann.Private(), "Your name elsewhere")
	if _, err := m.ann.PressData(soon(m.t), page, "mine:"+press+":"); err != nil {
		m.t.Fatal(err)
	}
	return m.see(m.ann.Private(), words)
}

// plays opens a game with a command, and returns the topic with her table and her hand. A game that isn't kept for later
// is closed.
func (m *match) plays(command string) (thread int64, topic string) {
	m.t.Helper()
	private := m.ann.Private()
	said := m.ann.Say(private, command)
	newer := func(words string) telegramtest.Message {
		got, err := private.Wait(soon(m.t), func(x telegramtest.Message) bool {
			return x.ID > said && strings.Contains(strings.ToLower(x.Text), strings.ToLower(words))
		})
		if err != nil {
			m.t.Fatal(err)
		}
		return got
	}
	head, hand := newer("Fingerprint of deal 1"), newer("Your turn")
	if head.Thread != hand.Thread {
		m.t.Errorf("%s: the table is in the topic %d, the hand in %d", command, head.Thread, hand.Thread)
	}
	if command == "/solo" {
		m.ann.Say(private, "/close")
		if asked := newer("close"); asked.Has("Close") { // cards have been played
			m.tap(m.ann, asked, "Close")
		}
		newer("table was closed")
	}
	return hand.Thread, private.Topics()[hand.Thread]
}

// A person who turns topics on has one for tables and one for the deal of the day. The bot answers in the topic where they
// write. After they have deleted a topic, its messages are in the chat itself, until they turn topics on again.
func TestTopicsInAPrivateChat(t *testing.T) {
	t.Parallel()
	m := inTopics(t, func(s *telegramtest.Server) { s.Topics = true })
	private := m.ann.Private()
	if thread, _ := m.plays("/solo"); thread != 0 || len(private.Topics()) != 0 {
		t.Errorf("nobody turned topics on: %v", private.Topics())
	}
	on := func() { m.prefers("topics:on", "Topics in our chat: tables, deal of the day") }
	on()
	if _, topic := m.plays("/daily"); topic != "Deal of the day" {
		t.Errorf("the deal of the day is in the topic %q", topic)
	}
	tables, topic := m.plays("/solo")
	if again, _ := m.plays("/solo"); again != tables || topic != "Tables" || len(private.Topics()) != 2 {
		t.Errorf("her tables are in the topics %d and %d: %v", tables, again, private.Topics())
	}

	own := private.Topic("My own")
	m.ann.SayIn(private, own, "/help")
	if help := m.see(private, "What would you like"); help.Thread != own {
		t.Errorf("she asked in the topic %d, the help is in %d", own, help.Thread)
	}

	private.DeleteTopic(tables)
	for range 2 {
		if thread, _ := m.plays("/solo"); thread != 0 {
			t.Errorf("she deleted the topic, and the table is in %d", thread)
		}
	}
	on()
	if again, topic := m.plays("/solo"); again == tables || topic != "Tables" {
		t.Errorf("she turned topics on again, and the table is in %d", again)
	}
	if n := len(m.Calls("createForumTopic")); n != 3 {
		t.Errorf("%d calls to create topics", n)
	}
}

// A server without topics, and one whose bots can't create them in private chats, leave everything in the chat itself.
func TestNoTopicsInAPrivateChat(t *testing.T) {
	t.Parallel()
	for _, topics := range []bool{false, true} {
		m := inTopics(t, func(s *telegramtest.Server) { s.Topics, s.NoCreate = topics, true })
		if page := m.prefers("page:in-posts", "My messages to you"); strings.Contains(page.Text, "Topics in our chat") != topics {
			t.Errorf("topics %v: the settings are %q", topics, page.Text)
		}
		if topics {
			m.prefers("topics:on", "Topics in our chat: tables, deal of the day")
		}
		for range 2 {
			if thread, _ := m.plays("/solo"); thread != 0 {
				t.Errorf("topics %v: the table is in the topic %d", topics, thread)
			}
		}
		if n := len(m.Calls("createForumTopic")); n > 1 || topics != (n == 1) {
			t.Errorf("topics %v: %d calls to create one", topics, n)
		}
	}
}

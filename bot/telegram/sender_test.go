package telegram

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/telegram/telegramtest"
)

// as returns the fields of a message that a person writes as a group or a channel.
func as(id int64, text string) map[string]any {
	bot := map[string]any{"id": 1087968824, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot"}
	return map[string]any{"from": bot, "sender_chat": map[string]any{"id": id, "type": "supergroup", "title": "Club"}, "text": text}
}

// count returns how many messages of a chat contain the words.
func count(c *telegramtest.Chat, words string) (n int) {
	for _, m := range c.Messages() {
		if strings.Contains(m.Text, words) {
			n++
		}
	}
	return n
}

// Telegram doesn't say who an anonymous administrator is. Commands that need no person are answered in the group, and the
// others say what to do. Somebody who writes as another chat is no administrator.
func TestPeopleWriteAsAGroupOrAChannel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		const channel = -1001234567890
		m.group.Message(as(channel, "/new"))
		m.see(m.group, "writing as a group or channel")
		m.group.Message(as(channel, "/close"))
		m.see(m.group, "You aren't at this table")
		m.group.Message(as(channel, "/settings"))
		if page := m.see(m.group, "Settings of this chat"); hasButton(page, "me:") {
			t.Errorf("a person's settings in the group: %v", page)
		}
		m.group.Message(as(m.group.ID, "@"+m.Username+" /rules"))
		m.see(m.group, "Rules: Sedma")
		m.group.Message(as(m.group.ID, "/settings"))
		if err := m.Until(soon(t), func() bool { return count(m.group, "Settings of this chat") == 2 }); err != nil {
			t.Fatal(err)
		}
		m.group.Message(as(m.group.ID, "/join"))
		if err := m.Until(soon(t), func() bool { return count(m.group, "writing as a group or channel") == 2 }); err != nil {
			t.Fatal(err)
		}
		m.group.Message(as(m.group.ID, "/close"))
		m.see(m.group, "closed")
		m.group.Message(as(m.group.ID, "/new"))
		if err := m.Until(soon(t), func() bool { return count(m.group, "writing as a group or channel") == 3 }); err != nil {
			t.Fatal(err)
		}
		if n := len(m.Calls("getChatMember")); n > 0 {
			t.Errorf("%d questions who a chat is in itself", n)
		}
		// A post of the linked channel is nobody's command, and neither is what another bot writes.
		post := as(channel, "/help")
		post["is_automatic_forward"], post["from"] = true, map[string]any{"id": 777000, "is_bot": false, "first_name": "Telegram"}
		m.group.Message(post)
		delete(post, "sender_chat") // of an older server
		m.group.Message(post)
		m.group.Message(map[string]any{"from": as(0, "")["from"], "text": "/help"})
		m.ben.Say(m.group, "/new")
		m.see(m.group, "who plays?")
		if n := count(m.group, "Help\n"); n > 0 {
			t.Errorf("%d answers to what nobody asked: %v", n, m.group.Messages())
		}
	})
}

// Updates of all anonymous administrators have the same sender, who isn't one person.
func TestAnonymousPeopleDontWaitForEachOther(t *testing.T) {
	t.Parallel()
	bot := &user{ID: 1087968824, Bot: true}
	one, _ := update{Message: &message{From: bot, As: &apiChat{ID: -1001}, Chat: apiChat{ID: -1001}}}.keys()
	two, _ := update{Guest: &message{From: bot, As: &apiChat{ID: -1002}, Chat: apiChat{ID: -1002}}}.keys()
	if one != -1001 || two != -1002 {
		t.Errorf("the people are %d and %d", one, two)
	}
}

// ago returns the fields of a person's message of some time ago.
func ago(age time.Duration, p *telegramtest.Person, text string) map[string]any {
	return map[string]any{"date": time.Now().Add(-age).Unix(), "from": map[string]any{"id": p.ID, "first_name": p.First, "language_code": "en"}, "text": text}
}

// dated is a client in whose answers Telegram's clock is wrong, compared with that of the host.
type dated struct {
	http.RoundTripper
	ahead *atomic.Int64 // ns
}

// RoundTrip implements http.RoundTripper.
func (d dated) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Header.Set("Date", time.Now().Add(time.Duration(d.ahead.Load())).UTC().Format(http.TimeFormat))
	}
	return resp, err
}

// Telegram keeps what people wrote for a day. Commands of hours ago do nothing, and each chat reads once that the bot was
// away. The age is that by Telegram's clock.
func TestCommandsOfHoursAgo(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{0, -3 * time.Hour, 3 * time.Hour} {
		var clock atomic.Int64
		s := telegramtest.New(t)
		client := &http.Client{Transport: dated{&http.Transport{}, &clock}}
		m := &match{Server: s, t: t, ann: s.Person("Ann"), ben: s.Person("Ben"), change: func(c *Config) { c.HTTP = client }}
		m.runs()
		m.ben.Start("")
		m.see(m.ben.Private(), "Hello")
		clock.Store(int64(ahead))
		other := m.Group("Other", m.ann, m.ben)
		for i, text := range []string{"/new", "/daily", "🃏 /help", "/new 2", "/leaderboard", "just talk"} {
			other.Message(ago(9*time.Hour-ahead-time.Duration(i)*time.Minute, m.ben, text))
		}
		m.ben.Private().Message(ago(6*time.Minute-ahead, m.ben, "/start"))
		m.ben.Private().Message(ago(6*time.Minute-ahead, m.ben, "/daily"))
		m.see(other, "I was away")
		m.see(m.ben.Private(), "I was away")
		other.Message(ago(4*time.Minute-ahead, m.ben, "/new 2"))
		m.see(other, "who plays?")
		m.ben.Private().Message(ago(-ahead, m.ben, "/help"))
		m.see(m.ben.Private(), "Help\n")
		if n, own := len(other.Messages()), len(m.ben.Private().Messages()); n != 2 || own != 3 {
			t.Errorf("%v: %d messages in the group and %d in private: %v, %v", ahead, n, own, other.Messages(), m.ben.Private().Messages())
		}
	}
}

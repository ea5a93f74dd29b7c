package telegram

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// welcomes returns how many welcomes a chat has got.
func welcomes(c *telegramtest.Chat) (n int) {
	for _, m := range c.Messages() {
		if strings.Contains(m.Text, "Rozdávám karty") {
			n++
		}
	}
	return n
}

// In a group that has just added it, the bot writes one message, in the language of the
// person who added it. It does so again only if the group has removed it meanwhile.
func TestAGroupThatAddsTheBotIsWelcomedOnce(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		start := m.see(m.ann.Private(), "Hello")
		last := start.Buttons[len(start.Buttons)-1][0]
		if last.Label != "Add me to a group" || last.URL != "https://t.me/"+m.Username+"?startgroup" {
			t.Errorf("the link that adds the bot: %+v", last)
		}
		m.ben.Lang = "cs"
		m.group.BotIs("administrator", m.ben) // it was there before
		group, other := m.Group("New", m.ben), m.Group("Later", m.ben)
		group.BotIs("left", m.ben)
		other.BotIs("left", m.ben)
		group.BotIs("member", m.ben)
		hello := m.see(group, "Rozdávám karty")
		m.tap(m.ben, hello, "Nový stůl")
		m.see(group, "who plays?")
		if err := m.Until(soon(t), func() bool { return welcomes(group) == 0 }); err != nil { // the table takes it away
			t.Fatal(err)
		}
		group.BotIs("administrator", m.ben)
		m.Repeat()
		group.BotIs("kicked", m.ben)
		group.BotIs("restricted", m.ben)
		group.BotIs("member", m.ben)
		if err := m.Until(soon(t), func() bool { return welcomes(group) == 1 }); err != nil {
			t.Fatal(err)
		}
		other.BotIs("member", m.ben) // any further welcome would come before this one
		m.see(other, "Rozdávám karty")
		if n, old := welcomes(group), welcomes(m.group); n != 1 || old != 0 {
			t.Errorf("%d welcomes, and %d in a group where the bot was already", n, old)
		}
	})
}

// If the bot may not write in a group, it tells the person who added it, if they have
// started it. It writes nothing to anybody else.
func TestAGroupWhereTheBotMayNotWrite(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		group, other := m.Group("Quiet", m.ann), m.Group("Quiet too", m.ben)
		for _, c := range []*telegramtest.Chat{group, other} {
			c.BotIs("left", m.ann)
			c.Mute(true)
		}
		other.BotIs("member", m.ben) // who has not started the bot
		group.BotIs("member", m.ann)
		m.see(m.ann.Private(), "I can't post in that chat")
		if got := m.ben.Private().Messages(); len(got) > 0 {
			t.Errorf("Ben got %v", got)
		}
		if n := len(group.Messages()) + len(other.Messages()); n > 0 {
			t.Errorf("%d messages in the groups", n)
		}
	})
}

// A welcome that Telegram doesn't take because of an outage is sent when that is over.
func TestAWelcomeOutlastsAnOutage(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		group := m.Group("New", m.ben)
		group.BotIs("left", m.ben)
		m.ben.Lang = "cs"
		m.Fail(telegramtest.Failure{Method: "sendMessage", Code: http.StatusBadGateway, Times: 3})
		group.BotIs("member", m.ben)
		m.see(group, "Rozdávám karty")
		if n := welcomes(group); n != 1 {
			t.Errorf("%d welcomes", n)
		}
	})
}

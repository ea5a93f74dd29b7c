package main

import (
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// A group becomes a supergroup during a match, and the bot learns of it in different ways. The table must appear in the
// supergroup, and the match must be played to its end there. The leaderboard must include that match and the earlier
// ones.
func TestAGroupBecomesASupergroup(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	for name, upgrade := range map[string]func(*telegramtest.Chat){
		"told in the group, then in the supergroup": func(c *telegramtest.Chat) { c.TellUpgrade(true); c.TellUpgrade(false) },
		"told in the supergroup, then in the group, and again": func(c *telegramtest.Chat) {
			c.TellUpgrade(false)
			c.TellUpgrade(true)
			c.TellUpgrade(false)
		},
		"told by a delivery that fails": func(*telegramtest.Chat) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := telegramtest.New(t)
			startEager(t, dataFile(t), "telegram.token: "+server.Token, "telegram.api_base: "+server.URL, "table.pace: 0")
			c := newTelegram(t, server, "Ann", "Ben")
			c.open()
			c.lastDeal()
			people := everybody(c, 1)
			playUntil(c, people, finished)
			checkBoard(t, c)

			c.people[0].Say(c.chat, "/new") // another match in the same group, while the result is shown
			c.wait("who plays?")
			group := c.chat
			for who := range c.people {
				c.people[who].Say(group, "/join")
			}
			c.people[0].Say(group, "/begin")
			c.begun()
			people = everybody(c, 2)
			playUntil(c, people, func(crowd) bool { return somebodyPlayed(people) })
			c.lastDeal()
			c.chat = group.Upgrade()
			upgrade(group)
			playUntil(c, people, finished)
			c.people[0].Say(c.chat, "/leaderboard")
			board := c.wait("Leaderboard").Text
			if strings.Count(board, " of 2 won") != 2 {
				t.Errorf("two matches were played:\n%s", board)
			}
			c.people[0].Say(c.chat, "/new")
			c.until(func() bool { return strings.Contains(strings.Join(c.group(), "\n"), "who plays?") })
		})
	}
}

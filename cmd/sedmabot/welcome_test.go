package main

import (
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
)

// A server and a group add the bot while it doesn't run. It welcomes them when it starts again, once, and no others.
// Where it may not write, it tells the person who added it to the group, if they had started it.
func TestAdditionsBetweenTwoRuns(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	d, tg := discordtest.New(t), telegramtest.New(t)
	config := []string{dataFile(t), "discord.token: " + d.Token(), "discord.api_base: " + d.URL(), "telegram.token: " + tg.Token, "telegram.api_base: " + tg.URL}
	c := onBoth{newDiscord(t, d, "Ann"), newTelegram(t, tg, "Cat", "Dan")}
	ann, cat := c.discord.people[0], c.telegram.people[0]
	server := func() (*discordtest.Guild, *discordtest.Channel) {
		g := d.NewGuild(ann)
		return g, g.NewChannel("general")
	}
	old, oldChannel := server()
	old.Tell(true, false) // at each start
	added, channel := server()
	added.RemoveBot()
	group, mute, marker := tg.Group("New", cat), tg.Group("Mute", cat), tg.Group("Later", cat)
	for _, g := range []*telegramtest.Chat{group, mute, marker} {
		g.BotIs("left", cat)
	}
	mute.Mute(true)
	runs := 0
	run := func(while func()) {
		p := startEager(t, config...)
		runs++
		d.Until("a session begins", func() bool { return d.Sessions() == runs && d.Connected() == 1 })
		c.telegram.until(func() bool { return tg.Pending() == 0 })
		while()
		p.end()
	}
	welcomes := func() [5]int {
		var n [5]int
		for i, ch := range []*discordtest.Channel{oldChannel, channel} {
			for _, m := range ann.Sees(ch) {
				n[i] += strings.Count(m.Text, "Hello! I deal cards.")
			}
		}
		for i, ch := range []*telegramtest.Chat{group, mute, cat.Private()} {
			for _, m := range ch.Messages() {
				if strings.Contains(m.Text, "Hello! I deal cards.") && m.Has("Tutorial") && (ch != cat.Private() || strings.Contains(m.Text, "can't post")) {
					n[2+i]++
				}
			}
		}
		return n
	}
	run(func() { c.telegram.people[1].Say(c.telegram.chat, "/new 2"); c.telegram.wait("who plays?") })
	if got := welcomes(); got != [5]int{} {
		t.Errorf("after the first start: %v", got)
	}
	added.Tell(true, false)
	group.BotIs("member", cat)
	mute.BotIs("member", cat)
	want := [5]int{0, 1, 1, 0, 1}
	run(func() { c.until(func() bool { return welcomes() == want }) })
	run(func() {
		marker.BotIs("member", cat) // any other welcome would come before this one
		c.until(func() bool { return strings.Contains(strings.Join(texts(marker), ""), "Hello!") })
	})
	if got := welcomes(); got != want {
		t.Errorf("welcomes: %v, want %v", got, want)
	}
}

// texts returns what a chat shows.
func texts(c *telegramtest.Chat) (all []string) {
	for _, m := range c.Messages() {
		all = append(all, m.Text)
	}
	return all
}

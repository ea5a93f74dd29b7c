package main

import (
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
)

// privately returns what both people see in their private chats: first the one on Discord.
func (c onBoth) privately() [2][]string {
	var seen [2][]string
	p := c.discord.people[0]
	for _, m := range p.Sees(p.DM()) {
		seen[0] = append(seen[0], m.Text)
	}
	for _, m := range c.telegram.people[0].Private().Messages() {
		seen[1] = append(seen[1], m.Text)
	}
	return seen
}

// Ann on Discord and Cat on Telegram don't know each other. Both ask to play, so they meet and play a match. They say
// fixed phrases to each other, and are not paired again if one of them doesn't want it. Neither
// learns the other's name or id, and their group and channel see nothing of it.
func TestStrangersMeet(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	d, tg := discordtest.New(t), telegramtest.New(t)
	start := startEager(t, dataFile(t), "discord.token: "+d.Token(), "discord.api_base: "+d.URL(),
		"telegram.token: "+tg.Token, "telegram.api_base: "+tg.URL, "table.pace: 0")
	defer start.end()
	c := onBoth{newDiscord(t, d, "Ann"), newTelegram(t, tg, "Cat")}
	ann, cat := c.discord.people[0], c.telegram.people[0]
	d.Until("the commands are there", func() bool { return len(d.Commands()) > 0 && d.Reached() })
	sees := func(who int, text string) func() bool {
		return func() bool {
			return slices.ContainsFunc(c.privately()[who], func(s string) bool { return strings.Contains(s, text) })
		}
	}
	ann.Slash(ann.DM(), "play", map[string]any{"game": "soccer-home"}).Wait()
	c.until(sees(0, "Looking for players"))
	cat.Say(cat.Private(), "/play soccer-home")
	c.until(sees(1, "Player 1 from another chat"))
	c.until(sees(0, "Player 2 from another chat"))
	over := func(crowd) bool { return sees(0, over)() && sees(1, over)() }
	playUntil(c, everybody(c, 1), over)
	if !over(c) {
		t.Fatal("the match has no result")
	}
	// They say something to each other, and Ann doesn't want to meet Cat again.
	click := func(label string) {
		t.Helper()
		c.until(func() bool {
			for _, m := range slices.Backward(ann.Sees(ann.DM())) {
				if _, ok := m.Button(label); ok {
					ann.Click(m, label).Wait()
					return true
				}
			}
			return false
		})
	}
	click("More")
	click("Well played")
	c.until(sees(1, "Player 1 from another chat: Well played"))
	for _, m := range cat.Private().Messages() {
		if m.Has("Coach") {
			c.telegram.press(0, m, "More")
		}
	}
	c.until(func() bool {
		for _, m := range cat.Private().Messages() {
			if m.Has("Good game") {
				c.telegram.press(0, m, "Good game")
				return true
			}
		}
		return false
	})
	c.until(sees(0, "Player 2 from another chat: Good game"))
	click("Don't pair us again")
	lobbies := func(who int) (n int) {
		for _, text := range c.privately()[who] {
			n += strings.Count(text, "Looking for players")
		}
		return n
	}
	before := [2]int{lobbies(0), lobbies(1)}
	ann.Slash(ann.DM(), "play", map[string]any{"game": "soccer-home"}).Wait()
	c.until(func() bool { return lobbies(0) > before[0] })
	cat.Say(cat.Private(), "/play soccer-home")
	c.until(func() bool { return lobbies(1) > before[1] })
	if sees(1, "All seats are taken")() {
		t.Error("they meet again")
	}
	for who, seen := range c.privately() {
		other := []string{"Cat", "Ann"}[who]
		if text := strings.Join(seen, "\n"); strings.Contains(text, other) {
			t.Errorf("one stranger sees the name %s in\n%s", other, text)
		}
	}
	if seen := strings.Join(c.group(), "\n"); strings.Contains(seen, "another chat") {
		t.Errorf("the chats see\n%s", seen)
	}
}

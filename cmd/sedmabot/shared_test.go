package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
)

// onBoth is a crowd around one table that is shown in a Discord channel and in a Telegram group. The people on Discord
// come first.
type onBoth struct {
	discord  *onDiscord
	telegram *onTelegram
}

func (c onBoth) names() []string { return append(c.discord.names(), c.telegram.names()...) }

// side returns the crowd to which a person belongs, and the person's index in it.
func (c onBoth) side(who int) (crowd, int) {
	if n := len(c.discord.people); who >= n {
		return c.telegram, who - n
	}
	return c.discord, who
}

func (c onBoth) hands(who int) []message {
	side, who := c.side(who)
	return side.hands(who)
}

func (c onBoth) play(who int, m message, b button) {
	side, who := c.side(who)
	side.play(who, m, b)
}

// open opens the table on Discord and shares it by its code. Then it seats the people on Telegram and starts.
func (c onBoth) open() {
	d, tg := c.discord, c.telegram
	d.t.Helper()
	d.server.Until("the commands are there", func() bool { return len(d.server.Commands()) > 0 && d.server.Reached() })
	d.people[0].Slash(d.channel, "new", map[string]any{"players": 4}).Wait()
	lobby := d.wait(0, "who plays?")
	d.people[1].Click(lobby, "Join").Wait()
	d.people[1].Slash(d.channel, "share", nil).Wait()
	d.wait(1, "Only the host")
	d.people[0].Slash(d.channel, "share", nil).Wait()
	shown := d.wait(0, "One table in two chats")
	code := regexp.MustCompile(`/share ([A-Z2-9]{8})\b`).FindStringSubmatch(shown.Text)
	if code == nil || !shown.Ephemeral {
		d.t.Fatalf("no code for the host alone in\n%v", shown)
	}
	tg.people[0].Say(tg.chat, "/share ABCDEFGH")
	private := func(text string) {
		tg.until(func() bool {
			for _, m := range tg.people[0].Private().Messages() {
				if strings.Contains(m.Text, text) {
					return true
				}
			}
			return false
		})
	}
	private("I don't know that code")
	tg.people[0].Say(tg.chat, "/share "+strings.ToLower(code[1]))
	ctx, cancel := tg.context()
	defer cancel()
	question, err := tg.people[0].Private().Wait(ctx, telegramtest.Contains(strings.Split(text("share.ask"), "{")[0]))
	if err == nil {
		_, err = tg.people[0].Press(ctx, question, text("button.post"))
	}
	if err != nil {
		d.t.Fatal(err)
	}
	there := tg.wait("who plays?")
	for who := range tg.people {
		tg.press(who, there, "Join")
	}
	d.people[0].Click(d.wait(0, "who plays?"), "Start").Wait()
}

func (c onBoth) lastDeal() { c.discord.lastDeal() }

func (c onBoth) group() []string { return append(c.discord.group(), c.telegram.group()...) }

func (c onBoth) board() string { return c.discord.board() }

// until waits for changes on either platform.
func (c onBoth) until(ok func() bool) {
	c.discord.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	look := time.NewTicker(20 * time.Millisecond) // poll, because neither platform reports the other's changes
	defer look.Stop()
	for !ok() {
		select {
		case <-look.C:
		case <-deadline.C:
			c.discord.t.Fatalf("nothing happens any more:\n%s", strings.Join(c.group(), "\n--\n"))
		}
	}
}

// Four people, two on each platform, play a match at one table. Both leaderboards must include it.
func TestOneTableOnBothPlatforms(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	d, tg := discordtest.New(t), telegramtest.New(t)
	start := startEager(t, dataFile(t), "discord.token: "+d.Token(), "discord.api_base: "+d.URL(),
		"telegram.token: "+tg.Token, "telegram.api_base: "+tg.URL, "table.pace: 0")
	defer start.end()
	c := onBoth{newDiscord(t, d, "Ann", "Ben"), newTelegram(t, tg, "Cat", "Dan")}
	c.open()
	host := c.discord
	host.lastDeal()
	playUntil(c, everybody(c, 1), func(crowd) bool { return finished(c.discord) && finished(c.telegram) })
	for _, side := range []crowd{c.discord, c.telegram} {
		checkSharedBoard(t, c, side)
	}
}

// checkSharedBoard is like checkBoard for one platform. Its board may be updated a moment later, and must list
// everybody.
func checkSharedBoard(t *testing.T, c onBoth, side crowd) {
	t.Helper()
	for range 50 {
		board := side.board()
		complete := true
		for _, name := range c.names() {
			complete = complete && regexp.MustCompile(`(?m)`+name+`\b.* of 1 won`).MatchString(board)
		}
		if complete {
			return
		}
		c.until(func() bool { return side.board() != board })
	}
	t.Errorf("not everybody stands on\n%s", side.board())
}

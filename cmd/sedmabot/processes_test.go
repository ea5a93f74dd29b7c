package main

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// launchUntil starts a process and waits for a line of its log.
func launchUntil(t *testing.T, line string, config ...string) *process {
	t.Helper()
	p := eagerProcess(t, config...)
	p.stderr.wait(t, line)
	return p
}

const (
	holds = `it is this process's turn`
	waits = `this one stands by`
)

// lastDeal ends the match with its first deal. A Discord channel accepts one message a second, so a whole match would
// take a minute.
func (c *onDiscord) lastDeal() {
	c.t.Helper()
	var table discordtest.Message
	c.server.Until("the table", func() bool {
		for _, m := range c.people[0].Sees(c.channel) {
			if _, ok := m.Button("My cards"); ok {
				table = m
			}
		}
		return table.ID != ""
	})
	more, _ := c.people[0].Click(table, "More").Wait()
	asked, _ := c.people[0].Click(more, "Make this the last deal").Wait()
	c.people[0].Click(asked, "Make this the last deal").Wait()
}

// somebodyPlayed reports whether the first deal has begun.
func somebodyPlayed(people []*person) bool {
	return slices.ContainsFunc(people, func(p *person) bool { return p.pressed != "" })
}

// Two processes share one Redis and one token. One polls, and both work on the tables. If the first is killed, the
// other must continue.
func TestTwoProcessesOnTelegram(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	k := onRedis(t)
	server := telegramtest.New(t)
	config := []string{k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
	first := launchUntil(t, holds, config...)
	second := startEager(t, append(config, "table.pace: 0")...)
	second.stderr.wait(t, waits)
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	c.lastDeal()
	people := everybody(c, 1)
	playUntil(c, people, func(crowd) bool { return somebodyPlayed(people) })
	// Otherwise Telegram gives the second a press that the first answered before it was killed.
	c.until(func() bool { return server.Pending() == 0 })
	if len(errorsIn(first.stderr)) > 0 || strings.Contains(second.stderr.String(), holds) {
		t.Errorf("before the first is killed:\n%s\nand the second:\n%s", first.stderr, second.stderr)
	}
	first.kill()
	playUntil(c, people, finished)
	checkBoard(t, c)
	if server.Conflicts() != 0 {
		t.Errorf("%d polls ended by another", server.Conflicts())
	}
	second.end()
	checkRecords(t, k, 1)
}

// TestAKilledProcessIsBackAtOnce kills the only process and restarts it. The new one must take over its lease at once,
// without waiting until it expires.
func TestAKilledProcessIsBackAtOnce(t *testing.T) {
	t.Parallel()
	unhurried(t)
	if runtime.GOOS != "linux" {
		t.Skip("the names of processes are for Linux")
	}
	k := onRedis(t)
	server := telegramtest.New(t)
	config := []string{k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
	p := launchUntil(t, holds, config...)
	for range 3 {
		p.kill()
		p = launchUntil(t, holds, config...)
		if log := p.stderr.String(); strings.Contains(log, waits) {
			t.Errorf("it stood by:\n%s", log)
		}
	}
	server.Person("Ann").Start("")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := server.Until(ctx, func() bool { return server.Pending() == 0 }); err != nil {
		t.Error(err)
	}
}

// Two processes share one Redis on Discord, with two shards. Together they must respect Discord's limits, and open each
// player's private chat only once.
func TestTwoProcessesOnDiscord(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	k := onRedis(t)
	server := discordtest.New(t)
	server.Shards(2, 2)
	server.Limit(5, 5*time.Second)
	config := []string{k.config, "discord.token: " + server.Token(), "discord.api_base: " + server.URL()}
	first := launchUntil(t, "connected to discord.*shard=0", config...)
	first.stderr.wait(t, "connected to discord.*shard=1")
	second := start(t, append(config, "table.pace: 0")...)
	second.stderr.wait(t, waits)
	c := newDiscord(t, server, "Ann", "Ben")
	c.open()
	c.lastDeal()
	people := everybody(c, 1)
	playUntil(c, people, func(crowd) bool { return somebodyPlayed(people) })
	if late := server.Limited(); len(late) > 0 {
		t.Errorf("%d requests too many: %v", len(late), late)
	}
	if server.Connected() != 2 {
		t.Errorf("%d connections of two shards", server.Connected())
	}
	first.kill()
	server.Until("nobody is there", func() bool { return server.Connected() == 0 })
	server.Until("the second has both shards", func() bool { return server.On(0) == 1 && server.On(1) == 1 })
	playUntil(c, people, finished)
	checkBoard(t, c)
	opened := slices.DeleteFunc(server.Calls(), func(c discordtest.Call) bool { return c.Path != "/users/@me/channels" })
	if len(opened) != len(c.people) {
		t.Errorf("%d private chats were opened for %d people", len(opened), len(c.people))
	}
}

// When the polling process stops, the other one must start to poll at once.
func TestTheNextProcessPollsAtOnce(t *testing.T) {
	t.Parallel()
	unhurried(t)
	url := redistest.Start(t).URL()
	server := telegramtest.New(t)
	config := []string{"store.redis_url: " + url, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
	first := start(t, config...)
	first.stderr.wait(t, holds)
	second := start(t, config...)
	second.stderr.wait(t, waits)
	server.Person("Ann").Start("")
	first.end()
	server.Person("Ben").Start("")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	watch := clocktest.Start(t)
	if err := server.Until(ctx, func() bool { return server.Pending() == 0 }); err != nil || watch.Now() > 10*time.Second {
		t.Errorf("after %v: %v", watch.Now(), err)
	}
	if server.Conflicts() != 0 {
		t.Errorf("%d polls ended by another", server.Conflicts())
	}
}

// One program must serve Telegram by webhook and Discord by the interactions endpoint.
func TestMatchesByHTTP(t *testing.T) {
	t.Parallel()
	unhurried(t)
	here := redistest.Address(t)
	theirs, discords := telegramtest.New(t), discordtest.New(t)
	config := []string{
		dataFile(t), "http.listen: " + here, "table.pace: 0",
		"telegram.token: " + theirs.Token, "telegram.api_base: " + theirs.URL,
		"telegram.mode: webhook", "telegram.webhook_url: http://" + here + "/telegram",
		"discord.token: " + discords.Token(), "discord.api_base: " + discords.URL(),
		"discord.mode: interactions", "discord.public_key: " + discords.PublicKey(),
	}
	p := startEager(t, config...)
	p.stderr.wait(t, "waiting for discord at the interactions endpoint")
	if !discords.Endpoint("http://" + here + "/interactions") {
		t.Fatal("discord would not take the endpoint")
	}
	if resp, err := http.Post("http://"+here+"/telegram", "application/json", strings.NewReader("{}")); err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a stranger's update was answered %v, %v", resp, err)
	} else {
		resp.Body.Close()
	}
	there := newDiscord(t, discords, "Cat", "Dan")
	for _, c := range []crowd{newTelegram(t, theirs, "Ann", "Ben"), there} {
		c.open()
		c.lastDeal()
		playUntil(c, everybody(c, 1), finished)
		checkBoard(t, c)
	}
	if discords.Connected() != 0 || len(theirs.Calls("setWebhook")) != 1 {
		t.Error("the bot is on the gateway, or set no webhook")
	}
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// undone is the text that people get when moves were undone.
var undone = lang.For("en").Text("reply.undone")

// eagerProcess starts this test binary as the program, without Telegram's rate limits.
func eagerProcess(t *testing.T, config ...string) *process {
	t.Helper()
	return eagerAs(t, "1", config...)
}

// eagerAs is eagerProcess with a value of eagerly.
func eagerAs(t *testing.T, how string, config ...string) *process {
	t.Helper()
	if clocktest.Raced {
		t.Skip("processes take too long under the race detector")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{eagerly + "=" + how, "SEDMABOT_TABLE_PACE=0"}
	for _, line := range config {
		env = append(env, variable(line))
	}
	p, err := begun(self, t.TempDir(), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("the log of a process:\n%s", p.stderr)
		}
	})
	return p
}

// moves lets people play n cards, and waits until the last one is shown. Then the process may be killed: it has
// confirmed all presses, so the next process doesn't get them again.
func (c *onTelegram) moves(people []*person, n int) {
	c.t.Helper()
	somebody := func() bool {
		return slices.ContainsFunc(people, func(p *person) bool { _, ok := p.turn(); return ok })
	}
	for n > 0 {
		c.until(somebody)
		if people[0].act() || people[1].act() { // unless the bot has just made the move, a forced stop, itself
			n--
		}
	}
	c.until(func() bool { return somebody() && c.server.Pending() == 0 })
}

// atRest waits until no job is leased. Everything that was shown is recorded by then.
func atRest(t *testing.T, server *redistest.Server) {
	t.Helper()
	late := time.After(patience)
	for p := 0; p < store.Partitions; {
		held, err := server.Do("HLEN", fmt.Sprintf("sedma:{p%02d}:held", p))
		if err != nil {
			t.Fatal(err)
		}
		if held == ":0" {
			p++
			continue
		}
		select {
		case <-time.After(20 * time.Millisecond): // there is no event for that
		case <-late:
			t.Fatal("a job is held all the time")
		}
	}
}

// reads reports whether the group was told that moves were undone.
func (c *onTelegram) reads() bool {
	return slices.ContainsFunc(c.group(), func(text string) bool { return strings.Contains(text, undone) })
}

// playOn plays to the end. People press when they see that it is their turn, and press again if nothing changes for a
// second.
func (c *onTelegram) playOn(people []*person) {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	for !finished(c) {
		second, stop := context.WithTimeout(ctx, time.Second)
		err := c.server.Until(second, func() bool {
			return finished(c) || slices.ContainsFunc(people, func(p *person) bool { _, ok := p.turn(); return ok })
		})
		stop()
		switch {
		case ctx.Err() != nil:
			c.t.Fatalf("nothing happens any more:\n%s\nAnn has %v\nBen has %v", strings.Join(c.group(), "\n--\n"), c.hands(0), c.hands(1))
		case err != nil:
			again(people)
		}
		for _, p := range people {
			p.act()
		}
		for _, text := range c.group() {
			if strings.Contains(text, "away, the AI plays") {
				c.t.Fatalf("the AI has taken somebody's seat:\n%s", text)
			}
		}
	}
}

// A failover of Redis undoes cards in play. A process that has seen those cards must tell people at once. If all
// processes were restarted, the new one must tell them at the next press.
func TestAFailoverUndoesCards(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	for name, survives := range map[string]bool{"the process goes on": true, "the process ends too": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sentinels := redistest.StartSentinels(t)
			k := kept{"store.redis_url: " + sentinels.URL(), func() (store.Store, error) {
				return redisstore.Open(context.WithoutCancel(t.Context()), sentinels.URL(), redisstore.Options{})
			}}
			server := telegramtest.New(t)
			config := []string{k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
			p := eagerProcess(t, config...)
			c := newTelegram(t, server, "Ann", "Ben")
			c.open()
			c.lastDeal()
			people := everybody(c, 1)
			c.moves(people, 2)
			atRest(t, sentinels.Master)
			sentinels.Detach()
			c.moves(people, 3)
			if !survives {
				p.kill()
			}
			sentinels.FailOver()
			if survives {
				c.until(c.reads)
			} else {
				eagerProcess(t, config...)
			}
			again(people)
			c.playOn(people)
			checkBoard(t, c)
		})
	}
}

// A backup is made, people play on into the next deal, and the backup is restored. Everybody must see that, and
// continue from there.
func TestARestoreUndoesCards(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	everyStore(t, func(t *testing.T, k kept) {
		server := telegramtest.New(t)
		telegram := []string{"telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
		p := eagerProcess(t, append(telegram, k.config)...)
		c := newTelegram(t, server, "Ann", "Ben")
		c.open()
		people := everybody(c, 1)
		c.moves(people, 3)
		file := filepath.Join(t.TempDir(), "backup")
		if out, err := with(t, []string{k.config}, "backup", file); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		playUntil(c, people, secondDeal)
		c.moves(people, 1)
		p.kill()
		second := onBolt(t)
		if out, err := with(t, []string{second.config}, "restore", file); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		p = eagerProcess(t, append(telegram, second.config)...)
		c.until(c.reads)
		pressed := false
		for who, person := range c.people {
			for _, m := range person.Private().Messages() {
				plays := telegramMessage(m).plays()
				if strings.Contains(m.Text, "deal 2") && len(plays) > 0 {
					for _, b := range plays[:1] {
						pressed = true
						ctx, cancel := c.context()
						answer, err := person.PressData(ctx, m, b.data)
						cancel()
						if err != nil || answer.Text != undone {
							t.Errorf("%s pressed on a deal that was undone, and was told %q, %v", c.names()[who], answer.Text, err)
						}
					}
				}
			}
		}
		if !pressed {
			t.Error("nobody had a card of the deal that was undone")
		}
		c.lastDeal()
		again(people)
		c.playOn(people)
		checkBoard(t, c)
		if wrong := errorsIn(p.stderr); len(wrong) > 0 {
			t.Errorf("errors in the log:\n%s", strings.Join(wrong, "\n"))
		}
		p.kill()
		checkRecords(t, second, 1)
	})
}

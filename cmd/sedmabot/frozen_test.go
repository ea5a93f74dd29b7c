//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// frozen freezes a process while f runs.
func (p *process) frozen(t *testing.T, f func()) {
	t.Helper()
	signal := func(s syscall.Signal) {
		if err := p.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	f()
}

// pairOf starts two processes on one Redis and one token. The first one leads.
func pairOf(t *testing.T, k kept, server *telegramtest.Server) (both [2]*process) {
	t.Helper()
	config := []string{k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
	both[0] = launchUntil(t, holds, config...)
	both[1] = eagerProcess(t, config...)
	both[1].stderr.wait(t, waits)
	return both
}

// A leader is frozen when Ben joins. With its successor, Ben joins and leaves. The first process got the same word before it
// was frozen, and must not repeat it when it goes on.
func TestAFrozenLeaderRepeatsNothing(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	redis, server := redistest.Start(t), telegramtest.New(t)
	both := pairOf(t, keptIn(t, redis, redis.Addr), server)
	c := newTelegram(t, server, "Ann", "Ben")
	lobby := func() string {
		all := c.group()
		return all[len(all)-1]
	}
	c.people[0].Say(c.chat, "/new 3")
	c.until(func() bool { return len(c.chat.Messages()) > 0 && server.Pending() == 0 })
	atRest(t, redis)
	alone := lobby()
	both[0].frozen(t, func() {
		c.people[1].Say(c.chat, "/join")
		both[1].stderr.wait(t, holds)
		c.until(func() bool { return lobby() != alone })
		c.people[1].Say(c.chat, "/leave")
		c.until(func() bool { return lobby() == alone && server.Pending() == 0 })
	})
	both[0].stderr.wait(t, `the turn of this process is over`)
	c.people[0].Say(c.chat, "/begin")
	c.until(func() bool { return len(c.hands(0)) > 0 && server.Pending() == 0 })
	if len(c.hands(1)) > 0 || len(c.chat.Messages()) > 2 {
		t.Errorf("Ben sits at the table again, or it was posted again:\n%s", strings.Join(c.group(), "\n--\n"))
	}
}

// Each process is frozen in turn while people play. Play goes on when a lease has ended, and at once when the process is
// back.
func TestEachProcessIsFrozen(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	k, server := onRedis(t), telegramtest.New(t)
	both := pairOf(t, k, server)
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	people := everybody(c, 1)
	watch := clocktest.Start(t)
	moves := func(n int, most time.Duration) {
		t.Helper()
		began := watch.Now()
		c.moves(people, n)
		if took := watch.Now() - began; took > most {
			t.Errorf("%d moves took %v", n, took)
		}
	}
	moves(2, 3*time.Second)
	for _, p := range both {
		p.frozen(t, func() { moves(2, 15*time.Second) })
		moves(2, 3*time.Second)
	}
	both[0].kill()
	moves(2, 15*time.Second)
	playUntil(c, people, finished)
	checkBoard(t, c)
	both[1].kill()
	checkRecords(t, k, 0)
	server.Forgive() // a press that two processes have got is answered twice
}

// Two older processes stand beside a newer one, whose tables they can't read. They leave them to it, and say so once.
func TestOlderProcessesLeaveTablesToANewerOne(t *testing.T) {
	t.Parallel()
	unhurried(t)
	if !long() {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	k, server := onRedis(t), telegramtest.New(t)
	config := []string{k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL, "table.pace: 1s"} // so the match lasts
	eagerAs(t, newer, config...).stderr.wait(t, holds)
	older := []*process{eagerProcess(t, config...), eagerProcess(t, config...)}
	for _, p := range older {
		p.stderr.wait(t, waits)
	}
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	people := everybody(c, 1)
	watch := clocktest.Start(t)
	for began := watch.Now(); watch.Now() < 90*time.Second; began = watch.Now() { // they try again after a minute
		c.moves(people, 1)
		if took := watch.Now() - began; took > 12*time.Second { // Telegram's limit of a group may take some of it
			t.Errorf("a move took %v", took)
		}
	}
	for _, p := range older {
		if n := strings.Count(p.stderr.String(), "a newer version of this program has to do what is due"); n != 1 {
			t.Errorf("%d lines say that a newer version is needed:\n%s", n, p.stderr)
		}
	}
}

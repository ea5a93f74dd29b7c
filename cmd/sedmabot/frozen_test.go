//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/bottest/clock"
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
	clock.Whole(t)
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
	clock.Whole(t)
	k, server := onRedis(t), telegramtest.New(t)
	both := pairOf(t, k, server)
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	people := everybody(c, 1)
	watch := clock.Start(t)
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

// raised builds this program with a higher schema of tables.
func raised(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	path, err := filepath.Abs("../../bot/doc/document.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	for _, change := range [][2]string{{"const newest = 3\n", "const newest = 4\n"}, {"strangers = v.Strangers != nil\n", "strangers = true\n"}} {
		if !strings.Contains(text, change[0]) {
			t.Fatalf("no line %q", change[0])
		}
		text = strings.ReplaceAll(text, change[0], change[1])
	}
	changed, overlay, file := filepath.Join(folder, "document.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "sedmabot")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{changed: []byte(text), overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-overlay", overlay, "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// Two older processes stand beside a newer one, whose tables they can't read. They leave them to it, and say so once.
func TestOlderProcessesLeaveTablesToANewerOne(t *testing.T) {
	t.Parallel()
	unhurried(t)
	if !long() {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	k, server := onRedis(t), telegramtest.New(t)
	config := []string{k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL}
	env := []string{variable("table.pace: 0")}
	for _, line := range config {
		env = append(env, variable(line))
	}
	newer, err := begun(raised(t), t.TempDir(), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(newer.kill)
	newer.stderr.wait(t, holds)
	older := []*process{eagerProcess(t, config...), eagerProcess(t, config...)}
	for _, p := range older {
		p.stderr.wait(t, waits)
	}
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	people := everybody(c, 1)
	watch := clock.Start(t)
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

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// before is the commit whose program TestUpgradeAndRollback runs beside today's.
// deploy/upgrade.md promises that going back to it works.
const before = "c8a7977abdef470002373a05a5d5408737a2f6ca"

// builtAt builds the program of a commit.
func builtAt(t *testing.T, commit string) string {
	t.Helper()
	if err := exec.Command("git", "cat-file", "-e", commit+"^{commit}").Run(); err != nil {
		if required("history") {
			t.Fatalf("commit %.7s isn't in the repository's whole history: name one that is", commit)
		}
		t.Skipf("commit %.7s isn't in this copy of the repository: fetch its whole history to run this test", commit)
	}
	folder := t.TempDir()
	unpack := exec.Command("sh", "-c", `git -C ../.. archive "$0" | tar -x -C "$1"`, commit, folder)
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(t.TempDir(), "sedmabot")
	build := exec.Command("go", "build", "-trimpath", "-o", file, "./cmd/sedmabot")
	build.Dir = folder
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// balancer passes each request to the next of the processes.
type balancer struct {
	*httptest.Server
	telegram *telegramtest.Server
	mu       sync.Mutex
	behind   []string // addresses of the processes
	turn     atomic.Uint64
}

func newBalancer(t *testing.T, telegram *telegramtest.Server) *balancer {
	b := &balancer{telegram: telegram}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		all := slices.Clone(b.behind)
		b.mu.Unlock()
		if len(all) == 0 {
			http.Error(w, "no process", http.StatusBadGateway)
			return
		}
		to := &url.URL{Scheme: "http", Host: all[b.turn.Add(1)%uint64(len(all))]}
		httputil.NewSingleHostReverseProxy(to).ServeHTTP(w, r)
	}))
	t.Cleanup(b.Close)
	return b
}

// behindOne is one process of a rolling deployment.
type behindOne struct {
	*process
	at string
}

// add starts a program and sends it requests once it has told Telegram where it is.
func (b *balancer) add(t *testing.T, file string, env []string) *behindOne {
	t.Helper()
	hooks := len(b.telegram.Calls("setWebhook"))
	at := redistest.Address(t)
	p, err := begun(file, t.TempDir(), append(slices.Clone(env), "SEDMABOT_HTTP_LISTEN="+at))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.kill()
		if log := p.stderr.String(); t.Failed() || strings.Contains(log, "level=ERROR") {
			t.Errorf("the log of %s:\n%s", filepath.Base(filepath.Dir(file)), log)
		}
	})
	// It sets the webhook again when it starts, and Telegram then repeats what wasn't acknowledged before.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := b.telegram.Until(ctx, func() bool { return len(b.telegram.Calls("setWebhook")) > hooks }); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.behind = append(b.behind, at)
	return &behindOne{p, at}
}

// remove sends a process no more requests and stops it, as a deployment does.
func (b *balancer) remove(t *testing.T, p *behindOne) {
	t.Helper()
	b.mu.Lock()
	b.behind = slices.DeleteFunc(b.behind, func(at string) bool { return at == p.at })
	b.mu.Unlock()
	if status := p.status(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d\n%s", status, p.stderr)
	}
}

// buttonPlayer presses by what a button does, whatever the version of the program calls it.
type buttonPlayer struct {
	c       *onTelegram
	who     int
	pressed string // the hand on which they pressed last
}

// hand returns their newest hand, if it has changed since they pressed.
func (p *buttonPlayer) hand() (message, bool) {
	hands := p.c.hands(p.who)
	if len(hands) == 0 {
		return message{}, false
	}
	last := hands[len(hands)-1]
	return last, last.String() != p.pressed
}

// match is a crowd that plays by commands and buttons alone.
type match struct {
	*onTelegram
	players []*buttonPlayer
}

// begin opens a table by commands.
func (m *match) begin(players int) {
	m.t.Helper()
	m.people[0].Say(m.chat, fmt.Sprintf("/new %d", players))
	m.until(func() bool { return len(m.chat.Messages()) > 0 })
	for _, p := range m.people[1:] {
		p.Say(m.chat, "/join")
		m.until(func() bool { return strings.Contains(strings.Join(m.group(), "\n"), p.First) }) // else /begin may overtake it
	}
	m.people[0].Say(m.chat, "/begin")
	for who := range m.people {
		m.players = append(m.players, &buttonPlayer{c: m.onTelegram, who: who})
	}
}

// moves waits for n hands that have changed and presses a card of each. It ends early with the match.
func (m *match) moves(n int) {
	m.t.Helper()
	for n > 0 {
		m.until(func() bool {
			return finished(m) || slices.ContainsFunc(m.players, func(p *buttonPlayer) bool { _, ok := p.hand(); return ok })
		})
		if finished(m) {
			return
		}
		for _, p := range m.players {
			if hand, ok := p.hand(); ok {
				p.pressed = hand.String()
				m.play(p.who, hand, hand.plays()[0])
				n--
			}
		}
	}
}

// Processes of an older program and of today's share one Redis and the requests
// of the platforms while matches continue: during an upgrade, during the way back
// to the older program, and during the next upgrade.
func TestUpgradeAndRollback(t *testing.T) {
	t.Parallel()
	unhurried(t)
	if !long() {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	older := builtAt(t, before)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := onRedis(t)
	server := telegramtest.New(t)
	front := newBalancer(t, server)
	env := []string{
		variable(k.config), variable("telegram.token: " + server.Token), variable("telegram.api_base: " + server.URL),
		variable("telegram.mode: webhook"), variable("telegram.webhook_url: " + front.URL + "/telegram"), "SEDMABOT_TABLE_PACE=0",
	}
	old := func() *behindOne { return front.add(t, older, env) }
	today := func() *behindOne { return front.add(t, self, append(slices.Clone(env), eagerly+"=1")) }

	first, second := old(), old()
	pair := &match{onTelegram: newTelegram(t, server, "Ann", "Ben")}
	pair.begin(2)
	four := &match{onTelegram: newTelegram(t, server, "Cat", "Dan")}
	four.begin(4)
	all := func(step string) {
		t.Helper()
		for _, m := range []*match{pair, four} {
			if finished(m) {
				t.Errorf("%s: the match of %s is over already", step, m.names()[0])
			}
			m.moves(3)
		}
		pair.until(func() bool { return server.Pending() == 0 })
		t.Log(step)
	}
	all("two older processes")
	third := today()
	front.remove(t, first)
	all("upgrading: an older process and today's")
	fourth := today()
	front.remove(t, second)
	all("two of today's")
	fifth := old()
	front.remove(t, third)
	all("going back: today's process and an older one")
	sixth := old()
	front.remove(t, fourth)
	all("two older processes again")
	seventh := today()
	front.remove(t, fifth)
	all("upgrading again")
	front.remove(t, sixth)
	for _, m := range []*match{pair, four} {
		m.playAlone()
		checkBoard(t, m)
	}
	front.remove(t, seventh)
	checkMatches(t, k, 2, 0)
	goBackByBackup(t, k, older)
}

// goBackByBackup takes the data to the older program: it refuses today's data file, and restores a backup.
func goBackByBackup(t *testing.T, k kept, older string) {
	t.Helper()
	backup := restores(t, k, older)
	file := dataFile(t)
	if out, err := with(t, []string{file}, "restore", backup); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if status, output := ranOlder(t, older, file, "boards", "check"); status != 1 || !strings.Contains(output, "newer") {
		t.Errorf("the older program opens today's data file: exit status %d\n%s", status, output)
	}
}

// restores checks that the older program restores a backup of today's, and returns the backup.
func restores(t *testing.T, k kept, older string) (backup string) {
	t.Helper()
	backup = filepath.Join(t.TempDir(), "backup")
	if out, err := with(t, []string{k.config}, "backup", backup); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := dataFile(t)
	for _, args := range [][]string{{"restore", backup}, {"boards", "check"}} {
		if status, output := ranOlder(t, older, file, args...); status != 0 {
			t.Errorf("the older program: %v: exit status %d\n%s", args, status, output)
		}
	}
	return backup
}

// ranOlder runs a command of the older program on a data file.
func ranOlder(t *testing.T, older, file string, args ...string) (status int, output string) {
	t.Helper()
	p, err := begun(older, t.TempDir(), []string{variable(file)}, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p.status(0), p.stdout.String() + p.stderr.String()
}

// playAlone plays to the end.
func (m *match) playAlone() {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), 5*time.Minute)
	defer cancel()
	for !finished(m) {
		if ctx.Err() != nil {
			m.t.Fatalf("the match doesn't end:\n%s", strings.Join(m.group(), "\n--\n"))
		}
		m.moves(1)
	}
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
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

// raised is the store of a newer program: it keeps tables in a schema that today's program can't read.
type raised struct{ store.Store }

// translate changes the schema of tables.
func translate(name string, data []byte, from, to string) []byte {
	if rest, ok := bytes.CutPrefix(data, []byte(from)); ok && strings.HasPrefix(name, "table:") {
		return append([]byte(to), rest...)
	}
	return data
}

// How tables begin in today's schema, and in one that no program of today reads.
const todays, higher = `{"v":2,`, `{"v":4,`

func lowered(docs []store.Doc) {
	for i, d := range docs {
		docs[i].Data = translate(d.Key.Name, d.Data, higher, todays)
	}
}

func (s raised) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	docs, err := s.Store.Get(ctx, keys...)
	lowered(docs)
	return docs, err
}

func (s raised) Commit(ctx context.Context, c store.Change) error {
	c.Writes = slices.Clone(c.Writes)
	for i, w := range c.Writes {
		c.Writes[i].Data = translate(w.Name, w.Data, todays, higher)
	}
	err := s.Store.Commit(ctx, c)
	if c.Claim != nil {
		lowered(c.Claim.Docs)
	}
	return err
}

func (s raised) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := s.Store.Claim(ctx, now, lease, limit)
	for _, job := range jobs {
		lowered(job.Docs)
	}
	return jobs, next, err
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
		if t.Failed() || len(errorsIn(p.stderr)) > 0 {
			t.Errorf("the log of %s:\n%s", filepath.Base(filepath.Dir(file)), p.stderr)
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
	watch         *clocktest.Clock
	most, slowest time.Duration // until a hand comes: the limit, and what was seen
	players       []*buttonPlayer
}

// begin opens a table by commands, one after another.
func (m *match) begin() {
	m.t.Helper()
	say := func(who int, words string) {
		m.people[who].Say(m.chat, words)
		m.until(func() bool { return m.server.Pending() == 0 })
	}
	say(0, fmt.Sprintf("/new %d", len(m.people)))
	for who := range m.people[1:] {
		say(who+1, "/join")
	}
	say(0, "/begin")
	for who := range m.people {
		m.players = append(m.players, &buttonPlayer{c: m.onTelegram, who: who})
	}
}

// newerNeeded begins the answer to a press at a table that only a newer program can read.
const newerNeeded = "A newer version of this bot"

// moves waits for n hands that have changed and presses a card of each, again if only another process can take it. It
// ends early with the match.
func (m *match) moves(n int) {
	m.t.Helper()
	for n > 0 {
		began := m.watch.Now()
		m.until(func() bool {
			return finished(m) || slices.ContainsFunc(m.players, func(p *buttonPlayer) bool { _, ok := p.hand(); return ok })
		})
		took := m.watch.Now() - began
		if m.slowest = max(m.slowest, took); took > m.most {
			m.t.Errorf("a hand came after %v", took)
		}
		if finished(m) {
			return
		}
		for _, p := range m.players {
			if hand, ok := p.hand(); ok && !strings.HasPrefix(m.answer(p.who, hand, hand.plays()[0]).Text, newerNeeded) {
				p.pressed = hand.String()
				n--
			}
		}
	}
}

// rolling is two programs whose processes share one Redis and the requests of Telegram while a match continues.
type rolling struct {
	*testing.T
	kept         kept
	server       *telegramtest.Server
	front        *balancer
	older, newer func() *behindOne
	running      []*behindOne // the first one has run longest
	match        *match
}

// roll begins a match with two processes of the older program, a file or this test binary. The newer one is this binary, which
// then works as newer says.
func roll(t *testing.T, older, newer string) *rolling {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &rolling{T: t, kept: onRedis(t), server: telegramtest.New(t)}
	r.front = newBalancer(t, r.server)
	env := []string{
		variable(r.kept.config), variable("telegram.token: " + r.server.Token), variable("telegram.api_base: " + r.server.URL),
		variable("telegram.mode: webhook"), variable("telegram.webhook_url: " + r.front.URL + "/telegram"), variable("limits.presses: 0"), "SEDMABOT_TABLE_PACE=0",
	}
	starts := func(file, how string) func() *behindOne {
		all := append(slices.Clone(env), eagerly+"="+how)
		return func() *behindOne { return r.front.add(t, cmp.Or(file, self), all) }
	}
	r.older, r.newer = starts(older, "1"), starts("", newer)
	r.running = []*behindOne{r.older(), r.older()}
	r.match = &match{onTelegram: newTelegram(t, r.server, "Ann", "Ben"), watch: clocktest.Start(t), most: 3 * time.Second}
	if older != "" {
		r.match.most = 12 * time.Second // less than the minute for which that program leaves a table alone
	}
	r.match.begin()
	r.play("two older processes")
	return r
}

// swap starts a process, stops the one that has run longest, and plays on.
func (r *rolling) swap(step string, start func() *behindOne) {
	r.Helper()
	r.running = append(r.running, start())
	r.stop()
	r.play(step)
}

// stop stops the process that has run longest.
func (r *rolling) stop() {
	r.Helper()
	r.front.remove(r.T, r.running[0])
	r.running = r.running[1:]
}

// play plays a move or two.
func (r *rolling) play(step string) {
	r.Helper()
	if finished(r.match) {
		r.Errorf("%s: the match is over already", step)
	}
	r.match.moves(1)
	r.match.until(func() bool { return r.server.Pending() == 0 })
	r.Log(step)
}

// end plays the match to the end of its deal, and checks its result and records.
func (r *rolling) end() {
	r.Helper()
	r.match.lastDeal()
	for !finished(r.match) {
		r.match.moves(1)
	}
	checkBoard(r.T, r.match)
	r.Logf("each hand came within %v", r.match.slowest)
	r.stop()
	checkRecords(r.T, r.kept, 1)
}

// Processes of an older program and of today's share one Redis and the requests
// of the platforms while people play: during an upgrade, during the way back
// to the older program, and during the next upgrade.
func TestUpgradeAndRollback(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	older := builtAt(t, before)
	r := roll(t, older, "1")
	r.swap("upgrading: an older process and today's", r.newer)
	r.swap("two of today's", r.newer)
	r.swap("going back: today's process and an older one", r.older)
	r.swap("two older processes again", r.older)
	r.swap("upgrading again", r.newer)
	r.stop()
	r.play("today's process alone")
	r.end()
	goBack(t, r.kept, older)
}

// Today's program is the older one here: it can't read a table once a newer one has changed it. The match continues as
// long as one newer process is there, and with the next upgrade.
func TestUpgradeAndRollbackOfTables(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	r := roll(t, "", newer)
	r.swap("upgrading: an older process and a newer one", r.newer)
	r.play("the older process can't read the tables")
	r.running = []*behindOne{r.running[1], r.running[0]}
	r.stop()
	presses := 0
	for who := range r.match.people {
		for _, hand := range r.match.hands(who) {
			presses++
			if answer := r.match.answer(who, hand, hand.plays()[0]); !strings.HasPrefix(answer.Text, newerNeeded) {
				t.Errorf("a press at a newer table: %q", answer.Text)
			}
		}
	}
	if presses == 0 {
		t.Error("nobody has a hand to press")
	}
	r.running = append(r.running, r.newer())
	r.play("upgrading again")
	r.stop()
	r.play("a newer process alone")
	r.end()
}

// goBack takes the data to the older program: it restores a backup, and opens today's data file.
func goBack(t *testing.T, k kept, older string) {
	t.Helper()
	backup := restores(t, k, older)
	file := dataFile(t)
	if out, err := with(t, []string{file}, "restore", backup); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checksBoards(t, older, file)
}

// restores checks that the older program restores a backup of today's, and returns the backup.
func restores(t *testing.T, k kept, older string) (backup string) {
	t.Helper()
	backup = filepath.Join(t.TempDir(), "backup")
	if out, err := with(t, []string{k.config}, "backup", backup); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := dataFile(t)
	if status, output := ranOlder(t, older, file, "restore", backup); status != 0 {
		t.Errorf("the older program: restore: exit status %d\n%s", status, output)
	}
	checksBoards(t, older, file)
	return backup
}

// checksBoards checks that the older program finds nothing wrong in a data file.
func checksBoards(t *testing.T, older, file string) {
	t.Helper()
	_, output := ranOlder(t, older, file, "boards", "check")
	checked := false
	for _, line := range linesOf(unknownToOlder.ReplaceAllString(output, "")) {
		checked = checked || strings.Contains(line, "board rows")
		if _, both, is := strings.Cut(line, "the store has "); is {
			if stored, right, _ := strings.Cut(both, ", the records say "); stored != right {
				t.Errorf("the older program: boards check: %s", line)
			}
		}
	}
	if !checked {
		t.Errorf("the older program: boards check:\n%s", output)
	}
}

// unknownToOlder matches what today's program counts and the older one doesn't.
var unknownToOlder = regexp.MustCompile(`,"(?:ai_stakes|l)":-?\d+`)

// ranOlder runs a command of the older program on a data file.
func ranOlder(t *testing.T, older, file string, args ...string) (status int, output string) {
	t.Helper()
	p, err := begun(older, t.TempDir(), []string{variable(file)}, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p.status(0), p.stdout.String() + p.stderr.String()
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/store/redistest"
)

// The program is killed again and again while people play at many tables on Telegram. On a data file there is one
// process, which is restarted; on Redis there are three behind one address. No card may be lost or played twice. Each
// match's record must replay to the announced result. At the end every chat must show what it should, and nobody may
// ever have seen another player's cards.
func TestDrill(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	tables, kills, deal := 4, 8, "Make this the last deal"
	limit := 5 * time.Minute
	if long() {
		tables, kills, deal, limit = 50, 300, "", 30*time.Minute
	}
	for name, s := range map[string]struct {
		open      func(*testing.T) kept
		processes int
	}{"bolt": {onBolt, 1}, "redis": {onRedis, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &drill{T: t, kept: s.open(t), server: telegramtest.New(t), last: deal}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			d.fleet = newFleet(t, d.kept, d.server, s.processes)
			began := time.Now()
			var killing atomic.Bool
			killing.Store(true)
			var all sync.WaitGroup
			for range tables {
				all.Go(func() {
					for first := true; ctx.Err() == nil && (first || killing.Load()); first = false {
						d.newRoom().play(ctx) // one match after another, so that each kill interrupts one
					}
				})
			}
			for range kills {
				d.fleet.killOne()
			}
			killing.Store(false)
			took := time.Since(began)
			all.Wait()
			if ctx.Err() == nil {
				d.settle(ctx)
			}
			d.fleet.stop()
			presses := d.check()
			t.Logf("%d kills of %d processes in %v; %d tables and %d presses in %v; %d calls of the platform",
				kills, s.processes, took.Round(time.Second), len(d.rooms), presses, time.Since(began).Round(time.Second), len(d.server.Calls("")))
		})
	}
}

// long reports whether tests may take minutes.
func long() bool { return os.Getenv("SEDMABOT_TEST_LONG") == "1" }

// eagerly makes a process of this test binary run the program without Telegram's rate limits (see TestMain). With the value
// newer, it stands for a newer program.
const eagerly = "SEDMABOT_TEST_EAGERLY"

const newer = "newer"

// fleet is several processes of the program behind one address, with a common store and token.
type fleet struct {
	t       *testing.T
	env     []string
	client  *http.Client
	running []*process
	at      []string // address of each process
	log     strings.Builder
}

// newFleet starts n processes that take Telegram's updates by webhook.
func newFleet(t *testing.T, k kept, server *telegramtest.Server, n int) *fleet {
	f := &fleet{t: t, client: &http.Client{Timeout: 20 * time.Second}}
	front := httptest.NewServer(f)
	t.Cleanup(front.Close)
	for _, line := range []string{
		k.config, "telegram.token: " + server.Token, "telegram.api_base: " + server.URL,
		"telegram.mode: webhook", "telegram.webhook_url: " + front.URL + "/telegram", "table.pace: 10ms",
	} {
		f.env = append(f.env, variable(line))
	}
	f.env = append(f.env, eagerly+"=1")
	t.Cleanup(func() {
		for _, p := range f.running {
			p.kill()
			f.keep(p)
		}
		if t.Failed() {
			t.Logf("what the processes logged above the ordinary:\n%s", f.log.String())
		}
	})
	for range n {
		f.at = append(f.at, redistest.Address(t))
		f.running = append(f.running, nil)
	}
	for i := range n {
		f.start(i)
	}
	return f
}

func (f *fleet) start(i int) {
	f.t.Helper()
	self, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	p, err := begun(self, f.t.TempDir(), append(f.env, variable("http.listen: "+f.at[i])))
	if err != nil {
		f.t.Fatal(err)
	}
	f.running[i] = p
}

// killOne kills a random process some time after it started to work, and restarts it.
func (f *fleet) killOne() {
	f.t.Helper()
	i := rand.IntN(len(f.running))
	p := f.running[i]
	p.stderr.wait(f.t, "telegram sends its updates")
	// The moment must be random, so there is nothing to wait for.
	time.Sleep(time.Duration(50+rand.IntN(300)) * time.Millisecond)
	p.kill()
	f.keep(p)
	f.start(i)
}

// stop ends all processes gracefully.
func (f *fleet) stop() {
	f.t.Helper()
	for _, p := range f.running {
		if status := p.status(syscall.SIGTERM); status != 0 {
			f.t.Errorf("exit status %d", status)
		}
	}
}

// keep collects the warnings of a process that has ended. Errors fail the test, because the store was always there.
func (f *fleet) keep(p *process) {
	for _, line := range errorsIn(p.stderr) {
		f.t.Errorf("logged: %s", line)
	}
	for _, line := range linesOf(p.stderr.String()) {
		if strings.Contains(line, "panic") {
			f.t.Errorf("logged: %s", line)
		}
		if !strings.Contains(line, "level=INFO") {
			fmt.Fprintln(&f.log, line)
		}
	}
}

// ServeHTTP passes a request to one of the processes, like a load balancer that doesn't know which of them are running.
func (f *fleet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	request, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+f.at[rand.IntN(len(f.at))]+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	request.Header = r.Header.Clone()
	response, err := f.client.Do(request)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, response.Body) // an incomplete answer comes from a killed process
}

// drill is the state of the whole drill.
type drill struct {
	*testing.T
	kept   kept
	server *telegramtest.Server
	fleet  *fleet
	last   string // label of the button that ends a match with its deal, or ""

	mu    sync.Mutex
	rooms []*room
}

// room is a group with a table of its own, and the two of its members who play there.
type room struct {
	d      *drill
	chat   *telegramtest.Chat
	people [2]*telegramtest.Person
	table  string // the table's id, from its buttons
	joined bool   // the second of them has a seat

	pressed  map[string]bool // plays that were pressed
	accepted map[string]bool // plays that were answered and not refused
	log      []string        // log of presses and their results
}

func (d *drill) newRoom() *room {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &room{d: d, pressed: map[string]bool{}, accepted: map[string]bool{}}
	for i, name := range []string{"Ann", "Ben"} {
		r.people[i] = d.server.Person(fmt.Sprint(name, " ", len(d.rooms)))
		r.people[i].Start("")
	}
	r.chat = d.server.Group(fmt.Sprint("Room ", len(d.rooms)), r.people[0], r.people[1])
	d.rooms = append(d.rooms, r)
	return r
}

// play opens a table and plays until its match is over.
func (r *room) play(ctx context.Context) {
	changed := r.d.server.Watch(r.chat, r.people[0].Private(), r.people[1].Private())
	r.people[0].Say(r.chat, "/new")
	for !r.over() {
		if !r.act(ctx) {
			select {
			case <-changed:
			case <-time.After(time.Second): // press again if a press had no effect
			case <-ctx.Done():
				r.d.Errorf("the match at %s does not come to an end:\n%s", r.table, strings.Join(r.log[max(0, len(r.log)-20):], "\n"))
				return
			}
		}
	}
}

// act takes the next possible action and reports whether there was one.
func (r *room) act(ctx context.Context) bool {
	lobby := false // the newest lobby was found, or can't exist any more
	for _, m := range slices.Backward(r.chat.Messages()) {
		// If a process was killed after sending a message but before recording it, that older message is never updated.
		if isTable(m) {
			lobby = true
		}
		if strings.Contains(m.Text, "who plays?") && !lobby {
			lobby = true
			for who, label := range map[int]string{1: "Join", 0: "Start"} {
				if m.Has(label) && (who == 1) != r.joined {
					r.table = tableIn(m)
					answer, ok := r.press(ctx, who, m, dataOf(m, label))
					if who == 1 { // a killed process may have counted an earlier press
						r.joined = r.joined || ok && (strings.Contains(answer.Text, "joined") || strings.Contains(answer.Text, "already at this table"))
						return ok
					}
					return ok && answer.Text == ""
				}
			}
		}
		if last := r.d.last; last != "" && !r.accepted[last] && isTable(m) {
			answer, ok := r.press(ctx, 0, m, lastOf(m))
			r.accepted[last] = ok && answer.Text == ""
		}
	}
	for who, p := range r.people {
		for _, newest := range slices.Backward(p.Private().Messages()) {
			m := telegramMessage(newest)
			plays := m.plays()
			if len(plays) == 0 {
				continue
			}
			if !strings.Contains(m.text, "Your turn") {
				break
			}
			// For the same hand, press again only if no press was accepted.
			decision := fmt.Sprint(who, plays[0].data[:strings.LastIndex(plays[0].data, ":")])
			if r.accepted[decision] {
				break
			}
			data := plays[rand.IntN(len(plays))].data
			r.pressed[data] = true
			if answer, ok := r.press(ctx, who, newest, data); ok && answer.Text == "" {
				r.accepted[data], r.accepted[decision] = true, true
				return true
			}
			break
		}
	}
	return false
}

// press presses a button and reports whether it was answered. A killed process never answers.
func (r *room) press(ctx context.Context, who int, m telegramtest.Message, data string) (telegramtest.Answer, bool) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	answer, err := r.people[who].PressData(ctx, m, data)
	r.log = append(r.log, fmt.Sprintf("%s %s: %q %v", r.people[who].First, data, answer.Text, err))
	return answer, err == nil
}

// over reports whether the group has seen the end of the match.
func (r *room) over() bool {
	for _, m := range r.chat.Messages() {
		if strings.Contains(m.Text, over) {
			return true
		}
	}
	return false
}

// dataOf returns the data of the button with that label.
func dataOf(m telegramtest.Message, label string) string {
	for _, row := range m.Buttons {
		for _, b := range row {
			if strings.Contains(b.Label, label) {
				return b.Data
			}
		}
	}
	return ""
}

// tableIn returns the id of the table in a message's buttons.
func tableIn(m telegramtest.Message) string {
	for _, row := range m.Buttons {
		for _, b := range row {
			if p, err := view.ParsePress(b.Data); err == nil {
				return p.Table
			}
		}
	}
	return ""
}

package bottest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/call"
	"sedmabot/bot/chat"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// TestStorm plays in the whole world: processes as cmd/sedmabot wires them, with a real adapter that speaks HTTP to a fake
// platform over a network in memory, and a plan of faults that is drawn from the seed. See the package comment.
func TestStorm(t *testing.T) {
	t.Parallel()
	var first, seeds uint64
	if _, err := fmt.Sscanf(os.Getenv("SEDMABOT_STORM"), "%d,%d", &first, &seeds); err != nil {
		t.Skip("SEDMABOT_STORM=FIRST,NUMBER runs that many seeds")
	}
	reached := &states{}
	began, used := time.Now(), cpu()
	t.Run("seeds", func(t *testing.T) {
		for i := range seeds {
			t.Run(strconv.FormatUint(first+i, 10), func(t *testing.T) {
				t.Parallel()
				p := drawPlan(first + i)
				if wrong, log := weather(t, p, reached); len(wrong) > 0 {
					report(t, p, wrong, log)
				}
			})
		}
	})
	t.Logf("%d seeds from %d in %v, CPU %v: %s", seeds, first, time.Since(began).Round(time.Millisecond), (cpu() - used).Round(time.Millisecond), reached)
	if seeds >= enough {
		for _, name := range reached.missing() {
			t.Errorf("no run reached the state %q", name)
		}
	}
}

// enough is the number of seeds after which all states must be reached.
const enough = 2000

// TestSavedStorms repeats the plans that have found something, in their smallest form.
func TestSavedStorms(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/storms/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			if wrong, log := weather(t, readPlan(t, file), &states{}); len(wrong) > 0 {
				t.Errorf("%s\n%s", strings.Join(wrong, "\n"), log)
			}
		})
	}
}

// report fails with what went wrong, and with the options that repeat and shrink it.
func report(t *testing.T, p plan, wrong []string, log string) {
	lines := strings.Split(log, "\n")
	if os.Getenv("SEDMABOT_STORM_LOG") == "" {
		lines = lines[max(0, len(lines)-60):]
	}
	t.Errorf("%s\n%s\nrepeat it: GOMAXPROCS=1 SEDMABOT_STORM=%d,1 go test ./bot/bottest -run TestStorm\nthe plan: %s\nthe last events:\n%s",
		p, strings.Join(wrong, "\n"), p.Seed, p.file(), strings.Join(lines, "\n"))
	if os.Getenv("SEDMABOT_STORM_SHRINK") != "" {
		small := shrink(t, p, wrong[0])
		t.Logf("the smallest plan, for testdata/storms: %s", small.file())
	}
}

// storm is one run of a plan.
type storm struct {
	plan
	air    *cable.Air
	world  platformWorld
	kept   *ledger
	people []*actor
	begun  time.Time
	calm   atomic.Bool  // the faults are over
	ahead  atomic.Int64 // difference of the store's clock, which all processes follow
	states *states
	mine   map[string]int // the states of this run, guarded by those of all

	mu        sync.Mutex
	processes []*machine
	started   int
	seeds     uint64
	latencies *rand.Rand
	wrong     []string
	logs      strings.Builder
	screens   map[chat.Address]screen.Screen // as the platform last accepted them
	sent      map[chat.Address]sender        // the processes that sent them
	doubted   []doubt
	deleted   map[chat.Address]bool      // messages that somebody has deleted
	moves     map[string]map[string]bool // by player, table and deal: the presses that make a move
	made      map[string]int             // by player, table and deal: how many moves were made
	refused   map[string]time.Time       // by chat or person: until when it refused the bot
	active    int                        // how many faults last
	ended     time.Time                  // when the latest fault ended
}

// platformWorld is the fake of a platform with its people.
type platformWorld interface {
	// adapter returns an adapter for a process.
	adapter(w *storm, m *machine) (chat.Platform, error)
	// person returns a new person, who is in all groups.
	person(name string) folk
	// messages returns what stands where: the key is the chat as the bot knows it.
	messages() map[chat.Address]note
	// cause begins a fault of the platform until the returned function is called, or reports false if it doesn't know the fault.
	cause(w *storm, f fault) (end func(), ok bool)
	// heal ends all faults.
	heal()
	// problems returns what the platform would have refused, or what people would have seen as a failure.
	problems() []string
	// calls returns how many requests the bot has made, except those that it makes all the time.
	calls() int
	// leaks returns the hands that a request showed in a place which isn't their owner's.
	leaks() []string
	close()
}

// folk is a person on a platform.
type folk interface {
	id() string
	sees() []note
	command(line string, private bool)
	// press presses a button and waits for its answer.
	press(ctx context.Context, n note, data string) error
	blocks(yes bool)
}

// note is a message as somebody sees it.
type note struct {
	address chat.Address
	chat    string // the chat or person as the bot knows it
	private bool
	text    string
	presses []string
	raw     any
}

type sender struct {
	by *machine
	at time.Time
}

// doubt is a time in which a process may have lost what it knew of its messages.
type doubt struct {
	by       *machine
	from, to time.Time
}

// weather runs a plan and returns what went wrong, and the log.
func weather(t *testing.T, p plan, reached *states) (wrong []string, log string) {
	synctest.Test(t, func(t *testing.T) {
		w := &storm{
			plan: p, begun: time.Now(), states: reached, latencies: rand.New(rand.NewPCG(p.Seed, 3)),
			screens: map[chat.Address]screen.Screen{}, sent: map[chat.Address]sender{}, deleted: map[chat.Address]bool{}, refused: map[string]time.Time{},
			kept: &ledger{Store: storetest.NewMemory(), totals: map[string]league.Totals{}},
		}
		w.kept.watch = w.watch
		w.air = cable.NewAir(func() time.Duration { return time.Duration(1+w.latencies.IntN(20)) * time.Millisecond })
		w.world = newTelegramWorld(t, w)
		w.run(t)
		w.mu.Lock()
		defer w.mu.Unlock()
		wrong, log = w.wrong, w.logs.String()
	})
	return wrong, log
}

func (w *storm) run(t *testing.T) {
	defer w.kept.Close()
	defer w.world.close()
	for range w.Processes {
		w.start()
	}
	defer func() {
		for _, m := range w.running() {
			w.stop(m)
		}
		time.Sleep(time.Minute) // killed processes end
	}()
	var acting sync.WaitGroup
	for i := range w.People {
		who := &actor{storm: w, name: cast[i], rng: rand.New(rand.NewPCG(w.Seed, 100+uint64(i)))}
		who.folk = w.world.person(who.name)
		w.people = append(w.people, who)
	}
	time.Sleep(10 * time.Second) // everything connects
	for i, who := range w.people {
		if !slices.Contains(w.Without, i) {
			acting.Go(func() { who.live() })
		}
	}
	w.storm()
	acting.Wait()
	w.calmDown()
	w.settled("after the storm")
	w.answers()
	w.finish()
	w.settled("after the end")
	w.accounts(t)
	w.rests()
}

// storm lets the faults of the plan happen.
func (w *storm) storm() {
	var lasting sync.WaitGroup
	for _, f := range w.Faults {
		time.Sleep(time.Until(w.begun.Add(f.At)))
		w.logf("fault %s", f)
		lasting.Go(func() { w.happens(f) })
	}
	time.Sleep(time.Until(w.begun.Add(w.Length)))
	lasting.Wait()
}

// machine is a process that can be killed. After that, nothing that it does has an effect.
type machine struct {
	w      *storm
	name   string
	number int
	bot    *bot.Bot
	cancel context.CancelFunc
	ended  chan struct{}
	dead   atomic.Bool
	fuse   atomic.Int64 // number of steps until it dies

	mu         sync.Mutex
	away       time.Time     // until when the store is away
	slow       time.Time     // until when the store is slow
	slowBy     time.Duration // how slow
	loseCommit int           // how many answers to commits are lost
	hang       time.Duration // how long the next claim takes
}

// step is called before each effect of a process outside it.
func (m *machine) step() error {
	if m.fuse.Add(-1) == 0 {
		m.die()
	}
	if m.dead.Load() {
		return errKilled
	}
	return nil
}

// die kills the process: its connections end, and nothing that it still does has an effect.
func (m *machine) die() {
	if m.dead.Swap(true) {
		return
	}
	m.w.doubts(m, 30*time.Second, 30*time.Second)
	m.w.air.Away(m.name, true)
	m.w.air.Cut(m.name)
	m.w.logf("%s dies", m.name)
	m.cancel()
}

func (w *storm) start() {
	w.mu.Lock()
	w.started++
	m := &machine{w: w, name: fmt.Sprintf("process-%d", w.started), number: w.started, ended: make(chan struct{})}
	w.mu.Unlock()
	m.fuse.Store(1 << 40)
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	adapter, err := w.world.adapter(w, m)
	if err != nil {
		panic(err)
	}
	m.bot = bot.New(bot.Config{
		Store: &shop{m}, Platforms: []chat.Platform{&taped{adapter, m}}, Worlds: 20, Pace: pace, Seed: w.deck, Log: m.log(),
		Now: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) },
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
	})
	var parts sync.WaitGroup
	for _, part := range []func(context.Context) error{m.bot.Run, func(ctx context.Context) error { return adapter.Run(ctx, m.bot) }} {
		parts.Go(func() {
			if err := part(ctx); err != nil && !m.dead.Load() {
				w.fail("%s: %v", m.name, err)
			}
		})
	}
	go func() { parts.Wait(); close(m.ended) }()
	w.mu.Lock()
	w.processes = append(w.processes, m)
	w.mu.Unlock()
	w.logf("%s starts", m.name)
}

// client returns an HTTP client as cmd/sedmabot makes it, over the network in memory. HTTP/2 goes without TLS, whose
// handshakes would be most of the work.
func (w *storm) client(m *machine) *http.Client {
	return call.Client(func(t *http.Transport) {
		t.DialContext, t.Proxy = w.air.Dial(m.name), nil
		if w.HTTP2 {
			t.Protocols = new(http.Protocols)
			t.Protocols.SetUnencryptedHTTP2(true)
		}
	})
}

// serve serves a platform at an address until the returned function is called.
func (w *storm) serve(address string, h http.Handler) (end func()) {
	s := &http.Server{Handler: h, Protocols: new(http.Protocols), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.Serve(w.air.Listen(address)) }()
	return func() { s.Close(); <-ended }
}

func (m *machine) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(m.w, &slog.HandlerOptions{Level: slog.LevelDebug})).With("process", m.number)
}

// deck returns a seed for a deal.
func (w *storm) deck() (s table.Seed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seeds++
	rng := rand.New(rand.NewPCG(w.Seed, w.seeds))
	for i := range s {
		s[i] = byte(rng.IntN(256))
	}
	return s
}

func (w *storm) running() []*machine {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.processes)
}

// stopTime is how long a stop may take, as cmd/sedmabot promises.
const stopTime = 8 * time.Second

// stop stops a process as a signal does.
func (w *storm) stop(m *machine) {
	began := time.Now()
	m.cancel()
	<-m.ended
	if took := time.Since(began); took > stopTime && !m.dead.Load() {
		w.fail("the stop of %s took %v", m.name, took)
	}
	w.logf("%s has stopped after %v", m.name, time.Since(began))
	w.gone(m)
}

func (w *storm) gone(m *machine) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.processes = slices.DeleteFunc(w.processes, func(other *machine) bool { return other == m })
}

// Write receives the log.
func (w *storm) Write(b []byte) (int, error) {
	w.observe(string(b))
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.logs.Write(b)
}

func (w *storm) logf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(&w.logs, "time=%s %s\n", time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), fmt.Sprintf(format, args...))
}

// fail notes something that is wrong.
func (w *storm) fail(format string, args ...any) {
	w.logf("WRONG "+format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = append(w.wrong, fmt.Sprintf("%v: ", time.Since(w.begun).Round(time.Millisecond))+fmt.Sprintf(format, args...))
}

// refuses notes that a place refuses the bot until now.
func (w *storm) refuses(place string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused[place] = time.Now()
}

// doubts notes that a process may lose what it knows of its messages, from a time before now until a time after.
func (w *storm) doubts(m *machine, before, after time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doubted = append(w.doubted, doubt{m, time.Now().Add(-before), time.Now().Add(after)})
}

// taped is an adapter as one process sees it. It notes what the platform shows.
type taped struct {
	chat.Platform
	m *machine
}

func (p *taped) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if err := p.m.step(); err != nil {
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	a, err := p.Platform.Send(ctx, to, s, nonce)
	if err == nil && p.m.dead.Load() {
		err = &chat.DeliveryError{Fault: chat.Retry, Err: errKilled}
	}
	w := p.m.w
	w.logf("%s sends to %s%s %s: %s %v", p.m.name, to.Chat, to.Player, nonce, a, err)
	if err != nil {
		w.failed(err)
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.screens[a], w.sent[a] = s, sender{p.m, time.Now()}
	return a, nil
}

func (p *taped) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	if err := p.m.step(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	err := p.Platform.Edit(ctx, a, s)
	w := p.m.w
	if err != nil {
		w.failed(err)
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.screens[a] = s
	return nil
}

func (p *taped) Delete(ctx context.Context, a chat.Address) error {
	if err := p.m.step(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	return p.Platform.Delete(ctx, a)
}

// failed notes how a delivery failed.
func (w *storm) failed(err error) {
	var d *chat.DeliveryError
	switch {
	case !errors.As(err, &d):
		w.fail("%v is no error of a delivery", err)
	case d.Fault == chat.Gone:
		w.state("a message was gone")
	case d.Fault == chat.Unreachable:
		w.state("a place couldn't be written to")
	case d.Fault == chat.Retry && d.After > 0:
		w.state("the platform said when to try again")
	case errors.Is(err, context.DeadlineExceeded):
		w.state("a delivery took too long")
	}
}

// sharing returns how processes agree with each other, as cmd/sedmabot chooses it.
func (m *machine) sharing(c *telegram.Config) {
	c.Agree, c.Election = work.Agree(&shop{m}), chat.Alone
	if m.w.Processes > 1 {
		c.Election, c.Exchange = work.ElectPatiently(&shop{m}, m.log()), work.Exchange(&shop{m})
	}
}

package bottest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/budget"
	"sedmabot/bot/call"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// TestStorm plays in the whole world: processes as cmd/sedmabot wires them, with a real adapter that speaks HTTP to a fake
// platform over a network in memory, and a plan of faults that is drawn from the seed. See the package comment.
func TestStorm(t *testing.T) {
	t.Parallel()
	first, seeds, limit := uint64(time.Now().Unix()/(24*60*60))*10_000, uint64(10_000), 5*time.Second // other seeds each day
	switch set := os.Getenv("SEDMABOT_STORM"); {
	case set != "":
		if _, err := fmt.Sscanf(set, "%d,%d", &first, &seeds); err != nil {
			t.Fatal("SEDMABOT_STORM=FIRST,NUMBER runs that many seeds")
		}
		limit = math.MaxInt64
	case testing.Short():
		t.Skip("some seconds")
	case Long():
		limit = time.Hour
	case clocktest.IsWhole():
		limit = 30 * time.Second
	}
	n := uint64(0)
	reached, used := storms(t, seeds == 1, func(used time.Duration) (p plan, ok bool) {
		if n == seeds || used >= limit || t.Failed() && os.Getenv("SEDMABOT_STORM_STOP") != "" {
			return p, false
		}
		n++
		return drawPlan(first + n - 1), true
	})
	t.Logf("%d seeds from %d, %v of CPU, %v each: %s", n, first, used.Round(time.Millisecond), (used / time.Duration(max(1, n))).Round(time.Millisecond), reached)
	if n >= enough {
		for _, name := range reached.missing() {
			t.Errorf("no run reached the state %q", name)
		}
	}
}

// enough is the number of seeds after which all states must be reached.
const enough = 2000

// storms runs plans in one process for each core. next returns the next one, if there is any, when the runs so far have used
// that much CPU time. storms returns the states that they reached, and the CPU time of all.
func storms(t *testing.T, exact bool, next func(used time.Duration) (plan, bool)) (reached *states, used time.Duration) {
	reached = &states{}
	var all sync.WaitGroup
	var mu sync.Mutex // guards used and next
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			ask, end := stormProcesses(t, exact)
			defer end()
			for {
				mu.Lock()
				p, ok := next(used)
				mu.Unlock()
				if !ok {
					return
				}
				o := ask(p)
				mu.Lock()
				used += o.CPU
				mu.Unlock()
				reached.add(o)
				if len(o.Wrong) > 0 {
					report(t, ask, p, o)
				}
				if testing.Verbose() && os.Getenv("SEDMABOT_STORM_DIGEST") != "" {
					t.Logf("seed %d: %s", p.Seed, o.Digest)
				}
			}
		})
	}
	all.Wait()
	return reached, used
}

// stormProcesses returns how to run a plan in a stormProcess, one plan at a time. A process that ends in the middle is
// followed by another one.
func stormProcesses(t *testing.T, exact bool) (ask func(plan) outcome, end func()) {
	process := startStormProcess(t, exact)
	ask = func(p plan) outcome {
		o, ended := process.run(p)
		if ended {
			process.end()
			process = startStormProcess(t, exact)
		}
		return o
	}
	return ask, func() { process.end() }
}

// TestSavedStorms repeats the plans that have found something, in their smallest form.
func TestSavedStorms(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/storms/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no plan is saved")
	}
	storms(t, true, func(time.Duration) (p plan, ok bool) {
		if len(files) > 0 {
			p, ok, files = readPlan(t, files[0]), true, files[1:]
		}
		return p, ok
	})
}

// A run that fails fails again: a fault that depends on a millisecond comes in the same plans.
func TestAStormIsRepeated(t *testing.T) {
	t.Parallel()
	clocktest.Unraced(t)
	ask, end := stormProcesses(t, true)
	defer end()
	for seed := uint64(1); seed <= 30; seed++ {
		p := drawPlan(seed)
		p.Planted, p.Processes, p.Length = true, 2, time.Minute
		p.Faults = slices.DeleteFunc(p.Faults, func(f fault) bool { return f.At > p.Length-20*time.Second })
		first := ask(p)
		if len(first.Wrong) == 0 {
			continue
		}
		again, same := 0, 0
		for range 10 {
			o := ask(p)
			if slices.Equal(o.Wrong, first.Wrong) {
				again++
			}
			if o.Digest == first.Digest {
				same++
			}
		}
		t.Logf("seed %d fails again in %d of 10 runs, and %d are the same in all", seed, again, same)
		if again < 9 {
			t.Error("a run can't be repeated")
		}
		return
	}
	t.Error("no run failed")
}

// report fails with what went wrong, and with the options that repeat and shrink it.
func report(t *testing.T, ask func(plan) outcome, p plan, o outcome) {
	lines := strings.Split(o.Log, "\n")
	t.Errorf("%s\n%s\nrepeat it: SEDMABOT_STORM=%d,1 go test ./bot/bottest -run 'TestStorm$'\nthe plan: %s\nthe last events:\n%s",
		p, strings.Join(o.Wrong, "\n"), p.Seed, p.file(), strings.Join(lines[max(0, len(lines)-60):], "\n"))
	if os.Getenv("SEDMABOT_STORM_SHRINK") != "" {
		t.Logf("the smallest plan, for testdata/storms: %s", shrink(ask, p, o.Wrong[0]).file())
	}
}

// storm is one run of a plan.
type storm struct {
	plan
	air     *cable.Air
	worlds  []platformWorld
	memory  *storetest.Memory
	kept    *ledger // on memory
	people  []*actor
	begun   time.Time
	verbose bool         // the log has all events
	calm    atomic.Bool  // the faults are over
	back    bool         // since then, everybody has done something
	ahead   atomic.Int64 // difference of the store's clock, which all processes follow
	states  states

	mu        sync.Mutex
	processes []*machine
	started   int
	seeds     uint64
	now       time.Time       // when takes was asked last
	asked     map[uint64]bool // what was asked of takes then
	wrong     []string
	logs      strings.Builder
	digest    hash.Hash64                    // of all requests, presses and commits
	changer   *machine                       // who made the last commit
	changed   time.Time                      // and when
	screens   map[chat.Address]screen.Screen // as the platform last accepted them
	sent      map[chat.Address]sender        // the processes that sent them
	doubted   []doubt
	lost      bool                       // the store has lost writes: it may have forgotten who takes messages again
	deleted   map[chat.Address]bool      // messages that somebody has deleted
	moves     map[string]map[string]bool // by player, table and deal: the presses that make a move
	made      map[string]int             // by player, table and deal: how many moves were made
	refused   map[string]time.Time       // by chat or person: until when it refused the bot
	done      map[string]time.Time       // by job: when it was last completed
	failing   map[string]bool            // by place or message: whether the last delivery failed
	waiting   []waiting                  // faults that wait for their moments
	brought   []string                   // moments that have just come with a change of a table
	past
	active int       // how many faults last
	ended  time.Time // when the latest fault ended
}

// platformWorld is the fake of a platform with its people.
type platformWorld interface {
	// adapter returns an adapter for a process.
	adapter(m *machine) (runner, error)
	// person returns a new person, who is in all groups.
	person(name string) folk
	// messages returns all messages of the bot.
	messages() []note
	// cause begins a fault of the platform until the returned function is called, or reports false if it doesn't know the fault.
	cause(f fault) (end func(), ok bool)
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

// runner is an adapter, which receives inputs while it runs.
type runner interface {
	chat.Platform
	Run(ctx context.Context, h chat.Handler) error
}

// newWorlds makes the fakes of a plan's platforms.
var newWorlds = map[string]func(t *testing.T, w *storm) platformWorld{"telegram": newTelegramWorld, "discord": newDiscordWorld}

// calls returns how many requests the bot has made on all platforms.
func (w *storm) calls() (n int) {
	for _, world := range w.worlds {
		n += world.calls()
	}
	return n
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
	others  []chat.Address // by which it is known, too
	chat    string         // the chat or person as the bot knows it
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

// weather runs a plan.
func weather(t *testing.T, p plan) (o outcome) {
	synctest.Test(t, func(t *testing.T) {
		w := &storm{
			plan: p, begun: time.Now(), verbose: os.Getenv("SEDMABOT_STORM_LOG") != "", states: states{}, digest: fnv.New64a(),
			screens: map[chat.Address]screen.Screen{}, sent: map[chat.Address]sender{}, deleted: map[chat.Address]bool{}, refused: map[string]time.Time{},
			done: map[string]time.Time{}, failing: map[string]bool{},
			past: past{
				handled: map[string]bool{}, heard: map[string]*machine{}, opened: map[chat.Address]bool{}, hands: map[string]bool{},
				claimers: map[string]sender{}, took: map[string]time.Time{}, sending: map[*machine]time.Time{}, marked: map[string]time.Time{}, holders: map[dealt][]string{}, shownAt: map[chat.Address]time.Time{}, edits: map[chat.Address]editRun{},
			},
			asked: map[uint64]bool{}, memory: storetest.NewMemory(),
		}
		w.kept = &ledger{Store: w.memory, totals: map[string]league.Totals{}}
		w.kept.watch = w.watch
		w.air = cable.NewAir(time.Millisecond)
		for _, name := range strings.Split(p.Platform, "+") {
			w.worlds = append(w.worlds, newWorlds[name](t, w))
		}
		w.run(t)
		w.mu.Lock()
		defer w.mu.Unlock()
		o = outcome{Wrong: w.wrong, Digest: fmt.Sprintf("%016x", w.digest.Sum64()), States: w.states.counts, Counts: w.states.counters}
		if len(w.wrong) > 0 {
			o.Log = w.logs.String()
		}
		if folder := os.Getenv("SEDMABOT_STORM_LOG"); folder != "" {
			if err := os.WriteFile(fmt.Sprintf("%s/%d.%s.log", folder, p.Seed, o.Digest), []byte(w.logs.String()), 0o600); err != nil {
				t.Error(err)
			}
		}
	})
	return o
}

func (w *storm) run(t *testing.T) {
	defer w.kept.Close()
	for _, world := range w.worlds {
		defer world.close()
	}
	for range w.Processes {
		w.start()
	}
	defer func() {
		for _, m := range w.running() {
			w.stop(m)
			w.air.Cut(m.name)
		}
		time.Sleep(time.Minute) // killed processes end
	}()
	var acting sync.WaitGroup
	for i := range w.People {
		who := &actor{storm: w, name: cast[i], rng: rand.New(rand.NewPCG(w.Seed, 100+uint64(i)))}
		who.folk = w.worlds[i%len(w.worlds)].person(who.name)
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
	if !w.lost {
		w.settled("before anybody came back")
	}
	w.comeBack()
	w.settled("after the storm")
	w.answers()
	w.leavesJobs()
	w.finish()
	w.settled("after the end")
	w.accounts(t)
	w.rests()
	if w.Seed%4 == 0 { // the starts of two weeks are a tenth of the work
		w.expires(t)
	}
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

// commands are the bot's commands. Nothing happens in a run when they are first asked for.
var commands = sync.OnceValue(func() []chat.Command { return bot.Commands() })

// machine is a process that can be killed. After that, nothing that it does has an effect.
type machine struct {
	w       *storm
	name    string
	number  int
	bot     *bot.Bot
	cancel  context.CancelFunc
	ended   chan struct{}
	dead    atomic.Bool
	fuse    atomic.Int64 // number of steps until it dies
	drawing atomic.Int64 // how many pictures it draws
	ahead   atomic.Int64 // how far its clock is ahead of the others'

	mu         sync.Mutex
	away       time.Time     // until when the store is away
	slow       time.Time     // until when the store is slow
	slowBy     time.Duration // how slow
	loseCommit int           // how many answers to commits are lost
	loseClaim  bool          // the answer to the next commit that takes a job is lost
	hang       time.Duration // how long the next claim takes
	troubled   time.Time     // when the store last failed
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
	var adapters []runner
	var platforms []chat.Platform
	for _, world := range w.worlds {
		adapter, err := world.adapter(m)
		if err != nil {
			panic(err)
		}
		adapters, platforms = append(adapters, adapter), append(platforms, &taped{adapter, m})
	}
	m.bot = bot.New(bot.Config{
		Store: &shop{m}, Platforms: platforms, Worlds: 20, Pace: pace, Seed: w.deck, Log: m.log(), Limits: tables.Limits{Presses: 2},
		Now: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load() + m.ahead.Load())) },
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
	})
	var parts sync.WaitGroup
	run := []func(context.Context) error{m.bot.Run}
	for _, adapter := range adapters {
		run = append(run, func(ctx context.Context) error { return adapter.Run(ctx, &heard{m.bot, m}) })
	}
	for _, part := range run {
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
	c := call.Client(func(t *http.Transport) {
		t.DialContext, t.Proxy = w.air.Dial(m.name), nil
		if w.HTTP2 {
			t.Protocols = new(http.Protocols)
			t.Protocols.SetUnencryptedHTTP2(true)
		}
	})
	c.Transport = queue{c.Transport, m}
	return c
}

// queue lets each request of a process leave, and fail, at a moment of its own, which follows from what it says. So no two of
// them are in a race.
type queue struct {
	http.RoundTripper
	m *machine
}

// RoundTrip implements http.RoundTripper.
func (q queue) RoundTrip(r *http.Request) (*http.Response, error) {
	var said []byte
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if r.Body.Close(); err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body, said = io.NopCloser(bytes.NewReader(data)), data
		if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && params["boundary"] != "" {
			parts := bytes.Split(data, []byte(params["boundary"])) // in any order, with a new boundary each time
			slices.SortFunc(parts, bytes.Compare)
			said = bytes.Join(parts, nil)
		}
	}
	if !chat.Pause(r.Context(), q.m.w.takes(20*time.Millisecond, q.m.name, r.URL.Path, said)) {
		return nil, r.Context().Err()
	}
	resp, err := q.RoundTripper.RoundTrip(r)
	if err != nil { // all requests of a connection fail at the same moment, in any order
		chat.Pause(r.Context(), q.m.w.takes(time.Millisecond, "fails", q.m.name, r.URL.Path, said))
	}
	return resp, err
}

// takes returns how long something takes at this moment: it follows from the seed and from what it is. The same thing takes
// different times if it is done twice at the same moment.
func (w *storm) takes(longest time.Duration, what ...any) time.Duration {
	h := fnv.New64a()
	digest(h, append(what, w.Seed, time.Since(w.begun)))
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := time.Now(); !w.now.Equal(now) {
		w.now = now
		clear(w.asked)
	}
	sum := h.Sum64()
	for w.asked[sum] {
		sum++
	}
	w.asked[sum] = true
	return time.Duration(rand.NewPCG(sum, 0).Uint64() % uint64(longest))
}

// digest adds values to a hash.
func digest(h hash.Hash64, what []any) {
	data := make([]byte, 0, 128)
	for _, part := range what {
		data = data[:0]
		switch part := part.(type) {
		case []byte:
			_, _ = h.Write(part)
		case string:
			data = append(data, part...)
		case uint64:
			data = binary.LittleEndian.AppendUint64(data, part)
		case time.Duration:
			data = binary.LittleEndian.AppendUint64(data, uint64(part))
		default:
			data = fmt.Append(data, part)
		}
		_, _ = h.Write(append(data, '\n'))
	}
}

// serve serves a platform at an address until the returned function is called.
func (w *storm) serve(address string, h http.Handler) (end func()) {
	heard := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.event("request", r.RemoteAddr, r.URL.Path)
		h.ServeHTTP(rw, r)
	})
	s := &http.Server{Handler: heard, Protocols: new(http.Protocols), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
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

// replace starts a process for one that has ended, unless another fault that ended it has started one.
func (w *storm) replace() {
	if len(w.running()) < w.Processes {
		w.start()
	}
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
	var troubled time.Time
	m.set(func() { troubled = m.troubled })
	w.mu.Lock()
	var held []string
	for job, holder := range w.claimers {
		if holder.by == m && troubled.Before(holder.at) { // else its end may not have been stored
			held = append(held, job)
		}
	}
	w.mu.Unlock()
	slices.Sort(held)
	if len(held) > 0 && !m.dead.Load() {
		w.fail("%s has stopped, and nobody else can take %q", m.name, held)
	}
	w.gone(m)
}

func (w *storm) gone(m *machine) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.processes = slices.DeleteFunc(w.processes, func(other *machine) bool { return other == m })
	if len(w.processes) == 0 && !w.calm.Load() {
		w.state("all processes were down")
	}
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

// event adds something that happened to the digest of the run.
func (w *storm) event(what ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what = append([]any{time.Since(w.begun)}, what...)
	digest(w.digest, what)
	if w.verbose {
		w.logs.WriteString("event " + fmt.Sprintln(what...))
	}
}

// committed notes that a process has changed the store.
func (w *storm) committed(m *machine, c store.Change, pressed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changer, w.changed = m, time.Now()
	if c.Done != nil {
		w.done[c.Done.ID] = time.Now()
		delete(w.claimers, c.Done.ID)
	}
	for _, mark := range c.Due {
		if !mark.At.After(time.Now()) {
			w.waits(mark.ID)
		}
	}
	for _, write := range c.Writes {
		if strings.HasPrefix(write.Name, "table:") && write.Data != nil && pressed {
			w.waits(write.Name) // whatever the change says: somebody has to show what a press has changed
		}
	}
}

// waits notes that somebody has to take a job. The caller holds the lock.
func (w *storm) waits(job string) {
	if w.marked[job].IsZero() {
		w.marked[job] = time.Now()
	}
}

// justChanged reports whether another process has just changed the store.
func (w *storm) justChanged(m *machine) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changer != nil && w.changer != m && time.Since(w.changed) < time.Millisecond
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

// taped is an adapter as one process sees it. It notes what the platform shows.
type taped struct {
	chat.Platform
	m *machine
}

func (p *taped) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if err := p.m.step(); err != nil {
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	w := p.m.w
	before := w.tableOf(s)
	a, err := p.Platform.Send(ctx, to, s, nonce)
	if err == nil && p.m.dead.Load() {
		err = &chat.DeliveryError{Fault: chat.Retry, Err: errKilled}
	}
	w.logf("%s sends to %s%s %s: %s %v", p.m.name, to.Chat, to.Player, nonce, a, err)
	w.delivers(to, s, before, err)
	if err != nil {
		w.failed(err)
		p.came(to.Chat+to.Player, err)
		if isRefused(err) {
			w.refuses(to.Chat)
		}
		return "", err
	}
	w.mu.Lock()
	w.screens[a], w.shownAt[a], w.sent[a], w.sending[p.m] = s, time.Now(), sender{p.m, time.Now()}, time.Now()
	w.mu.Unlock()
	if to.Player != "" && to.Chat == "" && before.ID != "" {
		w.moment(p.m, "a hand came")
	}
	p.came(to.Chat+to.Player, nil)
	return a, nil
}

func (p *taped) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	if err := p.m.step(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	w := p.m.w
	if w.Planted && w.justChanged(p.m) {
		w.fail("planted: an edit came just after another process's commit")
	}
	before := w.tableOf(s)
	err := p.Platform.Edit(ctx, a, s)
	w.edited(a, s, err)
	w.delivers(chat.Target{}, s, before, err)
	w.changes(a, err)
	if err != nil {
		w.failed(err)
		p.came(string(a), err)
		return err
	}
	w.mu.Lock()
	w.screens[a], w.shownAt[a], w.sending[p.m] = s, time.Now(), time.Now()
	w.mu.Unlock()
	p.came(string(a), nil)
	return nil
}

// came notes whether a delivery to a place or message came.
func (p *taped) came(where string, err error) {
	w := p.m.w
	w.mu.Lock()
	failed := w.failing[where]
	w.failing[where] = err != nil
	w.mu.Unlock()
	if failed && err == nil {
		w.moment(p.m, "a message came after failures")
	}
}

// edited checks that no message is edited again and again although nothing changes.
func (w *storm) edited(a chat.Address, s screen.Screen, err error) {
	var d *chat.DeliveryError
	gone := errors.As(err, &d) && d.Fault == chat.Gone
	if !w.calm.Load() && !gone || err != nil && !gone {
		return
	}
	w.mu.Lock()
	run := w.edits[a]
	if now := s.String(); run.screen != now || run.gone != gone {
		run = editRun{screen: now, gone: gone}
	}
	run.n++
	w.edits[a] = run
	w.mu.Unlock()
	if run.n == fewEdits {
		w.fail("%s is edited again and again (gone: %v): %s", a, gone, s)
	}
}

// fewEdits is more often than any message is edited to the same screen when the faults are over.
const fewEdits = 8

// heard is a bot as the adapters see it. It notes the answers that are edited later. If the store fails then, nobody knows of them.
type heard struct {
	*bot.Bot
	m *machine
}

func (h *heard) Handle(ctx context.Context, in chat.Input) chat.Reply {
	var d deed
	h.m.w.hears(h.m, in)
	r := h.Bot.Handle(context.WithValue(ctx, deed{}, &d), in)
	if r.Repeat {
		h.m.w.state("a repeated update did nothing")
	}
	if r.Outcome == chat.Failed && !d.troubled.Load() && !h.m.dead.Load() {
		h.m.w.fail("%s was told of trouble with %s%s while the store worked: %v", in.Player.ID, in.Command, in.Press, r.Err)
	}
	h.m.w.deeds(in, r, d.stored.Load())
	if r.Shown != nil {
		shown, s, w := r.Shown, *r.Screen, h.m.w
		r.Shown = func(ctx context.Context, a chat.Address, aside string) {
			w.mu.Lock()
			w.screens[a], w.shownAt[a], w.opened[a] = s, time.Now(), true
			w.mu.Unlock()
			shown(ctx, a, aside)
		}
	}
	return r
}

// deed is what an input has done. It is also the key of a context.
type deed struct {
	stored   atomic.Int64 // how many changes of tables
	troubled atomic.Bool  // the store failed
}

// deeds checks that the bot does what it says: a card that was accepted is stored, and an update that comes twice does nothing again.
func (w *storm) deeds(in chat.Input, r chat.Reply, stored int64) {
	press, err := view.ParsePress(in.Press)
	if r.Outcome == chat.Done && stored == 0 && err == nil && (press.Action == view.ActPlay || press.Action == view.ActPlace) {
		w.fail("%s was told that %s is done, and nothing is stored", in.Player.ID, in.Press)
	}
	if r.Outcome != chat.Done || stored == 0 || in.Once == "" {
		return
	}
	w.mu.Lock()
	again := w.handled[in.Once]
	w.handled[in.Once] = true
	w.mu.Unlock()
	if again {
		w.fail("an update was handled twice: %s%s of %s", in.Command, in.Press, in.Player.ID)
	}
}

func (p *taped) Delete(ctx context.Context, a chat.Address) error {
	if err := p.m.step(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	err, w := p.Platform.Delete(ctx, a), p.m.w
	w.changes(a, err)
	w.mu.Lock()
	opened := w.opened[a]
	w.mu.Unlock()
	if err == nil && opened {
		w.state("a hand that was opened was deleted")
	}
	return err
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
func (m *machine) sharing() (chat.Agree, chat.Election, budget.Exchange) {
	if m.w.Processes == 1 {
		return work.Agree(&shop{m}), chat.Alone, nil
	}
	return work.Agree(&shop{m}), work.ElectPatiently(&shop{m}, m.log()), work.Exchange(&shop{m})
}

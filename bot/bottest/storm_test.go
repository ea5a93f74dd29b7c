package bottest

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
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

	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
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
	case clocktest.Raced:
		seeds, limit = 3, math.MaxInt64 // each platform, and both
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
	if clocktest.Raced {
		t.Skip("TestStorm has seeds for the race detector")
	}
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
		p.Planted, p.Pages, p.Processes, p.Length = true, []int{0, 1}, 2, time.Minute
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
	verbose bool                    // the log has all events
	calm    atomic.Bool             // the faults are over
	back    bool                    // since then, everybody has done something
	from    time.Time               // when the storm would have begun if there had been no lull
	ends    time.Time               // when everybody stops
	hushed  atomic.Bool             // everybody has stopped
	hearer  atomic.Pointer[machine] // the process that got the latest input
	ahead   atomic.Int64            // difference of the store's clock, which all processes follow
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
	touched   map[chat.Address]sender        // the processes that tried to change them
	tried     map[string]map[string]sender   // by purpose and nonce: the tries to send a message of which nobody knows whether they arrived
	nonces    map[string]bool                // of all tries to send a message
	repeated  map[string]sender              // by nonce: tries that were repeated with another one
	doubted   []doubt
	cut       []doubt                    // by stops: edits of messages that others were showing may be the last
	losses    atomic.Int32               // how often the store has lost writes: it may have forgotten who takes messages again, and who polls
	deleted   map[chat.Address]bool      // messages that somebody has deleted
	undeleted map[chat.Address]bool      // messages that the bot was refused to delete
	late      map[chat.Address]bool      // messages that a request may have changed after its process gave it up
	outdated  map[string]bool            // nonces of messages of which that is true: a message that came earlier is changed instead
	moves     map[string]map[string]bool // by player, table and deal: the presses that make a move
	made      map[string]int             // by player, table and deal: how many moves were made
	refused   map[string]time.Time       // by chat or person: until when it refused the bot
	done      map[string]time.Time       // by job: when it was last completed
	failing   map[string]bool            // by place or message: whether the last delivery failed
	waiting   []waiting                  // faults that wait for their moments
	hush      string                     // the moment at which everybody stops
	happened  int                        // how many faults of the plan have begun
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
	Rename(name string)
}

// note is a message as somebody sees it.
type note struct {
	address chat.Address
	others  []chat.Address // by which it is known, too
	chat    string         // the chat or person as the bot knows it
	private bool
	text    string
	presses []string
	links   []string // the addresses of its buttons
	nonce   string   // if the platform drops repeats of it
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
			screens: map[chat.Address]screen.Screen{}, sent: map[chat.Address]sender{}, touched: map[chat.Address]sender{}, tried: map[string]map[string]sender{}, nonces: map[string]bool{}, repeated: map[string]sender{}, deleted: map[chat.Address]bool{}, undeleted: map[chat.Address]bool{}, late: map[chat.Address]bool{}, outdated: map[string]bool{}, refused: map[string]time.Time{},
			done: map[string]time.Time{}, failing: map[string]bool{},
			past: past{
				handled: map[string]bool{}, heard: map[string]*machine{}, opened: map[chat.Address]bool{}, hands: map[string]bool{},
				played: map[dealt]bool{}, claimers: map[string]sender{}, took: map[string]time.Time{}, sending: map[*machine]time.Time{}, marked: map[string]time.Time{}, holders: map[dealt][]string{}, shownBy: map[chat.Address]sender{}, edits: map[chat.Address]editRun{},
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
	for i := range w.People {
		who := &actor{storm: w, name: cast[i], rng: rand.New(rand.NewPCG(w.Seed, 100+uint64(i)))}
		who.folk = w.worlds[i%len(w.worlds)].person(who.name)
		w.people = append(w.people, who)
	}
	time.Sleep(10 * time.Second) // everything connects
	w.opensPages()
	looking, over := context.WithCancel(context.Background())
	defer over()
	go w.looks(looking)
	w.from = w.begun
	for i, end := range w.spells() {
		w.calm.Store(false)
		w.spell(i, end)
		w.calmDown()
		if w.losses.Load() == 0 {
			w.settled("before anybody came back")
		}
		w.from = time.Now().Add(-end)
	}
	over()
	w.comeBack()
	w.settled("after the storm")
	w.answers()
	w.closePages()
	w.leavesJobs()
	w.finish()
	w.settled("after the end")
	w.accounts(t)
	w.rests()
	if w.Seed%4 == 0 { // the starts of 18 days are a tenth of the work
		w.expires(t)
	}
}

// spell lets people act, and the plan's faults happen, until everybody stops. It returns when all faults are over.
func (w *storm) spell(number int, end time.Duration) {
	var acting, lasting sync.WaitGroup
	w.mu.Lock()
	w.ends = w.from.Add(end + gust/2)
	if w.hush = ""; len(w.Hushes) > 0 {
		w.hush = w.Hushes[number]
	}
	w.mu.Unlock()
	w.hushed.Store(false)
	for i, who := range w.people {
		if !slices.Contains(w.Without, i) {
			acting.Go(func() { who.live() })
		}
	}
	for ; w.happened < len(w.Faults) && w.Faults[w.happened].At <= end; w.happened++ {
		f := w.Faults[w.happened]
		time.Sleep(time.Until(w.from.Add(f.At)))
		w.logf("fault %s", f)
		lasting.Go(func() { w.happens(f) })
	}
	time.Sleep(time.Until(w.from.Add(end)))
	acting.Wait()
	lasting.Wait()
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

// lasts returns how long a call takes: a few take up to tail, so that later ones come before them.
func (w *storm) lasts(longest time.Duration, what ...any) time.Duration {
	every := time.Duration(max(1, w.Tails))
	takes := w.takes(longest*every, what...)
	if w.Tails > 0 && takes < longest && !w.calm.Load() {
		return takes * tail / longest
	}
	return takes / every
}

// slack returns how much longer a few calls take together that are made one after another.
func (w *storm) slack() time.Duration {
	if w.Tails == 0 {
		return 0
	}
	return 4 * tail
}

const tail = 1500 * time.Millisecond

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
		if !mark.At.After(c.Now) { // by its own clock
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

// deletes notes that somebody deletes a message.
func (w *storm) deletes(n note) {
	w.state("somebody deleted a message")
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range append(n.others, n.address) {
		w.deleted[a] = true
	}
}

// refuses notes that a place refuses the bot until now.
func (w *storm) refuses(place string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused[place] = time.Now()
}

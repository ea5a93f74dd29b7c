package bottest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// plan is all that is chosen about a run. The same plan gives the same run, as far as the scheduler allows.
type plan struct {
	Seed      uint64        `json:"seed"`
	Platform  string        `json:"platform"`
	HTTP2     bool          `json:"http2,omitempty"`
	Processes int           `json:"processes"`
	People    int           `json:"people"`
	Without   []int         `json:"without,omitempty"` // people who do nothing
	Pages     []int         `json:"pages,omitempty"`   // people who have the table's page open
	Length    time.Duration `json:"length"`            // without the lulls
	Hushes    []string      `json:"hushes,omitempty"`  // there are as many lulls: everybody stops at one of hushes
	Short     bool          `json:"short,omitempty"`   // matches are short
	Tails     int           `json:"tails,omitempty"`   // of so many calls of the store and requests, one takes long, and others pass it
	Faults    []fault       `json:"faults"`
	Planted   bool          `json:"planted,omitempty"` // the program has a fault: see taped.Edit
}

// fault is something that happens in a run.
type fault struct {
	At   time.Duration `json:"at"`
	Kind string        `json:"kind"`
	On   int           `json:"on"` // chooses a process, a person or a message
	For  time.Duration `json:"for,omitempty"`
	N    int           `json:"n,omitempty"`
	When string        `json:"when,omitempty"` // one of moments: the fault waits for it, and hits the process where it came
}

// moments are when a fault may wait to happen, as it does the most harm then.
var moments = []string{
	"a deal began", "a match ended", "a table was closed", "a hand came", "a message came after failures", "work was taken", "another process took work",
	"a press met another's work", "work was lost", "a message was gone", "a chat refused", "a chat took messages again",
}

// hushes are the moments at which everybody may stop, so that nobody repairs what was forgotten. "": as planned.
var hushes = []string{
	"", "a match ended", "a table was closed", "a message came after failures", "another process took work", "a press met another's work",
	"a press met another's work",
	"work was lost", "a message was gone", "a message was gone", "a chat refused",
	"a chat took messages again", "a chat took messages again",
}

func (f fault) String() string {
	return fmt.Sprintf("%q on %d for %v, %d %s", f.Kind, f.On, f.For, f.N, f.When)
}

func (p plan) String() string {
	return fmt.Sprintf("seed %d: %s, HTTP/2 %v, %d processes, %d people, %d faults", p.Seed, p.Platform, p.HTTP2, p.Processes, p.People, len(p.Faults))
}

// file returns the plan as a file of testdata/storms.
func (p plan) file() string {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func readPlan(t *testing.T, file string) (p plan) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawPlan draws the plan of a seed.
func drawPlan(seed uint64) plan {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := plan{
		Seed: seed, Platform: []string{"telegram", "discord", "telegram+discord"}[seed%3], HTTP2: rng.IntN(3) > 0, Processes: []int{1, 2, 2, 3}[rng.IntN(4)], People: 2 + rng.IntN(3),
		Length: time.Duration(150+60*rng.IntN(3)) * time.Second,
	}
	between := func(from, to time.Duration) time.Duration { return from + time.Duration(rng.Int64N(int64(to-from))) }
	for range 3 {
		p.Hushes = append(p.Hushes, hushes[rng.IntN(len(hushes))])
	}
	gusts := []fault{{At: between(10*time.Second, p.Length-gust), On: rng.IntN(1000)}}
	for _, end := range p.spells() {
		gusts = append(gusts, fault{At: end - gust, On: rng.IntN(1000)})
	}
	for _, k := range faultKinds {
		for range k.rate + 1 {
			if rng.Float64() >= float64(k.rate)/float64(k.rate+1)*p.Length.Minutes()/5 {
				continue
			}
			f := fault{
				At: between(10*time.Second, p.Length), Kind: k.name, On: rng.IntN(1000),
				For: time.Duration(rng.Int64N(int64(k.longest) + 1)).Truncate(time.Millisecond), N: 1 + rng.IntN(4),
			}
			if n := rng.IntN(8); n < len(gusts) {
				f.At, f.On = between(gusts[n].At, gusts[n].At+gust), gusts[n].On
			}
			if rng.IntN(3) == 0 {
				f.When = moments[rng.IntN(len(moments))]
			}
			p.Faults = append(p.Faults, f)
		}
	}
	p.Short = rng.IntN(4) > 0
	slices.SortFunc(p.Faults, func(a, b fault) int { return int(a.At - b.At) })
	pages := rand.New(rand.NewPCG(seed, 2)) // so that the rest of the plan doesn't depend on them
	with := pages.IntN(3) == 0              // a run with pages takes a fifth longer
	for i := range p.People {
		if with && pages.IntN(2) == 0 {
			p.Pages = append(p.Pages, i)
		}
	}
	p.Tails = []int{0, 40, 40, 8}[rand.New(rand.NewPCG(seed, 3)).IntN(4)]
	return p
}

// gust is how long the faults last that come together, and hit the same process. One comes before each lull, when people go.
const gust = 8 * time.Second

// spells returns when a lull begins, by the storm's clock. The last one is the end.
func (p plan) spells() (ends []time.Duration) {
	n := max(1, len(p.Hushes))
	for i := range n {
		ends = append(ends, p.Length*time.Duration(i+1)/time.Duration(n))
	}
	return ends
}

// shrink leaves out faults and people as long as the plan still fails like that.
func shrink(ask func(plan) outcome, p plan, like string) plan {
	kind := func(s string) string { // without time and names
		_, s, _ = strings.Cut(s, ": ")
		return s[:min(len(s), 12)]
	}
	fails := func(p plan) bool {
		for range 3 {
			if slices.ContainsFunc(ask(p).Wrong, func(s string) bool { return kind(s) == kind(like) }) {
				return true
			}
		}
		return false
	}
	for n := len(p.Faults); n >= 1; n /= 2 {
		for i := 0; i < len(p.Faults); {
			less := p
			less.Faults = slices.Delete(slices.Clone(p.Faults), i, min(i+n, len(p.Faults)))
			if fails(less) {
				p = less
			} else {
				i += n
			}
		}
	}
	if less := p; len(p.Pages) > 0 {
		if less.Pages = nil; fails(less) {
			p = less
		}
	}
	for i := range p.People {
		less := p
		less.Without = append(slices.Clone(p.Without), i)
		if fails(less) {
			p = less
		}
	}
	return p
}

// faultKinds are the faults: the rate says how many happen in five minutes, about; do causes one and returns when it is over.
var faultKinds = []struct {
	name    string
	rate    int
	longest time.Duration
	do      func(w *storm, m *machine, f fault)
}{
	{"the store is away", 3, 3 * time.Second, func(_ *storm, m *machine, f fault) {
		m.set(func() { m.away = time.Now().Add(f.For) })
		time.Sleep(f.For)
	}},
	{"the store is away for long", 1, 25 * time.Second, func(w *storm, m *machine, f fault) {
		m.set(func() { m.away = time.Now().Add(f.For) })
		time.Sleep(f.For)
	}},
	{"commits take effect, and their answers are lost", 3, 0, func(_ *storm, m *machine, f fault) {
		m.set(func() { m.loseCommit += f.N })
	}},
	{"a commit or two fail", 4, 0, func(_ *storm, m *machine, f fault) {
		m.set(func() { m.failCommit += 1 + f.N%2 })
	}},
	{"the store is slow", 2, 10 * time.Second, func(w *storm, m *machine, f fault) {
		m.set(func() { m.slow, m.slowBy = time.Now().Add(f.For), time.Duration(f.N)*time.Second })
		time.Sleep(f.For)
	}},
	{"a claim is late", 1, 25 * time.Second, func(w *storm, m *machine, f fault) {
		m.set(func() { m.hang = f.For })
		time.Sleep(f.For)
	}},
	{"connections go dead", 2, 20 * time.Second, func(w *storm, m *machine, f fault) {
		if w.air.Stall(m.name, false) > 0 {
			w.state("a connection went dead")
		}
		time.Sleep(45 * time.Second) // it is found out by then
	}},
	{"connections lose the answers", 2, 0, func(w *storm, m *machine, f fault) {
		w.air.Stall(m.name, true)
		time.Sleep(45 * time.Second)
	}},
	{"connections break", 2, 0, func(w *storm, m *machine, f fault) {
		w.air.Cut(m.name)
		time.Sleep(10 * time.Second)
	}},
	{"nobody can be reached", 1, 20 * time.Second, func(w *storm, m *machine, f fault) {
		w.air.Cut(m.name)
		w.air.Away(m.name, true)
		time.Sleep(f.For)
		if !m.dead.Load() {
			w.air.Away(m.name, false)
		}
		time.Sleep(10 * time.Second)
	}},
	{"the network is slow", 1, 20 * time.Second, func(w *storm, m *machine, f fault) {
		w.air.Slow(m.name, time.Duration(f.N)*700*time.Millisecond)
		time.Sleep(f.For)
		w.air.Slow(m.name, 0)
		time.Sleep(10 * time.Second)
	}},
	{"a process is killed", 1, 10 * time.Second, func(w *storm, m *machine, f fault) {
		w.state("a process was killed")
		m.fuse.Store(int64(f.N))
		time.Sleep(2 * time.Second)
		m.die()
		w.gone(m)
		time.Sleep(f.For)
		w.replace()
		time.Sleep(20 * time.Second) // others take over
	}},
	{"a process is stopped and started", 1, 5 * time.Second, func(w *storm, m *machine, f fault) {
		w.stop(m)
		time.Sleep(f.For)
		w.replace()
		time.Sleep(5 * time.Second)
	}},
	{"the clock is wrong", 1, 40 * time.Second, func(w *storm, _ *machine, f fault) {
		w.state("a clock was wrong")
		w.ahead.Store(int64(f.On%121-60) * int64(time.Second))
		time.Sleep(f.For)
		w.ahead.Store(0)
		time.Sleep(time.Minute)
	}},
	{"the clock of a process is wrong", 1, 40 * time.Second, func(w *storm, m *machine, f fault) {
		w.state("one clock was wrong")
		m.ahead.Store(int64(f.On%121-60) * int64(time.Second))
		time.Sleep(f.For)
		m.ahead.Store(0)
		time.Sleep(time.Minute)
	}},
	{"the clock of a process jumps until it stores something", 2, 3 * time.Second, func(w *storm, m *machine, f fault) {
		w.state("one clock was wrong")
		m.jumped.Store(true)
		m.ahead.Store(int64(f.N) * int64(10*time.Minute))
		time.Sleep(f.For)
		m.jumped.Store(false)
		m.ahead.Store(0)
		time.Sleep(time.Minute)
	}},
	{"a process is slow, and the others' clocks are ahead", 4, 20 * time.Second, func(w *storm, m *machine, f fault) {
		for _, other := range w.running() {
			if m == w.hearer.Load() { // it would show itself what people press
				m = other
			}
		}
		w.air.Slow(m.name, time.Duration(f.N)*500*time.Millisecond)
		var others []*machine
		for _, other := range w.running() {
			if other != m {
				others = append(others, other)
			}
		}
		for _, other := range others {
			w.state("one clock was wrong")
			if f.On%2 == 0 { // all the time, so that they take its work
				other.ahead.Store(int64(15*time.Second) * int64(f.N))
			} else { // as they change what it is showing
				other.leaps.Store(int64(10*time.Minute) * int64(f.N))
			}
		}
		time.Sleep(f.For)
		w.air.Slow(m.name, 0)
		for _, other := range others {
			other.ahead.Store(0)
			other.leaps.Store(0)
		}
		time.Sleep(time.Minute)
	}},
	{"a person blocks the bot", 2, 40 * time.Second, func(w *storm, _ *machine, f fault) {
		who := w.people[f.On%len(w.people)]
		who.shut.Store(true)
		w.refuses(who.id())
		who.blocks(true)
		time.Sleep(f.For)
		w.refuses(who.id())
		who.blocks(false)
		who.shut.Store(false)
	}},
	{"a person is renamed", 1, 0, func(w *storm, _ *machine, f fault) {
		who := w.people[f.On%len(w.people)]
		who.Rename(fmt.Sprint(who.name, " the ", f.N))
		w.state("a person was renamed")
	}},
	{"429", 2, 0, platformFault},
	{"500", 2, 0, platformFault},
	{"a proxy's page", 2, 0, platformFault},
	{"answers end half-way", 1, 0, platformFault},
	{"the platform is late", 1, 10 * time.Second, platformFault},
	{"updates are late", 1, 20 * time.Second, platformFault},
	{"an update comes twice", 3, 0, platformFault},
	{"somebody deletes a message", 3, 0, platformFault},
	{"the bot may not write", 1, 20 * time.Second, platformFault},
	{"messages arrive, and their answers are lost", 4, 0, unseen}, // on Discord, which drops repeats
	{"the topic is closed", 1, 20 * time.Second, platformFault},   // of Telegram, where edits go on
	{"an anonymous administrator types", 1, 0, platformFault},
	{"the bot may not write once or twice", 3, 0, unseen},
	{"one message fails, and is refused then", 4, 0, unseen},
	{"somebody dismisses what only they see", 2, 0, platformFault},
	{"the clock of a process steps back", 1, 5 * time.Second, func(w *storm, m *machine, f fault) {
		w.state("one clock was wrong")
		m.ahead.Store(int64(f.N) * int64(10*time.Minute))
		time.Sleep(f.For)
		m.ahead.Store(0)
		time.Sleep(time.Minute)
	}},
	{"a process is stopped while the store is slow", 1, 5 * time.Second, func(w *storm, m *machine, f fault) {
		m.set(func() { m.slow, m.slowBy = time.Now().Add(time.Minute), time.Duration(f.N)*time.Second })
		time.Sleep(2*time.Second + time.Duration(f.On)*time.Millisecond)
		w.stop(m)
		time.Sleep(f.For)
		w.replace()
		time.Sleep(5 * time.Second)
	}},
	{"the store loses its last writes", 1, 2 * time.Second, func(w *storm, _ *machine, f fault) {
		undo := w.keeps()
		time.Sleep(f.For)
		undo()
		w.forgives()
		for _, m := range w.running() {
			m.set(func() { m.troubled = time.Now() })
		}
		time.Sleep(work.Lease + 15*time.Second) // processes think that they have completed what is held again
	}},
	{"the gateway ends", 2, 5 * time.Second, platformFault}, // of Discord
	{"a token expires", 1, 0, platformFault},
	{"updates come again after all processes were killed", 1, 3 * time.Second, func(w *storm, _ *machine, f fault) {
		w.people[f.On%len(w.people)].command("/table", false) // which does something each time
		time.Sleep(time.Second + time.Duration(f.N)*100*time.Millisecond)
		for _, world := range w.worlds {
			_, _ = world.cause(fault{Kind: "an update comes twice", N: 4})
		}
		for _, m := range w.running() { // before they get it
			m.die()
			w.gone(m)
		}
		time.Sleep(f.For)
		for range w.Processes {
			w.replace()
		}
		time.Sleep(25 * time.Second) // others take over
	}},
	{"the release before runs for a while", 1, 5 * time.Second, func(w *storm, _ *machine, f fault) {
		for _, m := range w.running() {
			w.stop(m)
		}
		time.Sleep(f.For)
		if len(w.running()) == 0 { // else another fault has started one, whose work it can't take
			w.forgets()
		}
		for range w.Processes {
			w.replace()
		}
		time.Sleep(25 * time.Second) // others take over what a stop couldn't leave
	}},
}

// forgets leaves in the documents of tables only what the release before knows, which drops the rest when it writes them. They
// keep Choices: without those, a result differs from the records until they are read again.
func (w *storm) forgets() {
	w.kept.mu.Lock()
	names := slices.Sorted(maps.Keys(w.kept.latest))
	w.kept.mu.Unlock()
	ctx, now := context.Background(), time.Now()
	for _, name := range names {
		keys, _ := doc.TableKeys(strings.TrimPrefix(name, "table:"))
		docs, err := w.memory.Get(ctx, keys[:]...)
		var t doc.Table
		var shown deliver.Shown
		var notes doc.Notes
		for i, into := range []any{&t, &shown, &notes} {
			err = errors.Join(err, doc.Decode(docs[i], into))
		}
		t.Usual, t.Events, t.Coming, t.Said, t.Lapsed, t.Shut = "", nil, nil, nil, false, false
		for i := range t.Seats {
			t.Seats[i].After, t.Seats[i].Late, t.Seats[i].Was = false, 0, ""
		}
		shown.Ended = shown.Ended || !shown.Until.IsZero()
		shown.Until, shown.Told, shown.Again, notes.Replies = time.Time{}, nil, false, nil
		for _, hands := range notes.Hands {
			for i := range hands {
				hands[i].Aside = ""
			}
		}
		change := store.Change{Partition: keys[0].Partition, Now: now}
		for i, v := range []any{t, shown, notes} {
			if docs[i].Version > 0 {
				change.Writes = append(change.Writes, doc.WriteOf(docs[i], v, now))
			}
		}
		if docs[0].Version > 0 && change.Writes[0].Data != nil {
			change.Writes[0].Data = doc.Encode(t.Table) // without the version
			change.Due = []store.Mark{{ID: name, At: now}}
		}
		if len(change.Writes) == 0 {
			continue
		}
		if err = errors.Join(err, w.kept.Commit(ctx, change)); err != nil && !errors.Is(err, store.ErrConflict) {
			w.fail("the release before wrote %s: %v", name, err)
		}
		w.state("the release before wrote a table")
	}
}

// keeps returns how to undo what is committed from now on, with all that the storm remembers of it. If something else was undone
// meanwhile, that does nothing: it would bring back what the store has just lost.
func (w *storm) keeps() (undo func()) {
	w.kept.mu.Lock()
	defer w.kept.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	at, commits, memory, totals, latest := time.Now(), w.kept.commits, w.memory.Keep(), maps.Clone(w.kept.totals), maps.Clone(w.kept.latest)
	made, handled, done, marked, claimers := maps.Clone(w.made), maps.Clone(w.handled), maps.Clone(w.done), maps.Clone(w.marked), maps.Clone(w.claimers)
	losses := w.losses.Load()
	return func() {
		w.kept.mu.Lock()
		defer w.kept.mu.Unlock()
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.losses.Load() > losses {
			return
		}
		if w.kept.commits > commits {
			w.state("the store lost its last writes")
			w.losses.Add(1)
		}
		memory()
		w.doubted = append(w.doubted, doubt{nil, at.Add(-5 * time.Second), time.Now().Add(15 * time.Second)}) // also what was sent for a job that is held in vain
		w.kept.totals, w.kept.latest = totals, latest
		w.made, w.handled, w.done, w.marked, w.claimers = made, handled, done, marked, claimers
	}
}

// platformFault is a fault that the platform's fake causes.
func platformFault(w *storm, m *machine, f fault) {
	end, ok := w.worlds[f.On%len(w.worlds)].cause(f)
	if !ok {
		return
	}
	time.Sleep(f.For)
	end()
	time.Sleep(time.Second)
}

// unseen is a fault that the platform's fake causes, after which somebody who sees nothing happen moves the table to the end of
// the chat.
func unseen(w *storm, _ *machine, f fault) {
	if _, ok := w.worlds[f.On%len(w.worlds)].cause(f); !ok {
		return
	}
	time.Sleep(time.Duration(f.N) * 500 * time.Millisecond)
	if f.On%3 > 0 {
		w.people[f.On%len(w.people)].command("/table", false)
	}
	time.Sleep(time.Second)
}

// moment lets a fault happen that waits for this moment, or everybody stop.
func (w *storm) moment(m *machine, name string) {
	w.mu.Lock()
	if name == w.hush && time.Until(w.ends) < gust {
		w.hushed.Store(true)
	}
	i := slices.IndexFunc(w.waiting, func(f waiting) bool { return f.When == name })
	if i < 0 {
		w.mu.Unlock()
		return
	}
	f := w.waiting[i]
	w.waiting = slices.Delete(w.waiting, i, i+1)
	w.mu.Unlock()
	f.came <- m
	time.Sleep(time.Microsecond) // it happens before anything else
}

// taken brings the moments in which a process has taken work.
func (w *storm) taken(m *machine) {
	w.moment(m, "work was taken")
	for _, other := range w.running() {
		if other != m {
			w.moment(other, "another process took work")
		}
	}
}

// news returns the moments that the latest changes of tables brought.
func (w *storm) news() (names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	names, w.brought = w.brought, nil
	return names
}

// waiting is a fault that waits for its moment.
type waiting struct {
	fault
	came chan *machine
}

// comes waits for the moment of a fault, and returns the process where it came. nil: it didn't come in the storm.
func (w *storm) comes(f fault) *machine {
	wait := waiting{f, make(chan *machine, 1)}
	w.mu.Lock()
	w.waiting = append(w.waiting, wait)
	w.mu.Unlock()
	select {
	case m := <-wait.came:
		return m
	case <-time.After(time.Until(w.ends) + gust):
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = slices.DeleteFunc(w.waiting, func(other waiting) bool { return other == wait })
	return nil
}

// happens lets a fault happen to one of the processes.
func (w *storm) happens(f fault) {
	var m *machine
	if f.When != "" {
		if m = w.comes(f); m == nil {
			return
		}
		w.logf("%s: %s on %s", f.When, f.Kind, m.name)
	} else if running := w.running(); len(running) > 0 {
		m = running[f.On%len(running)]
	} else {
		return
	}
	w.mu.Lock()
	w.active++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.active--
		w.ended = time.Now()
	}()
	for _, k := range faultKinds {
		if k.name == f.Kind {
			k.do(w, m, f)
			return
		}
	}
	w.fail("no such fault: %s", f)
}

func (m *machine) set(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

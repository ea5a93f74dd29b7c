package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/storetest"
)

// link is a process's connection to the store, which a test can break.
type link struct {
	store.Store
	mu     sync.Mutex
	broken func(ctx context.Context, call func() error) error // nil: the connection works
}

func (l *link) set(broken func(context.Context, func() error) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = broken
}

func (l *link) through(ctx context.Context, call func() error) error {
	l.mu.Lock()
	broken := l.broken
	l.mu.Unlock()
	if broken == nil {
		return call()
	}
	return broken(ctx, call)
}

func (l *link) Get(ctx context.Context, keys ...store.Key) (docs []store.Doc, err error) {
	err = l.through(ctx, func() (err error) { docs, err = l.Store.Get(ctx, keys...); return err })
	return docs, err
}

func (l *link) Commit(ctx context.Context, c store.Change) error {
	return l.through(ctx, func() error { return l.Store.Commit(ctx, c) })
}

var errBroken = errors.New("broken")

// The faults of a link: the call is lost and the caller waits, the call fails with an
// error, or the call takes effect and the answer is lost.
var breaks = []func(context.Context, func() error) error{
	func(ctx context.Context, _ func() error) error { <-ctx.Done(); return ctx.Err() },
	func(context.Context, func() error) error { return errBroken },
	func(_ context.Context, call func() error) error { _ = call(); return errBroken },
}

// turns counts the processes that run at the moment.
type turns struct {
	t      *testing.T
	mu     sync.Mutex
	now    int
	all    int
	since  time.Time // when the last run ended
	began  chan int  // gets each process that begins to run, if somebody listens
	longer time.Duration
}

func (r *turns) run(who int) func(context.Context) error {
	return func(ctx context.Context) error {
		r.mu.Lock()
		if r.now++; r.now > 1 {
			r.t.Error("two hold it at a time")
		}
		r.all++
		r.longer = max(r.longer, time.Since(r.since))
		r.mu.Unlock()
		select {
		case r.began <- who:
		default:
		}
		<-ctx.Done()
		r.mu.Lock()
		r.now--
		r.since = time.Now()
		r.mu.Unlock()
		return nil
	}
}

func (r *turns) counts() (now, all int, longest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now, r.all, r.longer
}

// holding runs a test in a synctest bubble, with three processes on one store that compete for the same lease.
func holding(t *testing.T, f func(r *turns, links []*link, stop []context.CancelFunc)) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hold.db")
	synctest.Test(t, func(t *testing.T) {
		s, err := boltstore.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r := &turns{t: t, since: time.Now(), began: make(chan int, 1)}
		var links []*link
		var stop []context.CancelFunc
		var all sync.WaitGroup
		defer all.Wait()
		for who := range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l := &link{Store: s}
			links, stop = append(links, l), append(stop, cancel)
			all.Go(func() {
				if err := Elect(l, slog.New(slog.DiscardHandler))(ctx, "the only one", r.run(who)); err != nil {
					t.Error(err)
				}
			})
		}
		f(r, links, stop)
	})
}

func TestAHoldGoesOnAtOnceWhenItsHolderStops(t *testing.T) {
	holding(t, func(r *turns, _ []*link, stop []context.CancelFunc) {
		first := <-r.began
		time.Sleep(5 * time.Minute)
		if _, all, _ := r.counts(); all != 1 {
			t.Errorf("%d had a turn while the first was well", all)
		}
		at := time.Now()
		stop[first]()
		if second := <-r.began; second == first {
			t.Error("the one that stopped began again")
		}
		if took := time.Since(at); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestAHoldGoesOnWithinFifteenSecondsWhenItsHolderDies(t *testing.T) {
	for kind, broken := range breaks[:2] {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			holding(t, func(r *turns, links []*link, _ []context.CancelFunc) {
				first := <-r.began
				time.Sleep(time.Minute + 777*time.Millisecond)
				at := time.Now()
				links[first].set(broken)
				if second := <-r.began; second == first {
					t.Error("the dead one began again")
				}
				if took := time.Since(at); took > 15*time.Second {
					t.Errorf("it took %v", took)
				}
				if _, _, pause := r.counts(); pause < time.Second { // the dead process's pending work must end before another one starts
					t.Errorf("the next one began %v after the dead one had to stop", pause)
				}
			})
		})
	}
}

func TestAHoldOutlastsAStalledStore(t *testing.T) {
	t.Parallel()
	for kind, broken := range breaks {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			holding(t, func(r *turns, links []*link, _ []context.CancelFunc) {
				<-r.began
				for n := range 20 {
					time.Sleep(20*time.Second + time.Duration(n)*100*time.Millisecond)
					for _, l := range links {
						l.set(broken)
					}
					time.Sleep(10 * time.Second)
					for _, l := range links {
						l.set(nil)
					}
				}
				if _, all, _ := r.counts(); all != 1 {
					t.Errorf("%d turns, the first should have lasted", all)
				}
			})
		})
	}
}

// Two processes never hold it at once, whatever breaks and for however long. If any
// process can reach the store for fifteen seconds, one of them holds it.
func TestNeverTwoHoldIt(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			holding(t, func(r *turns, links []*link, _ []context.CancelFunc) {
				random := rand.New(rand.NewPCG(seed, 0))
				for range 100 {
					for _, l := range links[:2] { // the third one's connection always works
						l.set(nil)
						if random.IntN(3) > 0 {
							l.set(breaks[random.IntN(len(breaks))])
						}
					}
					time.Sleep(time.Duration(random.IntN(20_000)) * time.Millisecond)
				}
				links[0].set(nil)
				links[1].set(nil)
				time.Sleep(15 * time.Second)
				now, _, pause := r.counts()
				if now != 1 {
					t.Error("nobody holds it")
				}
				if pause > 15*time.Second {
					t.Errorf("for %v nobody held it", pause)
				}
			})
		})
	}
}

// A process of this machine that was killed isn't waited for. Another process in this one's place can't know that.
func TestAKilledHolderIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the names of processes are for Linux")
	}
	for _, test := range []struct {
		name   string
		waits  bool   // another process is waiting when the first is killed; otherwise one starts after that
		there  string // the first one's machine and container; "": those of this process
		atMost time.Duration
	}{
		{"started again", false, "", 0},
		{"standing by", true, "", pollEvery},
		{"on another machine", false, "5f0d7e7c-1111-4222-8333-444455556666 pid:[4026531836]", 15 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "hold.db")
			killed := exec.Command("sleep", "600")
			if err := killed.Start(); err != nil {
				t.Fatal(err)
			}
			here := strings.Fields(thisProcess())
			process := fmt.Sprint(cmp.Or(test.there, here[0]+" "+here[1]), " ", killed.Process.Pid)
			synctest.Test(t, func(t *testing.T) {
				s, err := boltstore.Open(file)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				var all sync.WaitGroup
				defer all.Wait()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				began := make(chan int, 2)
				start := func(who int, process string) *link {
					l := &link{Store: s}
					all.Go(func() {
						_ = elect(l, slog.New(slog.DiscardHandler), process)(ctx, "the only one", func(ctx context.Context) error {
							began <- who
							<-ctx.Done()
							return nil
						})
					})
					return l
				}
				first := start(0, process)
				if <-began != 0 {
					t.Fatal("another one began")
				}
				if test.waits {
					start(1, thisProcess())
				}
				time.Sleep(time.Minute + 333*time.Millisecond)
				first.set(breaks[1])
				_ = killed.Process.Kill()
				_ = killed.Wait()
				at := time.Now()
				if !test.waits {
					start(1, thisProcess())
				}
				if <-began != 1 {
					t.Error("the dead one began again")
				}
				if took := time.Since(at); took > test.atMost || test.there != "" && took < leaderFor {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

func TestAHoldEndsWithAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hold.db")
	synctest.Test(t, func(t *testing.T) {
		s, err := boltstore.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		hold := Elect(s, slog.New(slog.DiscardHandler))
		for range 2 { // the second process need not wait for the first
			began := time.Now()
			if err := hold(t.Context(), "x", func(context.Context) error { return errBroken }); !errors.Is(err, errBroken) {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		}
	})
}

// A process that was frozen finds its turn over when it asks, before it has noticed anything else. Nothing stored expires
// by a clock.
func TestAFrozenHolderFindsItsTurnOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := storetest.NewMemory()
		defer s.Close()
		l := &link{Store: timeless{s, t}}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		began, over := 0, make(chan struct{})
		go func() {
			defer close(over)
			_ = Elect(l, slog.New(slog.DiscardHandler))(ctx, "the only one", func(ctx context.Context) error {
				if began++; began > 1 {
					cancel()
					return nil
				}
				l.set(func(_ context.Context, call func() error) error { time.Sleep(2 * leaderFor); return call() })
				time.Sleep(leaderFor - time.Second)
				if err := ctx.Err(); err != nil {
					t.Errorf("its turn is over too soon: %v", err)
				}
				time.Sleep(time.Second)
				if ctx.Err() == nil {
					t.Error("its turn goes on")
				}
				l.set(nil)
				<-ctx.Done()
				return nil
			})
		}()
		<-over
		if began != 2 {
			t.Errorf("it began %d times", began)
		}
	})
}

// timeless is a store in which nothing may expire.
type timeless struct {
	store.Store
	t *testing.T
}

func (s timeless) Commit(ctx context.Context, c store.Change) error {
	for _, w := range c.Writes {
		if !w.Expires.IsZero() {
			s.t.Errorf("%s expires", w.Name)
		}
	}
	return s.Store.Commit(ctx, c)
}

package bot

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// slowWall is a wall that accepts a message in each place every 200 ms, and reports each one.
type slowWall struct {
	*wall
	drawn chan struct{} // capacity 1
}

func (*slowWall) Gap(chat.Target) time.Duration { return 200 * time.Millisecond }

func (p *slowWall) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	defer p.tell()
	return p.wall.Send(ctx, to, s, nonce)
}

func (p *slowWall) Edit(ctx context.Context, at chat.Address, s screen.Screen) error {
	defer p.tell()
	return p.wall.Edit(ctx, at, s)
}

func (p *slowWall) tell() {
	select {
	case p.drawn <- struct{}{}:
	default:
	}
}

// stepping is a table for Ann and the AI, served by processes whose clocks may be wrong.
type stepping struct {
	*room
	slow  *slowWall
	bots  []*Bot
	ahead []atomic.Int64 // how far each process's clock is ahead
}

func newStepping(t *testing.T, kept store.Store, processes int) *stepping {
	return newSteppingWith(t, processes, func(_ int, clock func() time.Time) (store.Store, func() time.Time) { return kept, clock })
}

// newSteppingWith is like newStepping. Each process has the store and the clock that open returns for its own clock.
func newSteppingWith(t *testing.T, processes int, open func(process int, clock func() time.Time) (store.Store, func() time.Time)) *stepping {
	w := &stepping{
		slow:  &slowWall{&wall{standing: map[chat.Address]screen.Screen{}, places: map[string][]chat.Address{}}, make(chan struct{}, 1)},
		ahead: make([]atomic.Int64, processes),
	}
	w.room = &room{T: t, wall: w.slow.wall}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	t.Cleanup(func() { cancel(); all.Wait() })
	for i := range processes {
		kept, now := open(i, func() time.Time { return time.Now().Add(time.Duration(w.ahead[i].Load())) })
		b := New(Config{
			Store: kept, Platforms: []chat.Platform{w.slow}, Think: easy, Pace: 100 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
			Now: now,
		})
		w.bots = append(w.bots, b)
		all.Go(func() { _ = b.Run(ctx) })
	}
	w.bot = w.bots[0]
	return w
}

// opens begins a match.
func (w *stepping) opens() {
	w.Helper()
	in := by("ann")
	in.Command, in.Args = "new", map[string]string{"players": "2"}
	if reply := w.bot.Handle(w.Context(), in); reply.Outcome != chat.Done {
		w.Fatal(reply)
	}
	if reply := command(w.bot, "ann", "start"); reply.Outcome != chat.Done {
		w.Fatal(reply)
	}
}

// These tests wait for a pause at the longest, on a busy machine, too. In the time in which this process was able to run,
// a table has to be drawn within undrawn.
const (
	pause   = 40 * time.Second
	undrawn = 3 * time.Second
)

// goesOn checks that Ann gets her cards in her messages and can play some of them, and that the AI answers, each within
// a pause. The processes get her presses in turn.
func (w *stepping) goesOn(cards int) {
	w.Helper()
	late := time.NewTimer(pause)
	defer late.Stop()
	watch := clocktest.Start(w.T)
	for n, since := 0, watch.Now(); n < cards; {
		select {
		case <-w.slow.drawn:
			if took := watch.Now() - since; took > undrawn {
				w.Errorf("after %d cards, nothing was drawn for %v", n, took)
			}
			since = watch.Now()
		case <-late.C:
			now := theTable(w.T, w.bot)
			w.Fatalf("nothing for 40 s after %d cards, in %s, deal %d, ply %d, since %v", n, now.Phase, now.DealNo, now.Deal.Plies(), time.Until(now.Since))
		}
		for _, row := range w.latest("test:ann", "deal").Rows {
			for _, b := range row {
				in := by("ann")
				if p, err := view.ParsePress(b.Press); err != nil || p.Action != view.ActPlay || b.Off {
					continue
				}
				in.Press = b.Press
				outcome := w.bots[n%len(w.bots)].Handle(w.Context(), in).Outcome
				if outcome == chat.Done {
					n++
					late.Reset(pause)
				}
				if outcome == chat.Failed { // the store was away for a moment: Ann tries again
					w.slow.tell()
				}
			}
		}
	}
}

// onBothStores runs f with an empty store of each kind.
func onBothStores(t *testing.T, f func(t *testing.T, kept store.Store)) {
	t.Parallel()
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		kept, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { kept.Close() })
		f(t, kept)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		kept, err := redisstore.Open(t.Context(), redistest.Start(t).URL(), redisstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { kept.Close() })
		f(t, kept)
	})
}

// A clock that steps back, as one that was wrong before NTP set it, holds up no card.
func TestCardsGoOnWhenTheClockStepsBack(t *testing.T) {
	clocktest.Waits(t)
	onBothStores(t, func(t *testing.T, kept store.Store) {
		w := newStepping(t, kept, 1)
		w.ahead[0].Store(int64(time.Hour + time.Minute))
		w.opens()
		for _, ahead := range []time.Duration{time.Hour, 0} {
			w.goesOn(2)
			w.ahead[0].Store(int64(ahead))
		}
		w.goesOn(2)
	})
}

// One of three processes has a clock that is an hour ahead.
func TestCardsGoOnWhenOneOfThreeClocksIsAhead(t *testing.T) {
	clocktest.Waits(t)
	onBothStores(t, func(t *testing.T, kept store.Store) {
		w := newStepping(t, kept, 3)
		w.opens()
		w.ahead[1].Store(int64(time.Hour)) // before, it would take the lobby for an old one and close it
		w.goesOn(8)
		now := theTable(t, w.bot)
		if i := now.SeatOf("test:ann"); now.Phase == table.Playing && now.Seats[i].Away {
			t.Error("Ann is away")
		}
	})
}

// Three processes share one Redis, and the clock of one is an hour ahead. It follows the clock of Redis, so it closes no
// lobby early, and takes nobody's turn.
func TestAClockAheadDoesNothingEarly(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	server := redistest.Start(t)
	var looks [3]looking
	w := newSteppingWith(t, 3, func(process int, clock func() time.Time) (store.Store, func() time.Time) {
		own := clock
		if process == 1 {
			own = func() time.Time { return clock().Add(time.Hour) }
		}
		kept, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{Now: own})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { kept.Close() })
		looks[process] = looking{kept, make(chan struct{})}
		return looks[process], kept.Now
	})
	everyProcessLooks := func() {
		for range 2 { // the first look may have begun already
			for i := range looks {
				<-looks[i].looked
			}
		}
	}
	in := by("ann")
	in.Command, in.Args = "new", map[string]string{"players": "2"}
	if reply := w.bot.Handle(t.Context(), in); reply.Outcome != chat.Done {
		t.Fatal(reply)
	}
	everyProcessLooks()
	if now := theTable(t, w.bot); now.Phase != table.Lobby {
		t.Fatalf("the lobby is %s", now.Phase)
	}
	if reply := command(w.bot, "ann", "start"); reply.Outcome != chat.Done {
		t.Fatal(reply)
	}
	w.goesOn(4)
	everyProcessLooks()
	switch now := theTable(t, w.bot); {
	case now.Phase != table.Playing && now.Phase != table.Pause:
		t.Errorf("the match is %s", now.Phase)
	case now.Seats[0].Away || now.Seats[0].Warned || now.Called:
		t.Errorf("Ann's time is over: %+v", now.Seats[0])
	}
	for i, b := range w.bots {
		if off := time.Until(b.docs.Now()); off.Abs() > time.Second {
			t.Errorf("process %d is %v ahead", i, off)
		}
	}
}

// looking is a store that reports each look for due jobs to whoever waits for one.
type looking struct {
	store.Store
	looked chan struct{}
}

func (l looking) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := l.Store.Claim(ctx, now, lease, limit)
	select {
	case l.looked <- struct{}{}:
	default:
	}
	return jobs, next, err
}

// rolling is a Redis that once loses the tail of its history, in which a table's job was released.
type rolling struct {
	store.Store
	t      *testing.T
	server *redistest.Server
	armed  atomic.Bool
	lost   chan lostLease // the latest lease from the older history
}

// lostLease is a lease that the store's older history brought back: a field of the hash that has the tokens.
type lostLease struct {
	hash, id, token string
	ends            time.Time
}

func (s *rolling) Commit(ctx context.Context, c store.Change) error {
	err := s.Store.Commit(ctx, c)
	if err != nil || c.Done == nil || !strings.HasPrefix(c.Done.ID, "table:") || !s.armed.CompareAndSwap(true, false) {
		return err
	}
	part, ends := fmt.Sprintf("sedma:{p%02d}:", c.Partition), time.Now().Add(work.Lease).UnixMilli()
	s.lost <- lostLease{part + "held", c.Done.ID, strconv.FormatInt(c.Done.Token, 10), time.UnixMilli(ends)}
	const back = `redis.call("HSET", KEYS[1], ARGV[1], ARGV[2]) redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1]) redis.call("ZREM", KEYS[3], ARGV[1])`
	for _, words := range [][]string{ // no claim comes between the parts of the older history
		{"EVAL", back, "3", part + "held", part + "lease", part + "due", c.Done.ID, strconv.FormatInt(c.Done.Token, 10), strconv.FormatInt(ends, 10)},
		{"CLIENT", "KILL", "TYPE", "normal"},
	} {
		if answer, err := s.server.Do(words...); err != nil {
			s.t.Error(answer, err)
		}
	}
	return nil
}

func TestALeaseFromAnOlderHistoryHoldsUpNoTable(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	server := redistest.Start(t)
	opened, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	kept := &rolling{Store: opened, t: t, server: server, lost: make(chan lostLease, 3)}
	w := newStepping(t, kept, 1)
	w.opens()
	const token = `return {ok = redis.call("HGET", KEYS[1], ARGV[1]) or "none"}`
	for range 3 {
		w.goesOn(2)
		kept.armed.Store(true)
		w.goesOn(3)
		lease := <-kept.lost
		if held, err := server.Do("EVAL", token, "1", lease.hash, lease.id); err != nil || held == "+"+lease.token || time.Now().After(lease.ends) {
			t.Errorf("the table went on %v before the end of the lease that nobody knew, which is %q: %v", time.Until(lease.ends), held, err)
		}
	}
}

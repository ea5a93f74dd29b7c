package bottest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
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

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// TestTorture lets people press whatever they see while everything fails that
// can, two processes at a time, and asks afterwards whether all came right.
func TestTorture(t *testing.T) {
	t.Parallel()
	seeds := 8
	if testing.Short() {
		seeds = 4
	}
	first := 0
	if s := os.Getenv("SEDMABOT_TORTURE"); s != "" { // "first seed,number of seeds"
		if _, err := fmt.Sscanf(s, "%d,%d", &first, &seeds); err != nil {
			t.Fatal(err)
		}
	}
	for seed := first; seed < first+seeds; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if memory, err := os.MkdirTemp("/dev/shm", "sedmabot"); err == nil { // nothing here asks what a disk keeps
				folder = memory
				t.Cleanup(func() { os.RemoveAll(memory) })
			}
			synctest.Test(t, func(t *testing.T) { torment(t, uint64(seed), filepath.Join(folder, "torture.db")) })
		})
	}
}

// torture is one run.
type torture struct {
	t      *testing.T
	ground *playground.Playground
	ledger *ledger
	repeat bool // the platform does not know its repeats, as Telegram
	mild   bool // nothing happens after which a message may stand twice

	faults atomic.Bool  // things go wrong
	ahead  atomic.Int64 // of the clock
	doubts atomic.Int64 // messages that may stand twice
	sends  atomic.Int64

	mu     sync.Mutex
	rng    *rand.Rand
	alive  []*process
	owners map[string]string // who had that card in that deal
	gone   map[bot.Address]bool
	logs   strings.Builder
}

func (r *torture) n(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rng.IntN(n)
}

func (r *torture) chance(percent int) bool { return r.n(100) < percent }

func (r *torture) now() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) }

func (r *torture) seed() (s table.Seed) {
	for i := range s {
		s[i] = byte(r.n(256))
	}
	return s
}

// process is one that can be killed: from then on nothing that it does has an effect.
type process struct {
	r      *torture
	bot    *bot.Bot
	cancel context.CancelFunc
	ended  chan struct{}
	dead   atomic.Bool
	fuse   atomic.Int64 // it dies after so many steps
}

var errKilled = errors.New("killed")

// step is before everything that a process does to the world.
func (p *process) step() error {
	if p.fuse.Add(-1) == 0 {
		p.dead.Store(true)
	}
	if p.dead.Load() {
		return errKilled
	}
	return nil
}

func (r *torture) start() {
	p := &process{r: r, ended: make(chan struct{})}
	p.fuse.Store(1 << 40)
	p.bot = bot.New(bot.Config{
		Store: &frail{p}, Platforms: []bot.Platform{&pipe{r.ground, p}}, Worlds: 20, Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return ai.Think("easy", v) },
		Pace: pace, Seed: r.seed, Now: r.now, Log: slog.New(slog.NewTextHandler(r, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() {
		defer close(p.ended)
		if err := p.bot.Run(ctx); err != nil {
			r.t.Error(err)
		}
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alive = append(r.alive, p)
}

// Write takes the log.
func (r *torture) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if strings.Contains(string(b), "panic") {
		r.t.Errorf("%s", b)
	}
	return r.logs.Write(b)
}

// halt ends a process: in peace, or as kill -9 does.
func (r *torture) halt(p *process, kill bool) {
	if kill {
		r.doubts.Add(3)
		p.fuse.Store(int64(1 + r.n(4)))
		time.Sleep(time.Second)
		p.dead.Store(true)
	}
	began := time.Now()
	p.cancel()
	<-p.ended
	if took := time.Since(began); took > 9*time.Second && !kill {
		r.t.Errorf("a stop took %v", took)
	}
	fmt.Fprintf(r, "%v halt, kill %v\n", time.Now(), kill)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alive = slices.DeleteFunc(r.alive, func(other *process) bool { return other == p })
}

func (r *torture) some() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.alive) == 0 {
		return nil
	}
	return r.alive[r.rng.IntN(len(r.alive))]
}

// Handle hands the input to some process, with little time sometimes.
func (r *torture) Handle(ctx context.Context, in bot.Input) bot.Reply {
	p := r.some()
	if p == nil {
		return bot.Reply{}
	}
	if r.faults.Load() && r.chance(20) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.n(3000))*time.Millisecond)
		defer cancel()
	}
	return p.bot.Handle(ctx, in)
}

// Complete suggests nothing: the playground does not ask.
func (r *torture) Complete(context.Context, bot.Input) []bot.Suggestion { return nil }

// frail is the store as one process has it.
type frail struct{ p *process }

func (s *frail) trouble(ctx context.Context) (before, after error) {
	if err := s.p.step(); err != nil {
		return err, nil
	}
	r := s.p.r
	if !r.faults.Load() {
		return nil, nil
	}
	if r.chance(4) {
		long := 3000
		if r.chance(10) && !r.mild {
			long = 25000 // more than a lease
		}
		select {
		case <-time.After(time.Duration(r.n(long)) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err(), nil
		}
	}
	switch {
	case r.chance(2):
		return errors.New("the store is away"), nil
	case r.chance(2):
		return nil, errors.New("the store's answer was lost")
	}
	return nil, nil
}

func (s *frail) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	before, after := s.trouble(ctx)
	if err := errors.Join(before, after); err != nil {
		return nil, err
	}
	return s.p.r.ledger.Get(ctx, keys...)
}

func (s *frail) Commit(ctx context.Context, c store.Change) error {
	before, after := s.trouble(ctx)
	if before != nil {
		s.p.r.doubts.Add(3)
		return before
	}
	if err := s.p.r.ledger.Commit(ctx, c); err != nil {
		return err
	}
	if s.p.dead.Load() {
		return errKilled
	}
	return after
}

func (s *frail) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	before, after := s.trouble(ctx)
	if before != nil {
		return nil, time.Time{}, before
	}
	jobs, next, err := s.p.r.ledger.Claim(ctx, now, lease, limit)
	if after != nil {
		return nil, time.Time{}, after
	}
	return jobs, next, err
}

func (s *frail) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

func (s *frail) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	if err := s.p.step(); err != nil {
		return nil, 0, err
	}
	return s.p.r.ledger.Board(ctx, partition, board, from, n, around)
}

func (s *frail) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	if err := s.p.step(); err != nil {
		return nil, "", err
	}
	return s.p.r.ledger.Scan(ctx, partition, prefix, cursor)
}

func (s *frail) Close() error { return nil }

// ledger is the store as it is, and keeps its own account of matches.
type ledger struct {
	store.Store
	mu      sync.Mutex // one commit at a time
	commits int
	totals  map[string]bot.Totals // by board and member
}

func (l *ledger) Commit(ctx context.Context, c store.Change) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var over []table.Table
	for _, w := range c.Writes {
		if !strings.HasPrefix(w.Name, "table:") {
			continue
		}
		docs, err := l.Store.Get(ctx, store.Key{Partition: c.Partition, Name: w.Name})
		if err != nil {
			return err
		}
		old, now := read[table.Table](docs[0].Data), read[table.Table](w.Data)
		if old.Phase != table.Over && now.Phase == table.Over {
			over = append(over, now)
		}
	}
	if err := l.Store.Commit(ctx, c); err != nil {
		return err
	}
	l.commits++
	for _, t := range over {
		family, _, _ := strings.Cut(t.Rules.Preset, "-")
		o := t.Public().Result
		robots := slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.AI != "" })
		for seat, s := range t.Seats {
			if s.Player.ID == "" {
				continue
			}
			absent, won, stakes, sweeps := s.Away || s.Left, 0, o.Payments[seat], 0
			if slices.Contains(o.Winners, seat) && !absent {
				won = 1
			}
			if absent && stakes > 0 {
				stakes = 0
			}
			for _, past := range t.Past {
				for side, seats := range past.Score.Sides {
					all := 0
					for _, n := range past.Result.TricksWon {
						all += n
					}
					if slices.Contains(seats, seat) && past.Result.End == game.EndPlayed && past.Result.TricksWon[side] == all {
						sweeps++
					}
				}
			}
			for _, home := range []string{t.Home, "*"} {
				for _, which := range []string{"all", family} {
					key := "board:" + home + ":" + which + ":all " + s.Player.ID
					sum := l.totals[key]
					if robots {
						sum.AIMatches++
						sum.AIWins += won
					} else {
						sum.Matches++
						sum.Wins += won
						sum.Stakes += stakes
						sum.Sweeps += sweeps
					}
					l.totals[key] = sum
				}
			}
		}
	}
	return nil
}

func (l *ledger) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return l.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.commits
}

// read reads a document's data; no data are the zero value.
func read[T any](data []byte) (v T) {
	if len(data) == 0 {
		return v
	}
	var e struct{ D json.RawMessage }
	if err := errors.Join(json.Unmarshal(data, &e), json.Unmarshal(e.D, &v)); err != nil {
		panic(err)
	}
	return v
}

// pipe is the playground as one process reaches it.
type pipe struct {
	*playground.Playground
	p *process
}

// travel is a call on its way: err keeps it from arriving, lost its answer.
func (w *pipe) travel(ctx context.Context) (lost, err error) {
	fail := func(err error) error { return &bot.DeliveryError{Fault: bot.Retry, Err: err} }
	if err := w.p.step(); err != nil {
		return nil, fail(err)
	}
	r := w.p.r
	if r.faults.Load() && r.chance(10) {
		long := 1500
		if r.chance(20) && !r.mild {
			long = 12000
		}
		select {
		case <-time.After(time.Duration(r.n(long)) * time.Millisecond):
		case <-ctx.Done():
			if r.chance(50) || w.p.dead.Load() {
				return nil, fail(ctx.Err())
			}
			return fail(ctx.Err()), nil
		}
	}
	switch {
	case w.p.dead.Load():
		return nil, fail(errKilled)
	case !r.faults.Load():
	case r.chance(4):
		return nil, &bot.DeliveryError{Fault: bot.Retry, After: time.Duration(r.n(4)) * time.Second, Err: errors.New("on purpose")}
	case r.chance(4) && !r.mild:
		return fail(errors.New("the answer was lost")), nil
	}
	return nil, nil
}

func (w *pipe) Send(ctx context.Context, to bot.Target, s view.Screen, nonce string) (bot.Address, error) {
	lost, err := w.travel(ctx)
	if err != nil {
		return "", err
	}
	r := w.p.r
	r.sees(to.Player, s)
	if r.repeat {
		nonce += strconv.FormatInt(r.sends.Add(1), 10)
	}
	before := len(r.ground.Channel()) + len(r.ground.Direct(to.Player))
	a, err := r.ground.Send(context.WithoutCancel(ctx), to, s, nonce)
	if lost == nil {
		lost = err
	}
	if lost != nil && len(r.ground.Channel())+len(r.ground.Direct(to.Player)) != before {
		r.doubts.Add(1)
	}
	fmt.Fprintf(r, "%v send %s%s %s: %s %v\n", time.Now(), to.Chat, to.Player, nonce, a, lost)
	if lost != nil {
		return "", lost
	}
	return a, nil
}

func (w *pipe) Edit(ctx context.Context, a bot.Address, s view.Screen) error {
	lost, err := w.travel(ctx)
	if err != nil {
		return err
	}
	r := w.p.r
	if reader, ok := r.reader(a); ok {
		r.sees(reader, s)
		switch refused := (&bot.DeliveryError{Err: errors.New("on purpose")}); {
		case r.faults.Load() && r.chance(1):
			refused.Fault = bot.Gone
			return errors.Join(r.ground.Delete(context.WithoutCancel(ctx), a), refused)
		case r.faults.Load() && r.chance(1):
			refused.Fault = bot.Unreachable
			return refused
		}
	}
	if err := r.ground.Edit(context.WithoutCancel(ctx), a, s); err != nil {
		return err
	}
	return lost
}

func (w *pipe) Delete(ctx context.Context, a bot.Address) error {
	lost, err := w.travel(ctx)
	if err != nil {
		return err
	}
	if err := w.p.r.ground.Delete(context.WithoutCancel(ctx), a); err != nil {
		return err
	}
	return lost
}

// reader is the person who alone sees the message, or "" if everybody does;
// false if no message has that address for its own.
func (r *torture) reader(a bot.Address) (string, bool) {
	at := func(m playground.Message) bool { return m.Address == a }
	for _, person := range people {
		if slices.ContainsFunc(append(r.ground.Direct(id(person)), r.ground.Answers(id(person))...), at) {
			return id(person), true
		}
	}
	return "", slices.ContainsFunc(r.ground.Channel(), at)
}

// sees checks that a hand is shown to nobody but its owner.
func (r *torture) sees(reader string, s view.Screen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range buttons(s) {
		p, err := view.ParsePress(b.Press)
		if err != nil || p.Action != view.ActPlay {
			continue
		}
		card, is := p.Move.Card()
		if !is {
			continue
		}
		if reader == "" {
			r.t.Errorf("a hand in a place that is nobody's own:\n%s", s)
			continue
		}
		key := fmt.Sprint(p.Table, p.Deal, card)
		if owner := r.owners[key]; owner != "" && owner != reader {
			r.t.Errorf("%s sees a card of %s's:\n%s", reader, owner, s)
		}
		r.owners[key] = reader
	}
}

func buttons(s view.Screen) (all []view.Button) {
	for _, row := range slices.Concat(s.MenuRows(), s.Rows, s.Places) {
		all = append(all, row...)
	}
	return all
}

func torment(t *testing.T, seed uint64, path string) {
	ground, err := playground.New(playground.Config{Lang: "en", Gap: time.Duration(seed%3) * 700 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	file, err := boltstore.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &torture{
		t: t, ground: ground, ledger: &ledger{Store: file, totals: map[string]bot.Totals{}}, repeat: seed%2 == 1, mild: seed%4 < 2,
		rng: rand.New(rand.NewPCG(seed, 7)), owners: map[string]string{}, gone: map[bot.Address]bool{},
	}
	defer func() {
		if t.Failed() {
			t.Log(r.logs.String())
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go ground.Run(ctx, r)
	defer file.Close()
	r.start()
	r.start()
	defer func() {
		for len(r.alive) > 0 {
			r.halt(r.alive[0], false)
		}
	}()

	r.faults.Store(true)
	for range 250 {
		r.event()
		r.person()
		if r.chance(60) {
			time.Sleep(time.Duration(r.n(2500)) * time.Millisecond)
		}
	}
	r.faults.Store(false)
	r.calm()
	r.settled("after the storm")

	// Everything ends.
	for _, person := range people {
		_, _ = ground.Command(ctx, id(person), id(person), "/close")
	}
	_, _ = ground.Command(ctx, playground.Ann, playground.Channel, "/close")
	time.Sleep(2 * time.Minute)
	r.settled("after the end")
	r.accounts()
	before := r.ledger.count()
	time.Sleep(10 * time.Minute)
	if n := r.ledger.count() - before; n != 0 {
		t.Errorf("%d commits while nothing happened", n)
	}
	for len(r.alive) > 0 {
		r.halt(r.alive[0], false)
	}
	for range 2 { // matches that are over are closed, then all is forgotten
		time.Sleep(72 * time.Hour)
		r.start()
		time.Sleep(time.Minute)
		for _, person := range people {
			r.hello(id(person))
		}
		r.halt(r.alive[0], false)
	}
	for _, kind := range []string{"table:", "shown:", "notes:", "player:"} {
		for _, doc := range r.scan(kind) {
			t.Errorf("%s is left: %s", doc.Key.Name, doc.Data)
		}
	}
	for _, doc := range r.scan("home:") {
		if home := read[struct{ Open map[string]string }](doc.Data); len(home.Open) > 0 {
			t.Errorf("%s still has %v", doc.Key.Name, home.Open)
		}
	}
}

// event is something that goes wrong.
func (r *torture) event() {
	person := id(people[r.n(len(people))])
	switch r.n(40) {
	case 0, 1:
		r.ground.CloseDM(person, true)
	case 2, 3:
		r.ground.CloseDM(person, false)
	case 4:
		r.hello(person)
	case 5:
		r.ground.Limit(playground.Channel, 1+r.n(3), time.Duration(1+r.n(5))*time.Second)
	case 6:
		r.ground.Limit(playground.Channel, 0, 0)
	case 11, 12:
		if p := r.some(); p != nil {
			r.halt(p, r.chance(70) && !r.mild)
		}
		r.start()
	case 13:
		if !r.mild {
			r.ahead.Add(int64(r.n(60)) * int64(time.Second))
		}
	case 14: // somebody deletes a message
		if messages := r.ground.Channel(); len(messages) > 0 {
			m := messages[r.n(len(messages))]
			r.gone[m.Address] = true
			_ = r.ground.Delete(context.Background(), m.Address)
		}
	}
}

func (r *torture) hello(person string) {
	if p := r.some(); p != nil {
		p.bot.Handle(context.Background(), bot.Input{
			Command: "hello", Player: bot.Player{ID: person, Name: person, Lang: "en"},
			Chat: bot.Chat{ID: person, Home: person, Private: true, Lang: "en"},
		})
	}
}

// person is somebody doing something.
func (r *torture) person() {
	ctx := context.Background()
	name := people[r.n(4)]
	person := id(name)
	own := append(r.ground.Direct(person), r.ground.Answers(person)...)
	for _, m := range own {
		r.sees(person, m.Screen)
	}
	press := func(m playground.Message, data string) {
		var presses sync.WaitGroup
		for range 1 + r.n(8)/7 {
			presses.Go(func() {
				if _, err := r.ground.PressData(ctx, person, m.Address, data); err != nil && !strings.Contains(err.Error(), "no such message") {
					r.t.Errorf("%s pressed %s: %v", name, data, err)
				}
			})
		}
		presses.Wait()
	}
	choices := func(messages []playground.Message, fits func(view.Press) bool) (m playground.Message, data string, ok bool) {
		for _, i := range r.perm(len(messages)) {
			all := buttons(messages[i].Screen)
			for _, j := range r.perm(len(all)) {
				if p, err := view.ParsePress(all[j].Press); err == nil && (fits == nil || fits(p)) {
					return messages[i], all[j].Press, true
				}
			}
		}
		return m, "", false
	}
	switch n := r.n(20); {
	case n < 10: // plays, if he can
		plays := func(p view.Press) bool { return p.Action == view.ActPlay }
		if latest := own[max(0, len(own)-2):]; n < 9 {
			own = latest
		}
		if m, data, ok := choices(own, plays); ok {
			press(m, data)
			return
		}
		if m, data, ok := choices(r.ground.Channel(), func(p view.Press) bool { return p.Action == view.ActPlace }); ok {
			press(m, data)
		}
	case n < 13: // anything that he sees
		if m, data, ok := choices(append(r.ground.Channel(), own...), func(p view.Press) bool { return p.Action != view.ActClose || r.chance(5) }); ok {
			press(m, data)
		}
	case n == 13: // anything in the channel
		if m, data, ok := choices(r.ground.Channel(), func(p view.Press) bool {
			return slices.Contains([]view.Action{view.ActCards, view.ActRematch, view.ActLast}, p.Action)
		}); ok {
			press(m, data)
		}
	case n == 14: // made up
		if m, data, ok := choices(r.ground.Channel(), nil); ok {
			forged := []byte(data)
			forged[r.n(len(forged))] = byte(32 + r.n(96))
			press(m, string(forged))
		}
	default:
		lines := []string{
			"/new 2", "/new 3", "/new 4", "/join", "/start", "/start", "/start", "/hand", "/hand", "/table", "/rules", "/leaderboard", "/help", "/leave",
		}
		line, chat := lines[r.n(len(lines))], playground.Channel
		if r.chance(20) {
			chat = person
		}
		if _, err := r.ground.Command(ctx, person, chat, line); err != nil {
			r.t.Errorf("%s typed %s: %v", name, line, err)
		}
	}
}

func (r *torture) perm(n int) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rng.Perm(n)
}

// calm ends all faults, and waits for the longest time that anything may take to come right.
func (r *torture) calm() {
	r.ground.Limit(playground.Channel, 0, 0)
	for _, person := range people {
		r.ground.CloseDM(id(person), false)
	}
	time.Sleep(time.Minute)
	for _, person := range people {
		r.hello(id(person))
		_, _ = r.ground.Command(context.Background(), id(person), id(person), "/table")
	}
	_, _ = r.ground.Command(context.Background(), playground.Ann, playground.Channel, "/table")
	time.Sleep(time.Minute)
}

func (r *torture) scan(kind string) (all []store.Doc) {
	for partition := range store.Partitions {
		for cursor, more := "", true; more; more = cursor != "" {
			docs, next, err := r.ledger.Scan(context.Background(), partition, kind, cursor)
			if err != nil {
				r.t.Fatal(err)
			}
			all, cursor = append(all, docs...), next
		}
	}
	return all
}

type shown struct {
	Posts map[string]struct {
		Address bot.Address
		Passing bool
	}
	Places map[string]struct{ Closed time.Time }
}

// settled checks that what stands is what should. A table that plays by itself
// may be caught between a move and its showing: each message must be right at
// some look.
func (r *torture) settled(when string) {
	var still map[string]string
	for range 40 {
		synctest.Wait()
		wrong := r.wrong()
		if still == nil {
			still = wrong
		}
		maps.DeleteFunc(still, func(what, _ string) bool { return wrong[what] == "" })
		if len(still) == 0 {
			return
		}
		time.Sleep(370 * time.Millisecond)
	}
	for what, how := range still {
		r.t.Errorf("%s: %s %s", when, what, how)
	}
}

// wrong is what does not stand as it should, and how it stands.
func (r *torture) wrong() map[string]string {
	wrong := map[string]string{}
	say := func(what, format string, args ...any) { wrong[what] = fmt.Sprintf(format, args...) }
	standing := map[bot.Address]playground.Message{}
	all := r.ground.Channel()
	for _, person := range people {
		all = append(all, r.ground.Direct(id(person))...)
	}
	for _, m := range all {
		standing[m.Address] = m
	}
	known := map[bot.Address]bool{}
	for _, doc := range r.scan("table:") {
		tab := read[table.Table](doc.Data)
		docs, err := r.ledger.Get(context.Background(), store.Key{Partition: doc.Key.Partition, Name: "shown:" + tab.ID})
		if err != nil {
			r.t.Fatal(err)
		}
		seen := read[shown](docs[0].Data)
		if n := len(seen.Posts); n > 30+2*tab.DealNo || len(seen.Places) > 16 {
			say(tab.ID, "%d posts and %d places", n, len(seen.Places))
		}
		for _, p := range seen.Posts {
			known[p.Address] = true
		}
		for _, p := range view.Posts(tab.Public(), tab.Private, nil) {
			place := p.Chat + p.Player
			what := fmt.Sprintf("%s of %s in %s", p.Key, tab.ID, place)
			stands, ok := seen.Posts[place+" "+p.Key]
			switch m, there := standing[stands.Address]; {
			case r.gone[stands.Address], ok && p.OldOnly && stands.Address == "":
			case !ok && p.OldOnly, !ok && tab.Phase == table.Closed:
			case !ok || !there:
				say(what, "does not stand (%s): %v", tab.Phase, seen)
			default:
				was, should := m.Screen, p.Screen
				was.Notify, should.Notify = nil, nil
				if diff := cmp.Diff(should, was, cmp.Comparer(func(a, b game.Card) bool { return a == b })); diff != "" {
					say(what, "is wrong (%s):\n%s", docs[0].Data, diff)
				}
				if m.Chat != place {
					say(what, "stands in %s", m.Chat)
				}
			}
		}
	}
	stray := 0
	for a, m := range standing {
		if known[a] || m.Answer {
			continue
		}
		for _, b := range buttons(m.Screen) {
			p, err := view.ParsePress(b.Press)
			if err == nil && slices.Contains([]view.Action{view.ActPlay, view.ActPlace, view.ActJoin, view.ActStart}, p.Action) {
				stray++
				if r.mild {
					say(string(a), "is a message that nobody knows of any more:\n%s", m.Screen)
				}
				break
			}
		}
	}
	if most := int(r.doubts.Load()); stray > most && !r.mild {
		say("messages", "that nobody knows of: %d, at most %d may be", stray, most)
	}
	return wrong
}

// accounts checks records and boards.
func (r *torture) accounts() {
	w := &world{t: r.t, store: r.ledger}
	if err := w.records(); err != nil && err.Error() != "no records" {
		r.t.Error(err)
	}
	found := map[string]bot.Totals{}
	for key := range r.ledger.totals {
		board := key[:strings.LastIndex(key, " ")]
		_, home, _ := strings.Cut(board, ":")
		home = strings.TrimSuffix(home, ":all")
		home = home[:strings.LastIndex(home, ":")]
		rows, _, err := r.ledger.Board(context.Background(), store.Partition(home), board, 0, 100, "")
		if err != nil {
			r.t.Fatal(err)
		}
		for _, row := range rows {
			var sum bot.Totals
			if err := json.Unmarshal(row.Data, &sum); err != nil {
				r.t.Fatal(err)
			}
			found[board+" "+row.Member] = sum
		}
	}
	if diff := cmp.Diff(r.ledger.totals, found); diff != "" {
		r.t.Errorf("boards: %s", diff)
	}
	if a, err := bot.CheckBoards(context.Background(), r.ledger); err != nil || len(a.Wrong) > 0 || a.Waiting > 0 {
		r.t.Errorf("the boards are not what the records say: %+v, %v", a, err)
	}
	r.t.Logf("%d commits, %d records, boards %v", r.ledger.count(), len(r.scan("record:")), found)
}

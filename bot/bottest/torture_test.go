package bottest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/league"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store/boltstore"
)

// TestTorture lets people press whatever they see while two processes run and everything that can fail does. Afterwards
// it checks that everything is right again. It plays in the playground, where TestStorm has a real adapter. So it is for
// the race detector, under which the storm would take too long.
func TestTorture(t *testing.T) {
	t.Parallel()
	first, seeds := 0, 4
	switch set := os.Getenv("SEDMABOT_TORTURE"); { // "first seed,number of seeds"
	case set != "":
		if _, err := fmt.Sscanf(set, "%d,%d", &first, &seeds); err != nil {
			t.Fatal(err)
		}
	case Long():
		seeds = 100
	case !clocktest.Raced:
		t.Skip("TestStorm plays here, and this test under the race detector")
	}
	for seed := first; seed < first+seeds; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if memory, err := os.MkdirTemp("/dev/shm", "sedmabot"); err == nil { // the test doesn't depend on a real disk
				folder = memory
				t.Cleanup(func() { os.RemoveAll(memory) })
			}
			synctest.Test(t, func(t *testing.T) { torment(t, uint64(seed), filepath.Join(folder, "torture.db")) })
		})
	}
}

// torture is one run with one seed.
type torture struct {
	t      *testing.T
	ground *playground.Playground
	ledger *ledger
	repeat bool // the platform doesn't recognise repeated sends, like Telegram
	mild   bool // only faults after which no message may exist twice

	faults atomic.Bool  // faults are switched on
	ahead  atomic.Int64 // difference of the bot's clock to real time
	doubts atomic.Int64 // number of messages that may exist twice
	sends  atomic.Int64

	mu     sync.Mutex
	rng    *rand.Rand
	alive  []*process
	owners map[string]string // owner of each card, by deal and card
	gone   map[chat.Address]bool
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

// process is a bot that can be killed. After that, nothing that it does has an effect.
type process struct {
	r      *torture
	bot    *bot.Bot
	cancel context.CancelFunc
	ended  chan struct{}
	dead   atomic.Bool
	fuse   atomic.Int64 // number of steps until it dies
}

var errKilled = errors.New("killed")

// step is called before each effect of a process outside it, such as a commit or a message.
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
		Store: &frail{p}, Platforms: []chat.Platform{&pipe{r.ground, p}}, Worlds: 20, Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
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

// Write receives the log.
func (r *torture) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if strings.Contains(string(b), "panic") {
		r.t.Errorf("%s", b)
	}
	return r.logs.Write(b)
}

// halt ends a process, either gracefully or like kill -9.
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
	if took := time.Since(began); took > 8*time.Second && !kill {
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

// Handle passes the input to one of the processes, sometimes with little time.
func (r *torture) Handle(ctx context.Context, in chat.Input) chat.Reply {
	p := r.some()
	if p == nil {
		return chat.Reply{}
	}
	if r.faults.Load() && r.chance(20) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.n(3000))*time.Millisecond)
		defer cancel()
	}
	return p.bot.Handle(ctx, in)
}

// Complete suggests nothing; the playground never calls it.
func (r *torture) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

func torment(t *testing.T, seed uint64, path string) {
	ground, err := playground.New(playground.Config{Commands: bot.Commands(), Check: Fits, Lang: "en", Gap: time.Duration(seed%3) * 700 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	file, err := boltstore.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &torture{
		t: t, ground: ground, ledger: &ledger{Store: file, totals: map[string]league.Totals{}}, repeat: seed%2 == 1, mild: seed%4 < 2,
		rng: rand.New(rand.NewPCG(seed, 7)), owners: map[string]string{}, gone: map[chat.Address]bool{},
	}
	defer func() {
		if t.Failed() {
			t.Log(r.logs.String())
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _ = ground.Run(ctx, r) }()
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

	// Close all tables, and leave those of strangers, which nobody may close.
	for _, person := range cast {
		_, _ = ground.Command(ctx, id(person), id(person), "/close")
		_, _ = ground.Command(ctx, id(person), id(person), "/leave")
	}
	_, _ = ground.Command(ctx, playground.Ann, playground.Channel, "/close")
	for _, person := range cast { // they were asked
		for _, m := range append(ground.Direct(id(person)), ground.Answers(id(person))...) {
			for _, b := range buttons(m.Screen) {
				if p, err := view.ParsePress(b.Press); err == nil && p.Action == view.ActSure {
					_, _ = ground.PressData(ctx, id(person), m.Address, b.Press)
				}
			}
		}
	}
	time.Sleep(10 * time.Minute) // the AI plays on alone at a table of strangers whom everybody has left
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
	for range 5 { // time for a player with a day per turn to be warned, for a paused table to close, and for all data to expire
		time.Sleep(72 * time.Hour)
		r.start()
		time.Sleep(time.Minute)
		for _, person := range cast {
			r.hello(id(person))
		}
		r.halt(r.alive[0], false)
	}
	for _, left := range leftovers(t, r.ledger) {
		t.Error(left)
	}
}

// event causes a random fault.
func (r *torture) event() {
	person := id(cast[r.n(len(cast))])
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
		if !r.mild { // the clock jumps forward or back
			r.ahead.Store(int64(r.n(61)) * int64(time.Second))
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
		p.bot.Handle(context.Background(), chat.Input{
			Command: "hello", Player: chat.Player{ID: person, Name: person, Lang: "en"},
			Chat: chat.Chat{ID: person, Home: person, Private: true, Lang: "en"},
		})
	}
}

// Person lets a random person do something.
func (r *torture) person() {
	ctx := context.Background()
	name := cast[r.n(4)]
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
				p, err := view.ParsePress(all[j].Press)
				if err != nil && !slices.Contains([]string{"mine", "cfg", "data", "meet"}, p.Action) {
					continue
				}
				if fits == nil || fits(p) {
					return messages[i], all[j].Press, true
				}
			}
		}
		return m, "", false
	}
	switch n := r.n(20); {
	case n < 10: // play, if possible
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
	case n < 13: // press anything that they see
		if m, data, ok := choices(append(r.ground.Channel(), own...), func(p view.Press) bool { return p.Action != view.ActClose || r.chance(5) }); ok {
			press(m, data)
		}
	case n == 13: // press anything in the channel
		if m, data, ok := choices(r.ground.Channel(), func(p view.Press) bool {
			return slices.Contains([]string{view.ActCards, view.ActRematch, view.ActLast}, p.Action)
		}); ok {
			press(m, data)
		}
	case n == 14: // press made-up data
		if m, data, ok := choices(r.ground.Channel(), nil); ok {
			forged := []byte(data)
			forged[r.n(len(forged))] = byte(32 + r.n(96))
			press(m, string(forged))
		}
	default:
		lines := []string{
			"/new 2", "/new 3", "/new 4", "/join", "/start", "/start", "/start", "/hand", "/hand", "/table", "/rules", "/leaderboard", "/help", "/leave",
		}
		line, chatID := lines[r.n(len(lines))], playground.Channel
		if r.chance(20) {
			chatID = person
		}
		if _, err := r.ground.Command(ctx, person, chatID, line); err != nil {
			r.t.Errorf("%s typed %s: %v", name, line, err)
		}
	}
}

func (r *torture) perm(n int) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rng.Perm(n)
}

// calm ends all faults, and waits as long as anything may take to recover.
func (r *torture) calm() {
	r.ground.Limit(playground.Channel, 0, 0)
	for _, person := range cast {
		r.ground.CloseDM(id(person), false)
	}
	time.Sleep(time.Minute)
	for _, person := range cast {
		r.hello(id(person))
		_, _ = r.ground.Command(context.Background(), id(person), id(person), "/table")
	}
	_, _ = r.ground.Command(context.Background(), playground.Ann, playground.Channel, "/table")
	time.Sleep(time.Minute)
}

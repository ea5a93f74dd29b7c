package bottest

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// instant is a platform that shows everything at once. It records how long after its change each screen was shown.
type instant struct {
	mu      sync.Mutex
	changed map[string]time.Time // by chat: time of the change that is not shown yet
	shown   []time.Duration
	edited  chan struct{} // gets a value after each edit
}

// news signals on c that something happened. If a signal is already pending, it does nothing.
func news(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (*instant) Name() string                                  { return "instant" }
func (*instant) Run(ctx context.Context, _ chat.Handler) error { <-ctx.Done(); return nil }
func (*instant) Ready() error                                  { return nil }
func (*instant) Lasts() time.Duration                          { return 0 }
func (*instant) Abilities() chat.Abilities                     { return chat.Abilities{} }
func (*instant) Link(string, chat.Address) string              { return "" }
func (*instant) Spelling(c chat.Command, _ string) string      { return c.Name }
func (*instant) Reach(context.Context, chat.Target) error      { return nil }
func (*instant) PrivateChat(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}
func (*instant) Gap(chat.Target) time.Duration              { return 0 }
func (*instant) Delete(context.Context, chat.Address) error { return nil }
func (p *instant) Edit(_ context.Context, a chat.Address, _ screen.Screen) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, ok := p.changed[string(a)]; ok {
		delete(p.changed, string(a))
		p.shown = append(p.shown, time.Since(at))
		news(p.edited)
	}
	return nil
}

func (p *instant) Send(_ context.Context, to chat.Target, _ screen.Screen, _ string) (chat.Address, error) {
	return chat.Address(to.Chat + to.Player), nil
}

// lagging records how late each job is claimed.
type lagging struct {
	store.Store
	mu      sync.Mutex
	lags    []time.Duration
	claimed chan struct{} // gets a value after each claim that found work
}

func (s *lagging) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := s.Store.Claim(ctx, now, lease, limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range jobs {
		s.lags = append(s.lags, max(0, time.Since(j.Due)))
	}
	if len(jobs) > 0 {
		news(s.claimed)
	}
	return jobs, next, err
}

func percentile(all []time.Duration, n int) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return float64(all[len(all)*n/100].Microseconds()) / 1000
}

// BenchmarkTables keeps 10,000 tables open in one process. First nobody does anything. Then somebody acts at each of
// 1,000 tables every ten seconds.
func BenchmarkTables(b *testing.B) {
	if !Long() {
		b.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	const tables, active = 10_000, 1_000
	file, err := boltstore.Open(filepath.Join(InMemory(b), "tables.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	p, s := &instant{changed: map[string]time.Time{}, edited: make(chan struct{}, 1)}, &lagging{Store: file, claimed: make(chan struct{}, 1)}
	shell := bot.New(bot.Config{Store: s, Platforms: []chat.Platform{p}, Think: easy, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = shell.Run(ctx) })
	defer running.Wait()
	defer cancel()
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	in := func(table, person int, command string) chat.Input {
		id := fmt.Sprint("instant:", table)
		return chat.Input{
			Player: chat.Player{ID: fmt.Sprint("instant:", tables+10*table+person), Name: "Ann", Lang: "en"},
			Chat:   chat.Chat{ID: id, Home: id}, Command: command,
		}
	}
	before := heap()
	var opening sync.WaitGroup
	for w := range 32 {
		opening.Go(func() {
			for table := w; table < tables; table += 32 {
				if r := shell.Handle(ctx, in(table, 0, "new")); r.Outcome != chat.Done {
					b.Error(r.Toast)
				}
			}
		})
	}
	opening.Wait()
	settled := func() {
		const while = 1500 * time.Millisecond // a time in which nothing is due
		quiet := time.NewTimer(while)
		for still := false; !still; {
			select {
			case <-s.claimed:
				quiet.Reset(while)
			case <-quiet.C:
				still = true
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lags = nil
	}
	settled()
	memory := (heap() - before) / tables

	began, since := cpu(), time.Now()
	time.Sleep(10 * time.Second) // measure while nothing happens
	idle := 100 * float64(cpu()-began) / float64(time.Since(since))

	b.ResetTimer()
	for b.Loop() {
		var playing sync.WaitGroup
		began, since = cpu(), time.Now()
		for table := range active {
			playing.Go(func() {
				time.Sleep(time.Duration(table) * 10 * time.Second / active)
				for n := range 2 {
					time.Sleep(10 * time.Second * time.Duration(n))
					p.mu.Lock()
					p.changed[fmt.Sprint("instant:", table)] = time.Now() // slightly before the commit
					p.mu.Unlock()
					shell.Handle(ctx, in(table, 1, []string{"join", "leave"}[n]))
				}
			})
		}
		playing.Wait()
		b.ReportMetric(100*float64(cpu()-began)/float64(time.Since(since)), "busy-cpu-%")
		for all := false; !all; { // wait until everything is shown
			p.mu.Lock()
			all = len(p.changed) == 0
			p.mu.Unlock()
			if !all {
				<-p.edited
			}
		}
		b.ReportMetric(memory, "heap-B/table")
		b.ReportMetric(idle, "idle-cpu-%")
		p.mu.Lock()
		b.ReportMetric(percentile(p.shown, 50), "shown-p50-ms")
		b.ReportMetric(percentile(p.shown, 99), "shown-p99-ms")
		b.ReportMetric(float64(len(p.shown)), "shown")
		p.mu.Unlock()
		s.mu.Lock()
		b.ReportMetric(percentile(s.lags, 99), "lag-p99-ms")
		s.mu.Unlock()
	}
}

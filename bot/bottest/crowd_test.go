package bottest

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/store/boltstore"
)

// distant is an instant platform on which each message takes a while, as over a network.
type distant struct {
	instant
	takes time.Duration
	sent  chan struct{}                  // gets a value after each new message
	done  map[chat.Address]chan struct{} // by message: gets a value after each edit
}

func (p *distant) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	at, err := p.instant.Send(ctx, to, s, nonce)
	news(p.sent)
	return at, err
}

func (p *distant) Edit(_ context.Context, a chat.Address, _ screen.Screen) error {
	time.Sleep(p.takes)
	news(p.done[a])
	return nil
}

// BenchmarkCrowd lets someone act at each of 256 tables whenever the table's last change has been shown. An edit takes 20
// ms, so the platform is always at its limit. The benchmark reports how long after each change the edit was made.
func BenchmarkCrowd(b *testing.B) {
	const tables = 256
	file, err := boltstore.Open(filepath.Join(InMemory(b), "crowd.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	p := &distant{takes: 20 * time.Millisecond, sent: make(chan struct{}, tables), done: map[chat.Address]chan struct{}{}}
	for table := range tables {
		p.done[chat.Address(fmt.Sprint("instant:", table))] = make(chan struct{}, 1)
	}
	shell := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{p}, Think: easy, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = shell.Run(ctx) })
	defer running.Wait()
	defer cancel()
	act := func(table, person int, command string) {
		id := fmt.Sprint("instant:", table)
		shell.Handle(ctx, chat.Input{
			Player: chat.Player{ID: fmt.Sprint("instant:", tables+10*table+person), Name: "Ann", Lang: "en"},
			Chat:   chat.Chat{ID: id, Home: id}, Command: command,
		})
	}
	for table := range tables {
		act(table, 0, "new")
	}
	for range tables {
		<-p.sent // all tables are shown
	}
	for b.Loop() {
		const acts = 20
		var mu sync.Mutex
		var late []time.Duration
		var playing sync.WaitGroup
		began := time.Now()
		for table := range tables {
			done := p.done[chat.Address(fmt.Sprint("instant:", table))]
			playing.Go(func() {
				for n := range acts {
					changed := time.Now()
					act(table, 1, []string{"join", "leave"}[n%2])
					<-done
					took := time.Since(changed)
					mu.Lock()
					late = append(late, took)
					mu.Unlock()
				}
			})
		}
		playing.Wait()
		b.ReportMetric(float64(len(late))/time.Since(began).Seconds(), "shown/s")
		p50, p99 := percentile(late, 50), percentile(late, 99)
		b.ReportMetric(p50, "p50-ms")
		b.ReportMetric(p99, "p99-ms")
		b.ReportMetric(p99/p50, "p99/p50")
	}
}

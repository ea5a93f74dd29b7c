package bot

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// sluggish is a store that takes a second to read.
type sluggish struct{ store.Store }

func (s sluggish) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	time.Sleep(time.Second)
	return s.Store.Get(ctx, keys...)
}

// While the bot answers a command or a press, the coach uses a tenth of a core.
func TestPressesComeBeforeTheCoach(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]chat.Input{"a command": {Command: "leaderboard"}, "a press": {Press: "cards:0123456789abc"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, func(t *testing.T, file *storetest.Memory) {
				b := New(Config{Store: sluggish{file}, Platforms: []chat.Platform{&chats{}}, Think: easy, Log: slog.New(slog.DiscardHandler)})
				in.Player, in.Chat = chat.Player{ID: "test:ann", Name: "Ann"}, chat.Chat{ID: "test:here", Home: "test:here"}
				answered := make(chan time.Duration, 1)
				began := time.Now()
				go func() {
					b.Handle(t.Context(), in)
					answered <- time.Since(began)
				}()
				synctest.Wait()
				var thought, waited time.Duration
				for waited == 0 {
					if err := b.queue.Idle.Take(t.Context(), func() { time.Sleep(time.Millisecond); thought += time.Millisecond }); err != nil {
						t.Fatal(err)
					}
					select {
					case waited = <-answered:
					default:
					}
				}
				if most := waited/10 + 10*time.Millisecond; waited < time.Second || thought > most {
					t.Errorf("in %v the coach thought for %v", waited, thought)
				}
			})
		})
	}
}

// Only the coach uses idle capacity. People wait for all other jobs.
func TestOnlyTheCoachIsIdle(t *testing.T) {
	t.Parallel()
	for name, kind := range Kinds() {
		if kind.Idle != (name == "verdict") {
			t.Errorf("%s: %v", name, kind.Idle)
		}
	}
}

package bot

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/store/storetest"
)

// hung is a platform whose calls end only when their context does.
type hung struct{ chats }

func (*hung) Name() string { return "hung" }

func (*hung) Send(ctx context.Context, _ chat.Target, _ screen.Screen, _ string) (chat.Address, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// A platform that hangs must not delay another one, even if it has more tables than there are workers.
func TestAHungPlatformDelaysNoOther(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		well := &chats{}
		b := New(Config{Store: file, Platforms: []chat.Platform{&hung{}, well}, Think: easy, Pace: time.Second, Log: slog.New(slog.DiscardHandler)})
		for i := range 4 * work.Workers {
			in := by("ann")
			in.Command = "new"
			in.Player.ID, in.Chat.ID, in.Chat.Home = fmt.Sprint("hung:", i), fmt.Sprint("hung:chat", i), fmt.Sprint("hung:home", i)
			if r := b.Handle(t.Context(), in); r.Outcome != chat.Done {
				t.Fatal(r)
			}
		}
		running(t, b, func() {
			time.Sleep(10 * time.Second)
			for i := range 20 {
				in := by(fmt.Sprint("ben", i))
				in.Command, in.Chat.ID, in.Chat.Home = "new", fmt.Sprint("test:chat", i), fmt.Sprint("test:home", i)
				b.Handle(t.Context(), in)
				time.Sleep(time.Second)
				if n := well.count("send test:chat"); n != 1 {
					t.Errorf("table %d: %d messages after a second", i, n)
				}
			}
		})
	})
}

// slow is a platform on which each message takes a second. When a busy chat's message arrives, someone there acts again.
type slow struct {
	chats
	busy  func(chatID string)
	begun func(chatID string)
}

func (p *slow) Send(ctx context.Context, to chat.Target, _ screen.Screen, _ string) (chat.Address, error) {
	return chat.Address(to.Chat), p.Edit(ctx, chat.Address(to.Chat), screen.Screen{})
}

func (p *slow) Edit(_ context.Context, a chat.Address, _ screen.Screen) error {
	p.begun(string(a))
	time.Sleep(time.Second)
	p.busy(string(a))
	return nil
}

// Tables that change all the time must not starve a quiet one. While the quiet table waits for its message, each busy
// table gets at most two: one that was before it in the queue, and one that was about to enter the queue.
func TestABusyTableStarvesNoOther(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	clocktest.Single(t)
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		p := &slow{}
		b := New(Config{Store: file, Platforms: []chat.Platform{p}, Think: easy, Pace: time.Second, Log: slog.New(slog.DiscardHandler)})
		const busy, quiet = 2 * work.Workers, "test:quiet"
		act := func(chatID, who, command string) {
			in := by(who)
			in.Command, in.Chat.ID, in.Chat.Home = command, chatID, chatID
			if r := b.Handle(t.Context(), in); r.Outcome != chat.Done {
				t.Error(chatID, command, r.Toast)
			}
		}
		var mu sync.Mutex
		begun, acts := map[string]int{}, map[string]int{}
		stopped := false
		p.begun = func(chatID string) {
			mu.Lock()
			defer mu.Unlock()
			begun[chatID]++
		}
		p.busy = func(chatID string) {
			mu.Lock()
			defer mu.Unlock()
			if chatID != quiet && strings.HasPrefix(chatID, "test:busy") && !stopped {
				acts[chatID]++
				go act(chatID, "ben", []string{"leave", "join"}[acts[chatID]%2])
			}
		}
		running(t, b, func() {
			act(quiet, "ann", "new")
			time.Sleep(10 * time.Second)
			for i := range busy {
				act(fmt.Sprint("test:busy", i), "ann"+fmt.Sprint(i), "new")
			}
			time.Sleep(4 * time.Second)
			for range 2 {
				mu.Lock()
				clear(begun)
				mu.Unlock()
				act(quiet, "ben", "join")
				for shown, most := 0, 0; shown == 0 && most <= 2; time.Sleep(time.Millisecond) {
					mu.Lock()
					shown = begun[quiet]
					for _, n := range begun {
						most = max(most, n)
					}
					mu.Unlock()
					if most > 2 {
						t.Errorf("a busy table got %d messages before the quiet one had its own", most)
					}
				}
				time.Sleep(2 * time.Second)
				act(quiet, "ben", "leave")
				time.Sleep(4 * time.Second)
			}
			mu.Lock()
			stopped = true
			mu.Unlock()
			time.Sleep(10 * time.Second)
		})
	})
}

// When a process stops, other processes get the tables that wait for a platform at once. They don't wait for the leases
// to end.
func TestAStopLeavesTheLineToOthers(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		b := New(Config{Store: file, Platforms: []chat.Platform{&hung{}}, Think: easy, Pace: time.Second, Log: slog.New(slog.DiscardHandler)})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); _ = b.Run(ctx) }()
		const tables = 4 * work.Workers
		for i := range tables {
			in := by("ann")
			in.Command = "new"
			in.Player.ID, in.Chat.ID, in.Chat.Home = fmt.Sprint("hung:", i), fmt.Sprint("hung:chat", i), fmt.Sprint("hung:home", i)
			b.Handle(t.Context(), in)
		}
		synctest.Wait()
		stop()
		synctest.Wait()
		jobs, _, err := file.Claim(t.Context(), time.Now(), work.Lease, tables)
		if err != nil || len(jobs) < tables-work.Workers {
			t.Errorf("%d of %d tables are free after the stop: %v", len(jobs), tables, err)
		}
		<-ended
	})
}

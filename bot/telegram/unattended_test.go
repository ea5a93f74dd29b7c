package telegram

import (
	"context"
	"slices"
	"sync"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/telegramtest"
)

// While the store is away, no update is lost that no person would send again: Telegram keeps it until it was handled, also
// if the process ends.
func TestUpdatesThatNobodySendsAgain(t *testing.T) {
	t.Parallel()
	for _, hook := range []bool{false, true} {
		s := telegramtest.New(t)
		group := s.Group("Cards", s.Person("Ann"))
		group.Upgrade()
		var mu sync.Mutex
		away := true
		var did []string
		tried := make(chan struct{})
		once := sync.OnceFunc(func() { close(tried) })
		handle := func(_ context.Context, in chat.Input) chat.Reply {
			mu.Lock()
			defer mu.Unlock()
			what := in.Former + in.Once
			if away {
				once()
				return chat.Reply{Outcome: chat.Failed}
			}
			did = append(did, what)
			return chat.Reply{}
		}
		start := func() (stop func() error) {
			if hook {
				_, stop = hooked(t, s, handle)
			} else {
				_, stop = connected(t, s, handle, nil)
			}
			return stop
		}
		stop := start()
		group.TellUpgrade(true)
		group.BotIs("left", s.Person("Ben"))
		group.BotIs("member", s.Person("Ben"))
		<-tried
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		if n := s.Pending(); n == 0 || len(did) > 0 {
			t.Fatalf("webhook %v: %d updates are kept, and %v done", hook, n, did)
		}
		mu.Lock()
		away = false
		mu.Unlock()
		start()
		if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		if slices.Sort(did); len(did) != 3 || len(slices.Compact(did)) != 3 {
			t.Errorf("webhook %v: done is %q", hook, did)
		}
		mu.Unlock()
	}
}

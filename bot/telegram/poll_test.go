package telegram

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// stuck is a shell in which some people's inputs block until the test frees them.
type stuck struct {
	mu      sync.Mutex
	handled []string // names, in the order in which they were handled
	waiting atomic.Int64
	free    chan struct{}
	slow    func(name string) bool
}

func newStuck(slow func(name string) bool) *stuck {
	return &stuck{free: make(chan struct{}), slow: slow}
}

func (s *stuck) handle(_ context.Context, in chat.Input) chat.Reply {
	if s.slow(in.Player.Name) {
		s.waiting.Add(1)
		<-s.free
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handled = append(s.handled, in.Player.Name)
	return chat.Reply{}
}

func (s *stuck) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.handled)
}

// One person's update never ends. All others are handled quickly, however many come.
// Telegram keeps the pending one, in case the process is killed, until so many came
// after it that it would block the rest.
func TestReceivingWaitsForNobody(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		shell := newStuck(func(name string) bool { return name == "Eve" })
		connected(t, s, shell.handle, nil)
		eve, ben := s.Person("Eve"), s.Person("Ben")
		eve.Say(eve.Private(), "/help")
		synctest.Wait()
		sent := 0
		say := func() {
			t.Helper()
			ben.Say(ben.Private(), "/help")
			sent++
			began := time.Now()
			if err := s.Until(t.Context(), func() bool { return shell.count() == sent }); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 2*repoll {
				t.Fatalf("input %d was handled after %v", sent, took)
			}
		}
		for range maxKept - 1 {
			say()
		}
		time.Sleep(time.Second)
		if n := s.Pending(); n != maxKept {
			t.Errorf("Telegram keeps %d updates, want the one in hand and all after it", n)
		}
		for range 3 * batchLimit {
			say()
		}
		time.Sleep(time.Second)
		if n := s.Pending(); n != 0 {
			t.Errorf("Telegram keeps %d updates", n)
		}
		eve.Say(eve.Private(), "/help")
		close(shell.free)
		if err := s.Until(t.Context(), func() bool { return shell.count() == sent+2 && s.Pending() == 0 }); err != nil {
			t.Fatal(err)
		}
	})
}

// An update that can't be read is acknowledged like the others, and those that came with it are handled.
func TestAStrangeUpdateHoldsUpNobody(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		shell := newStuck(func(string) bool { return false })
		eve, ben := s.Person("Eve"), s.Person("Ben")
		eve.Say(eve.Private(), "/help")
		s.Strange()
		ben.Say(ben.Private(), "/help")
		connected(t, s, shell.handle, nil)
		if err := s.Until(t.Context(), func() bool { return shell.count() == 2 && s.Pending() == 0 }); err != nil {
			t.Fatalf("%v: %v are answered, and Telegram keeps %d updates", err, shell.handled, s.Pending())
		}
	})
}

// If everybody's updates are slow, Telegram keeps them all, and the bot has at most
// batchLimit pending. So none can be lost.
func TestWhenNothingIsHandledNothingIsForgotten(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	clocktest.Single(t)
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		shell := newStuck(func(string) bool { return true })
		_, stop := connected(t, s, shell.handle, nil)
		const people = batchLimit * 3 / 2
		for i := range people {
			p := s.Person(fmt.Sprint("P", i))
			p.Say(p.Private(), "/help")
		}
		time.Sleep(10 * time.Second) // many polls
		if n := s.Pending(); n != people {
			t.Errorf("Telegram keeps %d updates of %d", n, people)
		}
		if n := shell.waiting.Load(); n != batchLimit {
			t.Errorf("%d updates are in hand", n)
		}
		stopped := make(chan error)
		go func() { stopped <- stop() }()
		synctest.Wait()
		close(shell.free)
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if n := s.Pending(); n != people-shell.count() {
			t.Errorf("%d updates were handled, and Telegram keeps %d of %d", shell.count(), n, people)
		}
	})
}

// Only so many updates of one person wait for an earlier one.
func TestOnePersonsUpdatesInHand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		shell := newStuck(func(name string) bool { return name == "Eve" })
		connected(t, s, shell.handle, nil)
		eve := s.Person("Eve")
		for range 5 * maxPending {
			eve.Say(eve.Private(), "/help")
		}
		time.Sleep(time.Minute)
		if n := s.Pending(); n > maxKept {
			t.Errorf("Telegram keeps %d updates", n)
		}
		close(shell.free)
		time.Sleep(time.Second)
		if n := shell.count(); n != maxPending {
			t.Errorf("%d updates were handled", n)
		}
	})
}

// A person over their limit costs nothing: they take no slot of the replies, and no
// growing memory.
func TestAFloodCostsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		var limited atomic.Int64
		a, _ := connected(t, s, func(_ context.Context, in chat.Input) chat.Reply {
			if in.Player.Name == "Eve" {
				limited.Add(1)
				return chat.Reply{Outcome: chat.Limited}
			}
			return chat.Reply{Toast: "yours"}
		}, nil)
		ann, eve := s.Person("Ann"), s.Person("Eve")
		group := s.Group("Cards", ann, eve)
		m := posted(t, a, group, chat.Target{Chat: chatID(group.ID, 0)})
		free := make(chan struct{})
		s.Fail(telegramtest.Failure{Method: "answerCallbackQuery", Times: maxEmpty, Hold: free}) // answers to Eve hang
		ctx, end := context.WithCancel(t.Context())
		var presses sync.WaitGroup
		for range 5 * batchLimit {
			presses.Go(func() { _, _ = eve.PressData(ctx, m, "close:t1") })
		}
		if err := s.Until(t.Context(), func() bool { return limited.Load() == 5*batchLimit }); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // until the answers to Eve hang
		began := time.Now()
		if answer := answered(t, ann, m); answer != "yours" || time.Since(began) > 2*repoll {
			t.Errorf("Ann is told %q after %v", answer, time.Since(began))
		}
		close(free)
		end()
		presses.Wait()
		synctest.Wait() // until the answers that hung have arrived, too
		if n := len(s.Calls("answerCallbackQuery")); n != maxEmpty+1 {
			t.Errorf("%d presses were answered", n)
		}
		s.Forgive() // Eve's
	})
}

package budget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/clocktest"
)

const (
	testLimit  = 28
	testWindow = 1020 * time.Millisecond
)

// shelf is where the processes of a test keep their document. An exchange takes a random time, and some fail, before or
// after the document was stored.
type shelf struct {
	mu     sync.Mutex
	data   []byte
	random *rand.Rand
	takes  time.Duration // at most
	fails  int           // one in so many; 0: none
}

func (s *shelf) dice(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n)
}

func (s *shelf) pause(ctx context.Context) error {
	select {
	case <-time.After(time.Duration(s.dice(int(s.takes) + 1))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *shelf) exchange(ctx context.Context, _ string, change func(old []byte) []byte) error {
	for {
		s.mu.Lock()
		old := slices.Clone(s.data)
		s.mu.Unlock()
		if err := s.pause(ctx); err != nil {
			return err
		}
		next := change(old)
		if s.fails > 0 && s.dice(s.fails) == 0 {
			return errors.New("no connection")
		}
		s.mu.Lock()
		same := string(old) == string(s.data)
		if same {
			s.data = next
		}
		s.mu.Unlock()
		if err := s.pause(ctx); err != nil {
			return err
		}
		if s.fails > 0 && s.dice(s.fails) == 0 {
			return errors.New("no answer")
		}
		if same {
			return nil
		}
	}
}

// member is a process of a test.
type member struct {
	queue *FairQueue[int]
	quota *Quota
	heard map[uint64]int
	stop  func()
}

// town is some processes, and when each request was made.
type town struct {
	shelf
	all  sync.WaitGroup
	sent []time.Time
}

func (s *town) process(ctx context.Context, name string) *member {
	p := &member{queue: NewFairQueue[int](testLimit, testWindow), heard: map[uint64]int{}}
	p.quota = NewQuota(p.queue, name, func(u Use, _ time.Time) {
		s.mu.Lock()
		defer s.mu.Unlock()
		p.heard[u.Chat] += u.Sent
	})
	ctx, p.stop = context.WithCancel(ctx)
	s.all.Go(func() { p.quota.Run(ctx, "test", s.exchange, slog.New(slog.DiscardHandler)) })
	return p
}

// send makes a request as soon as it may, and returns how long it waited. Each try is made in any of the processes.
func (s *town) send(chat int, processes ...*member) time.Duration {
	began := time.Now()
	var p *member
	for {
		p = processes[s.dice(len(processes))]
		wait := p.queue.Take(chat, time.Now(), 0)
		if wait == 0 {
			break
		}
		time.Sleep(wait)
	}
	p.quota.Used(uint64(chat), 1, 0)
	s.mu.Lock()
	s.sent = append(s.sent, time.Now())
	s.mu.Unlock()
	return time.Since(began)
}

// check fails if there were more requests in a second than a platform with a limit of 30 takes.
func (s *town) check(t *testing.T) {
	t.Helper()
	slices.SortFunc(s.sent, time.Time.Compare)
	for i, at := range s.sent {
		if i >= testLimit && at.Sub(s.sent[i-testLimit]) < testWindow {
			t.Fatalf("%d requests within %v", testLimit+1, at.Sub(s.sent[i-testLimit]))
		}
	}
}

// However much the processes of a token send, however slow they and their store are, and whichever of them are killed: all
// together never send more than the limit.
func TestProcessesShareALimit(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, c := range []struct {
		name      string
		processes int
		takes     time.Duration
		fails     int
		kills     bool
		steady    bool    // all processes want more than there is, all the time; otherwise they have pauses
		least     float64 // requests a second
	}{
		{"a quick store", 3, 5 * time.Millisecond, 0, false, true, 25},
		{"a slow store", 3, 400 * time.Millisecond, 0, false, true, 24},
		{"processes with pauses", 4, 5 * time.Millisecond, 0, false, false, 22},
		{"a store that hangs", 4, 2 * time.Second, 5, false, false, 4},
		{"processes that are killed", 4, 20 * time.Millisecond, 20, true, false, 14},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &town{shelf: shelf{random: rand.New(rand.NewPCG(1, 1)), takes: c.takes, fails: c.fails}}
				ctx, stop := context.WithCancel(t.Context())
				lasts := 2 * time.Minute
				if clocktest.Raced {
					lasts = 20 * time.Second
				}
				until := time.Now().Add(lasts)
				var senders sync.WaitGroup // one without a quota waits until the store answers again
				for n := range c.processes {
					senders.Go(func() {
						for life := 0; time.Now().Before(until); life++ {
							p := s.process(ctx, fmt.Sprint("p", n, " ", life))
							dies := until
							if c.kills {
								dies = time.Now().Add(time.Duration(1+s.dice(20)) * time.Second)
							}
							for time.Now().Before(dies) && time.Now().Before(until) {
								var some sync.WaitGroup
								n := 30
								if !c.steady {
									n = s.dice(40)
								}
								for chat := range n {
									some.Go(func() { s.send(chat, p) })
								}
								some.Wait()
								if !c.steady && s.dice(10) == 0 {
									time.Sleep(time.Duration(s.dice(15)) * time.Second / 5)
								}
							}
							p.stop()
						}
					})
				}
				senders.Wait()
				stop()
				s.all.Wait()
				s.check(t)
				if got := float64(len(s.sent)) / lasts.Seconds(); got < c.least {
					t.Errorf("%.1f requests a second", got)
				} else {
					t.Logf("%.1f requests a second", got)
				}
			})
		})
	}
}

// While there is room for all, a process that was quiet sends at once, and learns what the others have sent before.
func TestAQuietProcessSendsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &town{shelf: shelf{random: rand.New(rand.NewPCG(1, 1)), takes: 5 * time.Millisecond}}
		ctx, stop := context.WithCancel(t.Context())
		a, b := s.process(ctx, "a"), s.process(ctx, "b")
		time.Sleep(time.Minute)
		for range 50 {
			s.send(7, a)
			time.Sleep(100 * time.Millisecond)
		}
		if waited := s.send(8, b); waited > 100*time.Millisecond {
			t.Errorf("the first request waits for %v", waited)
		}
		time.Sleep(3 * time.Second)
		s.mu.Lock()
		if b.heard[7] != 50 || a.heard[8] != 1 {
			t.Errorf("one has heard of %d requests, the other of %d", b.heard[7], a.heard[8])
		}
		s.mu.Unlock()
		stop()
		s.all.Wait()
		s.check(t)
	})
}

// A process that takes the place of one that was killed sends at once, though nobody knows yet that the other has ended.
func TestASuccessorSendsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &town{shelf: shelf{random: rand.New(rand.NewPCG(1, 1)), takes: 5 * time.Millisecond}}
		for life := range 3 {
			ctx, kill := context.WithCancel(t.Context())
			p := s.process(ctx, fmt.Sprint("life ", life))
			time.Sleep(20 * time.Millisecond)
			if waited := s.send(0, p); waited > 100*time.Millisecond {
				t.Errorf("in life %d, the first request waits for %v", life, waited)
			}
			for until := time.Now().Add(10 * time.Second); time.Now().Before(until); {
				s.send(0, p)
			}
			kill()
			s.all.Wait()
		}
		s.check(t)
	})
}

// A process that takes the place of one that was stopped may soon make almost as many requests as that one, even if it was
// busy until the end, and still has some to make.
func TestAStopLeavesTheLimitToOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &town{shelf: shelf{random: rand.New(rand.NewPCG(1, 1)), takes: 5 * time.Millisecond}}
		var last *member
		for life := range 4 {
			p := &member{queue: NewFairQueue[int](testLimit, testWindow), heard: map[uint64]int{}}
			p.quota = NewQuota(p.queue, fmt.Sprint("life ", life), func(u Use, _ time.Time) { p.heard[u.Chat] += u.Sent })
			end := Keep(t.Context(), p.quota, "test", s.exchange, slog.New(slog.DiscardHandler))
			time.Sleep(50 * time.Millisecond)
			if life%2 == 0 {
				time.Sleep(time.Minute)
			} else {
				s.all.Go(func() { s.send(1, last) })
			}
			began := time.Now()
			for range 3 * (testLimit - testLimit/reserve) { // so many are made in a second
				s.send(0, p)
			}
			if took := time.Since(began); took > 4*testWindow {
				t.Errorf("process %d makes its requests in %v", life, took)
			}
			end()
			last = p
		}
		s.all.Wait()
		s.check(t)
	})
}

// A renewal that was stored without an answer has a number of its own. Otherwise the next would look unchanged to the
// other processes, and they would take the quota of a process that uses it.
func TestARenewalWithoutAnAnswerCounts(t *testing.T) {
	s := NewQuota(NewFairQueue[int](testLimit, testWindow), "a", nil)
	var stored Quotas
	unanswered := func(_ context.Context, _ string, change func(old []byte) []byte) error {
		data, _ := json.Marshal(stored)
		stored = Quotas{}
		if err := json.Unmarshal(change(data), &stored); err != nil {
			t.Fatal(err)
		}
		return errors.New("no answer")
	}
	for last := range 3 {
		if err := s.renew(t.Context(), "test", unanswered); err == nil {
			t.Fatal("the renewal succeeds")
		}
		if beat := stored.Members["a"].Beat; beat <= last {
			t.Errorf("renewal %d has the number %d", last+1, beat)
		}
	}
}

// A delivery that waits may come back in another process, since any of them may do a table's next round. The places that it leaves
// behind don't keep the others from the limit.
func TestAChatComesBackInAnyProcess(t *testing.T) {
	t.Parallel()
	if clocktest.Raced {
		t.Skip("hundreds of chats take too long under the race detector; TestProcessesShareALimit has 30")
	}
	for _, c := range []struct {
		chats int
		pause time.Duration // of a chat between two requests, on average
		least float64       // requests a second
		late  time.Duration // the longest wait of 99 in 100
	}{
		{180, 10 * time.Second, 16, 700 * time.Millisecond},
		{300, 5 * time.Second, 25, 25 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d chats every %v", c.chats, c.pause), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &town{shelf: shelf{random: rand.New(rand.NewPCG(1, 1)), takes: 5 * time.Millisecond}}
				ctx, stop := context.WithCancel(t.Context())
				processes := []*member{s.process(ctx, "a"), s.process(ctx, "b"), s.process(ctx, "c")}
				const lasts = 2 * time.Minute
				until := time.Now().Add(lasts)
				var waits []time.Duration
				var all sync.WaitGroup
				for chat := range c.chats {
					all.Go(func() {
						for {
							time.Sleep(time.Duration(s.dice(int(2 * c.pause))))
							if time.Now().After(until) {
								return
							}
							wait := s.send(chat, processes...)
							s.mu.Lock()
							waits = append(waits, wait)
							s.mu.Unlock()
						}
					})
				}
				all.Wait()
				stop()
				s.all.Wait()
				s.check(t)
				slices.Sort(waits)
				rate, late := float64(len(s.sent))/lasts.Seconds(), waits[len(waits)*99/100]
				t.Logf("%.1f requests a second, waits p50 %v, p99 %v", rate, waits[len(waits)/2], late)
				if rate < c.least || late > c.late {
					t.Errorf("%.1f requests a second, and one in a hundred waits for %v", rate, late)
				}
			})
		})
	}
}

// A stop doesn't wait for a store that is slow.
func TestAStopDoesNotWaitForTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := NewFairQueue[int](testLimit, testWindow)
		end := Keep(t.Context(), NewQuota(queue, "a", nil), "test", func(ctx context.Context, _ string, _ func(old []byte) []byte) error {
			<-ctx.Done()
			return ctx.Err()
		}, slog.New(slog.DiscardHandler))
		began := time.Now()
		end()
		if took := time.Since(began); took > time.Second {
			t.Errorf("a stop took %v", took)
		}
	})
}

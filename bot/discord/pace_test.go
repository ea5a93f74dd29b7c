package discord

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// bucket is a Discord that accepts five edits, or five new private chats, in five seconds.
type bucket struct {
	mu      sync.Mutex
	used    int
	ends    time.Time
	limited int // number of answers with status 429
}

func (b *bucket) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(rand.N(200 * time.Millisecond))
	defer time.Sleep(rand.N(100 * time.Millisecond))
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.After(b.ends) {
		b.used, b.ends = 0, now.Add(5*time.Second)
	}
	left := fmt.Sprintf("%.3f", b.ends.Sub(now).Seconds()+0.001)
	status, body := http.StatusOK, `{"id":"7"}`
	if b.used++; b.used > 5 {
		b.limited++
		status, body = http.StatusTooManyRequests, `{"retry_after":`+left+`}`
	}
	h := http.Header{"X-Ratelimit-Remaining": {fmt.Sprint(max(5-b.used, 0))}, "X-Ratelimit-Reset-After": {left}}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// adapters returns one adapter for each of some processes.
func (b *bucket) adapters(t *testing.T, n int) (all []*Adapter) {
	for range n {
		a, err := New(Config{Commands: bot.Commands(), Token: "x", Log: slog.New(slog.DiscardHandler), HTTP: &http.Client{Transport: b}, Shared: n > 1})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// wanted returns how long to wait after a delivery that ended with err.
func wanted(t *testing.T, err error, gap time.Duration) time.Duration {
	var d *chat.DeliveryError
	switch {
	case err == nil:
		return gap
	case !errors.As(err, &d) || d.Fault != chat.Retry || d.After <= 0:
		t.Errorf("the error is %v", err)
		return time.Second
	}
	return d.After
}

// TestTablesOfOneChannelKeepItsLimit checks two tables that share a channel, or the private
// chat of a person who sits at both. They move between processes, along with the time of
// their next delivery. They use all of Discord's limit except one request, and none is too early.
func TestTablesOfOneChannelKeepItsLimit(t *testing.T) {
	t.Parallel()
	const minutes = 10
	for _, c := range []struct {
		processes, tables int
		least             int // edits in five seconds
	}{{1, 1, 4}, {1, 3, 4}, {3, 1, 3}, {3, 2, 3}} {
		for _, to := range []chat.Target{{Chat: "discord:1"}, {Player: "discord:9"}} {
			t.Run(fmt.Sprint(c.processes, " processes, ", c.tables, " tables, ", to), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					var b bucket
					adapters := b.adapters(t, c.processes)
					edits := make([]int, c.tables)
					var all sync.WaitGroup
					for i := range c.tables {
						at := chat.Address(fmt.Sprint("discord:m/1/", i))
						all.Go(func() {
							for began := time.Now(); time.Since(began) < minutes*time.Minute; {
								a := adapters[rand.N(len(adapters))]
								err := a.Edit(t.Context(), at, screen.Screen{})
								if err == nil {
									edits[i]++
								}
								time.Sleep(wanted(t, err, a.Gap(chat.Target{Chat: to.Chat, Player: to.Player, PrivateChat: at})))
							}
						})
					}
					all.Wait()
					if b.limited > 0 {
						t.Errorf("%d requests too many", b.limited)
					}
					sum := 0
					for _, n := range edits {
						sum += n
					}
					if sum < c.least*12*minutes {
						t.Errorf("%v edits in %d minutes", edits, minutes)
					}
				})
			})
		}
	}
}

// TestPrivateChatsAreOpenedOneAfterTheOther opens the chats of many people in three
// processes at once.
func TestPrivateChatsAreOpenedOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			var b bucket
			adapters := b.adapters(t, processes)
			began := time.Now()
			var all sync.WaitGroup
			for i := range 30 {
				a := adapters[i%processes]
				all.Go(func() {
					for {
						_, err := a.PrivateChat(t.Context(), fmt.Sprint("discord:", 100+i), func() chat.Address { return "" })
						if err == nil {
							return
						}
						time.Sleep(wanted(t, err, 0))
					}
				})
			}
			all.Wait()
			if took := time.Since(began); b.limited > 0 || took > time.Minute {
				t.Errorf("%d processes: %d requests too many, after %v all were open", processes, b.limited, took)
			}
		})
	}
}

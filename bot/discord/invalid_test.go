package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// refuser is a Discord that refuses everything, and counts how often in ten minutes.
type refuser struct {
	mu    sync.Mutex
	times []time.Time
	scope string // of the limit, if it answers 429
}

func (s *refuser) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times = append(s.times, time.Now())
	if s.scope != "" {
		a := answer(http.StatusTooManyRequests, `{"retry_after":0.001}`)
		a.Header.Set("X-RateLimit-Scope", s.scope)
		return a, nil
	}
	return answer(http.StatusForbidden, `{"code":50001}`), nil
}

// most returns how many requests there were at most in ten minutes.
func (s *refuser) most() (most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := 0
	for i, at := range s.times {
		for at.Sub(s.times[first]) >= invalidFor {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// A bot whose requests are all refused, each in another place, slows down before Discord bans its address, warns
// once, and recovers. Several processes at one address do so together.
func TestRefusedRequestsSlowTheBotDown(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 3} {
		t.Run(fmt.Sprint(processes, " processes"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { slowsDown(t, processes) })
		})
	}
}

func slowsDown(t *testing.T, processes int) {
	s := &refuser{}
	var log bytes.Buffer
	var mu sync.Mutex // guards kept
	var kept []byte
	exchange := func(_ context.Context, _ string, change func([]byte) []byte) error {
		mu.Lock()
		defer mu.Unlock()
		kept = change(kept)
		return nil
	}
	config := Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: s}, Log: slog.New(slog.NewTextHandler(&log, nil))}
	if processes > 1 {
		config.Exchange, config.Shared = exchange, true
	}
	send := func(a *Adapter, channel int) time.Duration {
		_, err := a.Send(t.Context(), chat.Target{Chat: fmt.Sprint("discord:", channel)}, screen.Screen{}, "n")
		var d *chat.DeliveryError
		if errors.As(err, &d) && d.Held {
			return d.After
		}
		return 0
	}
	var adapters []*Adapter
	var all sync.WaitGroup
	for n := range processes {
		a, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		if a.part != nil {
			defer budget.Keep(t.Context(), a.part, a.Name(), exchange, a.log)()
		}
		adapters = append(adapters, a)
		all.Go(func() {
			for i, began := 1, time.Now(); time.Since(began) < 25*time.Minute; i++ {
				time.Sleep(send(a, processes*i+n) + time.Millisecond)
			}
		})
	}
	all.Wait()
	if most := s.most(); most < invalidHalf-100 || most > 9_100 {
		t.Errorf("at most %d refusals in ten minutes", most)
	}
	if n := strings.Count(log.String(), "slows down"); n < processes || n > 3*processes {
		t.Errorf("%d warnings in 25 minutes:\n%s", n, log.String())
	}
	time.Sleep(invalidFor)
	for i, a := range adapters {
		if n := a.Abilities().Refused(); n != 0 {
			t.Errorf("after ten quiet minutes %d are counted", n)
		}
		if wait := send(a, 1_000_000+i); wait > time.Second {
			t.Errorf("after ten quiet minutes a request waits for %v", wait)
		}
	}
}

// A limit that several applications share doesn't count.
func TestASharedLimitIsNoRefusal(t *testing.T) {
	t.Parallel()
	for scope, counts := range map[string]int{"user": 1, "global": 1, "shared": 0} {
		a, err := New(Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: &refuser{scope: scope}}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = a.Send(t.Context(), chat.Target{Chat: "discord:4"}, screen.Screen{}, "n")
		if n := a.Abilities().Refused(); n != counts {
			t.Errorf("an answer of 429 with scope %s counts as %d", scope, n)
		}
	}
}

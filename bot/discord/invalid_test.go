package discord

import (
	"bytes"
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

// A bot whose requests are all refused, each in another place, slows down before Discord bans its address, warns
// once, and recovers.
func TestRefusedRequestsSlowTheBotDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &refuser{}
		var log bytes.Buffer
		a, err := New(Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: s}, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		refused := a.Abilities().Refused
		most := 0
		send := func(channel int) time.Duration {
			_, err := a.Send(t.Context(), chat.Target{Chat: fmt.Sprint("discord:", channel)}, screen.Screen{}, "n")
			most = max(most, refused())
			var d *chat.DeliveryError
			if errors.As(err, &d) && d.Held {
				return d.After
			}
			return 0
		}
		for i, began := 1, time.Now(); time.Since(began) < 25*time.Minute; i++ {
			time.Sleep(send(i) + time.Millisecond)
		}
		if most < invalidHalf || most > 9_100 {
			t.Errorf("at most %d refusals in ten minutes", most)
		}
		if n := strings.Count(log.String(), "slows down"); n < 1 || n > 3 {
			t.Errorf("%d warnings in 25 minutes:\n%s", n, log.String())
		}
		time.Sleep(invalidFor)
		if n := refused(); n != 0 {
			t.Errorf("after ten quiet minutes %d are counted", n)
		}
		if wait := send(1_000_000); wait > 0 {
			t.Errorf("after ten quiet minutes a request waits for %v", wait)
		}
	})
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

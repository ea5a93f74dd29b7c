package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/discord/gateway"
)

// TestAnOutageIsNotOutlastedByTheBackOff checks that the next attempt follows within
// seconds, however long the outage was. After refusals, the wait grows longer and longer.
func TestAnOutageIsNotOutlastedByTheBackOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err           error
		after15, most time.Duration
	}{
		"outage":  {errReach, 3 * time.Second, 3 * time.Second},
		"500":     {&apiError{status: 500}, 3 * time.Second, 3 * time.Second},
		"refused": {&apiError{status: 403}, 20 * time.Second, 2 * time.Minute},
		"closed":  {errors.New("the connection ended"), 20 * time.Second, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var b backOff
				var longest time.Duration
				for began := time.Now(); time.Since(began) < 20*time.Minute; {
					tried := time.Now()
					if !b.again(t.Context(), slog.New(slog.DiscardHandler), "again", c.err) {
						t.Fatal("it gave up")
					}
					pause := time.Since(tried)
					longest = max(longest, pause)
					if tried.Sub(began) <= 15*time.Second && pause > c.after15 {
						t.Errorf("%v after the first attempt there was a pause of %v", tried.Sub(began), pause)
					}
				}
				if longest != c.most {
					t.Errorf("the longest pause was %v, wanted %v", longest, c.most)
				}
			})
		})
	}
}

// TestAShardThatIsToldToWaitWaitsAsLong checks that a shard whose requests are held back over and over, because other shards
// ask at the same moments, doesn't come back more and more seldom.
func TestAShardThatIsToldToWaitWaitsAsLong(t *testing.T) {
	t.Parallel()
	for _, held := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var b backOff
			err := fmt.Errorf("ask for the gateway: %w", &apiError{status: http.StatusTooManyRequests, after: 900 * time.Millisecond, held: held})
			for range 10 {
				tried := time.Now()
				if b.again(t.Context(), slog.New(slog.DiscardHandler), "again", err); time.Since(tried) != 900*time.Millisecond {
					t.Fatalf("held back %v: it came back after %v", held, time.Since(tried))
				}
			}
		})
	}
}

// TestWhatIsAnOutage checks that a gateway that doesn't answer counts as an outage, and
// that a gateway that refuses the bot doesn't.
func TestWhatIsAnOutage(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addresses := map[string]bool{"ws://" + l.Addr().String(): true}
	l.Close()
	for status, outage := range map[int]bool{503: true, 403: false, 429: false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(server.Close)
		addresses["ws"+strings.TrimPrefix(server.URL, "http")] = outage
	}
	for address, want := range addresses {
		s := gateway.New("token", nil, 0, 1, func(any, error) {}, nil)
		err = s.Open(t.Context(), func(context.Context) (string, error) { return address, nil })
		if err == nil || isOutage(err) != want {
			t.Errorf("%v: an outage: %v, wanted %v", err, isOutage(err), want)
		}
	}
	r := &client{http: &http.Client{Transport: &answers{}}, base: "http://nowhere"}
	if err := r.call(t.Context(), request{}, nil); !isOutage(err) {
		t.Errorf("%v is no outage", err)
	}
}

// TestSessionsBeginAsOftenAsDiscordAllows checks that sessions start five seconds apart,
// and seldom enough that the day's sessions last.
func TestSessionsBeginAsOftenAsDiscordAllows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		last := time.Now()
		time.Sleep(2 * time.Second)
		hour := time.Hour.Milliseconds()
		for _, c := range []struct {
			l      startLimit
			shards int
			last   time.Time
			want   time.Duration
		}{
			{startLimit{Total: 1000, Remaining: 999, ResetAfter: hour}, 1, time.Time{}, 0},
			{startLimit{Total: 1000, Remaining: 999, ResetAfter: hour}, 1, last, 3 * time.Second},
			{startLimit{Total: 1000, Remaining: 100, ResetAfter: hour}, 1, last, 34 * time.Second},
			{startLimit{Total: 1000, Remaining: 100, ResetAfter: hour}, 2, last, 70 * time.Second},
			{startLimit{Total: 1000, Remaining: 100, ResetAfter: 1000}, 1, last, 3 * time.Second},
			{startLimit{Total: 1000, Remaining: 0, ResetAfter: hour}, 1, time.Time{}, time.Hour},
			{startLimit{}, 1, last, 3 * time.Second}, // Discord names no limit
		} {
			if got := c.l.wait(shard{count: c.shards, gap: identifyGap}, c.last); max(got, 0) != c.want {
				t.Errorf("%+v, %d shards: wait %v, wanted %v", c.l, c.shards, got, c.want)
			}
		}
	})
}

package discord

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
)

// tardy is a Discord that answers slowly.
type tardy struct {
	takes  time.Duration
	status int
	asked  int
}

func (d *tardy) RoundTrip(r *http.Request) (*http.Response, error) {
	d.asked++
	if !chat.Pause(r.Context(), d.takes) {
		return nil, context.Cause(r.Context())
	}
	return answer(d.status, ""), nil
}

// An answer that was sent in time isn't given up if Discord confirms it late: otherwise
// people who were told to wait would wait in vain. No attempt starts that would be too late.
func TestAnAnswerThatIsConfirmedLate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		discord tardy
		ok      bool
		tries   int
	}{
		{tardy{takes: answerTimeout + time.Second, status: 204}, true, 1},
		{tardy{takes: answerTimeout * 2 / 3, status: 502}, false, 2},
		{tardy{takes: time.Hour, status: 204}, false, 1},
		{tardy{status: 403}, false, 8}, // with growing pauses, as long as Discord takes an answer
	} {
		synctest.Test(t, func(t *testing.T) {
			a, err := New(Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: &c.discord}, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			err = a.intake(t.Context(), nil).replier.first(t.Context(), time.Now(), interaction{ID: "1", Token: "t"}, callback{Type: answerLater})
			if (err == nil) != c.ok || c.discord.asked != c.tries {
				t.Errorf("%v and %d: after %d tries: %v", c.discord.takes, c.discord.status, c.discord.asked, err)
			}
		})
	}
}

// in is a transport that answers each request by calling the function.
type in func() *http.Response

func (f in) RoundTrip(*http.Request) (*http.Response, error) { return f(), nil }

// If another process has answered, this one stays silent. If Discord's answer to an
// earlier attempt got lost, this process itself has answered.
func TestAnAnswerOfAnotherProcess(t *testing.T) {
	t.Parallel()
	acknowledged := func() *http.Response { return answer(http.StatusBadRequest, `{"code":40060}`) }
	for _, c := range []struct {
		answers []func() *http.Response
		ok      bool
	}{
		{[]func() *http.Response{acknowledged}, false},
		{[]func() *http.Response{func() *http.Response { return answer(http.StatusBadGateway, "") }, acknowledged}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			discord := in(func() *http.Response { asked++; return c.answers[asked-1]() })
			var logged strings.Builder
			a, err := New(Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: discord}, Log: slog.New(slog.NewTextHandler(&logged, nil))})
			if err != nil {
				t.Fatal(err)
			}
			err = a.intake(t.Context(), nil).replier.first(t.Context(), time.Now(), interaction{ID: "1", Token: "t"}, callback{Type: answerLater})
			if (err == nil) != c.ok || asked != len(c.answers) || logged.Len() > 0 {
				t.Errorf("after %d tries: %v\n%s", asked, err, &logged)
			}
		})
	}
}

package discord

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
)

// answers is a Discord that gives a list of answers in order.
type answers []*http.Response

func (a *answers) RoundTrip(*http.Request) (*http.Response, error) {
	if len(*a) == 0 {
		return nil, errors.New("one request too many")
	}
	next := (*a)[0]
	*a = (*a)[1:]
	return next, nil
}

func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// waits returns how long Discord asks to wait before the request, or 0 if it accepted it.
func waits(t *testing.T, c *client, r request) time.Duration {
	t.Helper()
	err := c.call(t.Context(), r, nil)
	if err == nil {
		return 0
	}
	var e *apiError
	if !errors.As(err, &e) || e.status != http.StatusTooManyRequests {
		t.Fatalf("the error is %v", err)
	}
	return e.after
}

func TestLimitsAreKeptWithoutWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &client{http: &http.Client{Transport: &answers{
			answer(200, "{}", "X-RateLimit-Remaining", "1", "X-RateLimit-Reset-After", "9"),
			answer(200, "{}", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset-After", "2.5"),
			answer(200, "{}"),
			answer(200, "{}"),
			answer(429, `{"retry_after": 4, "global": true}`),
			answer(200, "{}"),
			answer(200, "{}"),
			answer(429, "a proxy's page", "Retry-After", "3"),
			answer(429, "a proxy's page"),
		}}}
		steps := []struct {
			r     request
			want  time.Duration
			sleep time.Duration
		}{
			{r: request{limit: "a"}},
			{r: request{limit: "a"}},
			{r: request{limit: "a"}, want: 2500 * time.Millisecond}, // the request before was the last of its bucket
			{r: request{limit: "b"}, sleep: 2500 * time.Millisecond},
			{r: request{limit: "a"}},
			{r: request{limit: "a"}, want: 4 * time.Second},
			{r: request{limit: "b"}, want: 4 * time.Second},              // the global limit applies
			{r: request{limit: "b", open: true}, sleep: 4 * time.Second}, // the global limit doesn't apply to interactions
			{r: request{limit: "b"}},
			{r: request{limit: "b"}, want: 3 * time.Second, sleep: 3 * time.Second},
			{r: request{limit: "b"}, want: time.Second},
		}
		for i, s := range steps {
			if got := waits(t, c, s.r); got != s.want {
				t.Fatalf("request %d has to wait %v, wanted %v", i, got, s.want)
			}
			time.Sleep(s.sleep)
		}
	})
}

func TestLimitsForgetWhatIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var l limits
		for i := range 1000 {
			l.set(fmt.Sprint(i), time.Second)
			time.Sleep(100 * time.Millisecond)
		}
		if len(l.until) > 11 {
			t.Errorf("%d limits are kept", len(l.until))
		}
	})
}

func TestAFormErrorSaysWhereAndNotWhat(t *testing.T) {
	t.Parallel()
	c := &client{http: &http.Client{Transport: &answers{answer(400, `{
		"code": 50035, "message": "Invalid Form Body",
		"errors": {"components": {"0": {"content": {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "of 7♥ 8♥"}]}}}, "_errors": [{"code": "UNION"}]}
	}`)}}}
	err := deliveryError(c.call(t.Context(), request{}, nil))
	want := "delivery: invalid: discord answered 400, code 50035: Invalid Form Body: UNION, components.0.content BASE_TYPE_MAX_LENGTH"
	if err == nil || err.Error() != want {
		t.Errorf("%v, wanted %s", err, want)
	}
}

func TestWhatIsNoJSONIsTriedAgain(t *testing.T) {
	t.Parallel()
	c := &client{http: &http.Client{Transport: &answers{answer(200, "<html>secret</html>")}}}
	var out struct{}
	err := c.call(t.Context(), request{}, &out)
	if !isRetry(deliveryError(err)) || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error is %v", err)
	}
}

func TestFaultsOfTheWholeBot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  *apiError
		want chat.Fault
	}{
		{&apiError{status: 401}, chat.Retry},
		{&apiError{status: 400, code: codeTooManyDMs}, chat.Retry},
		{&apiError{status: 404, code: codeUnknownChannel}, chat.Gone},
	} {
		var d *chat.DeliveryError
		if !errors.As(deliveryError(test.err), &d) || d.Fault != test.want || d.Fault == chat.Retry && d.After < time.Minute {
			t.Errorf("%v is %+v", test.err, d)
		}
	}
}

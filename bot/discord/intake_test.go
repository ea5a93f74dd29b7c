package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
)

// newIntake returns an adapter's intake. Its Discord and its bot are o.
func newIntake(t *testing.T, o interface {
	http.RoundTripper
	chat.Handler
}) (*Adapter, *intake) {
	t.Helper()
	a, err := New(Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: o}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return a, a.intake(t.Context(), o)
}

// queueTest is an intake where each press is handled until the test ends it. The host's clock is
// decades behind Discord's.
type queueTest struct {
	*intake
	mu     sync.Mutex
	begun  []string // presses that the bot received, in order
	ends   map[string]chan struct{}
	last   int64    // in the latest id
	asked  []string // requests to Discord
	status int      // status of Discord's answers
}

func newQueueTest(t *testing.T) *queueTest {
	t.Helper()
	o := &queueTest{ends: map[string]chan struct{}{}, status: http.StatusNoContent}
	_, o.intake = newIntake(t, o)
	o.clock.learn("Sat, 21 Nov 2026 12:00:00 GMT", time.Now(), time.Now())
	return o
}

// RoundTrip answers as Discord.
func (o *queueTest) RoundTrip(r *http.Request) (*http.Response, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = append(o.asked, r.Method+" "+r.URL.Path)
	return answer(o.status, `{"code":10062}`), nil
}

func (o *queueTest) Handle(_ context.Context, in chat.Input) chat.Reply {
	o.mu.Lock()
	o.begun = append(o.begun, in.Press)
	end := o.ends[in.Press]
	o.mu.Unlock()
	if end != nil {
		<-end
	}
	return chat.Reply{Toast: "done"}
}

func (*queueTest) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// lasts delays the end of a press until the returned function is called.
func (o *queueTest) lasts(press string) (end func()) {
	done := make(chan struct{})
	o.ends[press] = done
	return func() { close(done) }
}

// press returns a press that starts now. Its name starts with the person's name.
func (o *queueTest) press(press string) error {
	o.last++
	person, _, _ := strings.Cut(press, " ")
	var it interaction
	it.ID = fmt.Sprint((o.clock.now().UnixMilli()-epoch)<<22 + o.last)
	it.App, it.Token, it.Type, it.ChannelID = "2", "token of "+press, kindComponent, "4"
	it.User = &user{ID: person}
	it.Data.CustomID = press
	return o.take(it)
}

// requests returns how many requests to that path Discord got about a press.
func (o *queueTest) requests(press, path string) (n int) {
	for _, asked := range o.asked {
		if strings.Contains(asked, "token of "+press) && strings.HasSuffix(asked, path) {
			n++
		}
	}
	return n
}

func (o *queueTest) got(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	if !slices.Equal(o.begun, want) {
		t.Errorf("the bot got %q, want %q", o.begun, want)
	}
}

func TestOnePersonsPressesStayInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newQueueTest(t)
		end := o.lasts("1 first")
		for _, press := range []string{"1 first", "1 second", "2 first", "1 third", "1 fourth"} {
			if err := o.press(press); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		slices.Sort(o.begun) // both run at the same time
		o.got(t, "1 first", "2 first")
		end()
		o.got(t, "1 first", "2 first", "1 second", "1 third", "1 fourth")
		o.busy.Wait()
	})
}

// If a press waits for an earlier one, the person is told in time, and the press is handled
// when its turn comes, however late. If Discord accepts no answer, it isn't handled.
func TestAPressThatWaitsForAnother(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		after  time.Duration
		want   []string
		late   int
	}{
		{http.StatusNoContent, 10 * time.Second, []string{"1 first", "1 second"}, 1},
		{http.StatusNotFound, 10 * time.Second, []string{"1 first"}, 0},
		{http.StatusNotFound, 2 * time.Second, []string{"1 first"}, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := newQueueTest(t)
			end := o.lasts("1 first")
			if err := o.press("1 first"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			o.mu.Lock()
			o.status = c.status
			o.mu.Unlock()
			if err := o.press("1 second"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(c.after)
			end()
			o.got(t, c.want...)
			o.busy.Wait()
			if n := o.requests("1 second", "/callback"); n != 1 {
				t.Errorf("%d, after %v: %d first answers", c.status, c.after, n)
			}
			if n := o.requests("1 second", "/@original"); n != c.late {
				t.Errorf("%d, after %v: %d late answers", c.status, c.after, n)
			}
		})
	}
}

// One person's presses beyond a limit are dropped, without a request. Other people aren't
// affected.
func TestACrowdOfOnePerson(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newQueueTest(t)
		end := o.lasts("1 0")
		dropped := 0
		for i := range 10 * maxQueued {
			synctest.Wait()
			if err := o.press(fmt.Sprint("1 ", i)); errors.Is(err, errQueueFull) {
				dropped++
			} else if err != nil {
				t.Error(err)
			}
		}
		if dropped != 9*maxQueued {
			t.Errorf("%d were dropped", dropped)
		}
		if err := o.press("2 0"); err != nil {
			t.Error(err)
		}
		o.got(t, "1 0", "2 0")
		end()
		o.busy.Wait()
		if got := len(o.begun); got != maxQueued+1 || len(o.asked) != got {
			t.Errorf("the bot got %d, and asked %d times", got, len(o.asked))
		}
		if err := o.press("1 again"); err != nil {
			t.Errorf("later: %v", err)
		}
		o.busy.Wait()
	})
}

func TestOnlyTheLatestAreRemembered(t *testing.T) {
	t.Parallel()
	var in intake
	add := func(i int) bool { return in.recent.Add(fmt.Sprint(i), struct{}{}, maxRecent) }
	for i := range 3 * maxRecent {
		if !add(i) || add(i) {
			t.Fatalf("%d", i)
		}
		if i >= maxRecent/2 && add(i-maxRecent/2) {
			t.Fatalf("%d is forgotten", i-maxRecent/2)
		}
	}
	if n := len(in.recent.All()); n > maxRecent {
		t.Errorf("%d are remembered", n)
	}
}

// Whatever Discord's clock does, and however long its answers take, the estimated time is
// never ahead of it. After some answers, it is only a little behind.
func TestDiscordsClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c clock
		if !c.now().Equal(time.Now()) {
			t.Error("without an answer it is not the host's")
		}
		c.learn("yesterday", time.Now(), time.Now())
		ahead := 26 * 365 * 24 * time.Hour
		for i := range 1000 {
			if i%250 == 249 {
				ahead -= 10 * time.Minute // Discord's clock was set back
			}
			asked := time.Now()
			time.Sleep(time.Duration(i*37%150) * time.Millisecond)
			date := time.Now().Add(ahead).UTC().Format(http.TimeFormat)
			time.Sleep(time.Duration(i*53%150) * time.Millisecond)
			c.learn(date, asked, time.Now())
			behind := time.Now().Add(ahead).Sub(c.now())
			most := 1300 * time.Millisecond
			if i%250 > 20 && i%250 < 249 {
				most = 300 * time.Millisecond
			}
			if behind < 0 || behind > most {
				t.Fatalf("after %d answers it is %v behind", i+1, behind)
			}
			time.Sleep(time.Duration(i*71%1000) * time.Millisecond)
		}
	})
}

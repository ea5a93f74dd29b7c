package telegram

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

func TestMain(m *testing.M) {
	clocktest.AtOnce(16)
	goleak.VerifyTestMain(m)
}

// easel is shared, because each new one draws all cards again.
var easel = face.NewEasel()

// handler is the bot behind the adapter in these tests.
type handler func(context.Context, chat.Input) chat.Reply

func (h handler) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if in.Presence == chat.Reported { // it comes at times of its own
		return chat.Reply{}
	}
	return h(ctx, in)
}

func (handler) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// quiet answers every input with an empty reply.
func quiet(context.Context, chat.Input) chat.Reply { return chat.Reply{} }

// journal collects the log, and checks that it never contains the token.
type journal struct {
	mu     sync.Mutex
	b      bytes.Buffer
	words  string
	notify func() // Called for each line with the words
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.notify != nil && bytes.Contains(p, []byte(j.words)) {
		j.notify()
	}
	return j.b.Write(p)
}

// heard calls notify whenever a line with the words is logged.
func (j *journal) heard(words string, notify func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.words, j.notify = words, notify
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}

// adapter returns an adapter for a server. At the end it searches the log for the token.
func adapter(t *testing.T, s *telegramtest.Server, change func(*Config)) (*Adapter, *journal) {
	t.Helper()
	log := &journal{}
	limited, unheld := chat.Sparing(slog.New(slog.NewTextHandler(log, nil))) // as the program does
	c := Config{Commands: bot.Commands(), Token: s.Token, Base: s.URL, HTTP: s.Client(), Log: limited, Easel: easel, Eager: true}
	if change != nil {
		change(&c)
	}
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		unheld()
		if strings.Contains(log.String(), s.Token) {
			t.Error("the token is in the log")
		}
	})
	return a, log
}

// run runs an adapter until the test ends or stop is called. stop returns the result of Run.
func run(t *testing.T, a *Adapter, h handler) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = a.Run(ctx, h)
	}()
	stop = func() error {
		cancel()
		<-done
		return err
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return stop
}

// soon is the timeout of a test's waits; only a hanging test reaches it.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// connected runs an adapter and waits until it polls.
func connected(t *testing.T, s *telegramtest.Server, h handler, change func(*Config)) (*Adapter, func() error) {
	t.Helper()
	a, _ := adapter(t, s, change)
	stop := run(t, a, h)
	if err := s.Until(soon(t), func() bool { return len(s.Calls("setMyCommands")) == menus }); err != nil {
		t.Fatal(err)
	}
	return a, stop
}

func text(s string) screen.Screen {
	return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: s}}}}}
}

func TestWrongTokenIsOneClearError(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	const wrong = "123:AAwrongwrong"
	a, log := adapter(t, s, func(c *Config) { c.Token = wrong })
	err := a.Run(soon(t), handler(quiet))
	if !errors.Is(err, ErrToken) || !strings.Contains(err.Error(), "telegram.token") {
		t.Errorf("Run says %v", err)
	}
	if all := err.Error() + log.String(); strings.Contains(all, wrong) {
		t.Errorf("the token is shown: %s", all)
	}
	for _, token := range []string{"", "12 3:AA", "123:AA/../x", "1\n2", "%s"} {
		if _, err := New(Config{Token: token, Base: s.URL}); !errors.Is(err, ErrToken) {
			t.Errorf("New with the token %q says %v", token, err)
		}
	}
}

func TestAddressOfTheServerIsChecked(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"api.telegram.org", "ftp://x", "http://", "http://u:p@x", "http://x?y", "http://[::1"} {
		if _, err := New(Config{Token: "1:A", Base: base}); err == nil || !strings.Contains(err.Error(), "telegram.api_base") {
			t.Errorf("New with the base %q says %v", base, err)
		}
	}
}

func TestSecondProcessGivesWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, givesWay) // the poller that waits longer gives way
}

func givesWay(t *testing.T) {
	s := telegramtest.Within(t)
	asked := make(chan chat.Input, 10)
	_, first := connected(t, s, func(_ context.Context, in chat.Input) chat.Reply {
		asked <- in
		return chat.Reply{}
	}, nil)
	ann := s.Person("Ann")
	ann.Start("") // an update has arrived, so the first one has polled
	<-asked
	if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
		t.Fatal(err)
	}

	second, log := adapter(t, s, nil)
	stop := run(t, second, func(_ context.Context, in chat.Input) chat.Reply {
		asked <- in // either poller may handle the input
		return chat.Reply{}
	})
	time.Sleep(10 * time.Minute) // of the bubble
	if err := second.Ready(); err == nil {
		t.Error("the second process says that it receives")
	}
	if log := log.String(); !strings.Contains(log, errConflict.Error()) || strings.Contains(log, s.Token) {
		t.Errorf("the second process says:\n%s", log)
	}
	ann.Say(ann.Private(), "/help")
	if in := <-asked; in.Command != "help" {
		t.Errorf("the first process got %q", in.Command)
	}
	if err := first(); err != nil {
		t.Error(err)
	}
	time.Sleep(2 * maxElsewhere)
	if err := second.Ready(); err != nil {
		t.Errorf("the first process has stopped, and the second says %v", err)
	}
	ann.Say(ann.Private(), "/hand")
	if in := <-asked; in.Command != "hand" {
		t.Errorf("the second process got %q", in.Command)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// The updates go to another program until its webhook is gone or it stops. The bot says so, and waits for that.
func TestUpdatesOfAnotherProgramAreWaitedFor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"Conflict: terminated by other getUpdates request":                           errConflict,
		"Conflict: can't use getUpdates method while webhook is active":              errWebhook,
		"Conflict: terminated by other getUpdates request; make sure that only one…": errConflict,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := telegramtest.Within(t)
			s.Fail(telegramtest.Failure{Method: "getUpdates", Code: 409, Description: text})
			asked := make(chan chat.Input, 1)
			a, log := adapter(t, s, nil)
			stop := run(t, a, func(_ context.Context, in chat.Input) chat.Reply {
				asked <- in
				return chat.Reply{}
			})
			time.Sleep(time.Hour) // of the bubble
			if err := a.Ready(); err == nil || !strings.Contains(log.String(), want.Error()) {
				t.Errorf("after %q: ready: %v, log:\n%s", text, err, log)
			}
			if n := len(s.Calls("getUpdates")); n > 70 {
				t.Errorf("%d polls in an hour", n)
			}
			s.Heal()
			s.Person("Ann").Start("")
			<-asked
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Single refusals of a token that was accepted before are waited out. If they last for minutes, the bot ends.
func TestARefusalInMidPolling(t *testing.T) {
	t.Parallel()
	for code, text := range map[int]string{401: "Unauthorized", 404: "Not Found"} {
		synctest.Test(t, func(t *testing.T) {
			s := telegramtest.Within(t)
			a, _ := adapter(t, s, nil)
			ended := make(chan error, 1)
			go func() { ended <- a.Run(t.Context(), handler(quiet)) }()
			time.Sleep(time.Minute) // of the bubble
			for range 3 {
				s.Fail(telegramtest.Failure{Method: "getUpdates", Code: code, Description: text})
				time.Sleep(2 * time.Minute)
				if err := a.Ready(); err == nil {
					t.Errorf("%d: it says that it receives", code)
				}
				s.Heal()
				time.Sleep(2 * time.Minute)
				if err := a.Ready(); err != nil {
					t.Errorf("after %d: %v", code, err)
				}
			}
			s.Fail(telegramtest.Failure{Method: "getUpdates", Code: code, Description: text})
			if err := <-ended; !errors.Is(err, ErrToken) {
				t.Errorf("%d for minutes: %v", code, err)
			}
			if err := a.Ready(); err == nil {
				t.Error("it has ended, and says that it receives")
			}
		})
	}
}

// An update is handled while Telegram keeps back the answers to all that the bot tells it about itself.
func TestUpdatesComeFirst(t *testing.T) {
	t.Parallel()
	for _, f := range []telegramtest.Failure{{Code: 500, Description: "Internal Server Error"}, {Code: 429, RetryAfter: 3600, Description: "Too Many Requests"}, {Delay: time.Hour}} {
		synctest.Test(t, func(t *testing.T) {
			s := telegramtest.Within(t)
			for _, method := range []string{"setMyCommands", "setMyDescription", "setMyShortDescription"} {
				f.Method = method
				s.Fail(f)
			}
			asked := make(chan chat.Input, 1)
			a, _ := adapter(t, s, nil)
			stop := run(t, a, func(_ context.Context, in chat.Input) chat.Reply {
				asked <- in
				return chat.Reply{}
			})
			begin := time.Now()
			s.Person("Ann").Start("")
			<-asked
			if took := time.Since(begin); took > time.Second {
				t.Errorf("%+v: an update was handled after %v", f, took)
			}
			s.Heal()
			time.Sleep(2 * time.Hour) // of the bubble
			if n := len(s.Calls("setMyCommands")); n != menus {
				t.Errorf("%+v: %d of %d menus were published afterwards", f, n, menus)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTroubleOfTheNetworkIsWaitedOut(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	s := telegramtest.New(t)
	s.Fail(telegramtest.Failure{Method: "getMe", Times: 1})
	s.Fail(telegramtest.Failure{Method: "getMe", Times: 1, Code: 502, Page: "<html>Bad Gateway</html>"})
	s.Fail(telegramtest.Failure{Method: "getUpdates", Times: 1})
	s.Fail(telegramtest.Failure{Method: "getUpdates", Times: 1, Code: 500, Description: "Internal Server Error"})
	s.Fail(telegramtest.Failure{Method: "getUpdates", Times: 1, Code: 409, Description: "Conflict: terminated by other getUpdates request"})
	asked := make(chan chat.Input, 1)
	connected(t, s, func(_ context.Context, in chat.Input) chat.Reply {
		asked <- in
		return chat.Reply{}
	}, nil)
	s.Person("Ann").Start("")
	if in := <-asked; in.Command != "hello" {
		t.Errorf("got %q", in.Command)
	}
}

func TestCommandsArePublishedInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	_, stop := connected(t, s, quiet, nil)
	descriptions := func() int { return len(s.Calls("setMyDescription")) + len(s.Calls("setMyShortDescription")) }
	if n := descriptions(); n != 2*len(lang.Languages()) {
		t.Errorf("%d descriptions", n)
	}
	calls := s.Calls("setMyCommands")
	var where []string
	for _, c := range calls {
		where = append(where, c.Params["language_code"]+c.Params["scope"])
		for _, name := range []string{"new", "tournament", "leaderboard", "hand"} {
			if !strings.Contains(c.Params["commands"], `"`+name+`"`) {
				t.Errorf("no %s among %s", name, c.Params["commands"])
			}
		}
		group := strings.Contains(c.Params["scope"], "group")
		if ephemeral := strings.Contains(c.Params["commands"], `"is_ephemeral":true`); ephemeral != group {
			t.Errorf("%s: ephemeral commands: %v", c.Params["scope"], ephemeral)
		}
	}
	var want []string
	for _, code := range lang.Languages() {
		if code == "en" {
			code = "" // "" for the menu of all other languages
		}
		want = append(want, code, code+`{"type":"all_private_chats"}`, code+`{"type":"all_group_chats"}`)
	}
	if diff := cmp.Diff(want, where); diff != "" {
		t.Errorf("published for (-want +got):\n%s", diff)
	}

	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// A start tells Telegram the menus again only if they have changed.
func TestAStartTellsWhatHasChanged(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	alone, told := chat.AgreeAlone(), make(chan struct{}, 10)
	agree := func(ctx context.Context, name string, change func(now int) int) (int, error) {
		n, err := alone(ctx, name, change)
		if n != 0 && strings.HasPrefix(name, "telegram facts") {
			told <- struct{}{}
		}
		return n, err
	}
	_, stop := connected(t, s, quiet, func(c *Config) { c.Agree = agree })
	<-told // all menus arrived, and that is kept
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for _, changed := range []bool{false, true} {
		before, all := len(s.Calls("setMyCommands")), len(s.Calls(""))
		a, _ := adapter(t, s, func(c *Config) {
			if c.Agree = agree; changed {
				c.Commands = c.Commands[1:]
			}
		})
		stop := run(t, a, quiet)
		s.Person("Ann").Start("")
		if err := s.Until(soon(t), func() bool { return s.Pending() == 0 && (!changed || len(s.Calls("setMyCommands")) == before+menus) }); err != nil {
			t.Error(err)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		if n := len(s.Calls("setMyCommands")) - before; n != 0 && !changed {
			t.Errorf("a start without a change publishes %d menus", n)
		}
		if n := len(s.Calls("")) - all; n > 10 && !changed {
			t.Errorf("a start without a change asks %d times", n)
		}
	}
}

// The first start tells Telegram the facts little by little, English first.
func TestAFirstStartAsksLittleAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		a, _ := adapter(t, s, func(c *Config) { c.Eager = false })
		stop := run(t, a, quiet)
		time.Sleep(6 * time.Second) // of the bubble
		if n, english := len(s.Calls("")), len(s.Calls("setMyCommands")); n > 10 || english != len(scopes) {
			t.Errorf("%d calls in six seconds, %d of them for the English menus", n, english)
		}
		time.Sleep(time.Minute)
		if n := len(s.Calls("setMyCommands")); n != menus {
			t.Errorf("%d of %d menus were published", n, menus)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// menus is the number of menus: one for each scope and language.
var menus = 3 * len(lang.Languages())

func TestNoErrorHoldsTheToken(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, log := adapter(t, s, nil)
	stop := run(t, a, quiet)
	if err := s.Until(soon(t), func() bool { return len(s.Calls("setMyCommands")) == menus }); err != nil {
		t.Fatal(err)
	}
	group := s.Group("Cards")
	addr := address(group.ID, 1)
	try := func(what string) {
		_, sending := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, text("x"), "")
		for _, err := range []error{sending, a.Edit(t.Context(), addr, text("x")), a.Delete(t.Context(), addr)} {
			var d *chat.DeliveryError
			if !errors.As(err, &d) || d.Fault != chat.Retry {
				t.Errorf("%s: %v, want a DeliveryError to retry", what, err)
			} else if strings.Contains(err.Error(), s.Token) {
				t.Errorf("%s: the token is in %v", what, err)
			}
		}
	}
	s.Fail(telegramtest.Failure{})
	try("a dropped connection")
	s.Heal()
	s.Fail(telegramtest.Failure{Code: 502, Page: "<html>Bad Gateway</html>"})
	try("a proxy's page")
	s.Heal()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Edit(cancelled, addr, text("x")); err == nil || strings.Contains(err.Error(), s.Token) {
		t.Errorf("a cancelled call: %v", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}

	// The server can't be reached from the first call on; a log line says so and ends the wait.
	nowhere, log2 := adapter(t, s, func(c *Config) { c.Base = "http://127.0.0.1:1" })
	ctx, cancel := context.WithCancel(soon(t))
	defer cancel()
	log2.heard("telegram cannot be reached", cancel)
	if err := nowhere.Run(ctx, handler(quiet)); err != nil {
		t.Errorf("Run without a server: %v", err)
	}
	if !strings.Contains(log2.String(), "telegram cannot be reached") {
		t.Errorf("nothing of it in the log: %s", log2)
	}
	if all := log.String() + log2.String(); strings.Contains(all, s.Token) {
		t.Error("the token is in the log")
	}
}

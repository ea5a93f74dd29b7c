package discord_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
)

func TestMain(m *testing.M) {
	clocktest.AtOnce(16)
	m.Run()
}

func TestAWrongTokenIsOneClearLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Token: "a-wrong-secret", APIBase: w.URL(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	err = a.Run(t.Context(), handler(nil))
	if err == nil || !strings.Contains(err.Error(), "discord.token") || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

func TestRunEndsWhenDiscordTurnsTheBotAway(t *testing.T) {
	t.Parallel()
	for _, code := range []int{4012, 4013, 4014} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.run(t, nil)
			w.CloseWith(code)
			if err := <-w.runResults; err == nil || strings.Contains(err.Error(), w.Token()) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// A bot that has become too large for the number of shards that Discord recommended asks for the number again. A number that
// somebody has set is theirs to change.
func TestTooFewShards(t *testing.T) {
	t.Parallel()
	for _, set := range []int{0, 1} {
		t.Run(fmt.Sprint(set), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			again := bell{"the number of shards again", make(chan struct{}, 100)}
			w.configure(t, func(c *discord.Config) { c.Shards, c.Log = set, slog.New(slog.NewTextHandler(again, nil)) })
			w.run(t, nil)
			w.Shards(2, 2)
			w.Apart(0)
			w.adapter.SessionsApart(0)
			w.CloseWith(4011)
			if set == 0 {
				<-again.rung
				w.CloseWith(0)
				w.Until("there are two shards", func() bool { return w.On(0) == 1 && w.On(1) == 1 })
			} else if err := <-w.runResults; err == nil || !strings.Contains(err.Error(), "discord.shards") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	working, finish := make(chan struct{}), make(chan struct{})
	w.run(t, func(ctx context.Context, _ chat.Input) chat.Reply {
		close(working)
		<-finish
		if ctx.Err() != nil {
			t.Error("work at hand was cut off")
		}
		return chat.Reply{Toast: "finished"}
	})
	i := w.ann.Slash(w.channel, "hand", nil)
	<-working
	w.shutDown()
	w.Until("the bot is not connected", func() bool { return w.Connected() == 0 })
	close(finish)
	if err := <-w.runResults; err != nil {
		t.Errorf("the error is %v", err)
	}
	if m, ok := i.Wait(); !ok || m.Text != "finished" {
		t.Errorf("what was at hand was answered %v, %v", m, ok)
	}
}

func TestRunReconnects(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	breaks := map[string]func(w *world){
		"dropped":        func(w *world) { w.Drop() },
		"asked to":       func(w *world) { w.AskToReconnect() },
		"closed":         func(w *world) { w.CloseWith(4000); w.CloseWith(0) },
		"never resumed":  func(w *world) { w.CloseWith(4009); w.Forget(); w.CloseWith(0) },
		"and forgotten":  func(w *world) { w.Drop(); w.Forget() },
		"gateway away":   func(w *world) { w.Fail(discordtest.Fault{Path: "/gateway", Times: 1, Status: 503}); w.Drop() },
		"refuses a time": func(w *world) { w.CloseWith(4007) },
		"a false 4004":   func(w *world) { w.CloseWith(4004) },
		"a false 401": func(w *world) {
			w.Fail(discordtest.Fault{Path: "/gateway", Times: 1, Status: 401})
			w.CloseWith(4007)
			w.CloseWith(0)
		},
	}
	for name, breaks := range breaks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "here"} })
			breaks(w)
			w.Until("the connection is gone", func() bool { return strings.Contains(w.log.String(), "again") })
			w.CloseWith(0)
			w.Until("the bot is connected again", func() bool { return w.Connected() == 1 })
			if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "here" {
				t.Errorf("it was answered %v, %v", m, ok)
			}
		})
	}
}

func TestWhatHappensWhileTheConnectionIsLostArrivesLater(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "here"} })
	w.Drop()
	if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "here" {
		t.Errorf("it was answered %v, %v", m, ok)
	}
	if w.Resumed() == 0 {
		t.Error("the session was not resumed")
	}
}

// A connection that has gone silent is closed so that Discord keeps the session.
func TestASilentConnectionIsGivenUp(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for name, prepare := range map[string]func(*world){"resumed where Discord says": func(*world) {}, "resumed anywhere": func(w *world) { w.ResumeAnywhere() }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Heartbeat(2 * time.Second) // less would be missed on a busy machine
			prepare(w)
			w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "here"} })
			w.Mute()
			w.Until("the session is resumed", func() bool { return w.Resumed() > 0 }) // a command of the time before may be too old to answer
			if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "here" {
				t.Errorf("it was answered %v, %v", m, ok)
			}
			if w.Closed() != 4000 || w.Resumed() == 0 || w.Sessions() != 1 {
				t.Errorf("closed with %d, resumed %d times, %d sessions", w.Closed(), w.Resumed(), w.Sessions())
			}
		})
	}
}

func TestADiscordThatIsDownIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Fail(discordtest.Fault{Path: "/applications/", Times: 2, Status: 503})
	w.run(t, nil)
}

func TestCommandsAreRegisteredOnlyWhenTheyChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registered := func() (n int) {
		for _, c := range w.Calls() {
			if c.Method == "PUT" {
				n++
			}
		}
		return n
	}
	asked := 0
	for range 2 {
		a, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: w.Token(), APIBase: w.URL(), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error)
		go func() { result <- a.Run(ctx, handler(nil)) }()
		asked++
		w.Until("connected, and the commands were compared", func() bool {
			n := 0
			for _, c := range w.Calls() {
				if c.Method == http.MethodGet && strings.HasSuffix(c.Path, "/commands") {
					n++
				}
			}
			return w.Connected() == 1 && n == asked && len(w.Commands()) > 0
		})
		cancel()
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		w.Until("not connected", func() bool { return w.Connected() == 0 })
	}
	if n := registered(); n != 1 {
		t.Errorf("registered %d times", n)
	}
	golden(t, "commands.golden", indented(t, stripped(w.Commands())))
}

// stripped returns a JSON value without ids and empty fields.
func stripped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, field := range v {
			if name != "id" && name != "version" && name != "application_id" && field != nil && field != false {
				out[name] = stripped(field)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, stripped(x))
		}
		return out
	}
	return v
}

func TestRefusedCommandsDoNotStopTheBot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Fail(discordtest.Fault{Method: "PUT", Path: "/applications/", Times: 1, Status: 400, Code: 30034})
	refused := bell{"refused the commands", make(chan struct{}, 1)}
	w.configure(t, func(c *discord.Config) { c.Log = slog.New(slog.NewTextHandler(refused, nil)) })
	w.run(t, nil)
	<-refused.rung
}

// pauses returns the waits after the connections that ended.
func (w *world) pauses() (all []string) {
	for _, m := range regexp.MustCompile(`again_in=(\S+) err="the connection ended"`).FindAllStringSubmatch(w.log.String(), -1) {
		all = append(all, m[1])
	}
	return all
}

// TestASuccessEndsTheBackOff checks that the wait starts short again after a connection
// that reached READY or RESUMED.
func TestASuccessEndsTheBackOff(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.run(t, nil)
	for n := 1; n <= 3; n++ {
		w.Drop()
		w.Until("the session is resumed", func() bool { return w.Resumed() == n })
	}
	w.Drop()
	w.Forget()
	w.Until("another session begins", func() bool { return w.Sessions() == 2 && w.Connected() == 1 })
	w.Drop()
	w.Until("the other session is resumed", func() bool { return w.Resumed() == 1 })
	for _, pause := range w.pauses() {
		if pause != "300ms" {
			t.Errorf("the pauses are %v", w.pauses())
			break
		}
	}
}

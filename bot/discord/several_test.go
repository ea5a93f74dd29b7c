package discord_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// twins are two processes on one store. Interactions go to the first one's endpoint. Only
// the second works on tables.
type twins struct {
	*world
	store store.Store
	urls  [2]string // addresses of their endpoints
	stop  func()    // stops both, and waits for them
}

func newTwins(t *testing.T) *twins {
	t.Helper()
	w := &twins{world: newWorld(t)}
	file := storetest.NewMemory()
	w.store = file
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	for i := range w.urls {
		waiting := bell{"waiting for discord", make(chan struct{}, 1)}
		w.configure(t, func(c *discord.Config) {
			c.PublicKey, c.Eager, c.Log = w.PublicKey(), true, slog.New(slog.NewTextHandler(waiting, nil))
		})
		adapter := w.adapter
		b := bot.New(bot.Config{
			Store: file, Platforms: []chat.Platform{adapter}, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})),
			Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
				return ai.Beginner.Try(context.Background(), v, 0, 0)
			},
			Worlds: 10,
		})
		web := httptest.NewServer(adapter)
		t.Cleanup(web.Close)
		w.urls[i] = web.URL
		parts.Go(func() { _ = adapter.Run(ctx, b) })
		if i == 1 {
			parts.Go(func() { _ = b.Run(ctx) })
		}
		<-waiting.rung
	}
	w.stop = sync.OnceFunc(func() {
		cancel()
		parts.Wait()
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if log.Len() > 0 {
			t.Errorf("errors in the log:\n%s", &log)
		}
	})
	t.Cleanup(w.stop)
	if !w.Endpoint(w.urls[0]) {
		t.Fatal("discord would not take the endpoint")
	}
	return w
}

// The first process answers a press on a hand that a player opened. The second shows the
// table. It must not edit the answer before the answer has arrived, or the test's Discord
// fails the test. Later, the second process keeps the hand up to date.
func TestNoAnswerIsEditedBeforeItIsGiven(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newTwins(t)
	w.ann.RefuseDMs(true)
	w.bob.RefuseDMs(true)
	w.deal(w.channel)
	people := []*discordtest.Person{w.ann, w.bob}
	hands := map[*discordtest.Person]string{}
	for _, p := range people {
		m, ok := p.Click(w.table(p, w.channel), "My cards").Wait()
		if !ok {
			t.Fatal("there is no hand")
		}
		hands[p] = m.ID
	}
	var p *discordtest.Person
	var hand discordtest.Message
	turn := func(not discordtest.Message) func() bool {
		return func() bool {
			for _, who := range people {
				for _, m := range who.Sees(w.channel) {
					if m.ID == hands[who] && strings.Contains(m.Text, "Your turn") && m.String() != not.String() {
						p, hand = who, m
						return true
					}
				}
			}
			return false
		}
	}
	for range 3 {
		w.Until("somebody's hand says that it is their turn", turn(hand))
		held := make(chan struct{})
		w.Fail(discordtest.Fault{Path: "/interactions/", Times: 1, Hold: held})
		before := w.table(w.ann, w.channel)
		press := p.Press(hand, playable(hand))
		w.Until("the table shows the card", func() bool { return w.table(w.ann, w.channel).Text != before.Text })
		close(held)
		if m, ok := press.Wait(); !ok || m.ID != hand.ID {
			t.Errorf("the press was answered with %v", m)
		}
	}
	w.stop()
}

// The shell gets a screen's address only once Discord shows the screen there.
func TestTheShellIsToldWhatIsThere(t *testing.T) {
	t.Parallel()
	refused := func(path string) []discordtest.Fault {
		return []discordtest.Fault{{Path: path, Times: 1, Status: 400, Code: 50035}}
	}
	for name, c := range map[string]struct {
		late   bool // the first answer says that the reply comes later
		public bool
		faults []discordtest.Fault
		there  bool
	}{
		"at once":                        {there: true},
		"at once, refused":               {faults: refused("/interactions/")},
		"at once, for everybody":         {public: true, there: true},
		"late":                           {late: true, there: true},
		"late, refused":                  {late: true, faults: refused("/webhooks/")},
		"late, for everybody, a new one": {late: true, public: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if !c.late {
				w.adapter.Patient()
			}
			release := make(chan struct{})
			var edited []error
			w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
				if c.late {
					<-release
				}
				return chat.Reply{Screen: new(textScreen("a hand")), Public: c.public, Shown: func(ctx context.Context, at chat.Address, _ string) {
					if at != in.Answer {
						t.Error("it is somewhere else")
					}
					edited = append(edited, w.adapter.Edit(ctx, at, textScreen("a later hand")))
				}}
			})
			for _, f := range c.faults {
				w.Fail(f)
			}
			i := w.ann.Slash(w.channel, "hand", nil)
			if c.late {
				w.Until("she was told to wait", func() bool { s := w.ann.Sees(w.channel); return len(s) == 1 && s[0].Loading })
			}
			close(release)
			i.Wait()
			w.shutDown()
			if err := <-w.runResults; err != nil {
				t.Error(err)
			}
			switch {
			case len(edited) > 1 || c.there != (len(edited) == 1):
				t.Errorf("the shell was told %d times", len(edited))
			case c.there && edited[0] != nil:
				t.Error(edited[0])
			}
		})
	}
}

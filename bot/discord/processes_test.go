package discord_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// processes are bots that share a store and the bot's token, each with its own adapter.
// They take turns to handle the inputs. Each delivers the jobs that it gets.
type processes struct {
	bots []*bot.Bot
	next atomic.Int64
}

func (p *processes) one() *bot.Bot { return p.bots[int(p.next.Add(1))%len(p.bots)] }

func (p *processes) Handle(ctx context.Context, in chat.Input) chat.Reply {
	return p.one().Handle(ctx, in)
}

func (p *processes) Complete(ctx context.Context, in chat.Input) []chat.Suggestion {
	return p.one().Complete(ctx, in)
}

// start runs some processes on a store, and returns a function that stops them.
func (w *world) start(t *testing.T, kept store.Store, n int) (stop func()) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, cancel := context.WithCancel(t.Context())
	var all processes
	var adapters []*discord.Adapter
	for range n {
		a, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: w.Token(), APIBase: w.URL(), Log: log, Eager: true, Shared: true})
		if err != nil {
			t.Fatal(err)
		}
		adapters = append(adapters, a)
		all.bots = append(all.bots, bot.New(bot.Config{
			Store: kept, Platforms: []chat.Platform{a}, Log: log,
			Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
				return ai.Beginner.Try(context.Background(), v, 0, 0)
			},
			Worlds: 10,
		}))
	}
	var parts sync.WaitGroup
	for _, b := range all.bots {
		parts.Go(func() { _ = b.Run(ctx) })
	}
	parts.Go(func() { _ = adapters[0].Run(ctx, &all) })
	w.Until("the bot is connected", func() bool { return w.Connected() == 1 && len(w.Commands()) > 0 })
	return sync.OnceFunc(func() {
		cancel()
		parts.Wait()
		w.Until("the bot is gone", func() bool { return w.Connected() == 0 })
	})
}

// open opens a table for some people in a channel, and starts it.
func (w *world) open(c *discordtest.Channel, people ...*discordtest.Person) {
	w.gather(c, people...)
	w.begin(people[0], c)
}

// gather opens a table for some people in a channel.
func (w *world) gather(c *discordtest.Channel, people ...*discordtest.Person) {
	args := map[string]any{"players": len(people)}
	if len(people) == 6 {
		args["game"] = "hola"
	}
	people[0].Slash(c, "new", args).Wait()
	for _, p := range people[1:] {
		p.Click(w.shows(p, c, "who plays?"), "Join").Wait()
		w.shows(p, c, p.Name)
	}
}

// begin starts the match of a lobby.
func (w *world) begin(host *discordtest.Person, c *discordtest.Channel) {
	host.Click(w.shows(host, c, "who plays?"), "Start").Wait()
	w.table(host, c)
}

// toTen makes the match of a lobby so long that no single deal ends it.
func (w *world) toTen(host *discordtest.Person, c *discordtest.Channel) {
	lobby := w.shows(host, c, "who plays?")
	for _, b := range lobby.Buttons {
		if id, ok := strings.CutPrefix(b.CustomID, "start:"); ok {
			host.Press(lobby, "set:"+id+":length:t10").Wait()
		}
	}
	w.shows(host, c, "first to 10")
}

// playOut makes people press whatever they can in private until ok returns true.
func (w *world) playOut(people []*discordtest.Person, ok func() bool) {
	pressed := map[string]bool{} // messages that were pressed, as they were then
	for {
		var press func()
		w.Until("a turn, or the end", func() bool {
			if ok() {
				return true
			}
			for _, who := range people {
				for _, m := range who.Sees(who.DM()) {
					data := playable(m)
					if seen := m.ID + m.Text + data; data != "" && strings.Contains(m.Text, "Your turn") && !pressed[seen] {
						pressed[seen] = true
						press = func() { who.Press(m, data).Wait() }
						return true
					}
				}
			}
			return false
		})
		if press == nil {
			return
		}
		press()
	}
}

func (w *world) ended(p *discordtest.Person, c *discordtest.Channel) bool {
	for _, m := range p.Sees(c) {
		if strings.Contains(m.Text, "the match is over") {
			return true
		}
	}
	return false
}

// TestProcessesKeepDiscordsLimits checks that Discord hardly ever tells three processes to wait. Each counts only its own
// requests until an answer tells it of the others', so requests that start at the same moment can be one too many.
// They show two tables, whose players read both in the same private chats. Six people
// also get their first hands.
func TestProcessesKeepDiscordsLimits(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	w := newWorld(t)
	kept := storetest.NewMemory()
	defer kept.Close()
	w.Limit(5, 500*time.Millisecond)
	people := []*discordtest.Person{w.ann, w.bob}
	for _, name := range []string{"Cat", "Dan", "Eve", "Fay"} {
		people = append(people, w.NewPerson(name))
	}
	rooms := []*discordtest.Channel{w.channel, w.guild.NewChannel("more cards"), w.guild.NewChannel("many")}

	stop := w.start(t, kept, 3)
	defer stop()
	w.open(rooms[2], people...)
	for _, p := range people {
		w.shows(p, p.DM(), "deal 1")
	}
	for _, c := range rooms[:2] {
		w.open(c, w.ann, w.bob)
		more, _ := w.ann.Click(w.table(w.ann, c), "More").Wait()
		asked, _ := w.ann.Click(more, "Make this the last deal").Wait()
		w.ann.Click(asked, "Make this the last deal").Wait()
	}
	w.playOut(people[:2], func() bool { return w.ended(w.ann, rooms[0]) && w.ended(w.ann, rooms[1]) })
	if late := w.Limited(); len(late) > 2 {
		t.Errorf("%d requests too many: %v", len(late), late)
	}
	if n := w.calls("POST /users/@me/channels"); n != len(people) {
		t.Errorf("%d private chats were opened for %d people", n, len(people))
	}

	stop()
	stop = w.start(t, kept, 3)
	defer stop()
	again := w.guild.NewChannel("after a restart")
	w.open(again, people[2:4]...)
	w.Until("all have their hands", func() bool {
		n := 0
		for _, p := range people[2:4] {
			hands := 0 // the other one is of the match of six
			for _, m := range p.Sees(p.DM()) {
				if strings.Contains(m.Text, "deal 1") {
					hands++
				}
			}
			if hands == 2 {
				n++
			}
		}
		return n == 2
	})
	if n := w.calls("POST /users/@me/channels"); n != len(people) {
		t.Errorf("%d private chats were opened again after a restart", n-len(people))
	}
}

// TestProcessesRegisterTheCommandsOnce checks that processes that start together agree on
// one to register. Discord accepts only two registrations in five seconds.
func TestProcessesRegisterTheCommandsOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"gateway", "signed requests"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			kept := storetest.NewMemory()
			defer kept.Close()
			hold := make(chan struct{})
			w.Fail(discordtest.Fault{Method: http.MethodPut, Path: "/applications/", Times: 3, Hold: hold})
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			defer all.Wait()
			defer cancel()
			log := slog.New(slog.NewTextHandler(w.log, nil))
			config := discord.Config{Commands: bot.Commands(), Easel: easel, Token: w.Token(), APIBase: w.URL(), Log: log, Shared: true, Election: work.Elect(kept, log)}
			if name != "gateway" {
				config.PublicKey = w.PublicKey()
			}
			for range 3 {
				a, err := discord.New(config)
				if err != nil {
					t.Fatal(err)
				}
				all.Go(func() { _ = a.Run(ctx, handler(nil)) })
			}
			asked := func() (n int) {
				for _, c := range w.Calls() {
					if c.Method == http.MethodGet && strings.HasSuffix(c.Path, "/commands") {
						n++
					}
				}
				return n
			}
			w.Until("one has seen in its turn that there are no commands", func() bool { return asked() == 1 })
			close(hold)
			w.Until("the others have looked in their turn", func() bool {
				return asked() == 3 && w.calls("PUT /applications/") > 0
			})
			if n := w.calls("PUT /applications/"); n != 1 {
				t.Errorf("the commands were registered %d times", n)
			}
		})
	}
}

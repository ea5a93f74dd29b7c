package discord_test

import (
	"context"
	"log/slog"
	"regexp"
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

// TestManyShardsBeginWithinTheLimitOfAllRequests starts more shards at once than the bot may make requests in a second.
// Those that are held back come back as soon as there is room. None of them asks for the gateway twice, or wastes a turn.
func TestManyShardsBeginWithinTheLimitOfAllRequests(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	const shards = 60
	w := newWorld(t)
	w.Shards(shards, shards)
	w.configure(t, func(*discord.Config) {})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { _ = w.adapter.Run(ctx, handler(nil)) })
	w.Until("all shards are connected", func() bool { return w.Connected() == shards })
	slow, held := 0, regexp.MustCompile(`(?m)^.*again_in.*$`).FindAllString(w.log.String(), -1)
	for _, line := range held {
		if strings.Contains(line, `err="reach discord: `) { // on a busy machine, a dial takes too long
			slow++
			continue
		}
		t.Errorf("a shard backed off: %s", line)
	}
	if n := w.calls("GET /gateway/bot"); n != shards && slow == 0 {
		t.Errorf("%d shards asked %d times for the gateway", shards, n)
	}
}

// TestShardsAreDoubled goes from 16 shards to 32 while people play: a second process begins the sessions of 32 shards beside
// those of the first, which ends when all of them are there. For a while, each press arrives twice. Every press is
// answered, no message comes twice, and no two sessions of a group begin too close together.
func TestShardsAreDoubled(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	const apart = 300 * time.Millisecond
	w := newWorld(t)
	w.Shards(16, 16)
	w.Apart(apart)
	kept := storetest.NewMemory()
	defer kept.Close()
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	process := func(shards int) (stop func()) {
		w.configure(t, func(c *discord.Config) {
			c.Log, c.Eager, c.Shared, c.Shards, c.Election, c.Exchange = log, true, true, shards, work.Elect(kept, log), work.Exchange(kept)
		})
		a := w.adapter
		a.SessionsApart(apart)
		b := bot.New(bot.Config{
			Store: kept, Platforms: []chat.Platform{a}, Log: log, Worlds: 10,
			Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return ai.Think("easy", v) },
		})
		ctx, cancel := context.WithCancel(t.Context())
		var parts sync.WaitGroup
		parts.Go(func() { _ = b.Run(ctx) })
		parts.Go(func() { _ = a.Run(ctx, b) })
		return sync.OnceFunc(func() {
			cancel()
			parts.Wait()
		})
	}
	first := process(16)
	defer first()
	w.Until("16 shards", func() bool { return w.Connected() == 16 && len(w.Commands()) > 0 })
	people := []*discordtest.Person{w.ann, w.bob}
	w.gather(w.channel, people...)
	w.toTen(w.ann, w.channel)
	w.begin(w.ann, w.channel)
	played := w.calls("POST /interactions/")
	more := func() bool { return w.calls("POST /interactions/") > played+5 }
	w.playOut(people, more)

	second := process(32)
	defer second()
	w.playOut(people, func() bool { return w.Connected() == 16+32 || w.ended(w.ann, w.channel) })
	w.Until("48 sessions", func() bool { return w.Connected() == 16+32 })
	played = w.calls("POST /interactions/")
	w.playOut(people, func() bool { return more() || w.ended(w.ann, w.channel) })
	first()
	w.Until("only 32 are left", func() bool { return w.Connected() == 32 })
	played = w.calls("POST /interactions/")
	w.playOut(people, func() bool { return more() || w.ended(w.ann, w.channel) })

	for _, p := range people {
		for _, c := range []*discordtest.Channel{w.channel, p.DM()} {
			seen := map[string]bool{}
			for _, m := range p.Sees(c) {
				if seen[m.Text] && !m.Ephemeral { // the answer to a press may say the same as another's
					t.Errorf("%s sees a message twice:\n%s", p.Name, m.Text)
				}
				seen[m.Text] = true
			}
		}
	}
}

// TestAllProcessesHaveTheSameNumberOfShards starts a process when Discord recommends more shards than before, while people play.
// The process that ran before takes that number, too. Each press is answered as if there were one process.
func TestAllProcessesHaveTheSameNumberOfShards(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	kept := storetest.NewMemory()
	defer kept.Close()
	first := w.share(t, kept)
	defer first()
	ready := w.adapter.Ready
	w.Until("one shard", func() bool { return w.Connected() == 1 && len(w.Commands()) > 0 && ready() == nil })
	people := []*discordtest.Person{w.ann, w.bob}
	w.gather(w.channel, people...)
	w.begin(w.ann, w.channel)
	played := w.calls("POST /interactions/")

	w.Shards(2, 2)
	second := w.share(t, kept)
	defer second()
	there := func() bool { return w.Connected() == 2 && w.On(0) == 1 && w.On(1) == 1 }
	line := regexp.MustCompile(`(?m)^time=(\S+) .*"the number of shards changes"`)
	changed := func() bool {
		begun := line.FindStringSubmatch(w.log.String())
		if begun == nil {
			return false
		}
		err := ready()
		if at, bad := time.Parse(time.RFC3339, begun[1]); bad != nil || err != nil && time.Since(at) < 3*apart { // the old session lasts longer
			t.Error("during the change:", err, bad)
		}
		return there()
	}
	w.playOut(people, func() bool {
		return changed() && w.calls("POST /interactions/") > played || w.ended(w.ann, w.channel)
	})
	w.Until("two shards", changed)
	for _, p := range people {
		for _, m := range p.Sees(p.DM()) {
			if strings.Contains(m.Text, "already") {
				t.Errorf("%s reads: %s", p.Name, m.Text)
			}
		}
	}
	second()
	w.Until("the first has both shards", there)
}

// TestTooFewShardsOfAllProcesses closes the connections of three processes because their shards are too few.
func TestTooFewShardsOfAllProcesses(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	kept := storetest.NewMemory()
	defer kept.Close()
	for range 3 {
		defer w.share(t, kept)()
	}
	w.Until("one shard", func() bool { return w.Connected() == 1 })
	w.Shards(3, 3)
	w.CloseWith(4011)
	w.Until("one asks again", func() bool { return strings.Contains(w.log.String(), "the number of shards again") })
	w.CloseWith(0)
	w.Until("three shards", func() bool { return w.Connected() == 3 && w.On(0) == 1 && w.On(1) == 1 && w.On(2) == 1 })
}

// TestAStopWhileAShardWaitsForItsTurn stops a process while another one is the only one that may begin a session.
func TestAStopWhileAShardWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	waits := make(chan struct{})
	w.configure(t, func(c *discord.Config) {
		c.Shared, c.Turns = true, func(ctx context.Context, _ string, _ func(ctx context.Context) error) error {
			close(waits)
			<-ctx.Done()
			return nil
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.adapter.Run(ctx, handler(nil)) }()
	<-waits
	cancel()
	if err := <-ended; err != nil || w.Sessions() != 0 {
		t.Errorf("%v, and %d sessions began out of turn", err, w.Sessions())
	}
}

// A turn that is lost once the session has begun comes again. The session stays on its connection.
func TestATurnThatComesAgainOpensNoOtherConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.configure(t, func(c *discord.Config) {
		c.Shared, c.Turns = true, func(ctx context.Context, _ string, run func(ctx context.Context) error) error {
			_ = run(ctx)
			return run(ctx)
		}
	})
	w.adapter.SessionsApart(0)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.adapter.Run(ctx, handler(nil)) }()
	w.Until("the session has begun, and the bot is ready", func() bool { return w.Connected() == 1 && w.adapter.Ready() == nil })
	if w.Sessions() != 1 || w.Resumed() != 0 {
		t.Errorf("%d sessions, which were resumed %d times", w.Sessions(), w.Resumed())
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestTheOldConnectionsCountWhileTheNumberChanges lets the sessions of a larger number wait for their turn. Those of the number
// before still hear everything, so the process is ready.
func TestTheOldConnectionsCountWhileTheNumberChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var number atomic.Int32
	number.Store(1)
	waits := make(chan struct{}, 2)
	w.configure(t, func(c *discord.Config) {
		c.Agree = func(context.Context, string, func(int) int) (int, error) { return int(number.Load()), nil }
		c.Turns = func(ctx context.Context, _ string, _ func(ctx context.Context) error) error {
			waits <- struct{}{}
			<-ctx.Done()
			return nil
		}
	})
	w.adapter.SessionsApart(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.adapter.Run(ctx, handler(nil)) }()
	w.Until("one shard", func() bool { return w.Connected() == 1 && w.adapter.Ready() == nil })
	number.Store(2)
	<-waits
	if err := w.adapter.Ready(); err != nil || w.Connected() != 1 {
		t.Errorf("during the change: %v, with %d connections", err, w.Connected())
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// apart is how long after one another sessions begin.
const apart = 300 * time.Millisecond

// share runs a process that shares the store, and returns a function that stops it.
func (w *world) share(t *testing.T, kept store.Store) (stop func()) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(w.log, nil))
	w.configure(t, func(c *discord.Config) {
		c.Log, c.Eager, c.Shared, c.Election, c.Agree = log, true, true, work.Elect(kept, log), work.Agree(kept)
	})
	w.Apart(apart)
	a := w.adapter
	a.SessionsApart(apart)
	b := bot.New(bot.Config{
		Store: kept, Platforms: []chat.Platform{a}, Log: log, Worlds: 10,
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return ai.Think("easy", v) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = b.Run(ctx) })
	parts.Go(func() { _ = a.Run(ctx, b) })
	return sync.OnceFunc(func() {
		cancel()
		parts.Wait()
	})
}

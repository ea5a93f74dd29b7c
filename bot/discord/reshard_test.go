package discord_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store/storetest"
)

// TestManyShardsBeginWithinTheLimitOfAllRequests starts more shards at once than the bot may make requests in a second.
// Those that are held back come back as soon as there is room. None of them asks for the gateway twice, or wastes a turn.
func TestManyShardsBeginWithinTheLimitOfAllRequests(t *testing.T) {
	clock.Waits(t)
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
	if n := w.calls("GET /gateway/bot"); n != 1+shards {
		t.Errorf("%d shards asked %d times for the gateway", shards, n)
	}
	if log := w.log.String(); strings.Contains(log, "again_in") {
		t.Errorf("a shard backed off:\n%s", log)
	}
}

// TestShardsAreDoubled goes from 16 shards to 32 while people play: a second process begins the sessions of 32 shards beside
// those of the first, which ends when all of them are there. For a while, each press arrives twice. Every press is
// answered, no message comes twice, and no two sessions of a group begin too close together.
func TestShardsAreDoubled(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
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

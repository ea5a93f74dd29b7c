package discord_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store/storetest"
)

// The bot goes from 16 shards to 32 while people play: a second process begins the sessions of 32 shards beside those of the first,
// which ends when all of them are there. For a while, each press arrives twice. Every press is answered, no message
// comes twice, and the sessions of a group begin five seconds apart, or the test's Discord fails the test.
func TestShardsAreDoubled(t *testing.T) {
	t.Parallel()
	if !bottest.Long() {
		t.Skip("sessions begin five seconds apart: it runs with SEDMABOT_TEST_LONG=1")
	}
	w := newWorld(t)
	w.Server.Shards(16, 16)
	kept := storetest.NewMemory()
	defer kept.Close()
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	process := func(shards int) (stop func()) {
		a, err := discord.New(discord.Config{
			Commands: bot.Commands(), Easel: easel, Token: w.Token(), APIBase: w.URL(), Log: log, Eager: true, Shared: true,
			Shards: shards, Election: work.Elect(kept, log), Exchange: work.Exchange(kept),
		})
		if err != nil {
			t.Fatal(err)
		}
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
	w.playOut(people, func() bool { return len(w.ann.Sees(w.ann.DM())) > 0 })

	second := process(32)
	defer second()
	begun := time.Now()
	w.playOut(people, func() bool { return w.Connected() == 16+32 || w.ended(w.ann, w.channel) })
	w.Until("48 sessions", func() bool { return w.Connected() == 16+32 })
	t.Logf("48 sessions after %v", time.Since(begun).Round(time.Second))
	played := w.calls("POST /interactions/")
	w.playOut(people, func() bool { return w.calls("POST /interactions/") > played+20 || w.ended(w.ann, w.channel) })
	first()
	w.Until("only 32 are left", func() bool { return w.Connected() == 32 })
	w.playOut(people, func() bool { return w.ended(w.ann, w.channel) })

	tables := 0
	for _, m := range w.ann.Sees(w.channel) {
		if strings.Contains(m.Text, "the match is over") {
			tables++
		}
	}
	if tables != 1 {
		t.Errorf("%d results", tables)
	}
	if late := w.Limited(); len(late) > 0 {
		t.Errorf("%d requests too many: %v", len(late), late)
	}
}

package discord_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store/storetest"
)

// TestARepeatAnswersNothing lets two processes get each interaction. The second gets it when the first has made the change, and
// is done before the first answers. People read the first one's answer.
func TestARepeatAnswersNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kept := storetest.NewMemory()
	defer kept.Close()
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	process := func() (*discord.Adapter, *bot.Bot) {
		w.configure(t, func(c *discord.Config) { c.Log, c.Eager, c.Shared = log, true, true })
		w.adapter.Patient()
		return w.adapter, bot.New(bot.Config{
			Store: kept, Platforms: []chat.Platform{w.adapter}, Log: log, Worlds: 10,
			Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return ai.Think("easy", v) },
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	defer parts.Wait()
	defer cancel()
	var between func() // what happens between the first process's change and its answer
	first, b := process()
	parts.Go(func() { _ = b.Run(ctx) })
	parts.Go(func() {
		_ = first.Run(ctx, handler(func(ctx context.Context, in chat.Input) chat.Reply {
			reply := b.Handle(ctx, in)
			if in.Presence == 0 && between != nil {
				between()
			}
			return reply
		}))
	})
	w.Until("the first is connected", func() bool { return w.Connected() == 1 && len(w.Commands()) > 0 })
	second, b2 := process()
	twice := func(does func() *discordtest.Interaction) (discordtest.Message, bool) {
		t.Helper()
		changed, got := make(chan struct{}), make(chan chat.Reply, 1)
		ctx, stop := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = second.Run(ctx, handler(func(ctx context.Context, in chat.Input) chat.Reply {
				if in.Presence != 0 {
					return chat.Reply{}
				}
				<-changed
				reply := b2.Handle(ctx, in)
				got <- reply
				return reply
			}))
		}()
		w.Until("both are connected", func() bool { return w.Connected() == 2 })
		between = func() { // nothing else is pressed meanwhile
			close(changed)
			if reply := <-got; !reply.Repeat {
				t.Errorf("the second says %q", reply.Toast)
			}
			stop()
			<-ended
		}
		m, ok := does().Wait()
		between = nil
		w.Until("the second is gone", func() bool { return w.Connected() == 1 })
		return m, ok
	}
	if m, ok := twice(func() *discordtest.Interaction { return w.ann.Slash(w.channel, "new", map[string]any{"players": 4}) }); !ok || m.Text == "✓" {
		t.Errorf("who opens a table reads %q", m.Text)
	}
	lobby := w.shows(w.bob, w.channel, "who plays?")
	want, _ := w.bob.Click(lobby, "Join").Wait()
	cat := w.NewPerson("Cat")
	if m, _ := twice(func() *discordtest.Interaction { return cat.Click(lobby, "Join") }); m.Text != want.Text && m.Text != "" { // on a busy machine, only the table shows it
		t.Errorf("who joins reads %q and not %q", m.Text, want.Text)
	}
	lobby = w.shows(w.ann, w.channel, "Cat")
	if m, _ := twice(func() *discordtest.Interaction { return w.ann.Click(lobby, "Start") }); !strings.Contains(m.Text, "Ann + Cat") && m.Text != "" {
		t.Errorf("who starts the match reads %q", m.Text)
	}
}

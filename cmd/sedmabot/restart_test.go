package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// A bot that crashes again and again during a deal must still play it to its end. Committed changes must be kept, and
// the rest must be done again.
func TestCutOffAndMadeAnew(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		kept, err := boltstore.Open(filepath.Join(t.TempDir(), "sedmabot.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Close()
		p, err := playground.New(playground.Config{Commands: bot.Commands()})
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		shell := restartable{store: kept, make: func(s store.Store) *bot.Bot {
			made++
			return bot.New(bot.Config{
				Store: s, Platforms: []chat.Platform{p}, Pace: time.Second, Log: slog.New(slog.DiscardHandler),
				Worlds: 20, Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
					return ai.Beginner.Try(context.Background(), v, 0, 0)
				},
			})
		}}
		shell.renew()
		ctx, stop := context.WithCancel(t.Context())
		var parts sync.WaitGroup
		defer parts.Wait()
		defer stop()
		parts.Go(func() { _ = shell.run(ctx) })
		parts.Go(func() { _ = p.Run(ctx, &shell) })

		if _, err := p.Command(t.Context(), playground.Ann, playground.Channel, "/new 2"); err != nil {
			t.Fatal(err)
		}
		press := func(m playground.Message, label string) {
			if _, err := p.Press(t.Context(), playground.Ann, m, label); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		lobby, ok := p.Offering(playground.Ann, "Start")
		if !ok {
			t.Fatal("there is no lobby")
		}
		press(lobby, "Start")

		crashes := 0
		for range 2000 {
			time.Sleep(time.Second)
			channel := p.Channel()
			if slices.ContainsFunc(channel, func(m playground.Message) bool {
				text := m.Screen.String()
				return strings.Contains(text, "deal 2") || strings.Contains(text, "the match is over") // a sweep ends a match to three
			}) {
				if crashes < 3 {
					t.Errorf("%d crashes", crashes)
				}
				return
			}
			m, label := playable(p)
			shell.mu.Lock()
			restarted := made > crashes // the bot has restarted since the last crash
			shell.mu.Unlock()
			if label == "" || !restarted {
				continue
			}
			shell.crash() // followed at once by a press, which the old or the new bot gets
			crashes++
			press(m, label)
			synctest.Wait()
		}
		t.Errorf("the deal did not end; the channel shows %v", p.Channel())
	})
}

// playable returns Ann's newest message with a card to play, and that button's label.
func playable(p *playground.Playground) (playground.Message, string) {
	all := p.Direct(playground.Ann)
	if len(all) == 0 {
		return playground.Message{}, ""
	}
	m := all[len(all)-1]
	for _, row := range m.Screen.Rows {
		for _, b := range row {
			if press, err := view.ParsePress(b.Press); err == nil && press.Action == view.ActPlay && !b.Off {
				return m, b.Label
			}
		}
	}
	return m, ""
}

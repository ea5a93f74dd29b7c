package bottest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/telegram"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store/boltstore"
)

// pauseOf returns the pause before the table's next move, which nobody can know before the deal is over: the deal's
// secret seed decides it (game/RULES.md, Forced stop).
func pauseOf(t table.Table) time.Duration { return t.Due().Sub(t.Since) }

// apart returns how well a value tells which of two samples it is from: the largest difference between their
// distribution functions (Kolmogorov and Smirnov). 0 means not at all, and 1 means without an error.
func apart(a, b []time.Duration) (most float64) {
	below := func(all []time.Duration, limit time.Duration) float64 {
		n := 0
		for _, d := range all {
			if d <= limit {
				n++
			}
		}
		return float64(n) / float64(len(all))
	}
	for _, limit := range slices.Concat(a, b) {
		most = max(most, below(a, limit)-below(b, limit), below(b, limit)-below(a, limit))
	}
	return most
}

// The time at which the AI's stop appears in the channel must not tell whether the AI had a choice. A choice takes time
// to think. The test knows each deal's secret pauses, and looks at the rest of the time. So it sees more than any player.
func TestTheTimeOfAStopTellsNothing(t *testing.T) {
	t.Parallel()
	clocktest.Unraced(t)
	quiet := slog.New(slog.DiscardHandler)
	think := func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
		time.Sleep(time.Duration(50+len(v.Log)*13%350) * time.Millisecond)
		return ai.Beginner.Try(context.Background(), v, 0, 0)
	}
	for _, platform := range []string{"discord", "telegram"} {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(InMemory(t), "forced.db")
			synctest.Test(t, func(t *testing.T) {
				server := &loader{places: map[string]*load{}, files: map[[32]byte]int{}, released: make(chan struct{})}
				file, err := boltstore.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				client := &http.Client{Transport: server}
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				var p chat.Platform
				channel, home := "-1000", "-1000"
				if platform == "discord" {
					channel, home = "4", "3"
					p, err = discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: "x", HTTP: client, Log: quiet})
				} else {
					p, err = telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: "1:AAx", HTTP: client, Log: quiet})
				}
				if err != nil {
					t.Fatal(err)
				}
				deals := byte(0)
				seed := func() table.Seed { deals++; return table.Seed{23, deals} }
				b := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{p}, Think: think, Log: quiet, Pace: 6 * time.Second, Seed: seed})
				if platform == "telegram" {
					running.Go(func() { _ = p.Run(ctx, b) })
				}
				running.Go(func() { _ = b.Run(ctx) })
				defer running.Wait()
				defer stop()
				defer close(server.released)
				time.Sleep(2 * time.Second)

				do := func(command, press string) {
					in := chat.Input{
						Player: chat.Player{ID: platform + ":11", Name: "Ann", Lang: "en"},
						Chat:   chat.Chat{ID: platform + ":" + channel, Home: platform + ":" + home}, Command: command, Press: press,
					}
					if command == "new" {
						in.Args = map[string]string{"players": "2"}
					}
					b.Handle(ctx, in)
					time.Sleep(10 * time.Millisecond)
				}
				do("new", "")
				do("start", "")
				var forced, free []time.Duration
				for len(forced) < 20 || len(free) < 20 {
					tb := town.OnlyTable(t, file)
					switch turn := tb.Public().Turn; {
					case tb.Phase == table.Over:
						do("", view.Press{Action: view.ActRematch, Table: tb.ID}.String())
					case tb.Phase != table.Playing:
						time.Sleep(time.Second)
					case turn == 0 && !tb.Deal.Forced():
						v := tb.Deal.View(0)
						do("", view.Press{Action: view.ActPlay, Table: tb.ID, Deal: tb.DealNo, Turn: v.Decisions[0], Move: ai.Beginner.Try(context.Background(), v, 0, 0)}.String())
					default:
						next := tb
						time.Sleep(time.Until(tb.Due()) - 10*time.Millisecond)
						for next.Deal.Plies() == tb.Deal.Plies() && next.DealNo == tb.DealNo && next.Phase == table.Playing {
							time.Sleep(10 * time.Millisecond)
							next = town.OnlyTable(t, file)
						}
						time.Sleep(time.Second)
						at := server.after(channel, next.Since)
						if at.IsZero() || turn == 0 || !slices.Contains(tb.Deal.View(turn).Legal, game.Stop) {
							continue
						}
						rest := at.Sub(tb.Since) - pauseOf(tb)
						if tb.Deal.Forced() {
							forced = append(forced, rest.Round(5*time.Millisecond))
						} else {
							free = append(free, rest.Round(5*time.Millisecond))
						}
					}
				}
				if d := apart(forced, free); d > 0.4 { // with 20 of each, two samples of one distribution seldom differ more
					t.Errorf("the time tells a forced stop from a chosen one (%.2f): %v after the pause, and %v", d, slices.MaxFunc(forced, cmp.Compare), slices.MaxFunc(free, cmp.Compare))
				}
			})
		})
	}
}

package ai_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/ai/arena"
	"sedmabot/game/gametest"
)

var (
	measure = flag.String("measure", "", "player:player, who meet in these presets, with commas between")
	presets = flag.String("presets", "sedma-4p,sedma-2p", "where they meet")
	pairs   = flag.Int("pairs", 300, "decks that they play from both sides")
	tables  = flag.Int("tables", 0, "so many tables at once, to see how long a move takes")
	from    = flag.Uint64("from", 1, "seed of the decks")
	keep    = flag.String("keep", "", "folder for the results of each deck; those that are there aren't played again")

	thinkers = flag.Int("thinkers", max(1, runtime.GOMAXPROCS(0)/2), "so many of the tables think at once: the bot's own number")
)

// player returns the player of that name: a level, a player that only the tests have, or a thinker with its own
// settings. A suffix "@FILE" gives it the policy of a file.
func player(name, preset string) arena.Player {
	name, file, _ := strings.Cut(name, "@")
	brain := ai.Learned(file, preset)
	switch name {
	case "greedy":
		return func(s game.State) (game.Move, error) { return ai.Greedy(s.View(s.Turn())), nil }
	case "sampler":
		return func(s game.State) (game.Move, error) { return ai.Sampler(context.Background(), s.View(s.Turn())), nil }
	case "random":
		return ai.Random
	case "policy":
		return brain.Policy
	case "cheat":
		return brain.Cheat
	}
	if level, settings, ok := strings.Cut(name, "~"); ok {
		return ai.Tuned(level, settings)
	}
	if strings.Contains(name, "/") {
		var worlds, draws, tricks int
		var doubt float64
		if _, err := fmt.Sscanf(name, "%d/%d/%f/%d", &worlds, &draws, &doubt, &tricks); err != nil {
			panic(err)
		}
		return brain.Thinker(worlds, draws, doubt, tricks)
	}
	return func(s game.State) (game.Move, error) { return ai.Think(name, s.View(s.Turn())), nil }
}

// TestMeasure prints how the tests' own players do against others.
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("only with -measure")
	}
	for _, who := range strings.Split(*measure, ",") {
		a, b, _ := strings.Cut(who, ":")
		for _, name := range strings.Split(*presets, ",") {
			r := gametest.Preset(t, name)
			report, err := met(t, who, r, player(a, name), player(b, name))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-10s %-8s %-22s %+.3f ± %.3f stakes, %+.2f score; %.2f ms, p99 %.2f", a, b, name,
				report.Stakes.Mean, report.Stakes.Width, report.Score.Mean, report.A.Mean, report.A.P99)
		}
	}
}

// met lets the players meet. With -keep, it continues a meeting that was interrupted.
func met(t *testing.T, who string, r game.Rules, a, b arena.Player) (arena.Report, error) {
	if *keep == "" {
		return arena.Play(t.Context(), r, a, b, *pairs, *from)
	}
	what := fmt.Sprintf("%s %s %d", who, r.Preset, *from)
	file := strings.NewReplacer("/", "-", ":", "-", " ", "-").Replace(what) + ".jsonl"
	f, err := os.OpenFile(filepath.Join(*keep, file), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return arena.Report{}, err
	}
	defer f.Close()
	return arena.Keep(t.Context(), f, what, r, a, b, *pairs, *from)
}

// TestThinkingTime plays at many tables at once. All seats think without a pause, and take turns like the bot's tables.
func TestThinkingTime(t *testing.T) {
	if *tables == 0 {
		t.Skip("only with -tables")
	}
	for _, name := range strings.Split(*presets, ",") {
		r := gametest.Preset(t, name)
		reports := make([]arena.Report, *tables)
		turns := ai.NewTurns(*thinkers)
		done := make(chan struct{})
		late := make(chan []time.Duration)
		go func() { late <- wakes(done) }()
		var group sync.WaitGroup
		for i := range reports {
			group.Go(func() {
				hard := func(s game.State) (move game.Move, err error) {
					err = turns.Take(t.Context(), time.Minute, func(ctx context.Context) {
						move = ai.Choose(ctx, "hard", s.View(s.Turn()), game.Match{}).Move
					})
					return move, err
				}
				report, err := arena.Play(t.Context(), r, hard, hard, *pairs, uint64(i))
				if err != nil {
					t.Error(err)
				}
				reports[i] = report
			})
		}
		group.Wait()
		close(done)
		delays := <-late
		worst, mean, moves := 0.0, 0.0, 0
		for _, report := range reports {
			worst = max(worst, report.A.P99)
			mean += report.A.Mean / float64(*tables)
			moves += report.A.Moves + report.B.Moves
		}
		t.Logf("%-22s %d tables, %d at once: %.1f ms a move, p99 %.1f ms at the slowest table; %d moves", name, *tables, *thinkers, mean, worst, moves)
		t.Logf("what else there is to do begins late by %v, p99 %v", delays[len(delays)/2], delays[len(delays)*99/100])
	}
}

// wakes wakes up every few milliseconds until done, like a bot that handles presses. It returns by how much it was late
// each time, sorted.
func wakes(done chan struct{}) []time.Duration {
	const every = 3 * time.Millisecond
	late := []time.Duration{}
	for {
		next := time.Now().Add(every)
		select {
		case <-done:
			slices.Sort(late)
			return append(late, 0)[:max(1, len(late))]
		case <-time.After(every):
			late = append(late, time.Since(next))
		}
	}
}

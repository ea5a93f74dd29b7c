package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"sedmabot/game"
	"sedmabot/game/puzzle"
)

// puzzles implements `sedmabot puzzles`. NAMES are presets, separated by commas, which take turns. Each puzzle is added to the
// file as soon as it is found.
func puzzles(ctx context.Context, l *line) error {
	flags := l.flags()
	n := flags.Int("n", 80, "")
	seed := flags.Uint64("seed", 1, "")
	names := flags.String("rules", "sedma-4p,sedma-2p,sedma-4p,sedma-3p", "")
	theme := flags.String("theme", "", "")
	lessons := flags.Bool("lessons", false, "")
	file := flags.String("out", "", "")
	if _, err := l.parse(flags); err != nil {
		return err
	}
	if *n < 1 {
		return l.misused("--n is at least 1, not %d", *n)
	}
	var games []game.Rules
	for name := range strings.SplitSeq(*names, ",") {
		r, err := game.Preset(name)
		if err != nil {
			return err
		}
		if !puzzle.Fits(r) {
			return l.misused("%s isn't scored in stakes", name)
		}
		games = append(games, r)
	}
	var out io.Writer = l.stdout
	if *file != "" {
		f, err := os.Create(*file)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	begun := time.Now()
	var deals int
	var err error
	if *lessons {
		deals, err = puzzle.MakeLessons(ctx, games[0], *seed, out)
	} else {
		deals, err = puzzle.Make(ctx, games, puzzle.Theme(*theme), *n, *seed, out)
	}
	if err != nil {
		return fmt.Errorf("puzzles: %w", err)
	}
	_, err = fmt.Fprintf(l.stderr, "made from %d deals in %s\n", deals, time.Since(begun).Round(time.Second))
	return err
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/ai/arena"
)

// engine implements `sedmabot engine [--level L] [--ms N]`.
func engine(ctx context.Context, l *line) error {
	flags := l.flags()
	level := flags.String("level", ai.Levels[len(ai.Levels)-1], "")
	ms := flags.Uint("ms", 0, "")
	if _, err := l.parse(flags); err != nil {
		return err
	}
	return arena.Engine(ctx, *level, time.Duration(*ms)*time.Millisecond, l.stdin, l.stdout)
}

// compete implements `sedmabot arena`. It plays every deck from both sides and prints how a did against b. A SPEC is a level,
// a yardstick ("greedy" or "sampler"), or exec:COMMAND for a program that speaks the engine protocol. The shell starts that
// program. With --keep, the results are written to a file and a meeting can be continued: see [arena.Keep]. With --list, it
// plays nothing and prints the decks.
func compete(ctx context.Context, l *line) error {
	flags := l.flags()
	a := flags.String("a", ai.Levels[len(ai.Levels)-1], "")
	b := flags.String("b", ai.Levels[0], "")
	name := flags.String("rules", "sedma-4p", "")
	decks := flags.Int("decks", 300, "")
	flags.IntVar(decks, "deals", *decks, "") // the option's earlier name
	seed := flags.Uint64("seed", 1, "")
	keep := flags.String("keep", "", "")
	list := flags.Bool("list", false, "")
	if _, err := l.parse(flags); err != nil {
		return err
	}
	if *decks < 1 {
		return l.misused("--decks is at least 1, not %d", *decks)
	}
	rules, err := game.Preset(*name)
	if err != nil {
		return err
	}
	if *list {
		return arena.WriteDecks(l.stdout, rules, *decks, *seed)
	}
	var players [2]arena.Player
	for i, spec := range []string{*a, *b} {
		p, stop, err := competitor(ctx, spec, l.stderr)
		if err != nil {
			return err
		}
		defer stop()
		players[i] = p
	}
	var r arena.Report
	if *keep == "" {
		r, err = arena.Play(ctx, rules, players[0], players[1], *decks, *seed)
	} else {
		var f *os.File
		if f, err = os.OpenFile(*keep, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
			return fmt.Errorf("keep the results: %w", err)
		}
		defer f.Close()
		what := fmt.Sprintf("%s against %s in %s, seed %d", *a, *b, *name, *seed)
		r, err = arena.Keep(ctx, f, what, rules, players[0], players[1], *decks, *seed)
	}
	if err != nil {
		return fmt.Errorf("arena: %w", err)
	}
	_, err = fmt.Fprintf(l.stdout, `%s against %s in %s: %d decks, %d deals, seed %d
score   %+.3f ± %.3f a deal (95 %%)
stakes  %+.3f ± %.3f a deal (95 %%)
time    %s: %d moves, %.2f ms in the mean, p99 %.2f ms
        %s: %d moves, %.2f ms in the mean, p99 %.2f ms
`, *a, *b, *name, r.Decks, r.Deals, *seed,
		r.Score.Mean, r.Score.Width, r.Stakes.Mean, r.Stakes.Width,
		*a, r.A.Moves, r.A.Mean, r.A.P99, *b, r.B.Moves, r.B.Mean, r.B.P99)
	return err
}

// competitor returns the player that the SPEC names, and a function that stops it.
func competitor(ctx context.Context, spec string, stderr io.Writer) (p arena.Player, stop func(), err error) {
	command, ok := strings.CutPrefix(spec, "exec:")
	if !ok {
		p, err = arena.Named(ctx, spec)
		return p, func() {}, err
	}
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Stderr, c.WaitDelay = stderr, time.Second
	in, err := c.StdinPipe()
	if err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", command, err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", command, err)
	}
	if err := c.Start(); err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", command, err)
	}
	return arena.Program(in, out), func() {
		_ = in.Close() // the program may have exited already
		_ = c.Wait()   // the exit status doesn't matter
	}, nil
}

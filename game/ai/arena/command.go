package arena

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// Command runs `sedmabot arena --a SPEC --b SPEC --rules NAME --decks N --seed S [--keep FILE] [--list]`. It plays every
// deck from both sides and prints how a did against b. A SPEC is a level, a yardstick ("greedy" or "sampler"), or
// exec:COMMAND for a program that speaks the engine protocol. The shell starts that program. With --keep, the results
// are written to a file and a meeting can be continued: see [Keep]. With --list, it plays nothing and prints the decks:
// the number, the seat that deals, and the cards, the first to be dealt first.
func Command(ctx context.Context, args []string, out, stderr io.Writer) error {
	flags := flag.NewFlagSet("arena", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	levels := ai.Levels
	a := flags.String("a", levels[len(levels)-1], "")
	b := flags.String("b", levels[0], "")
	name := flags.String("rules", "sedma-4p", "")
	decks := flags.Int("decks", 300, "")
	flags.IntVar(decks, "deals", *decks, "") // the option's earlier name
	seed := flags.Uint64("seed", 1, "")
	keep := flags.String("keep", "", "")
	list := flags.Bool("list", false, "")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("arena: %w", err)
	}
	if flags.NArg() > 0 || *decks < 1 {
		return fmt.Errorf("arena takes --a SPEC --b SPEC --rules NAME --decks N --seed S [--keep FILE] [--list], not %.60q", args)
	}
	rules, err := game.Preset(*name)
	if err != nil {
		return err
	}
	if *list {
		return printDecks(out, rules, *decks, *seed)
	}
	var players [2]Player
	for i, spec := range []string{*a, *b} {
		p, done, err := playerOf(ctx, spec, stderr)
		if err != nil {
			return err
		}
		defer done()
		players[i] = p
	}
	var r Report
	if *keep == "" {
		r, err = Play(ctx, rules, players[0], players[1], *decks, *seed)
	} else {
		what := fmt.Sprintf("%s against %s in %s, seed %d", *a, *b, *name, *seed)
		r, err = Keep(ctx, *keep, what, rules, players[0], players[1], *decks, *seed)
	}
	if err != nil {
		return fmt.Errorf("arena: %w", err)
	}
	_, err = fmt.Fprintf(out, `%s against %s in %s: %d decks, %d deals, seed %d
score   %+.3f ± %.3f a deal (95 %%)
stakes  %+.3f ± %.3f a deal (95 %%)
time    %s: %d moves, %.2f ms in the mean, p99 %.2f ms
        %s: %d moves, %.2f ms in the mean, p99 %.2f ms
`, *a, *b, *name, r.Decks, r.Deals, *seed,
		r.Score.Mean, r.Score.Width, r.Stakes.Mean, r.Stakes.Width,
		*a, r.A.Moves, r.A.Mean, r.A.P99, *b, r.B.Moves, r.B.Mean, r.B.P99)
	return err
}

// printDecks prints the decks that follow from the seed.
func printDecks(out io.Writer, r game.Rules, decks int, seed uint64) error {
	lines := bufio.NewWriter(out)
	for no := range decks {
		cards, dealer := deckOf(r, no, seed)
		fmt.Fprintf(lines, "%d %d", no, dealer)
		for _, c := range cards {
			fmt.Fprintf(lines, " %s", c)
		}
		fmt.Fprintln(lines)
	}
	return lines.Flush() // it also reports an error of the lines before
}

// playerOf returns the player that the SPEC names, and a function that stops it.
func playerOf(ctx context.Context, spec string, stderr io.Writer) (Player, func(), error) {
	switch spec {
	case "greedy":
		return func(s game.State) (game.Move, error) { return ai.Greedy(s.View(s.Turn())), nil }, func() {}, nil
	case "sampler":
		return func(s game.State) (game.Move, error) { return ai.Sampler(ctx, s.View(s.Turn())), nil }, func() {}, nil
	}
	command, ok := strings.CutPrefix(spec, "exec:")
	if !ok {
		if err := checkLevel(spec); err != nil {
			return nil, nil, err
		}
		return func(s game.State) (game.Move, error) {
			return ai.Choose(ctx, spec, s.View(s.Turn()), game.Match{}).Move, nil
		}, func() {}, nil
	}
	if strings.TrimSpace(command) == "" {
		return nil, nil, errors.New("exec: needs a command")
	}
	p, err := start(ctx, command, stderr)
	if err != nil {
		return nil, nil, err
	}
	return p.choose, p.stop, nil
}

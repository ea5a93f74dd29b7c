package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// errBoards reports that the boards differ from the records. boards check prints their numbers first.
var errBoards = errors.New("the boards don't match the records: stop the bot and run boards rebuild")

// boardsCommand implements `sedmabot boards check` and `sedmabot boards rebuild`.
// It computes ratings, statistics and boards again from the records of matches,
// then compares or corrects the stored ones. The bot must not run meanwhile.
func boardsCommand(ctx context.Context, c Config, rebuild bool, out io.Writer) (err error) {
	if c.Store.RedisURL.Reveal() == "" {
		if _, err := os.Stat(c.Store.Path); err != nil {
			return fmt.Errorf("there are no boards: name the bot's data file: store.path: %w", err)
		}
	}
	kept, err := openStore(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	var a upkeep.Accounts
	if rebuild {
		a, err = upkeep.RebuildBoards(ctx, kept, timeOf(kept))
	} else {
		a, err = upkeep.CheckBoards(ctx, kept)
	}
	switch {
	case err != nil && c.Store.RedisURL.Reveal() != "":
		return err
	case errors.Is(err, store.ErrDamaged): // such an error names the file
		return advised(c.Store.Path, err)
	case err != nil:
		return fmt.Errorf("the data file %s: %w", c.Store.Path, err)
	}
	var report strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(a.Wrong)) {
		fmt.Fprintf(&report, "%s: %d\n", kind, a.Wrong[kind])
	}
	fmt.Fprintf(&report, "%d homes, %d matches (%d of them played again from their records), %d members, %d board rows\n", a.Homes, a.Matches, a.Replayed, a.Members, a.Rows)
	if a.Waiting > 0 {
		fmt.Fprintf(&report, "%d matches are not on the boards over all homes yet: the bot adds them when it runs\n", a.Waiting)
	}
	switch {
	case a.Homes+a.Matches+a.Members+a.Rows == 0:
		report.WriteString("the store has no results: if you expected some, name the bot's store\n")
	case len(a.Wrong) == 0:
		report.WriteString("everything matches the records\n")
	case rebuild:
		report.WriteString("the boards are corrected\n")
	default:
		report.WriteString("to see each difference, make a backup before and after boards rebuild, and compare the two files; show them to nobody: they have names and hands\n")
	}
	if _, err := io.WriteString(out, report.String()); err != nil {
		return err
	}
	if len(a.Wrong) > 0 && !rebuild {
		return errBoards
	}
	return nil
}

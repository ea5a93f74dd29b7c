package bot

import (
	"context"
	"errors"
	"runtime"
	"time"

	"sedmabot/game"
	"sedmabot/game/table"
)

// Think is the AI: it chooses a move for a seat with what that seat may know, and
// the match as it stood before the deal. When ctx ends it chooses at once.
type Think func(ctx context.Context, level string, v game.View, m game.Match) game.Move

// patience is how long work waits for its turn to think. What then still has none
// is put off behind all other work that is due.
const patience = 500 * time.Millisecond

// errCrowded: enough is being thought about in this process.
var errCrowded = errors.New("no room to think")

// thinkers is how many may think at once: at most half of the processor's cores,
// so that there always is one for presses.
func thinkers() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// thinking is f, which thinks, in its turn; errCrowded if that does not come soon.
func (b *Bot) thinking(ctx context.Context, f func()) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case b.room <- struct{}{}:
		defer func() { <-b.room }()
		f()
		return nil
	case <-timer.C:
		return errCrowded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// next is table.Advance; where the AI may have to move, in its turn to think.
func (b *Bot) next(ctx context.Context, t table.Table) (next table.Table, events []table.Event, err error) {
	advance := func() {
		next, events = table.Advance(t, b.env(), func(level string, v game.View, m game.Match) game.Move {
			return b.think(ctx, level, v, m)
		})
	}
	if t.Phase != table.Playing {
		advance()
		return next, events, nil
	}
	return next, events, b.thinking(ctx, advance)
}

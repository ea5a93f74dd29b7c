package bot

import (
	"context"
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

// thinkers is how many may think at once: at most half of the processor's cores,
// so that there always is one for presses.
func thinkers() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// thinking is f, which thinks, in its turn; ai.ErrCrowded if that does not come soon.
// What f is given ends early where others wait; what must not be thought about
// less for that keeps to ctx.
func (b *Bot) thinking(ctx context.Context, f func(ctx context.Context)) error {
	return b.turns.Take(ctx, patience, f)
}

// next is table.Advance, where each move of the AI is thought about in its turn.
func (b *Bot) next(ctx context.Context, t table.Table) (table.Table, []table.Event, error) {
	var failed error
	next, events := table.Advance(t, b.env(), func(level string, v game.View, m game.Match) game.Move {
		move := v.Legal[0]
		if failed == nil {
			failed = b.thinking(ctx, func(share context.Context) {
				if t.Daily != nil {
					share = ctx // the same thoughts for everybody
				}
				move = b.think(share, level, v, m)
			})
		}
		return move
	})
	if failed != nil {
		return t, nil, failed // nothing of that was thought about
	}
	return next, events, nil
}

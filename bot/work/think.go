package work

import (
	"context"
	"runtime"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// Think is the AI: it chooses a move for a seat with what that seat may know, and
// the match as it stood before the deal. When ctx ends it chooses at once.
type Think func(ctx context.Context, level string, v game.View, m game.Match) game.Move

// patience is how long work waits for its turn to think. What then still has none
// is put off behind all other work that is due.
const patience = 500 * time.Millisecond

// Thinkers are those who may think at once, in this process.
type Thinkers struct {
	Move   Think     // chooses the AI's moves
	Worlds int       // in which hints and the coach play each choice out
	Turns  *ai.Turns // who may think, and when
}

// NewThinkers returns as many thinkers as may think at once: at most half of the
// processor's cores, so that one is always left for presses.
func NewThinkers(move Think, worlds int) *Thinkers {
	return &Thinkers{Move: move, Worlds: worlds, Turns: ai.NewTurns(Most())}
}

// Most is how many may think at once.
func Most() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// Take runs f, which thinks, when it is its turn; the error is ai.ErrCrowded if that
// does not come soon. The context that f is given ends early where others wait: what
// must not be thought about less for that keeps to ctx.
func (t *Thinkers) Take(ctx context.Context, f func(ctx context.Context)) error {
	return t.Turns.Take(ctx, patience, f)
}

package work

import (
	"context"
	"runtime"
	"time"

	"sedmabot/bot/observe"
	"sedmabot/game"
	"sedmabot/game/ai"
)

// WhyTimeout is the timeout for finding the best move, and why it is better than another, while a person waits for it.
const WhyTimeout = 2 * time.Second

// Think is the AI. It chooses a move for a seat, given only that seat's view of the
// deal and the match before the deal. If ctx ends, it chooses at once.
type Think func(ctx context.Context, level string, v game.View, m game.Match) game.Move

// turnWait is how long a job waits for its turn to think. If it gets none by then, it
// is put off until after all other due jobs.
const turnWait = 500 * time.Millisecond

// Thinkers limits how many computations of the AI run at once in this process.
type Thinkers struct {
	Move   Think     // chooses the AI's moves
	Worlds int       // number of random worlds that hints and the coach simulate for each choice
	Turns  *ai.Turns // the turns of waiting computations
}

// NewThinkers returns Thinkers that allow MaxThinking computations at once. o may be nil.
func NewThinkers(move Think, worlds int, o *observe.Observer) *Thinkers {
	observed := func(ctx context.Context, level string, v game.View, m game.Match) game.Move {
		defer o.Thought(time.Now())
		return move(ctx, level, v, m)
	}
	return &Thinkers{Move: observed, Worlds: worlds, Turns: ai.NewTurns(MaxThinking())}
}

// MaxThinking returns how many computations may run at once: half of the processor's cores,
// so that some are left for presses, but at least one.
func MaxThinking() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// Take waits for a turn and runs f. If no turn comes soon, the error is ai.ErrCrowded.
// The context passed to f ends early if others are waiting. A computation that must not
// be shortened uses ctx instead.
func (t *Thinkers) Take(ctx context.Context, f func(ctx context.Context)) error {
	return t.Turns.Take(ctx, turnWait, f)
}

// Why returns why the best move of a view is better than another one. If there is no time for it, it returns no reason.
func (t *Thinkers) Why(ctx context.Context, v game.View, m game.Match, best, other game.Move) ai.Reason {
	ctx, cancel := context.WithTimeout(ctx, WhyTimeout)
	defer cancel()
	var why ai.Reason
	var err error
	if busy := t.Take(ctx, func(context.Context) { why, err = ai.Compare(ctx, v, m, t.Worlds, best, other) }); busy != nil || err != nil {
		return ai.Reason{}
	}
	return why
}

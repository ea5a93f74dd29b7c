package ai

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// ErrCrowded reports that too many others were waiting to think.
var ErrCrowded = errors.New("no room to think")

// round is the time that everybody who waits shares. The more wait, the less time each one has.
const round = 20 * time.Millisecond

// Turns limits how many searches run at once. They run in the order of their calls, and each has less time the more
// others wait.
type Turns struct {
	room    chan struct{} // semaphore: one element for each running search
	waiting atomic.Int64
}

// NewTurns returns a Turns that lets that many searches run at once, at least one.
func NewTurns(thinkers int) *Turns {
	return &Turns{room: make(chan struct{}, max(1, thinkers))}
}

// Take runs f, a search, when it is its turn. If that takes longer than wait, it returns ErrCrowded. The context of
// f ends when its share of the time is over. If nobody else waits, it is ctx itself.
func (t *Turns) Take(ctx context.Context, wait time.Duration, f func(ctx context.Context)) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	t.waiting.Add(1)
	select {
	case t.room <- struct{}{}:
		defer func() { <-t.room }()
	case <-timer.C:
		t.waiting.Add(-1)
		return ErrCrowded
	case <-ctx.Done():
		t.waiting.Add(-1)
		return ctx.Err()
	}
	if others := t.waiting.Add(-1); others > 0 {
		thinkers := int64(cap(t.room))
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, round*time.Duration(thinkers)/time.Duration(others+thinkers))
		defer cancel()
	}
	f(ctx)
	return nil
}

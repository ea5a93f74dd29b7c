package ai

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// ErrCrowded: the turn to think did not come in time.
var ErrCrowded = errors.New("no room to think")

// round is how long those who wait for a turn shall wait in all: as many as wait
// share it.
const round = 20 * time.Millisecond

// Turns lets a few think at once, in the order in which they came, and each the
// shorter the more wait.
type Turns struct {
	room    chan struct{} // holds one for each who thinks
	waiting atomic.Int64
}

// NewTurns lets so many think at once, at least one.
func NewTurns(thinkers int) *Turns {
	return &Turns{room: make(chan struct{}, max(1, thinkers))}
}

// Take does f, which thinks, in its turn; ErrCrowded if that does not come within
// patience. The context of f ends when its share of the time is over; while
// nobody waits, that is ctx itself.
func (t *Turns) Take(ctx context.Context, patience time.Duration, f func(ctx context.Context)) error {
	timer := time.NewTimer(patience)
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

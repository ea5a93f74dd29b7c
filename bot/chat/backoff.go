package chat

import (
	"context"
	"time"
)

// BackOff is an exponential backoff: the wait before a retry. It is First at first,
// then doubles each time, up to Max.
type BackOff struct{ First, Max time.Duration }

// After returns the wait that follows the last one. For the first wait, last is 0.
func (b BackOff) After(last time.Duration) time.Duration {
	return min(max(2*last, b.First), b.Max)
}

// Nth returns the n-th wait, counting from 0.
func (b BackOff) Nth(n int) time.Duration {
	wait := b.After(0)
	for ; n > 0 && wait < b.Max; n-- {
		wait = b.After(wait)
	}
	return wait
}

// Pause waits for d. It returns false if ctx ends first.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

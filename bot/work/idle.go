package work

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/game/ai"
)

// Budget of idle capacity.
const (
	idlePart = 10 // while somebody waits, idle computations get one part of a core in so many
	maxIdle  = 8  // how many callers may wait for idle capacity; each of them holds a worker
)

// Idle runs computations that nobody is in a hurry for, one at a time. While somebody
// waits for the bot, they take at most a tenth of one core: after a computation, Idle
// rests nine times as long as somebody waited during it. The zero value isn't usable.
type Idle struct {
	turn   chan struct{} // semaphore: holds an element while a computation runs or waits for the end of a rest
	queued atomic.Int64  // how many callers wait or compute
	rest   time.Time     // end of the rest; only for the holder of the turn

	mu      sync.Mutex
	waiting int           // how many presses and jobs are in progress
	since   time.Time     // since when there have been any
	waited  time.Duration // how long there were any, before since
}

// NewIdle returns an Idle.
func NewIdle() *Idle { return &Idle{turn: make(chan struct{}, 1)} }

// Begin reports that somebody waits for the bot from now on, until the matching End.
func (i *Idle) Begin() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting++; i.waiting == 1 {
		i.since = time.Now()
	}
}

// End reports that the press or the job of a Begin is finished.
func (i *Idle) End() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting--; i.waiting == 0 {
		i.waited += time.Since(i.since)
	}
}

// busy returns for how long in total somebody has waited for the bot.
func (i *Idle) busy() time.Duration {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting > 0 {
		return i.waited + time.Since(i.since)
	}
	return i.waited
}

// Take runs f when the budget allows it. If that takes too long, or too many others
// wait, the error is ai.ErrCrowded. f should take only a few milliseconds, because it
// isn't interrupted.
func (i *Idle) Take(ctx context.Context, f func()) error {
	defer i.queued.Add(-1)
	if i.queued.Add(1) > maxIdle {
		return ai.ErrCrowded
	}
	timer := time.NewTimer(turnWait)
	defer timer.Stop()
	select {
	case i.turn <- struct{}{}:
		defer func() { <-i.turn }()
	case <-timer.C:
		return ai.ErrCrowded
	case <-ctx.Done():
		return ctx.Err()
	}
	if rest := time.Until(i.rest); rest > turnWait {
		return ai.ErrCrowded
	} else if rest > 0 {
		timer.Reset(rest)
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	before := i.busy()
	f()
	i.rest = time.Now().Add((idlePart - 1) * (i.busy() - before))
	return nil
}

// Package clocktest measures time in tests that limit how long something may take. A [Clock] stops while the machine runs
// other programs, so a busy machine doesn't make a test fail. [AtOnce] is for tests that mostly wait.
package clocktest

import (
	"sync/atomic"
	"testing"
	"time"
)

// beat is how often a clock checks the time. A late beat counts as at most two.
const beat = 4 * time.Millisecond

// Clock measures the time in which this process was able to run. While an overloaded machine runs something else, the
// clock stops. On an idle machine it runs like any other.
type Clock struct{ passed atomic.Int64 }

// Start starts a clock, which runs until the test ends.
func Start(tb testing.TB) *Clock {
	c := &Clock{}
	end := make(chan struct{})
	go c.run(end)
	tb.Cleanup(func() { close(end) })
	return c
}

func (c *Clock) run(end <-chan struct{}) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-end:
			return
		case <-ticker.C:
			now := time.Now()
			c.tick(now.Sub(last))
			last = now
		}
	}
}

func (c *Clock) tick(d time.Duration) { c.passed.Add(int64(min(d, 2*beat))) }

// Now returns the time that has passed since the start.
func (c *Clock) Now() time.Duration { return time.Duration(c.passed.Load()) }

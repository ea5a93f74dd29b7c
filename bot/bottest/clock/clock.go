// Package clock measures time in tests that say how long something may take. It
// stands still while the machine does something else, so that a busy machine fails no test.
package clock

import (
	"sync/atomic"
	"testing"
	"time"
)

// beat is how often a clock looks at the time. A late beat counts as two at most.
const beat = 4 * time.Millisecond

// Clock measures the time in which this process could do something: while the
// machine does something else it stands still, so that nobody is blamed for a
// machine out of breath. On a quiet one it goes as any other.
type Clock struct{ passed atomic.Int64 }

// Start starts a clock, which goes until the test ends.
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

// Now is how much time has passed since the start.
func (c *Clock) Now() time.Duration { return time.Duration(c.passed.Load()) }

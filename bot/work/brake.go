package work

import (
	"sync"
	"time"
)

// brake lets a process rest that loses its leases to another one. Where clocks differ by more than a lease, each process
// takes the jobs that the other one is working on, and loses them again, hundreds of times a second. While one of them
// rests, the other one can finish. Each loss soon after a rest doubles the next rest, up to a lease.
type brake struct {
	mu    sync.Mutex
	last  time.Duration // the last rest
	until time.Time     // its end, by the time that passes, and not by the clock of jobs
}

// lost begins a rest, unless one lasts: several leases may be lost together.
func (b *brake) lost() {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	switch {
	case now.Before(b.until):
		return
	case now.Sub(b.until) > Lease:
		b.last = poll
	default:
		b.last = min(2*b.last, Lease)
	}
	b.until = now.Add(b.last)
}

// rest returns how much is left of a rest.
func (b *brake) rest() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Until(b.until)
}

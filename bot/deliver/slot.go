package deliver

import (
	"context"
	"sync/atomic"
	"time"

	"sedmabot/bot/work"
	"sedmabot/game/table"
)

// Limits on deliveries in progress.
const (
	maxDelivering = work.Workers * 3 / 4 // deliveries to one platform at once, and tables that deliver there at once
	maxWaiting    = 8 * work.Workers     // tables that wait for one platform
	otherWait     = time.Second / 2      // how long a table waits for a platform other than its own
	fullWait      = 2 * time.Second      // how long to put off deliveries that got no slot in time
)

// queue is the queue for one platform, of its tables and of its deliveries, in the order in which they came. So a table
// that changes all the time delays another by one round at most.
type queue struct {
	tables     chan struct{} // semaphore with one token for each table that is delivering
	deliveries chan struct{} // semaphore with one token for each delivery in progress
	waiting    atomic.Int64  // number of tables that wait
}

func newQueue() *queue {
	return &queue{tables: make(chan struct{}, maxDelivering), deliveries: make(chan struct{}, maxDelivering)}
}

// Slot is a table's permission to deliver to the platform of its own chat. The table waits much less for any other platform, so
// one that hangs doesn't hold up the tables of the others.
type Slot struct{ queue *queue }

// Begin takes a slot for the table if one is free. If it returns false, the table has to wait.
func (d *Deliverer) Begin(t table.Table) (slot *Slot, begun bool) {
	slot = &Slot{d.queues[Messages{Chats: t.Chats}.home()]}
	if slot.queue == nil {
		return slot, true // the platform is no longer configured
	}
	select {
	case slot.queue.tables <- struct{}{}:
		return slot, true
	default:
		return slot, false
	}
}

// Wait waits until a slot is free, but not longer than wait or until ctx ends. It reports whether the table got
// it. If not, later says how long to put the table off. The caller loads the table again, because somebody may have acted.
func (slot *Slot) Wait(ctx context.Context, wait time.Duration) (later time.Duration, begun bool) {
	if slot.queue.waiting.Add(1) > maxWaiting {
		slot.queue.waiting.Add(-1)
		return fullWait, false
	}
	defer slot.queue.waiting.Add(-1)
	return 0, take(ctx, slot.queue.tables, wait)
}

// End frees a slot that the table got. Only the first call counts.
func (slot *Slot) End() {
	if slot.queue != nil {
		<-slot.queue.tables
		slot.queue = nil
	}
}

// acquire waits until a delivery may begin, but not longer than wait or until ctx ends. It reports whether it may. The
// caller then calls release.
func (q *queue) acquire(ctx context.Context, wait time.Duration) bool {
	return take(ctx, q.deliveries, wait)
}

// release ends a delivery.
func (q *queue) release() { <-q.deliveries }

// take takes a token of a semaphore, and reports whether it got one in time.
func take(ctx context.Context, from chan struct{}, wait time.Duration) bool {
	select {
	case from <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case from <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

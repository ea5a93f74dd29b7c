package deliver

import (
	"context"
	"sync/atomic"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/work"
	"sedmabot/game/table"
)

// Limits on deliveries in progress.
const (
	inFlight   = work.Workers * 3 / 4 // deliveries to one platform at once, and tables that deliver there at once
	maxWaiting = 8 * work.Workers     // tables that wait for one platform
	abroad     = time.Second / 2      // how long a table waits for a platform other than its own
	crowded    = 2 * time.Second      // how long to put off deliveries that got no turn
)

// line is the queue for one platform, of its tables and of its deliveries, in the order in which they came. So a table
// that changes all the time delays another by one round at most.
type line struct {
	tables  chan struct{} // semaphore with one token for each table that is delivering
	flights chan struct{} // semaphore with one token for each delivery in progress
	waiting atomic.Int64  // number of tables that wait
}

func newLine() *line {
	return &line{tables: make(chan struct{}, inFlight), flights: make(chan struct{}, inFlight)}
}

// Turn is a table's turn to deliver to the platform of its own chat. The table waits much less for any other platform, so
// one that hangs doesn't hold up the tables of the others.
type Turn struct{ at *line }

// Begin begins the table's turn if nobody has to wait for one. If it returns false, the table has to wait too.
func (d *Deliverer) Begin(t table.Table) (turn *Turn, begun bool) {
	turn = &Turn{d.lines[home(t)]}
	if turn.at == nil {
		return turn, true // the platform is no longer configured
	}
	select {
	case turn.at.tables <- struct{}{}:
		return turn, true
	default:
		return turn, false
	}
}

// Wait waits until the turn begins, but not longer than patience or until ctx ends. It reports whether the turn has
// begun. If not, later says how long to put the table off. The caller loads the table again, because somebody may have acted.
func (turn *Turn) Wait(ctx context.Context, patience time.Duration) (later time.Duration, begun bool) {
	if turn.at.waiting.Add(1) > maxWaiting {
		turn.at.waiting.Add(-1)
		return crowded, false
	}
	defer turn.at.waiting.Add(-1)
	return 0, take(ctx, turn.at.tables, patience)
}

// End ends a turn that has begun. Only the first call counts.
func (turn *Turn) End() {
	if turn.at != nil {
		<-turn.at.tables
		turn.at = nil
	}
}

// home returns the name of the platform of the table's own chat.
func home(t table.Table) string {
	if len(t.Chats) == 0 {
		return ""
	}
	return nameOf(chat.Address(t.Chats[0].ID))
}

// begin waits until a delivery may begin, but not longer than patience or until ctx ends. It reports whether it may. The
// caller then releases the token with end.
func (l *line) begin(ctx context.Context, patience time.Duration) bool {
	return take(ctx, l.flights, patience)
}

// end ends a delivery.
func (l *line) end() { <-l.flights }

// take takes a token of a semaphore, and reports whether it got one in time.
func take(ctx context.Context, from chan struct{}, patience time.Duration) bool {
	select {
	case from <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case from <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

package telegram

import (
	"context"
	"sync"
	"time"

	"sedmabot/bot/chat"
)

// Limits of the pending updates, which are those received but not handled yet.
const (
	maxPending = batchLimit     // pending updates of one person; any more are dropped
	maxKept    = batchLimit / 2 // updates after which a slow one is acknowledged unhandled
	maxSlow    = 32             // with more people waiting, no update counts as slow
)

// intake runs the handler for each update in its own goroutine. It keeps the order
// of one person's updates, and of the updates in one spot.
//
// It also tracks the updates that Telegram has to keep: all from the first one that
// isn't handled yet, so that a killed process loses nothing. But Telegram sends only
// the first batchLimit updates that it keeps. So a slow update is acknowledged before
// it is handled once more than guarded updates are kept; from then on a kill would
// lose it. If more than maxSlow people are waiting, the bot as a whole is slow, and
// no update is acknowledged early.
type intake struct {
	handle func(u update, yield func()) bool // yield lets other updates overtake one that waits for Telegram; false: Telegram keeps the update
	refuse func(u update)                    // drops an update of a person who has too many pending

	all     sync.WaitGroup
	mu      sync.Mutex
	window  []*pending              // updates received, from the first that Telegram has to keep
	next    int64                   // id after the last update received
	people  chat.Queues[int64]      // pending updates by person
	yielded map[int64]chan struct{} // closed when other people no longer wait for this person's pending updates
	spots   map[spot]*pending       // last pending update of each spot
	none    chan struct{}           // closed when nothing is pending
}

// pending is a pending update.
type pending struct {
	id      int64
	handled bool
	passed  chan struct{} // closed when the spot's next update may begin
}

func newIntake(handle func(u update, yield func()) bool, refuse func(u update)) *intake {
	none := make(chan struct{})
	close(none)
	return &intake{handle: handle, refuse: refuse, yielded: map[int64]chan struct{}{}, spots: map[spot]*pending{}, none: none}
}

// take handles an update once those before it are done. It doesn't wait for that.
func (in *intake) take(u update) {
	in.mu.Lock()
	defer in.mu.Unlock()
	t := &pending{id: u.ID, passed: make(chan struct{})}
	in.window, in.next = append(in.window, t), u.ID+1
	person, spots := u.keys()
	if len(in.yielded) == 0 {
		in.none = make(chan struct{})
	}
	place, ok := in.people.Join(person, maxPending)
	if !ok {
		t.handled = true
		in.refuse(u)
		return
	}
	if in.yielded[person] == nil {
		in.yielded[person] = make(chan struct{})
	}
	yielded := in.yielded[person]
	var ahead []*pending
	for _, at := range spots {
		if other := in.spots[at]; other != nil && other != t {
			ahead = append(ahead, other)
		}
		in.spots[at] = t
	}
	in.all.Go(func() {
		for _, other := range ahead {
			<-other.passed
		}
		pass := sync.OnceFunc(func() { close(t.passed) })
		select {
		case <-place.Ready:
		default:
			select {
			case <-place.Ready:
			case <-yielded:
				pass()
				<-place.Ready
			}
		}
		chat.Deep()
		handled := false
		defer func() { pass(); in.end(t, person, spots, place, handled) }()
		handled = in.handle(u, func() { in.letOthersPass(yielded); pass() })
	})
}

// letOthersPass lets other people's updates overtake all of one person's.
func (in *intake) letOthersPass(yielded chan struct{}) {
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case <-yielded:
	default:
		close(yielded)
	}
}

// end marks an update as handled or not, and lets the next ones begin.
func (in *intake) end(t *pending, person int64, spots []spot, place chat.Place, handled bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	t.handled = handled
	for _, at := range spots {
		if in.spots[at] == t {
			delete(in.spots, at)
		}
	}
	if !place.End() {
		return
	}
	if delete(in.yielded, person); len(in.yielded) == 0 {
		close(in.none)
	}
}

// offset returns the id of the first update that Telegram has to keep, or 0 if none
// was received.
func (in *intake) offset() int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.window) > 0 && (in.window[0].handled || len(in.window) > maxKept && len(in.yielded) <= maxSlow) {
		in.window = in.window[1:]
	}
	if len(in.window) > 0 {
		return in.window[0].id
	}
	return in.next
}

// busy reports whether any update is pending.
func (in *intake) busy() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.yielded) > 0
}

// rest waits until nothing is pending, or until the next poll is due anyway.
func (in *intake) rest(ctx context.Context) {
	in.mu.Lock()
	none := in.none
	in.mu.Unlock()
	timer := time.NewTimer(repoll)
	defer timer.Stop()
	select {
	case <-none:
	case <-timer.C:
	case <-ctx.Done():
	}
}

package telegram

import (
	"context"
	"sync"
	"time"

	"sedmabot/bot/group"
)

// Limits of the pending updates, which are those received but not handled yet.
const (
	maxInLine = batchLimit     // pending updates of one person; any more are dropped
	guarded   = batchLimit / 2 // updates after which a slow one is acknowledged unhandled
	maxSlow   = 32             // with more people waiting, no update counts as slow
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
	handle func(u update, apart func()) // apart lets other updates overtake one that waits for Telegram
	refuse func(u update)               // drops an update of a person who has too many pending

	all    group.Group
	mu     sync.Mutex
	window []*turn         // updates received, from the first that Telegram has to keep
	next   int64           // id after the last update received
	people map[int64]*line // pending updates by person
	spots  map[spot]*turn  // last pending update of each spot
	none   chan struct{}   // closed when nothing is pending
}

// line holds one person's pending updates.
type line struct {
	turns []*turn
	apart chan struct{} // closed when other people no longer wait for these updates
}

// turn is a pending update.
type turn struct {
	id      int64
	handled bool
	passed  chan struct{} // closed when the spot's next update may begin
	ended   chan struct{} // closed when the person's next update may begin
}

func newIntake(handle func(u update, apart func()), refuse func(u update)) *intake {
	none := make(chan struct{})
	close(none)
	return &intake{handle: handle, refuse: refuse, people: map[int64]*line{}, spots: map[spot]*turn{}, none: none}
}

// take handles an update once those before it are done. It doesn't wait for that.
func (in *intake) take(u update) {
	in.mu.Lock()
	defer in.mu.Unlock()
	t := &turn{id: u.ID, passed: make(chan struct{}), ended: make(chan struct{})}
	in.window, in.next = append(in.window, t), u.ID+1
	person, spots := u.keys()
	own := in.people[person]
	switch {
	case own == nil:
		own = &line{apart: make(chan struct{})}
		if len(in.people) == 0 {
			in.none = make(chan struct{})
		}
		in.people[person] = own
	case len(own.turns) >= maxInLine:
		t.handled = true
		in.refuse(u)
		return
	}
	var before *turn
	if n := len(own.turns); n > 0 {
		before = own.turns[n-1]
	}
	own.turns = append(own.turns, t)
	var ahead []*turn
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
		if before != nil {
			select {
			case <-before.ended:
			case <-own.apart:
				pass()
				<-before.ended
			}
		}
		defer in.end(t, person, spots, pass)
		in.handle(u, func() { in.letOthersPass(own); pass() })
	})
}

// letOthersPass lets other people's updates overtake all of one person's.
func (in *intake) letOthersPass(own *line) {
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case <-own.apart:
	default:
		close(own.apart)
	}
}

// end marks an update as handled, and lets the next ones begin.
func (in *intake) end(t *turn, person int64, spots []spot, pass func()) {
	pass()
	in.mu.Lock()
	defer in.mu.Unlock()
	t.handled = true
	close(t.ended)
	for _, at := range spots {
		if in.spots[at] == t {
			delete(in.spots, at)
		}
	}
	own := in.people[person]
	if own.turns = own.turns[1:]; len(own.turns) > 0 {
		return
	}
	if delete(in.people, person); len(in.people) == 0 {
		close(in.none)
	}
}

// offset returns the id of the first update that Telegram has to keep, or 0 if none
// was received.
func (in *intake) offset() int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.window) > 0 && (in.window[0].handled || len(in.window) > guarded && len(in.people) <= maxSlow) {
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
	return len(in.people) > 0
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

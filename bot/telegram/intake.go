package telegram

import (
	"context"
	"sync"
	"time"
)

// How many updates may be in hand.
const (
	mostInLine = batchLimit     // of one person; what comes beyond them is dropped
	guarded    = batchLimit / 2 // how many may come after one before it is given up
	mostSlow   = 32             // people of whom one may be given up
)

// intake has updates handled, each in a goroutine of its own. It keeps the order of
// one person's updates, and of those in one spot.
//
// It also knows what Telegram has to keep: everything from the first update that is
// not handled yet, so that a process that is killed loses nothing. But Telegram sends
// only the first batchLimit updates that it keeps. So one that takes long is given up
// when as many as guarded came after it: only a kill would lose it now. When more
// than mostSlow people wait, it isn't that one that is slow, and nothing is given up.
type intake struct {
	handle func(u update, apart func()) // apart lets others pass an update that waits for Telegram
	refuse func(u update)               // drops an update of a person who has too many

	all    sync.WaitGroup
	mu     sync.Mutex
	window []*turn         // received, from the first that Telegram has to keep
	next   int64           // what follows the last one received
	people map[int64]*line // those with updates in hand
	spots  map[spot]*turn  // the last one of each spot
	none   chan struct{}   // closed when nothing is in hand
}

// line holds one person's updates in hand.
type line struct {
	turns []*turn
	apart chan struct{} // closed when nobody else in a spot waits for any of them
}

// turn is an update in hand.
type turn struct {
	id      int64
	handled bool
	passed  chan struct{} // closed when the next one in the spot may begin
	ended   chan struct{} // closed when the person's next one may begin
}

func newIntake(handle func(u update, apart func()), refuse func(u update)) *intake {
	none := make(chan struct{})
	close(none)
	return &intake{handle: handle, refuse: refuse, people: map[int64]*line{}, spots: map[spot]*turn{}, none: none}
}

// take has an update handled after those that come before it.
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
	case len(own.turns) >= mostInLine:
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
		in.handle(u, func() { in.stepAside(own); pass() })
	})
}

// stepAside lets others pass all that a person has in hand.
func (in *intake) stepAside(own *line) {
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case <-own.apart:
	default:
		close(own.apart)
	}
}

// end notes that an update was handled.
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

// offset returns the first update that Telegram has to keep; 0 if none was received.
func (in *intake) offset() int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.window) > 0 && (in.window[0].handled || len(in.window) > guarded && len(in.people) <= mostSlow) {
		in.window = in.window[1:]
	}
	if len(in.window) > 0 {
		return in.window[0].id
	}
	return in.next
}

// busy reports whether anything is in hand.
func (in *intake) busy() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.people) > 0
}

// rest returns when nothing is in hand, or when it is time to poll all the same.
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

package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	"sedmabot/bot/cache"
)

// Limits of asking Telegram who manages a chat.
const (
	rightsFor     = time.Minute      // how long an answer is remembered
	failedFor     = 5 * time.Second  // how long a failed call is remembered
	rightPatience = time.Second      // how long people wait for the answer
	rightTimeout  = 15 * time.Second // how long the call may take; a late answer serves the next press
	maxRights     = 4096             // answers remembered
	maxRightCalls = 64               // calls in progress
)

// errUnsure reports that Telegram hasn't said yet who manages a chat.
var errUnsure = errors.New("telegram does not say who manages the chat")

// rights caches who manages which chat. It makes one call at a time about the same
// person, however often that person presses.
type rights struct {
	client *client

	mu    sync.Mutex
	work  context.Context // context of the calls; nil while the bot doesn't receive
	calls sync.WaitGroup
	known cache.Cache[rightKey, *right]
	asked map[int64]*right // call in progress, by person
}

type rightKey struct{ chat, person int64 }

// right is one answer of getChatMember.
type right struct {
	rightKey
	deadline time.Time     // until when people wait for the answer
	done     chan struct{} // closed when the answer is here
	manages  bool
	err      error
	until    time.Time // expiry of the answer
}

// open allows calls until end is called. end cancels the calls and waits for them.
func (r *rights) open(work context.Context) (end func()) {
	work, cancel := context.WithCancel(work)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.work = work
	return func() {
		r.mu.Lock()
		r.work = nil
		r.mu.Unlock()
		cancel()
		r.calls.Wait()
	}
}

// mayManage reports whether a person is an administrator of a chat. If the answer
// isn't cached, it calls yield and waits. Each call is waited for at most
// rightPatience.
func (r *rights) mayManage(ctx context.Context, chat, person int64, yield func()) (bool, error) {
	key := rightKey{chat, person}
	for {
		known, err := r.find(key)
		if err != nil {
			return false, err
		}
		select {
		case <-known.done:
		default:
			yield()
			if !known.wait(ctx) {
				return false, errUnsure
			}
		}
		switch {
		case known.rightKey != key:
		case known.err != nil:
			return false, errUnsure
		default:
			return known.manages, nil
		}
	}
}

// wait waits for the answer until k.deadline, and reports whether it came.
func (k *right) wait(ctx context.Context) bool {
	ctx, cancel := context.WithDeadline(ctx, k.deadline)
	defer cancel()
	select {
	case <-k.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// find returns the cached answer, or the call in progress about that person, which
// may be about another chat. If there is neither, it starts a call.
func (r *rights) find(key rightKey) (*right, error) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.known.Get(key); ok && now.Before(known.until) {
		return known, nil
	}
	if call := r.asked[key.person]; call != nil {
		return call, nil
	}
	if r.work == nil || len(r.asked) >= maxRightCalls {
		return nil, errUnsure
	}
	if r.asked == nil {
		r.asked = map[int64]*right{}
	}
	call := &right{rightKey: key, deadline: now.Add(rightPatience), done: make(chan struct{})}
	r.asked[key.person] = call
	work := r.work
	r.calls.Go(func() {
		ctx, cancel := context.WithTimeout(work, rightTimeout)
		defer cancel()
		member, err := r.client.knownMember(ctx, key.chat, key.person)
		call.manages, call.err = member.manages(), err
		now := time.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		if call.until = now.Add(rightsFor); call.err != nil {
			call.until = now.Add(max(failedFor, retryAfter(call.err)))
		}
		delete(r.asked, key.person)
		r.known.Put(key, call, maxRights)
		close(call.done)
	})
	return call, nil
}

package discord

import (
	"context"
	"maps"
	"sync"
	"time"

	"sedmabot/bot/chat"
)

// Gap returns how long to wait before the next delivery to a target. It is a second in
// a channel and half a second in private, or longer if Discord asked for it. Discord
// takes about five messages and five edits in five seconds, in a channel and in private.
func (o *outbox) Gap(to chat.Target) time.Duration {
	gap := time.Second
	switch {
	case o.eager:
		gap = 0
	case to.Player != "":
		gap = 500 * time.Millisecond
	}
	if channel := channelOf(to.PrivateChat); channel != "" {
		for _, limit := range []string{sendLimit(channel), editLimit(channel)} {
			gap = max(gap, o.client.limits.wait(limit, false), o.client.limits.wait(paceOf(limit), false))
		}
	}
	return gap
}

// sendLimit and editLimit name the rate limits of a channel: one for its new messages,
// one for edits of its messages.
func sendLimit(channel string) string { return "send " + channel }
func editLimit(channel string) string { return "edit " + channel }

// Lasts returns how long a message can be edited as often as needed. It is less than an
// hour: after an hour, Discord limits the edits of a message
// (error 30046 of https://discord.com/developers/docs/topics/opcodes-and-status-codes#json).
func (*outbox) Lasts() time.Duration { return 55 * time.Minute }

// paceOf names the limit that delays the last request before a limit is reached. Only
// Gap reads it.
func paceOf(limit string) string { return "pace " + limit }

// limits remembers when requests may be sent again. Expired entries are removed, so the
// map stays small and keeps no token.
type limits struct {
	mu    sync.Mutex
	until map[string]time.Time     // by limit: when requests may be sent again; "" is the global limit
	busy  map[string]chan struct{} // by limit: closed when the running request has ended
}

// begin waits until no other request with that limit is running. Only then it is known
// how many are left. The caller has to call end.
func (l *limits) begin(ctx context.Context, limit string) (end func(), err error) {
	for {
		l.mu.Lock()
		other := l.busy[limit]
		if other == nil {
			break
		}
		l.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer l.mu.Unlock()
	if l.busy == nil {
		l.busy = map[string]chan struct{}{}
	}
	mine := make(chan struct{})
	l.busy[limit] = mine
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.busy, limit)
		close(mine)
	}, nil
}

// wait returns how long a request has to wait, with the global limit if global is set.
func (l *limits) wait(limit string, global bool) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := time.Until(l.until[limit])
	if global {
		wait = max(wait, time.Until(l.until[""]))
	}
	return max(wait, 0)
}

// set blocks a limit for the time wait.
func (l *limits) set(limit string, wait time.Duration) {
	if wait <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(l.until, func(_ string, at time.Time) bool { return !at.After(now) })
	if l.until == nil {
		l.until = map[string]time.Time{}
	}
	if at := now.Add(wait); at.After(l.until[limit]) {
		l.until[limit] = at
	}
}

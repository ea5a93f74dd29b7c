// Package budget divides the number of requests that a platform takes from one token. A [FairQueue] divides it between
// the chats of a process: they take turns, so one with much to say delays the others no more than they
// delay each other. A [Quota] divides it between the processes that use the token.
//
// # Several processes
//
// Each process has an equal quota. They have a small document in the store, in which each renews its entry
// about once a second, beside the messages and not before each one. An entry says how many of the requests in a second the
// process holds, and in which chats it has just sent something.
//
// No clocks are compared. With one process more, each of the others gives up some of its quota, but only after it
// hasn't used that for a whole window; until then, the new one has what is free. A process stops by itself when it couldn't
// renew its quota for [leaseFor], by its own clock. It counts, with the quota that it held, until the others have seen its entry
// unchanged for longer than that, by theirs. One that is stopped says so, and gives up most of its quota at once. So all of them
// together never send more than the limit in any window, however late each of them is. A process that is alone leaves an eighth of
// the limit free: if it is killed, its successor begins with that.
//
// A chat's own limit can't be divided like that, since its messages come now from one process, now from another.
// Each process learns of the others' messages with the next renewal, so its limits leave room for what they may
// have sent meanwhile. The chats are named by hashes.
//
// A chat that has to wait may come back in another process, since any of them may do a table's next round. So of the chats that
// a process has told to come back, it expects only one in as many as there are processes. Otherwise it would keep
// room for those that come back elsewhere, and a third of the limit would stay unused beyond the wall.
//
// FIGURES.md says how long groups wait when all together want more than a token takes.
//
// # Several tokens
//
// One token is enough for some 150 tables at play on Telegram (28 messages a second, and 5 for a move in 30 s), and for some 350
// on Discord (48 requests a second, and 4 for a move, of which the answer doesn't count). More need more tokens,
// that is, more bots with names of their own. This isn't built. It would be like this:
//
//   - A home belongs to one token: the one through which its first input came. The home's document says which. A person's
//     private chat with one bot is another chat than that with another bot, so private chats belong to a token too. The
//     ids of chats and people carry the token's name ("telegram.2:-1009"), and the first token has none, as today.
//     Each token is one more chat.Platform with that name. Deliveries find it by the name before the colon.
//   - A table never mixes tokens: all its chats are of one home, and its hands go to the private chats with that
//     home's bot. A table that two homes share has one chat of each, whose messages go through the token of that chat, as
//     today between Telegram and Discord.
//   - Limits are per token: each platform value has its own FairQueue and Quota. Updates are polled, or shards held, per
//     token.
//   - A home moves when its people add another of the bots and remove the first. That is what an admin presses today
//     to join two homes' boards: the new home takes over the records of the old one. No program moves a home by itself, since a bot can't
//     add another bot to a group.
//   - People have one rating for each home, so nothing crosses tokens but the board over all homes, which
//     knows people by id. A person has the same number with all bots of a platform, so that board would cut the
//     token's name off.
package budget

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// A chat that was called and doesn't come back within callWait no longer keeps others waiting, and loses its place
// after forget. It may have nothing to send any more.
const (
	callWait = 200 * time.Millisecond
	forget   = 2 * time.Second
)

// nothingYet is when a process without a quota comes back.
const nothingYet = 20 * time.Millisecond

// FairQueue divides the requests of a process between its chats, which are named by K. It never waits
// itself, but says how long its caller has to wait.
type FairQueue[K comparable] struct {
	within time.Duration

	mu        sync.Mutex
	sent      []time.Time // times of the latest requests, the latest last, as many as the limit
	quota     int         // how many requests this process may make within a window
	until     time.Time   // when the quota ends; zero: never
	processes int         // that use the token; a chat that was called comes back in any of them
	queue     []place[K]  // chats that wait, the first one first
}

// place is a chat's place in the queue.
type place[K comparable] struct {
	chat   K
	since  time.Time // when the chat came; later for what may be late
	called time.Time // when the chat was told to come back
}

// NewFairQueue returns the queue of a process that may make that many requests in any window.
func NewFairQueue[K comparable](limit int, window time.Duration) *FairQueue[K] {
	return &FairQueue[K]{within: window, sent: make([]time.Time, limit), quota: limit, processes: 1}
}

// Take counts a request of a chat. It returns 0 if the request may be made now. Otherwise it counts nothing, and
// returns how long to wait. The caller should then come back at that time: the chat keeps its place in the queue. behind
// says how far behind others the request stands that are asked for now.
func (l *FairQueue[K]) Take(chat K, now time.Time, behind time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := l.wait(chat, now, behind)
	if wait == 0 {
		copy(l.sent, l.sent[1:])
		l.sent[len(l.sent)-1] = now
	}
	return wait
}

// tidy removes the chats that were called and didn't come back.
func (l *FairQueue[K]) tidy(now time.Time) {
	l.queue = slices.DeleteFunc(l.queue, func(p place[K]) bool { return now.Sub(p.called) > forget })
}

func (l *FairQueue[K]) wait(chat K, now time.Time, behind time.Duration) time.Duration {
	l.tidy(now)
	own := place[K]{chat: chat, since: now.Add(behind)}
	at := slices.IndexFunc(l.queue, func(p place[K]) bool { return p.chat == chat })
	kept := at >= 0 && !own.since.Before(l.queue[at].since)
	if kept {
		own.since = l.queue[at].since
	}
	if at >= 0 {
		l.queue = slices.Delete(l.queue, at, at+1)
	}
	if !kept {
		at, _ = slices.BinarySearchFunc(l.queue, own, func(p, q place[K]) int { return cmp.Or(bySince(p, q), -1) })
	}
	ahead := 0
	for _, p := range l.queue[:at] {
		if now.Sub(p.called) <= callWait {
			ahead++
		}
	}
	wait := max(0, l.free(ahead/l.processes, now).Sub(now))
	if !l.until.IsZero() { // with a larger quota, its turn may come sooner
		wait = min(wait, l.within)
	}
	if wait > 0 {
		own.called = now.Add(wait)
		l.queue = slices.Insert(l.queue, at, own)
	}
	return wait
}

// Len returns how many chats wait.
func (l *FairQueue[K]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

// Processes returns how many processes send with the token, including this one.
func (l *FairQueue[K]) Processes() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.processes
}

func bySince[K comparable](p, q place[K]) int { return p.since.Compare(q.since) }

// held returns how many requests this process may make within a window now.
func (l *FairQueue[K]) held(now time.Time) int {
	if !l.until.IsZero() && !now.Before(l.until) {
		return 0
	}
	return l.quota
}

// free returns when the limit allows one more request after so many others.
func (l *FairQueue[K]) free(others int, now time.Time) time.Time {
	quota := l.held(now)
	if quota == 0 {
		return now.Add(nothingYet)
	}
	rounds := time.Duration(others/quota + 1)
	return l.sent[len(l.sent)-quota+others%quota].Add(rounds * l.within)
}

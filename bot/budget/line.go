// Package budget divides the number of requests that a platform takes from one token. A [Line] divides it between
// the chats of a process: they take turns, so one with much to say delays the others no more than they
// delay each other. A [Part] divides it between the processes that use the token.
//
// # Several processes
//
// Each process has an equal part of the limit. They have a small document in the store, in which each renews its entry
// about once a second, beside the messages and not before each one. An entry says how many of the requests in a second the
// process holds, and in which chats it has just sent something.
//
// No clocks are compared. With one process more, each of the others gives up some of its part, but only after it
// hasn't used that for a whole window; until then, the new one has what is free. A process stops by itself when it couldn't
// renew its part for [leaseFor], by its own clock. It counts, with the part that it held, until the others have seen its entry
// unchanged for longer than that, by theirs. So all of them together never send more than the limit in any window, however
// late each of them is. A process that is alone leaves an eighth of the limit free: if it is killed, its successor begins with that.
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
//   - Limits are per token: each platform value has its own Line and Part. Updates are polled, or shards held, per
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

// nothingYet is when a process without a part of the budget comes back.
const nothingYet = 20 * time.Millisecond

// Line divides the requests of a process between its chats, which are named by K. It never waits
// itself, but says how long its caller has to wait.
type Line[K comparable] struct {
	within time.Duration

	mu        sync.Mutex
	sent      []time.Time // times of the latest requests, the latest last, as many as the limit
	part      int         // how many requests this process may make within a window
	until     time.Time   // when the part ends; zero: never
	processes int         // that use the token; a chat that was called comes back in any of them
	line      []place[K]  // chats that wait, the first one first
}

// place is a chat's place in the line.
type place[K comparable] struct {
	chat   K
	since  time.Time // when the chat came; later for what may be late
	called time.Time // when the chat was told to come back
}

// NewLine returns the line of a process that may make that many requests in any window.
func NewLine[K comparable](limit int, window time.Duration) *Line[K] {
	return &Line[K]{within: window, sent: make([]time.Time, limit), part: limit, processes: 1}
}

// Take counts a request of a chat. It returns 0 if the request may be made now. Otherwise it counts nothing, and
// returns how long to wait. The caller should then come back at that time: the chat keeps its place in line. behind
// says how far behind others the request stands that are asked for now.
func (l *Line[K]) Take(chat K, now time.Time, behind time.Duration) time.Duration {
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
func (l *Line[K]) tidy(now time.Time) {
	l.line = slices.DeleteFunc(l.line, func(p place[K]) bool { return now.Sub(p.called) > forget })
}

func (l *Line[K]) wait(chat K, now time.Time, behind time.Duration) time.Duration {
	l.tidy(now)
	own := place[K]{chat: chat, since: now.Add(behind)}
	at := slices.IndexFunc(l.line, func(p place[K]) bool { return p.chat == chat })
	kept := at >= 0 && !own.since.Before(l.line[at].since)
	if kept {
		own.since = l.line[at].since
	}
	if at >= 0 {
		l.line = slices.Delete(l.line, at, at+1)
	}
	if !kept {
		at, _ = slices.BinarySearchFunc(l.line, own, func(p, q place[K]) int { return cmp.Or(bySince(p, q), -1) })
	}
	ahead := 0
	for _, p := range l.line[:at] {
		if now.Sub(p.called) <= callWait {
			ahead++
		}
	}
	wait := max(0, l.free(ahead/l.processes, now).Sub(now))
	if !l.until.IsZero() { // with a larger part, its turn may come sooner
		wait = min(wait, l.within)
	}
	if wait > 0 {
		own.called = now.Add(wait)
		l.line = slices.Insert(l.line, at, own)
	}
	return wait
}

// Len returns how many chats wait.
func (l *Line[K]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.line)
}

// Processes returns how many processes send with the token, including this one.
func (l *Line[K]) Processes() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.processes
}

func bySince[K comparable](p, q place[K]) int { return p.since.Compare(q.since) }

// held returns how many requests this process may make within a window now.
func (l *Line[K]) held(now time.Time) int {
	if !l.until.IsZero() && !now.Before(l.until) {
		return 0
	}
	return l.part
}

// free returns when the limit allows one more request after so many others.
func (l *Line[K]) free(others int, now time.Time) time.Time {
	part := l.held(now)
	if part == 0 {
		return now.Add(nothingYet)
	}
	rounds := time.Duration(others/part + 1)
	return l.sent[len(l.sent)-part+others%part].Add(rounds * l.within)
}

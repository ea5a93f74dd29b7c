// Package rates counts the bot's messages against Telegram's rate limits. It never waits
// itself, but says how long its caller has to wait.
package rates

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"sedmabot/bot/budget"
	"sedmabot/bot/cache"
)

// Telegram's rate limits, which cover messages and edits. Telegram doesn't guarantee
// them, so the bot also obeys the server's retry_after.
// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
//
// A chat's burst and its steady rate for a minute (or second) add up to the limit.
const (
	maxWaiting    = 3    // maximum number of replies that wait in a chat
	maxWaitingAll = 1024 // the same for all chats together

	overall               = 28                      // messages in any period of window, where Telegram allows 30 a second in total
	window                = 1020 * time.Millisecond // longer than a second: on their way, messages may move closer together
	groupBurst, groupRate = 4, rate.Limit(16. / 60) // 20 a minute in a group
	groupShared           = rate.Limit(13. / 60)    // the same beside other processes, which may have sent three that aren't known yet
	chatBurst, chatRate   = 3, rate.Limit(1)        // one a second in any chat, where Telegram allows "short bursts"
	calmBurst, calmRate   = 30, rate.Limit(5)       // while the bot sends no more in total, edits may ignore the gap

	GroupGap   = 3 * time.Second // pause between two deliveries to a group: it takes 20 a minute
	PrivateGap = time.Second     // pause between two deliveries to a private chat
)

// Limits are the rate limits of one bot. Chats that wait for the limit of all messages stand in a line, so that a chat with
// much to say delays the others no more than they delay each other.
type Limits struct {
	mu     sync.Mutex
	eager  bool                     // rate limiting is off until the server asks to wait
	line   *budget.FairQueue[int64] // chats that wait for the limit of all messages
	part   *budget.Quota            // the part of this process; nil: it is alone
	others map[uint64]other         // what other processes sent lately, by the chat's hash
	calm   *rate.Limiter            // has tokens left while the bot sends little in total
	chats  map[int64]*chatLimit
	owners cache.Cache[int64, int64] // by chat: the chat in whose turns it is served
	first  time.Time                 // of the first message or edit of this process
	killed bool                      // the process before this one was killed
	queued int                       // replies waiting, in all chats
}

// Serve makes a chat wait in the turns of an owner, with all other chats of that owner. Its own limits remain.
func (l *Limits) Serve(id, owner int64) { l.owners.Put(id, owner, maxChats) }

// other is what other processes have sent to a chat that this one hasn't counted yet.
type other struct {
	sent  []time.Time // when this process heard of each message of the last minute
	until time.Time   // end of the wait that the server asked for
	heard time.Time
}

type chatLimit struct {
	second, minute *rate.Limiter // minute is nil except in groups
	until          time.Time     // end of the wait that the server asked for
	used           time.Time
	last           time.Time // when the bot last sent something there
	even           time.Time // when the chat has had no more than its turns
	queued         int       // replies waiting
	places         int       // that replies got since none waited
}

// behind is how far behind a hand or a new message the edit of a public table stands in line. A player waits for a hand,
// and an edit that comes later shows a later move as well.
const behind = 5 * time.Second

// A chat that sends more often than once in turn stands behind those that send less, at most as far as debt.
const (
	turn = 3 * time.Second
	debt = 10 * time.Second
)

// New returns the limits of a bot that hasn't sent anything. If eager is set, they are off
// until the server asks to wait.
func New(eager bool) *Limits {
	return &Limits{
		eager: eager, calm: rate.NewLimiter(calmRate, calmBurst), line: budget.NewFairQueue[int64](overall, window),
		chats: map[int64]*chatLimit{}, others: map[uint64]other{},
	}
}

// Divide makes the limits those of one of several processes, and returns its part. It is called once, before anything is sent.
func (l *Limits) Divide(process string) *budget.Quota {
	l.part = budget.NewQuota(l.line, process, l.hear)
	return l.part
}

// hash names a chat to other processes.
func hash(id int64) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.BigEndian, id)
	return h.Sum64()
}

// hear notes what another process has sent.
func (l *Limits) hear(u budget.Use, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.others) >= maxChats {
		for chat, o := range l.others {
			if now.Sub(o.heard) > time.Minute && now.After(o.until) {
				delete(l.others, chat)
			}
		}
	}
	o := l.others[u.Chat]
	o.sent = slices.DeleteFunc(o.sent, func(at time.Time) bool { return now.Sub(at) > time.Minute })
	o.sent, o.heard = append(o.sent, slices.Repeat([]time.Time{now}, u.Sent)...), now
	if until := now.Add(u.Block); u.Block > 0 && until.After(o.until) {
		o.until = until
	}
	l.others[u.Chat] = o
	if u.Block > 0 {
		l.eager = false
	}
}

// count counts what other processes have sent to a chat.
func (l *Limits) count(id int64, c *chatLimit) {
	if len(l.others) == 0 {
		return
	}
	o, ok := l.others[hash(id)]
	if !ok {
		return
	}
	delete(l.others, hash(id))
	for _, at := range o.sent {
		for _, r := range c.own() {
			r.ReserveN(at, 1)
		}
		c.last = at
	}
	if o.until.After(c.until) {
		c.until = o.until
	}
}

// own returns the limits of the chat itself.
func (c *chatLimit) own() []*rate.Limiter {
	if c.minute == nil {
		return []*rate.Limiter{c.second}
	}
	return []*rate.Limiter{c.second, c.minute}
}

// maxChats is the number of chats at which those unused for a minute are forgotten.
const maxChats = 4096

// chat returns the record of a chat, and creates it if needed. The caller holds l.mu.
func (l *Limits) chat(id int64, now time.Time) *chatLimit {
	c := l.chats[id]
	if c == nil {
		if len(l.chats) >= maxChats {
			for other, c := range l.chats {
				if now.Sub(c.used) > time.Minute && now.After(c.until) && c.queued == 0 {
					delete(l.chats, other)
				}
			}
		}
		c = &chatLimit{second: rate.NewLimiter(chatRate, chatBurst)}
		if id < 0 {
			c.minute = rate.NewLimiter(groupRate, groupBurst)
			if l.part != nil {
				c.minute.SetLimit(groupShared)
			}
		}
		l.chats[id] = c
	}
	l.count(id, c)
	c.used = now
	return c
}

// Blocked returns the rest of the wait that the server asked for in a chat.
func (l *Limits) Blocked(id int64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.chats[id]; c != nil {
		return max(0, c.until.Sub(now))
	}
	return 0
}

// Off reports whether rate limiting is off.
func (l *Limits) Off() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.eager
}

// Take counts one message in a chat against the limits. It returns 0 if the message
// may be sent now. Otherwise it counts nothing, and returns how long to wait. The caller should then come back at that
// time: the chat keeps its place in line.
func (l *Limits) Take(id int64, now time.Time) time.Duration { return l.take(id, now, 0) }

// TakeEdit is Take for the edit of a message that a whole group sees. It lets hands and new messages pass.
func (l *Limits) TakeEdit(id int64, now time.Time) time.Duration {
	if id > 0 {
		return l.take(id, now, 0)
	}
	return l.take(id, now, behind)
}

// Follow says that the process before this one was killed: it may just have used up the minute of any group.
func (l *Limits) Follow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.killed = true
}

func (l *Limits) take(id int64, now time.Time, behind time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	unknown := l.chats[id] == nil
	c := l.chat(id, now)
	wait := max(0, c.until.Sub(now))
	if l.first.IsZero() {
		l.first = now
	}
	if unknown && c.minute != nil && (l.killed || behind > 0) && now.Sub(l.first) < time.Minute {
		c.minute.ReserveN(now, groupBurst) // a process that begins with an edit has followed another one, too
	}
	if l.eager {
		return wait
	}
	owner, turns := id, c
	if by, served := l.owners.Get(id); served {
		owner, turns = by, l.chat(by, now)
	}
	for _, r := range c.own() {
		if missing := 1 - r.TokensAt(now); missing > 0 {
			wait = max(wait, time.Duration(missing/float64(r.Limit())*float64(time.Second)), time.Millisecond)
		}
	}
	if wait == 0 {
		wait = l.line.Take(owner, now, behind+turns.debt(now))
	}
	if wait > 0 {
		return wait
	}
	for _, r := range c.own() {
		r.AllowN(now, 1)
	}
	l.calm.AllowN(now, 1)
	if l.part != nil {
		l.part.Used(hash(id), 1, 0)
	}
	c.last, turns.even = now, now.Add(turns.debt(now)+turn)
	return 0
}

// debt returns how far behind others the chat stands, because it has had more than its turns.
func (c *chatLimit) debt(now time.Time) time.Duration {
	return min(max(0, c.even.Sub(now)), debt)
}

// EditWait returns how long an edit has to wait for the group's gap. While the bot
// sends little, in that group and in total, the edit may go at once.
func (l *Limits) EditWait(id int64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chats[id]
	if c != nil {
		l.count(id, c)
	}
	if l.eager || c == nil || c.minute == nil || l.calm.TokensAt(now) >= 1 && c.minute.TokensAt(now) >= groupBurst/2 {
		return 0
	}
	return max(0, GroupGap-now.Sub(c.last))
}

// Block blocks a chat for as long as the server asked, and turns rate limiting on.
func (l *Limits) Block(id int64, now time.Time, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eager = false
	c := l.chat(id, now)
	if until := now.Add(d); until.After(c.until) {
		c.until = until
	}
	if l.part != nil {
		l.part.Used(hash(id), 0, d)
	}
}

// Queue reports whether one more reply may wait in a chat. If so, the caller has to
// call Unqueue afterwards. place is larger than those of all replies that already wait there.
func (l *Limits) Queue(id int64, now time.Time) (place int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chat(id, now)
	if c.queued >= maxWaiting || l.queued >= maxWaitingAll {
		return 0, false
	}
	if c.queued == 0 {
		c.places = 0
	}
	c.places++
	c.queued++
	l.queued++
	return c.places, true
}

// Unqueue ends the wait of a reply that Queue allowed.
func (l *Limits) Unqueue(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chats[id].queued--
	l.queued--
}

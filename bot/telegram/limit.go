package telegram

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"sedmabot/bot/chat"
)

// Telegram's limits of sending, which edits share. They are not promised, so
// what the server answers (retry_after) counts beside them.
// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
//
// What may come at once and what comes evenly after it make up the limit together.
const (
	overallBurst, overallRate = 10, rate.Limit(20)      // 30 a second in all
	groupBurst, groupRate     = 4, rate.Limit(16. / 60) // 20 a minute in a group
	chatBurst, chatRate       = 3, rate.Limit(1)        // one a second in any chat; "short bursts" over it are let through
	calmBurst, calmRate       = 30, rate.Limit(5)       // while no more is sent in all, edits may come before the gap
	groupGap                  = 3 * time.Second
	privateGap                = time.Second
)

// Gap is how long to leave between two deliveries: a group takes 20 a minute.
func (a *Adapter) Gap(to chat.Target) time.Duration {
	switch id, _, ok := targetChat(to); {
	case a.limits.unbound():
		return 0
	case ok && id < 0:
		return groupGap
	}
	return privateGap
}

// Lasts is for ever: a bot may edit its messages at any time
// (https://core.telegram.org/bots/api#updating-messages).
func (*Adapter) Lasts() time.Duration { return 0 }

// limits remembers what was sent lately. It never waits: it tells how long
// the caller has to.
type limits struct {
	mu     sync.Mutex
	eager  bool // until the server asks to wait
	all    *rate.Limiter
	calm   *rate.Limiter // has something left while little is sent in all
	chats  map[int64]*chatLimit
	queued int // replies that wait, in all chats
}

type chatLimit struct {
	second, minute *rate.Limiter // minute: groups only
	until          time.Time     // the server asked for silence until then
	used           time.Time
	last           time.Time // when something was sent there
	queued         int       // replies that wait
}

func newLimits(eager bool) *limits {
	return &limits{
		eager: eager, all: rate.NewLimiter(overallRate, overallBurst), calm: rate.NewLimiter(calmRate, calmBurst),
		chats: map[int64]*chatLimit{},
	}
}

// manyChats is from when on chats that were quiet for a minute are forgotten.
const manyChats = 4096

// chat finds or makes the record of a chat. l.mu is held.
func (l *limits) chat(id int64, now time.Time) *chatLimit {
	c := l.chats[id]
	if c == nil {
		if len(l.chats) >= manyChats {
			for other, c := range l.chats {
				if now.Sub(c.used) > time.Minute && now.After(c.until) && c.queued == 0 {
					delete(l.chats, other)
				}
			}
		}
		c = &chatLimit{second: rate.NewLimiter(chatRate, chatBurst)}
		if id < 0 {
			c.minute = rate.NewLimiter(groupRate, groupBurst)
		}
		l.chats[id] = c
	}
	c.used = now
	return c
}

// silent is how long the server asked to leave a chat alone yet.
func (l *limits) silent(id int64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.chats[id]; c != nil {
		return max(0, c.until.Sub(now))
	}
	return 0
}

// unbound tells whether nothing is held back.
func (l *limits) unbound() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.eager
}

// take accounts for one message in a chat. It returns 0 when the message may
// go now, else how long to wait; then nothing was taken.
func (l *limits) take(id int64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chat(id, now)
	wait := max(0, c.until.Sub(now))
	if l.eager {
		return wait
	}
	all := []*rate.Limiter{l.all, c.second}
	if c.minute != nil {
		all = append(all, c.minute)
	}
	for _, r := range all {
		if missing := 1 - r.TokensAt(now); missing > 0 {
			wait = max(wait, time.Duration(missing/float64(r.Limit())*float64(time.Second)), time.Millisecond)
		}
	}
	if wait > 0 {
		return wait
	}
	for _, r := range all {
		r.AllowN(now, 1)
	}
	l.calm.AllowN(now, 1)
	c.last = now
	return 0
}

// early returns how long an edit has to wait that comes sooner than the group's gap. It
// may go only while little is sent, in that group and in all.
func (l *limits) early(id int64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chats[id]
	if l.eager || c == nil || c.minute == nil || l.calm.TokensAt(now) >= 1 && c.minute.TokensAt(now) >= groupBurst/2 {
		return 0
	}
	return max(0, groupGap-now.Sub(c.last))
}

// silence keeps a chat quiet for as long as the server asked, and ends eagerness.
func (l *limits) silence(id int64, now time.Time, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eager = false
	c := l.chat(id, now)
	if until := now.Add(d); until.After(c.until) {
		c.until = until
	}
}

// queue reports whether one more reply may wait for its turn in a chat. If so,
// unqueue must follow.
func (l *limits) queue(id int64, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chat(id, now)
	if c.queued >= repliesWaiting || l.queued >= waitingInAll {
		return false
	}
	c.queued++
	l.queued++
	return true
}

func (l *limits) unqueue(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chats[id].queued--
	l.queued--
}

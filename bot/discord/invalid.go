package discord

import (
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Discord bans an address after 10,000 answers of 401, 403 or 429 in ten minutes. A 429 about a limit that
// several applications share doesn't count.
// https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
//
// At half of that, the bot warns and makes only one request in slowGap, apart from answers to
// interactions. Even if Discord refuses them all, 9,000 isn't reached. Processes that share a token may share the address
// too, so each of them keeps to its part of these numbers.
const (
	invalidFor  = 10 * time.Minute
	invalidHalf = 5_000
	slowGap     = invalidFor / 4_000
)

// invalids counts the answers that Discord counts against this process's address.
type invalids struct {
	log *slog.Logger

	mu      sync.Mutex
	seconds [invalidFor / time.Second]int // how many, in each of the last seconds; a ring
	all     int                           // their sum
	second  int                           // the latest one, since 1970
	warned  time.Time
	slow    time.Time // when the next request may be made, if the bot is slow
}

// note counts an answer.
func (c *invalids) note(status int, scope string, processes int, now time.Time) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
	case http.StatusTooManyRequests:
		if scope == "shared" {
			return
		}
	default:
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seconds[c.pass(now)]++
	c.all++
	if c.all >= invalidHalf/processes && now.Sub(c.warned) >= invalidFor {
		c.warned = now
		c.log.Warn("discord refused so many requests that it may soon ban this address: the bot slows down", "platform", platform, "refused", c.all, "within", invalidFor)
	}
}

// pass drops what is older than ten minutes, and returns the present second's place in the ring. The caller holds the lock.
func (c *invalids) pass(now time.Time) int {
	second := int(now.Unix())
	c.second = max(c.second, second-len(c.seconds))
	for c.second < second {
		c.second++
		at := &c.seconds[c.second%len(c.seconds)]
		c.all -= *at
		*at = 0
	}
	return c.second % len(c.seconds)
}

// count returns how many answers of the last ten minutes count.
func (c *invalids) count(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pass(now)
	return c.all
}

// wait returns how long a request has to wait because too many were refused. If it returns 0, the request is counted.
func (c *invalids) wait(processes int, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pass(now); c.all < invalidHalf/processes {
		return 0
	}
	if wait := c.slow.Sub(now); wait > 0 {
		return wait
	}
	c.slow = now.Add(slowGap * time.Duration(processes))
	return 0
}

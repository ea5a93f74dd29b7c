package discord

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// clock is Discord's clock, as the dates of its answers tell it. The host's own may be
// wrong: of that only how much time passes is used.
type clock struct {
	mu   sync.Mutex
	said time.Time // the latest time that it can have been for sure at the moment heard
	at   time.Time // the moment heard; zero: never
}

// learn reads the date of an answer that was asked for at one time and came at
// another. A date has whole seconds: Discord's clock had reached it when the answer
// came, and was less than a second further when it was asked for.
func (c *clock) learn(date string, asked, came time.Time) {
	said, err := http.ParseTime(date)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.said.Add(came.Sub(c.at))
	latest := said.Add(time.Second + came.Sub(asked))
	if c.at.IsZero() || now.Before(said) || now.After(latest) {
		c.said, c.at = said, came
	}
}

// now is the time on Discord's clock, or up to a second before it. Until Discord has
// told, it is the host's.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return time.Now()
	}
	return c.said.Add(time.Since(c.at))
}

// epoch is when Discord's ids begin, in milliseconds of Unix time
// (https://discord.com/developers/docs/reference#snowflakes).
const epoch = 1420070400000

// age is how long ago Discord made an id.
func (c *clock) age(id string) time.Duration {
	n, _ := strconv.ParseUint(id, 10, 64) // readInteraction has looked that it is a number
	return max(0, c.now().Sub(time.UnixMilli(int64(n>>22)+epoch)))
}

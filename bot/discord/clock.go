package discord

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// clock estimates the time on Discord's clock from the dates of its answers. The host's
// clock may be wrong, so it is used only to measure how much time passes.
type clock struct {
	mu     sync.Mutex
	theirs time.Time // Discord's time at the moment at, or up to a second before it
	at     time.Time // when theirs was set, on the host's clock; zero: never
}

// learn adjusts the clock to the date of an answer, requested at asked and received at
// came. A date has whole seconds. When the answer came, Discord's clock had reached the
// date. At the time of the request, it was less than a second past the date.
func (c *clock) learn(date string, asked, came time.Time) {
	theirs, err := http.ParseTime(date)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.theirs.Add(came.Sub(c.at))
	latest := theirs.Add(time.Second + came.Sub(asked))
	if c.at.IsZero() || now.Before(theirs) || now.After(latest) {
		c.theirs, c.at = theirs, came
	}
}

// now returns the time on Discord's clock, or up to a second before it. Until the first
// answer, it returns the host's time.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return time.Now()
	}
	return c.theirs.Add(time.Since(c.at))
}

// epoch is the start of the time in Discord's ids, in milliseconds of Unix time
// (https://discord.com/developers/docs/reference#snowflakes).
const epoch = 1420070400000

// age returns how long ago Discord created an id.
func (c *clock) age(id string) time.Duration {
	n, _ := strconv.ParseUint(id, 10, 64) // no error: interaction.check has checked that the id is a number
	return max(0, c.now().Sub(time.UnixMilli(int64(n>>22)+epoch)))
}

package bot

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"sedmabot/bot/cache"
)

// atOnce is the burst of the rate limit, in seconds: how many seconds' worth of
// presses may come at once.
const atOnce = 5

// manyPlayers is the number of players whose presses are counted. Beyond it, the
// player who has been idle longest is dropped, and later gets a fresh limit.
const manyPlayers = 20_000

// throttle is the rate limit for the inputs of each person in this process.
type throttle struct {
	mu        sync.Mutex
	perSecond int // 0: no limit
	pressers  cache.Cache[string, *presser]
}

type presser struct {
	rate   *rate.Limiter
	warned bool // the player was told that they are too fast
}

// pass counts one press and reports whether it is within the limit. If it is not,
// notify reports whether to tell the player. They are told only once until they are
// within the limit again, so that a flood of presses gets no flood of answers.
func (t *throttle) pass(player string, at time.Time) (ok, notify bool) {
	if t.perSecond == 0 {
		return true, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.pressers.Get(player)
	if !ok {
		p = &presser{rate: rate.NewLimiter(rate.Limit(t.perSecond), atOnce*t.perSecond)}
		t.pressers.Put(player, p, manyPlayers)
	}
	ok = p.rate.AllowN(at, 1)
	notify = !ok && !p.warned
	p.warned = !ok
	return ok, notify
}

package bot

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"sedmabot/bot/cache"
)

// atOnce is how many seconds' presses may come at once.
const atOnce = 5

// manyPlayers is how many players' presses are counted. Among more, the one who did
// not press for the longest time is forgotten, and begins anew.
const manyPlayers = 20_000

// throttle counts everybody's presses in this process.
type throttle struct {
	mu        sync.Mutex
	perSecond int // 0: all may pass
	pressers  cache.Cache[string, *presser]
}

type presser struct {
	rate *rate.Limiter
	told bool // that he is too fast
}

// pass counts one press. If it is one too many, tell says whether the player
// should hear of it: once, until he may press again, so that a flood gets no
// flood of answers.
func (t *throttle) pass(player string, at time.Time) (ok, tell bool) {
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
	tell = !ok && !p.told
	p.told = !ok
	return ok, tell
}

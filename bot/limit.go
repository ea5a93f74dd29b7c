package bot

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// atOnce is how many seconds' presses may come at once.
const atOnce = 5

// manyPlayers is how many players' presses are counted at least. Among more, one
// who did not press for a while may be forgotten, and begins anew.
const manyPlayers = 10_000

// throttle counts everybody's presses in this process. It holds 2*manyPlayers
// players at most: those who pressed lately, and those who did before them.
type throttle struct {
	mu           sync.Mutex
	perSecond    int // 0: all may pass
	now, earlier map[string]*presser
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
	p := t.now[player]
	if p == nil {
		if p = t.earlier[player]; p == nil {
			p = &presser{rate: rate.NewLimiter(rate.Limit(t.perSecond), atOnce*t.perSecond)}
		}
		if t.now == nil || len(t.now) >= manyPlayers {
			t.now, t.earlier = map[string]*presser{}, t.now
		}
		t.now[player] = p
	}
	ok = p.rate.AllowN(at, 1)
	tell = !ok && !p.told
	p.told = !ok
	return ok, tell
}

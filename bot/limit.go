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

// commandCost returns how many presses a command counts as: a person has two commands a
// second. A command may load much and draw a picture, and nobody plays by commands.
func commandCost(perSecond int) int { return max(1, perSecond/2) }

// A person may post so many tables in chats where the bot isn't at once, and then one in each postEvery.
const (
	postsAtOnce = 3
	postEvery   = 20 * time.Second
)

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
	posts  *rate.Limiter // of tables in chats where the bot isn't
	warned bool          // the player was told that they are too fast
}

// pass counts one press or command, which may post a table, and reports whether it is within the limit. If it is not,
// notify reports whether to tell the player. They are told only once until they are
// within the limit again, so that a flood of presses gets no flood of answers.
func (t *throttle) pass(player string, command, posts bool, at time.Time) (ok, notify bool) {
	if t.perSecond == 0 {
		return true, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.pressers.Get(player)
	if !ok {
		p = &presser{rate: rate.NewLimiter(rate.Limit(t.perSecond), atOnce*t.perSecond), posts: rate.NewLimiter(rate.Every(postEvery), postsAtOnce)}
		t.pressers.Put(player, p, manyPlayers)
	}
	cost := 1
	if command {
		cost = commandCost(t.perSecond)
	}
	ok = p.rate.AllowN(at, cost) && (!posts || p.posts.AllowN(at, 1))
	notify = !ok && !p.warned
	p.warned = !ok
	return ok, notify
}

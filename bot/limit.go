package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits keep one person, or one community, from taking what is there for all.
// Zero is no limit.
type Limits struct {
	Presses      int // presses and commands of one person in a second, for a while; five times as many at once
	PlayerTables int // open tables at which one person sits; New lowers it to MostPlayerTables
	HomeTables   int // open tables of one home
}

// MostPlayerTables is the highest limit of open tables for one person: their
// document lists so many.
const MostPlayerTables = 1000

// fewTables is how many tables a player's document lists without a limit, and how
// many more than the limit: tournaments seat people who have reached it.
const fewTables = 32

// listed returns how many tables a player's document lists, the latest ones.
func (l Limits) listed() int { return l.PlayerTables + fewTables }

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

// errPlayerFull is the cause of refusing a player who sits at as many tables as they may.
var errPlayerFull = errors.New("the player sits at enough open tables")

// manyTables reports whether the player's document lists as many tables as they may have.
func (b *Bot) manyTables(doc playerDoc) bool {
	return b.limits.PlayerTables > 0 && len(doc.Tables) >= b.limits.PlayerTables
}

// roomFor is errPlayerFull if the player sits at as many tables as he may, that
// one not counted. doc is his own document.
func (b *Bot) roomFor(ctx context.Context, doc playerDoc, player, id string) error {
	if !b.manyTables(doc) {
		return nil
	}
	open, err := b.tablesOf(ctx, player) // some of them may be over
	if err != nil {
		return err
	}
	n := 0
	for _, other := range open {
		if other != id {
			n++
		}
	}
	if n >= b.limits.PlayerTables {
		full := NewLimit("player_full", b.limits.PlayerTables)
		full.Cause = errPlayerFull
		return full
	}
	return nil
}

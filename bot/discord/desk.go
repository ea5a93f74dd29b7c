package discord

import (
	"context"
	"errors"
	"sync"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
)

// mostQueued is how many interactions of one person wait for an answer at most.
// More are dropped.
const mostQueued = 32

// mostRecent is how many interactions are remembered, so that none is handled twice.
const mostRecent = 20_000

// Why an interaction is not taken.
var (
	errStopped = errors.New("nobody takes interactions any more")
	errCrowd   = errors.New("too many interactions of one person")
)

// desk takes interactions while Run runs. Each person's are handled one after the
// other, in the order in which they came, and those of different people at the same time.
type desk struct {
	*Adapter
	h    chat.Handler
	work context.Context // of what is at hand
	busy sync.WaitGroup

	mu      sync.Mutex
	stopped bool                          // nothing begins any more, so that busy can be waited for
	queues  map[string]*queue             // by person, while there is anything to do
	recent  cache.Cache[string, struct{}] // the latest interactions by id
}

// take begins to answer an interaction. One that Discord does not wait for any more is
// dropped, and one that came before: its person has been told.
func (d *desk) take(it interaction) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return errStopped
	}
	if old := d.rest.clock.age(it.ID) > firstAnswer; old || !d.recent.Add(it.ID, struct{}{}, mostRecent) {
		d.log.Debug("an interaction was dropped", "platform", d.Name(), "kind", it.Type, "too_old", old)
		it.waits.end()
		return nil
	}
	turn, ok := d.join(it.queue())
	if !ok {
		return errCrowd
	}
	d.busy.Go(func() {
		defer turn.end()
		d.interact(d.work, it, turn.comes)
	})
	return nil
}

// tell hands over what Discord says of one of the bot's servers.
func (d *desk) tell(guild string, what chat.Presence) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id := prefix + guild; !d.stopped {
		d.busy.Go(func() { d.handle(d.work, chat.Input{Chat: chat.Chat{ID: id, Home: id}, Presence: what}) })
	}
}

// stop ends the taking.
func (d *desk) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
}

// queue is what one person waits for.
type queue struct {
	length int
	last   <-chan struct{} // closed when the last one is done
}

// turn is the place of an interaction in its queue.
type turn struct {
	comes <-chan struct{} // closed when all before it are done
	end   func()          // lets the next one have its turn, once this one came
}

// join puts an interaction at the end of a queue, and reports false if that is full.
// The lock is held.
func (d *desk) join(who string) (turn, bool) {
	q := d.queues[who]
	if q == nil {
		nobody := make(chan struct{})
		close(nobody)
		q = &queue{last: nobody}
		d.queues[who] = q
	}
	if q.length == mostQueued {
		return turn{}, false
	}
	comes, done := q.last, make(chan struct{})
	q.last = done
	q.length++
	return turn{comes, func() {
		<-comes
		d.mu.Lock()
		defer d.mu.Unlock()
		close(done)
		if q.length--; q.length == 0 {
			delete(d.queues, who)
		}
	}}, true
}

// queue names the queue in which an interaction waits: its person's. Suggestions have
// another one, as they change nothing and are wanted while something else takes long.
func (it *interaction) queue() string {
	who := ""
	if u := it.who(); u != nil {
		who = u.ID
	}
	if it.Type == kindTyping {
		who += " types"
	}
	return who
}

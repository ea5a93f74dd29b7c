// Package observe measures what the bot does. An [Observer] is called where an input is handled, a message is delivered,
// the store is called, and the AI thinks. It passes each to a [Meter], which keeps the figures; package metrics has the one
// of the program. It is a package of its own because everything from package doc up to package bot calls it.
//
// No metric names a person, a chat, a table or a card. The values of all labels are fixed in the program.
package observe

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// Meter keeps the figures of what an Observer sees. Its methods are safe for concurrent use.
type Meter interface {
	Replied(platform string, command bool, outcome string, took time.Duration) // a press or a command has its reply: one of Outcomes
	Delivered(platform, kind, outcome string, took time.Duration)              // one of Kinds has ended: one of Deliveries
	Called(call, trouble string, took time.Duration)                           // one of Calls has ended; trouble: one of Troubles, or ""
	Claimed(late time.Duration)                                                // this process has claimed a job
	Worked(took time.Duration)                                                 // a job has ended, so long after its claim
	Thought(took time.Duration)                                                // the AI has chosen a move
}

// The values of labels.
var (
	Outcomes   = []string{"done", "refused", "limited", "failed"}                              // by chat.Outcome
	Deliveries = []string{"retry", "unreachable", "gone", "invalid", delivered, limited, Held} // by chat.Fault, then by the constants below
	Kinds      = []string{Send, Edit, Delete}
	Calls      = []string{"get", "commit", "claim", "release", "board", "scan"}
	Troubles   = []string{conflict, fenced, failed}
)

// The kinds of deliveries.
const (
	Send   = "send"
	Edit   = "edit"
	Delete = "delete"
)

// Outcomes of a delivery that are no Fault.
const (
	delivered = "done"
	limited   = "limited" // the platform asked to wait
	Held      = "held"    // the adapter held the delivery back, so that the platform need not ask; this took no time
)

// Reasons why a call of the store did nothing.
const (
	conflict = "conflict"
	fenced   = "fenced"
	failed   = "error"
)

// Observer observes one process. Its methods are safe for concurrent use. A nil Observer does nothing.
type Observer struct {
	meter     Meter
	platforms []string

	mu   sync.Mutex
	held map[claim]time.Time // time of the claim, for jobs that this process holds or held lately
}

// claim identifies one claim of one job.
type claim struct {
	partition int
	id        string
	token     int64
}

// New returns an Observer of those platforms.
func New(m Meter, platforms ...string) *Observer {
	return &Observer{meter: m, platforms: platforms, held: map[claim]time.Time{}}
}

// knows reports whether the platform is observed.
func (o *Observer) knows(platform string) bool { return slices.Contains(o.platforms, platform) }

// Input observes the handling of a press or a command. It ignores what a platform reports, because no person acted.
func (o *Observer) Input(in chat.Input) func(chat.Reply) {
	platform, _, _ := strings.Cut(in.Player.ID, ":")
	if o == nil || in.Former != "" || in.Presence != 0 || !o.knows(platform) {
		return func(chat.Reply) {}
	}
	begin := time.Now()
	return func(r chat.Reply) {
		o.meter.Replied(platform, in.Command != "", Outcomes[r.Outcome], time.Since(begin))
	}
}

// Delivery observes a call of a platform's Send, Edit or Delete.
func (o *Observer) Delivery(p chat.Platform, kind string) func(error) {
	if o == nil || !o.knows(p.Name()) {
		return func(error) {}
	}
	begin := time.Now()
	return func(err error) { o.meter.Delivered(p.Name(), kind, deliveryOutcome(err), time.Since(begin)) }
}

// deliveryOutcome returns which of Deliveries an error of a delivery is.
func deliveryOutcome(err error) string {
	var d *chat.DeliveryError
	switch {
	case err == nil:
		return delivered
	case !errors.As(err, &d):
		return Deliveries[chat.Retry]
	case d.Held:
		return Held
	case d.Fault == chat.Retry && d.After > 0:
		return limited
	}
	return Deliveries[d.Fault]
}

// Call observes a call of the store. name is one of Calls.
func (o *Observer) Call(name string) func(error) {
	if o == nil {
		return func(error) {}
	}
	begin := time.Now()
	return func(err error) { o.meter.Called(name, troubleOf(err), time.Since(begin)) }
}

// troubleOf returns why a call of the store did nothing, or "".
func troubleOf(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, store.ErrConflict):
		return conflict
	case errors.Is(err, store.ErrFenced):
		return fenced
	}
	return failed
}

// Commit observes a call of the store's Commit, the job that it completes and the one that it claims.
func (o *Observer) Commit(c store.Change) func(error) {
	if o == nil {
		return func(error) {}
	}
	begin, end := time.Now(), o.Call("commit")
	return func(err error) {
		end(err)
		if c.Done != nil {
			o.ended(*c.Done)
		}
		if c.Claim != nil && c.Claim.Claimed {
			o.claimed(begin, 0, store.Job{Partition: c.Partition, ID: c.Claim.ID, Token: c.Claim.Token})
		}
	}
}

// Claim observes a call of the store's Claim.
func (o *Observer) Claim(now time.Time, lease time.Duration) func([]store.Job, error) {
	if o == nil {
		return func([]store.Job, error) {}
	}
	begin, end := time.Now(), o.Call("claim")
	return func(jobs []store.Job, err error) {
		end(err)
		o.expire(begin.Add(-2 * lease))
		for _, j := range jobs {
			o.claimed(begin, max(0, now.Sub(j.Due)), j)
		}
	}
}

// Release observes a call of the store's Release, and the job's end.
func (o *Observer) Release(j store.Job) func(error) {
	if o == nil {
		return func(error) {}
	}
	end := o.Call("release")
	return func(err error) {
		end(err)
		o.ended(j)
	}
}

// claimed records that this process has claimed a job, and how late that was.
func (o *Observer) claimed(at time.Time, late time.Duration, j store.Job) {
	o.meter.Claimed(late)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held[claim{j.Partition, j.ID, j.Token}] = at
}

// ended records the end of the work on a job.
func (o *Observer) ended(j store.Job) {
	key := claim{j.Partition, j.ID, j.Token}
	o.mu.Lock()
	at, ok := o.held[key]
	delete(o.held, key)
	o.mu.Unlock()
	if ok {
		o.meter.Worked(time.Since(at))
	}
}

// expire forgets the jobs that were claimed before a time: their leases ended long ago, and their work did not end in this
// process.
func (o *Observer) expire(before time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for c, at := range o.held {
		if at.Before(before) {
			delete(o.held, c)
		}
	}
}

// Thought observes that the AI has chosen a move, for which it has thought since begin.
func (o *Observer) Thought(begin time.Time) {
	if o != nil {
		o.meter.Thought(time.Since(begin))
	}
}

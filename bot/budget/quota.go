package budget

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// Exchange replaces a small document that the processes of a token share: it reads it, calls change, and stores the result,
// again if another process was faster. The document may be forgotten after some minutes.
type Exchange func(ctx context.Context, name string, change func(old []byte) []byte) error

// Timing of renewals.
const (
	renewEvery = time.Second
	renewSoon  = 100 * time.Millisecond // the same, while others have no room for this process yet
	leaseFor   = 3 * time.Second        // how long a process uses its quota without a renewal
	endedAfter = 5 * time.Second        // how long an entry is unchanged before others take its quota: more than leaseFor and a window
	leaving    = 500 * time.Millisecond // how long a process that stops tries to say so: others find out
	remembered = 20                     // renewals for which an entry names the chats: in that time a chat saves up all that it may get at once
	reserve    = 8                      // a process that is alone leaves one request in so many to a successor, and keeps as many when it stops
)

// Quotas is the document.
type Quotas struct {
	Members map[string]*Process `json:"members"` // by process
}

// Process is a process's entry.
type Process struct {
	Beat  int   `json:"beat"`           // number of the latest renewal
	Holds int   `json:"holds"`          // its quota
	Wants int   `json:"wants"`          // the limit, for earlier versions: they divide it by what processes want
	Left  bool  `json:"left,omitempty"` // it has stopped: after a window, it holds only its reserve
	Used  []Use `json:"used,omitempty"` // what it sent, the latest last
}

// Use is what a process sent to a chat, or was told there.
type Use struct {
	Beat  int           `json:"beat"` // before which renewal
	Chat  uint64        `json:"chat"` // a hash of its id
	Sent  int           `json:"sent,omitempty"`
	Block time.Duration `json:"block,omitempty"` // the platform said to wait for so long
}

// Quota is a process's part of a token's budget.
type Quota struct {
	limit  int
	window time.Duration
	set    func(quota, processes int, until time.Time) // of the queue
	sent   func(now time.Time) int                     // of the queue
	me     string
	hear   func(u Use, now time.Time)

	mu   sync.Mutex
	uses map[uint64]Use // since the last renewal, by chat

	beat    int    // number of the latest renewal
	left    bool   // this process has stopped
	has     held   // what the queue may use
	had     []held // the same within a window before
	members map[string]seen
}

// held is a quota, and until when the queue may use it.
type held struct {
	quota int
	until time.Time
}

// used returns the quota if it may have been used within a window before now.
func (h held) used(now time.Time, window time.Duration) int {
	if now.Before(h.until.Add(window)) {
		return h.quota
	}
	return 0
}

// seen is what a process has seen of another.
type seen struct {
	beat int
	at   time.Time // when it saw that beat for the first time
}

func (l *FairQueue[K]) set(quota, processes int, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quota, l.processes, l.until = quota, processes, until
}

// used returns how many requests this process has made within a window.
func (l *FairQueue[K]) used(now time.Time) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n < len(l.sent) && now.Sub(l.sent[len(l.sent)-1-n]) < l.within {
		n++
	}
	return n
}

// NewQuota returns the quota of a process with that name, which nobody else has. The queue has no quota until Run gets one.
// While it runs, hear is called for what each other process has sent, and when; it may be nil.
func NewQuota[K comparable](queue *FairQueue[K], me string, hear func(u Use, now time.Time)) *Quota {
	queue.set(0, 1, time.Time{})
	return &Quota{
		limit: len(queue.sent), window: queue.within, set: queue.set, sent: queue.used, me: me, hear: hear, uses: map[uint64]Use{}, members: map[string]seen{},
	}
}

// Used notes what this process has sent to a chat, or that it was told to wait there.
func (p *Quota) Used(chat uint64, sent int, block time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := p.uses[chat]
	p.uses[chat] = Use{Chat: chat, Sent: u.Sent + sent, Block: max(u.Block, block)}
}

// Run renews the quota until ctx ends.
func (p *Quota) Run(ctx context.Context, name string, exchange Exchange, log *slog.Logger) {
	for ctx.Err() == nil {
		wait := renewEvery
		if err := p.renew(ctx, name, exchange); err != nil && ctx.Err() == nil {
			log.Warn("the limits of a token can't be shared", "name", name, "err", err)
		} else if p.has.quota == 0 {
			wait = renewSoon
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// Keep renews a quota until the function that it returns is called, also after ctx has ended. Then it leaves the quota to
// others but for a reserve, with which this process ends what it has begun.
func Keep(ctx context.Context, p *Quota, name string, exchange Exchange, log *slog.Logger) (end func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx, name, exchange, log) })
	return func() {
		stop()
		running.Wait()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaving)
		defer cancel()
		if err := p.leave(ctx, name, exchange); err != nil {
			log.Warn("the limits of a token can't be shared", "name", name, "err", err)
		}
	}
}

// leave renews the quota for the last time.
func (p *Quota) leave(ctx context.Context, name string, exchange Exchange) error {
	rest := min(p.has.quota, p.limit/reserve)
	p.set(rest, 1+len(p.members), p.has.until)
	p.left, p.had, p.has.quota = true, nil, max(rest, p.sent(time.Now()))
	return p.renew(ctx, name, exchange)
}

// renew renews the quota once.
func (p *Quota) renew(ctx context.Context, name string, exchange Exchange) error {
	ctx, cancel := context.WithTimeout(ctx, leaseFor)
	defer cancel()
	began := time.Now()
	p.mu.Lock()
	uses := slices.Collect(maps.Values(p.uses))
	clear(p.uses)
	p.mu.Unlock()
	p.beat++ // also when this fails: the store may have it, and others then count from there
	var next int
	var others []Use // from all attempts: each sees only what is new
	err := exchange(ctx, name, func(old []byte) []byte {
		var all Quotas
		_ = json.Unmarshal(old, &all) // nothing, or what another version wrote: all quotas are free
		var more []Use
		next, more = p.change(&all, uses, time.Now())
		others = append(others, more...)
		data, _ := json.Marshal(all) // can't fail: it holds only numbers and names
		return data
	})
	now := time.Now()
	for _, u := range others {
		if p.hear != nil {
			p.hear(u, now)
		}
	}
	if err != nil {
		for _, u := range uses { // the next renewal reports them
			p.Used(u.Chat, u.Sent, u.Block)
		}
		return err
	}
	if p.has.until.After(now) {
		p.has.until = now
	}
	p.had = slices.DeleteFunc(append(p.had, p.has), func(h held) bool { return h.used(now, p.window) == 0 })
	p.has = held{next, began.Add(leaseFor)}
	p.set(next, 1+len(p.members), p.has.until)
	return nil
}

// used returns the most that this process may have used within a window before now.
func (p *Quota) used(now time.Time) (most int) {
	for _, h := range p.had {
		most = max(most, h.used(now, p.window))
	}
	return max(most, p.has.used(now, p.window))
}

// change renews the process's entry. It returns the quota that the process may use from now on, and what others have
// sent since the last renewal.
func (p *Quota) change(all *Quotas, uses []Use, now time.Time) (quota int, others []Use) {
	if all.Members == nil {
		all.Members = map[string]*Process{}
	}
	own := all.Members[p.me]
	delete(all.Members, p.me)
	free := p.limit
	for name, m := range all.Members {
		before, known := p.members[name]
		for _, u := range m.Used {
			if u.Beat > before.beat {
				others = append(others, u)
			}
		}
		if !known || before.beat != m.Beat {
			p.members[name] = seen{m.Beat, now}
		} else if now.Sub(before.at) > endedAfter {
			delete(all.Members, name)
			continue
		}
		if m.Left && now.Sub(p.members[name].at) >= p.window {
			free -= min(m.Holds, p.limit/reserve)
		} else {
			free -= m.Holds
		}
	}
	maps.DeleteFunc(p.members, func(name string, _ seen) bool { return all.Members[name] == nil })

	mine := &Process{Beat: p.beat, Wants: p.limit, Left: p.left}
	all.Members[p.me] = mine
	quota = min(fair(all.Members, p.limit, p.me), max(0, free))
	if p.left {
		quota = min(quota, p.limit/reserve)
	}
	mine.Holds = max(quota, p.used(now)) // what was used within a window is not for others yet
	if own != nil {
		mine.Used = slices.DeleteFunc(own.Used, func(u Use) bool { return u.Beat <= mine.Beat-remembered })
	}
	for _, u := range uses {
		u.Beat = mine.Beat
		mine.Used = append(mine.Used, u)
	}
	return quota, others
}

// fair returns a process's quota: all that haven't left are equal but for the remainder.
func fair(members map[string]*Process, limit int, name string) int {
	names := slices.Sorted(maps.Keys(members))
	names = slices.DeleteFunc(names, func(other string) bool { return members[other].Left && other != name })
	at, n := slices.Index(names, name), len(names)
	if n == 1 {
		return limit - limit/reserve
	}
	return limit*(at+1)/n - limit*at/n
}

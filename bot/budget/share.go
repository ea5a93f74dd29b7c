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
	leaseFor   = 3 * time.Second        // how long a process uses its part without a renewal
	endedAfter = 5 * time.Second        // how long an entry is unchanged before others take its part: more than leaseFor and a window
	remembered = 8                      // renewals for which an entry names the chats
	reserve    = 8                      // a process that is alone leaves one request in so many to a successor, if it is killed
)

// Shares is the document.
type Shares struct {
	Members map[string]*Member `json:"members"` // by process
}

// Member is a process's entry.
type Member struct {
	Beat  int   `json:"beat"`           // number of the latest renewal
	Holds int   `json:"holds"`          // its part of the limit
	Wants int   `json:"wants"`          // the limit, for earlier versions: they divide it by what processes want
	Used  []Use `json:"used,omitempty"` // what it sent, the latest last
}

// Use is what a process sent to a chat, or was told there.
type Use struct {
	Beat  int           `json:"beat"` // before which renewal
	Chat  uint64        `json:"chat"` // a hash of its id
	Sent  int           `json:"sent,omitempty"`
	Block time.Duration `json:"block,omitempty"` // the platform said to wait for so long
}

// Share keeps a process's part of a token's budget.
type Share struct {
	limit  int
	window time.Duration
	set    func(part, processes int, until time.Time) // of the line
	me     string
	hear   func(u Use, now time.Time)

	mu   sync.Mutex
	uses map[uint64]Use // since the last renewal, by chat

	beat    int    // number of the latest renewal
	part    held   // the part that the line has
	past    []held // those that it had within a window
	members map[string]seen
}

// held is a part of the limit, and until when the line may use it.
type held struct {
	part  int
	until time.Time
}

// used returns the part if it may have been used within a window before now.
func (h held) used(now time.Time, window time.Duration) int {
	if now.Before(h.until.Add(window)) {
		return h.part
	}
	return 0
}

// seen is what a process has seen of another.
type seen struct {
	beat int
	at   time.Time // when it saw that beat for the first time
}

func (l *Line[K]) set(part, processes int, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part, l.processes, l.until = part, processes, until
}

// NewShare returns the share of a process with that name, which nobody else has. The line has no part until Run gets one.
// While it runs, hear is called for what each other process has sent, and when; it may be nil.
func NewShare[K comparable](line *Line[K], me string, hear func(u Use, now time.Time)) *Share {
	line.set(0, 1, time.Time{})
	return &Share{
		limit: len(line.sent), window: line.within, set: line.set, me: me, hear: hear, uses: map[uint64]Use{}, members: map[string]seen{},
	}
}

// Used notes what this process has sent to a chat, or that it was told to wait there.
func (s *Share) Used(chat uint64, sent int, block time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.uses[chat]
	s.uses[chat] = Use{Chat: chat, Sent: u.Sent + sent, Block: max(u.Block, block)}
}

// Run renews the part until ctx ends.
func (s *Share) Run(ctx context.Context, name string, exchange Exchange, log *slog.Logger) {
	for ctx.Err() == nil {
		wait := renewEvery
		if err := s.renew(ctx, name, exchange); err != nil && ctx.Err() == nil {
			log.Warn("the limits of a token can't be shared", "name", name, "err", err)
		} else if s.part.part == 0 {
			wait = renewSoon
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// Keep runs a share until the function that it returns is called, also after ctx has ended.
func Keep(ctx context.Context, s *Share, name string, exchange Exchange, log *slog.Logger) (end func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx, name, exchange, log) })
	return func() {
		stop()
		running.Wait()
	}
}

// renew renews the part once.
func (s *Share) renew(ctx context.Context, name string, exchange Exchange) error {
	ctx, cancel := context.WithTimeout(ctx, leaseFor)
	defer cancel()
	began := time.Now()
	s.mu.Lock()
	uses := slices.Collect(maps.Values(s.uses))
	clear(s.uses)
	s.mu.Unlock()
	s.beat++ // also when this fails: the store may have it, and others then count from there
	var next int
	var others []Use // from all attempts: each sees only what is new
	err := exchange(ctx, name, func(old []byte) []byte {
		var all Shares
		_ = json.Unmarshal(old, &all) // nothing, or what another version wrote: all parts are free
		var more []Use
		next, more = s.change(&all, uses, time.Now())
		others = append(others, more...)
		data, _ := json.Marshal(all) // can't fail: it holds only numbers and names
		return data
	})
	now := time.Now()
	for _, u := range others {
		if s.hear != nil {
			s.hear(u, now)
		}
	}
	if err != nil {
		for _, u := range uses { // the next renewal tells of them
			s.Used(u.Chat, u.Sent, u.Block)
		}
		return err
	}
	if s.part.until.After(now) {
		s.part.until = now
	}
	s.past = slices.DeleteFunc(append(s.past, s.part), func(h held) bool { return h.used(now, s.window) == 0 })
	s.part = held{next, began.Add(leaseFor)}
	s.set(next, 1+len(s.members), s.part.until)
	return nil
}

// used returns the most that this process may have used within a window before now.
func (s *Share) used(now time.Time) (most int) {
	for _, h := range s.past {
		most = max(most, h.used(now, s.window))
	}
	return max(most, s.part.used(now, s.window))
}

// change renews the process's entry. It returns the part that the process may use from now on, and what others have
// sent since the last renewal.
func (s *Share) change(all *Shares, uses []Use, now time.Time) (part int, others []Use) {
	if all.Members == nil {
		all.Members = map[string]*Member{}
	}
	own := all.Members[s.me]
	delete(all.Members, s.me)
	free := s.limit
	for name, m := range all.Members {
		before, known := s.members[name]
		for _, u := range m.Used {
			if u.Beat > before.beat {
				others = append(others, u)
			}
		}
		if !known || before.beat != m.Beat {
			s.members[name] = seen{m.Beat, now}
		} else if now.Sub(before.at) > endedAfter {
			delete(all.Members, name)
			continue
		}
		free -= m.Holds
	}
	maps.DeleteFunc(s.members, func(name string, _ seen) bool { return all.Members[name] == nil })

	mine := &Member{Beat: s.beat, Wants: s.limit}
	all.Members[s.me] = mine
	part = min(fair(all.Members, s.limit, s.me), max(0, free))
	mine.Holds = max(part, s.used(now)) // what was used within a window is not for others yet
	if own != nil {
		mine.Used = slices.DeleteFunc(own.Used, func(u Use) bool { return u.Beat <= mine.Beat-remembered })
	}
	for _, u := range uses {
		u.Beat = mine.Beat
		mine.Used = append(mine.Used, u)
	}
	return part, others
}

// fair returns a member's part of the limit: all are equal but for the remainder.
func fair(members map[string]*Member, limit int, name string) int {
	names := slices.Sorted(maps.Keys(members))
	at, n := slices.Index(names, name), len(names)
	if n == 1 {
		return limit - limit/reserve
	}
	return limit*(at+1)/n - limit*at/n
}

package store

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// Patience is how long a Store waits for its caller to repeat a completion whose outcome is unknown. Then it takes the
	// job from the caller.
	Patience = 2 * time.Second
	// doubtFor is for how long a Store looks for lost leases after a call whose outcome is unknown: until they have ended.
	doubtFor = 30 * time.Second
)

// Holder is what a backend's Store remembers of the leases of its process: which of them its caller knows, and which jobs
// it leaves to others. Only this process has the tokens, and only until it ends.
type Holder struct {
	mu     sync.Mutex
	tokens map[int64]time.Time // the tokens that this Store has used: when their leases end
	claims map[int64]bool      // the tokens of Claims that have no outcome yet
	known  map[hold]time.Time  // the jobs on which the caller works: until when it may complete them
	left   map[Key]time.Time   // the jobs left to others: until when
	doubt  time.Time           // until then there may be leases of which the caller doesn't know
	swept  time.Time
}

// hold is a job under a token.
type hold struct {
	key   Key
	token int64
}

func holdOf(job Job) hold { return hold{Key{job.Partition, job.ID}, job.Token} }

// NewToken returns a token that no other holder ever has.
func NewToken() int64 { return 1<<62 + rand.Int64N(1<<62) }

// lock locks h and makes it ready.
func (h *Holder) lock() {
	h.mu.Lock()
	if h.tokens == nil {
		h.tokens, h.claims, h.known, h.left = map[int64]time.Time{}, map[int64]bool{}, map[hold]time.Time{}, map[Key]time.Time{}
	}
}

// Claim returns a token for a Claim with that lease. The backend calls end with the outcome.
func (h *Holder) Claim(lease time.Duration) (token int64, end func([]Job, error)) {
	h.lock()
	defer h.mu.Unlock()
	token = NewToken()
	h.use(token, lease)
	h.claims[token] = true
	return token, func(jobs []Job, err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.claims, token)
		for _, job := range jobs {
			h.known[holdOf(job)] = h.tokens[token]
		}
		if err != nil {
			h.doubt = time.Now().Add(doubtFor)
		}
	}
}

// use remembers a token, and forgets what has ended.
func (h *Holder) use(token int64, lease time.Duration) {
	now := time.Now()
	h.tokens[token] = now.Add(lease)
	if now.Sub(h.swept) < time.Second {
		return
	}
	h.swept = now
	for token, ends := range h.tokens {
		if ends.Before(now) {
			delete(h.tokens, token)
		}
	}
	for job, until := range h.known {
		if until.Before(now) {
			delete(h.known, job)
		}
	}
}

// Commit remembers the jobs that a Commit is about to complete and to claim. The backend calls end with the outcome.
func (h *Holder) Commit(c Change) (end func(claimed bool, err error)) {
	if c.Done == nil && c.Claim == nil {
		return func(bool, error) {}
	}
	h.lock()
	defer h.mu.Unlock()
	var claim, done hold
	if c.Claim != nil {
		claim = hold{Key{c.Partition, c.Claim.ID}, c.Claim.Token}
		h.use(claim.token, c.Claim.Until.Sub(c.Now))
		h.known[claim] = h.tokens[claim.token]
	}
	if c.Done != nil {
		done = holdOf(*c.Done)
		h.known[done] = h.tokens[done.token]
	}
	return func(claimed bool, err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !claimed {
			delete(h.known, claim)
		}
		switch {
		case errors.Is(err, ErrConflict), errors.As(err, new(*Damaged)):
			return
		case err == nil, errors.Is(err, ErrFenced):
			delete(h.known, done)
		default:
			h.doubt = time.Now().Add(doubtFor)
			if done.token != 0 {
				h.known[done] = time.Now().Add(Patience)
			}
		}
		if err == nil && c.Done != nil && c.Leave > 0 {
			h.left[done.key] = time.Now().Add(c.Leave)
		}
	}
}

// Doubt makes the Store look for leases of which the caller doesn't know.
func (h *Holder) Doubt() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.doubt = time.Now().Add(doubtFor)
}

// Doubtful reports whether there may be leases of which the caller doesn't know.
func (h *Holder) Doubtful() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.tokens) > 0 && time.Now().Before(h.doubt)
}

// Lost reports whether a job is held by this process, and its caller doesn't know that. The backend has read job before.
func (h *Holder) Lost(job Job) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	return now.Before(h.tokens[job.Token]) && !h.claims[job.Token] && !now.Before(h.known[holdOf(job)])
}

// Left returns the ids of the jobs that are left to others, by partition. The first of them is no longer left at next, as
// a clock tells that says now; zero: there are none.
func (h *Holder) Left(now time.Time) (ids [Partitions][]string, next time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, until := range h.left {
		wait := time.Until(until)
		if wait <= 0 {
			delete(h.left, key)
			continue
		}
		ids[key.Partition] = append(ids[key.Partition], key.Name)
		if at := now.Add(wait); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return ids, next
}

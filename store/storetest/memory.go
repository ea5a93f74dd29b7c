package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/store"
)

// Memory is a store in memory, for tests of what uses a store: the suite's model, with versions and leases of its own. It
// passes the suite.
type Memory struct {
	mu            sync.Mutex
	model         *model
	holder        store.Holder
	last          int64 // the newest version
	turn          int   // the first partition that Claim looks at
	interruptions int64
	watches       map[chan struct{}]bool
	closed        chan struct{}
	close         func()
}

var _ store.Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory {
	closed := make(chan struct{})
	return &Memory{model: newModel(), watches: map[chan struct{}]bool{}, closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

// Reopen closes the store and returns another one with its data, as a process that starts again does. All leases have ended.
func (m *Memory) Reopen() *Memory {
	m.close()
	m.mu.Lock()
	defer m.mu.Unlock()
	again := NewMemory()
	again.model, again.last = m.model, m.last
	for id, job := range again.model.jobs {
		if now := time.Now(); job.token != 0 && job.at.After(now) {
			job.at = later(now)
			again.model.jobs[id] = job
		}
	}
	return again
}

// Keep returns how to undo, once, all that is committed from now on, as a failover to a replica does.
func (m *Memory) Keep() (undo func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept, last := m.model.clone(), m.last
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.model, m.last = kept, last
		m.interruptions++
		m.wake()
	}
}

// wake lets all watches look.
func (m *Memory) wake() {
	for wake := range m.watches {
		select {
		case wake <- struct{}{}:
		default: // it has yet to read anyway
		}
	}
}

// Close implements store.Store.
func (m *Memory) Close() error { m.close(); return nil }

// Interruptions implements store.Store.
func (m *Memory) Interruptions() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.interruptions
}

// begin locks the store for a call in these partitions, and returns an error if the call may not be made. The caller unlocks it.
func (m *Memory) begin(ctx context.Context, partitions ...int) error {
	m.mu.Lock()
	for _, p := range partitions {
		if p < 0 || p >= store.Partitions {
			return fmt.Errorf("no partition %d", p)
		}
	}
	select {
	case <-m.closed:
		return errors.New("the store is closed")
	default:
		return ctx.Err()
	}
}

// later rounds a time up to milliseconds, as backends store it.
func later(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return time.UnixMilli(at.Add(time.Millisecond - 1).UnixMilli())
}

// read returns a document as it is at a time.
func (m *Memory) read(key store.Key, now time.Time) store.Doc {
	doc := store.Doc{Key: key, Version: m.model.current(key, now)}
	if doc.Version != 0 {
		doc.Data = append([]byte{}, m.model.docs[key].data...)
	}
	return doc
}

// Get implements store.Store.
func (m *Memory) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	partitions := make([]int, len(keys))
	for i, key := range keys {
		partitions[i] = key.Partition
	}
	defer m.mu.Unlock()
	if err := m.begin(ctx, partitions...); err != nil {
		return nil, err
	}
	docs := make([]store.Doc, len(keys))
	for i, key := range keys {
		docs[i] = m.read(key, time.Now())
	}
	return docs, nil
}

// Commit implements store.Store.
func (m *Memory) Commit(ctx context.Context, c store.Change) (err error) {
	if err := c.Check(); err != nil {
		return err
	}
	end := m.holder.Commit(c)
	defer func() { end(c.Claim != nil && c.Claim.Claimed, err) }()
	defer m.mu.Unlock()
	if err := m.begin(ctx, c.Partition); err != nil {
		return err
	}
	if c.Now.IsZero() {
		c.Now = time.Now()
	}
	c.Now, c.Next = time.UnixMilli(c.Now.UnixMilli()), later(c.Next)
	writes := c.Writes
	c.Writes, c.Rows, c.Due = slices.Clone(c.Writes), slices.Clone(c.Rows), slices.Clone(c.Due)
	for i := range c.Due {
		c.Due[i].At = later(c.Due[i].At)
	}
	for i := range c.Rows {
		c.Rows[i].Data = bytes.Clone(c.Rows[i].Data)
		c.Rows[i].Score += 0 // no minus zero
	}
	if errs := m.model.refusals(c); len(errs) > 0 {
		return errs[0]
	}
	versions := make([]int64, len(c.Writes))
	for i, w := range c.Writes {
		c.Writes[i].Data, c.Writes[i].Expires = bytes.Clone(w.Data), later(w.Expires)
		last := m.model.current(store.Key{Partition: c.Partition, Name: w.Name}, c.Now)
		if last == 0 {
			last = m.last // also of a document that was deleted
		}
		versions[i] = store.Following(last)
	}
	claim := c.Claim
	if claim != nil {
		own := *claim
		own.Until = later(own.Until)
		c.Claim = &own
		claim.Claimed = m.model.jobs[modelJobID{c.Partition, claim.ID}].token == 0
	}
	m.model.apply(c)
	for i, w := range c.Writes {
		m.last = max(m.last, versions[i])
		if key := (store.Key{Partition: c.Partition, Name: w.Name}); w.Data != nil {
			doc := m.model.docs[key]
			doc.version = versions[i]
			m.model.docs[key] = doc
			writes[i].Version = versions[i]
		}
	}
	if claim != nil && claim.Claimed {
		claim.Docs = nil
		for _, key := range claim.Keys(c.Partition) {
			claim.Docs = append(claim.Docs, m.read(key, c.Now))
		}
	}
	m.wake()
	return nil
}

// Claim implements store.Store.
func (m *Memory) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	defer m.mu.Unlock()
	if err := m.begin(ctx); err != nil {
		return nil, time.Time{}, err
	}
	at, ends := time.UnixMilli(now.UnixMilli()), later(now.Add(lease))
	left, next := m.holder.Left(now)
	var due [store.Partitions][]store.Job
	waiting := 0
	for id, job := range m.model.jobs {
		if slices.Contains(left[id.partition], id.id) {
			continue
		}
		since, is, _ := job.due(at)
		if job.token != 0 && job.at.After(ends.Add(store.Skew+store.Late)) {
			since, is = at, true // a lease that isn't believed
		}
		if is {
			due[id.partition] = append(due[id.partition], store.Job{Partition: id.partition, ID: id.id, Due: since})
			waiting++
		} else {
			next = earlier(next, job.at)
		}
	}
	if waiting == 0 || limit <= 0 {
		return nil, next, nil
	}
	for _, jobs := range due {
		slices.SortFunc(jobs, func(a, b store.Job) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID)) })
	}
	token := store.NewToken()
	var jobs []store.Job
	for ; len(jobs) < min(limit, waiting); m.turn = (m.turn + 1) % store.Partitions {
		if len(due[m.turn]) == 0 {
			continue
		}
		got := due[m.turn][0]
		due[m.turn] = due[m.turn][1:]
		got.Token = token
		id := modelJobID{got.Partition, got.ID}
		got.Taken = m.model.jobs[id].token != 0
		job := modelJob{at: ends, token: got.Token}
		if wake := m.model.jobs[id].wake; wake.After(at) {
			job.wake = wake
		}
		m.model.jobs[id] = job
		jobs = append(jobs, got)
	}
	if waiting > len(jobs) {
		return jobs, now, nil
	}
	return jobs, earlier(next, ends), nil
}

// Next returns when the next job can be claimed, or zero if there is none.
func (m *Memory) Next() (next time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, job := range m.model.jobs {
		next = earlier(next, job.at)
	}
	return next
}

// Job returns when a job can be claimed, or zero if it is never due, and whether somebody holds it.
func (m *Memory) Job(partition int, id string) (at time.Time, held bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	job := m.model.jobs[modelJobID{partition, id}]
	return job.at, job.token != 0
}

// Release implements store.Store.
func (m *Memory) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return m.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

// Board implements store.Store.
func (m *Memory) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	defer m.mu.Unlock()
	if err := m.begin(ctx, partition); err != nil {
		return nil, 0, err
	}
	standings, all := m.model.window(store.Key{Partition: partition, Name: board}, max(from, 0), min(max(n, 0), store.MaxRows), around)
	return standings, all, nil
}

// pageSize is the maximum number of documents that one Scan returns.
const pageSize = 100

// Scan implements store.Store.
func (m *Memory) Scan(ctx context.Context, partition int, prefix, cursor string) (docs []store.Doc, next string, err error) {
	defer m.mu.Unlock()
	if err := m.begin(ctx, partition); err != nil {
		return nil, "", err
	}
	now := time.Now()
	var keys []store.Key
	for key := range m.model.docs {
		if key.Partition == partition && strings.HasPrefix(key.Name, prefix) && key.Name > cursor && m.model.current(key, now) != 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b store.Key) int { return cmp.Compare(a.Name, b.Name) })
	for _, key := range keys[:min(len(keys), pageSize)] {
		docs = append(docs, m.read(key, now))
	}
	if len(keys) > pageSize {
		next = keys[pageSize-1].Name
	}
	return docs, next, nil
}

// Watch implements store.Store.
func (m *Memory) Watch(ctx context.Context, keys ...store.Key) <-chan []store.Doc {
	wake := make(chan struct{}, 1)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watches[wake] = true
	context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watches, wake)
	})
	return store.Follow(ctx, m.Get, keys, wake, m.closed)
}

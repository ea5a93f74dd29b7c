package bottest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"sedmabot/store"
)

// shop is the store as one process sees it, with faults.
type shop struct{ m *machine }

// trouble returns errors before the call takes effect, and after.
func (s *shop) trouble(ctx context.Context, commit bool, what ...any) (before, after error) {
	m := s.m
	defer func() {
		if before != nil || after != nil {
			m.fails(ctx)
		}
	}()
	if err := m.step(); err != nil {
		return err, nil
	}
	takes := m.w.lasts(3*time.Millisecond, append(what, m.name)...)
	m.mu.Lock()
	now := time.Now()
	wait, away := takes, m.away.After(now)
	if m.slow.After(now) {
		wait += m.slowBy
	}
	if commit && m.failCommit > 0 {
		m.failCommit--
		away = true
	}
	if commit && !away && m.loseCommit > 0 {
		m.loseCommit--
		m.w.state("a commit took effect, and its answer was lost")
		after = errors.New("the store's answer was lost")
	}
	m.mu.Unlock()
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return ctx.Err(), nil
	}
	switch {
	case m.dead.Load():
		return errKilled, nil
	case away:
		return errors.New("the store is away"), nil
	}
	return nil, after
}

func (s *shop) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	if before, _ := s.trouble(ctx, false, "get", keys); before != nil {
		return nil, before
	}
	return s.m.w.kept.Get(ctx, keys...)
}

func (s *shop) Commit(ctx context.Context, c store.Change) error {
	before, after := s.trouble(ctx, true, changed(c))
	if before != nil {
		return before
	}
	if c.Claim != nil && s.m.w.shows(s.m, c.Claim.ID) {
		leap := time.Duration(s.m.leaps.Load())
		c.Now, c.Claim.Until = c.Now.Add(leap), c.Claim.Until.Add(leap)
		if d, ok := ctx.Value(deed{}).(*deed); ok {
			d.ahead += leap
		}
	}
	err := s.m.w.kept.Commit(ctx, c)
	if err == nil {
		d, ok := ctx.Value(deed{}).(*deed)
		s.m.w.committed(s.m, c, ok)
		if slices.ContainsFunc(c.Writes, func(w store.Write) bool { return strings.HasPrefix(w.Name, "table:") }) {
			if ok {
				d.stored.Add(1)
			}
			if s.m.jumped.Swap(false) {
				s.m.ahead.Store(0)
			}
		}
	}
	s.m.w.event("commit", s.m.name, changed(c), err)
	taken := err == nil && c.Claim != nil && c.Claim.Claimed
	if taken { // before a fault remembers what the store has now
		s.m.w.claimed(s.m, c.Claim.ID)
	}
	for _, name := range s.m.w.news() {
		s.m.w.moment(s.m, name)
	}
	switch {
	case errors.Is(err, store.ErrFenced):
		s.m.w.state("a lease was taken by another process")
		s.m.w.moment(s.m, "work was lost")
		s.m.w.mu.Lock()
		sent := s.m.w.sending[s.m]
		s.m.w.mu.Unlock()
		if c.Done != nil && time.Since(sent) < 100*time.Millisecond {
			s.m.w.state("a lease was taken from a process that was sending")
		}
	case errors.Is(err, store.ErrConflict):
		s.m.w.state("two changes met")
	}
	if err != nil {
		return err
	}
	if err := s.m.step(); err != nil {
		s.m.w.state("a process died after a commit")
		if taken {
			s.m.w.mu.Lock()
			s.m.w.waits(c.Claim.ID)
			s.m.w.mu.Unlock()
		}
		return err
	}
	if taken {
		s.m.w.taken(s.m)
	}
	if c.Claim != nil && !c.Claim.Claimed {
		s.m.w.met(s.m, c.Claim.ID)
	}
	if taken && s.m.losesClaim() {
		s.m.w.state("a commit took a job, and its answer was lost")
		go s.m.w.leaves(c.Claim.ID)
		s.m.fails(ctx)
		after = errors.New("the store's answer was lost")
	}
	if after != nil {
		s.m.fails(ctx) // once more: the process doesn't know that it took the job
	}
	return after
}

// fails notes that a call of the store failed.
func (m *machine) fails(ctx context.Context) {
	m.set(func() { m.troubled = time.Now() })
	if d, ok := ctx.Value(deed{}).(*deed); ok {
		d.troubled.Store(true)
	}
}

// losesClaim reports whether the answer to a commit that took a job is lost.
func (m *machine) losesClaim() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	lost := m.loseClaim
	m.loseClaim = false
	return lost
}

// changed returns the names of what a change changes.
func changed(c store.Change) (names []string) {
	for _, w := range c.Writes {
		names = append(names, w.Name)
	}
	if c.Done != nil {
		names = append(names, "done "+c.Done.ID)
	}
	return names
}

func (s *shop) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	s.m.mu.Lock()
	late := s.m.hang
	s.m.hang = 0
	s.m.mu.Unlock()
	if before, _ := s.trouble(ctx, false, "claim"); before != nil {
		s.m.w.unclaimed()
		return nil, time.Time{}, before
	}
	jobs, next, err := s.m.w.kept.Claim(ctx, now, lease, limit)
	for _, job := range jobs {
		s.m.w.claimed(s.m, job.ID)
		s.m.w.event("claim", s.m.name, job.ID)
	}
	if len(jobs) > 0 {
		s.m.w.taken(s.m)
	}
	select {
	case <-time.After(late):
	case <-ctx.Done():
		if len(jobs) > 0 {
			s.m.w.state("a claim took jobs, and its answer was lost")
			s.m.fails(ctx)
		}
		return nil, time.Time{}, ctx.Err()
	}
	return jobs, next, err
}

func (s *shop) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

func (s *shop) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	if before, _ := s.trouble(ctx, false, "other"); before != nil {
		return nil, 0, before
	}
	return s.m.w.kept.Board(ctx, partition, board, from, n, around)
}

func (s *shop) Watch(ctx context.Context, keys ...store.Key) <-chan []store.Doc {
	return s.m.w.kept.Watch(ctx, keys...)
}

func (s *shop) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	if before, _ := s.trouble(ctx, false, "other"); before != nil {
		return nil, "", before
	}
	return s.m.w.kept.Scan(ctx, partition, prefix, cursor)
}

// Interruptions counts from 1, as Redis does, whose first connection is one.
func (s *shop) Interruptions() int64 { return s.m.w.memory.Interruptions() + 1 }

func (*shop) Close() error { return nil }

package town

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"sedmabot/store"
	"sedmabot/store/storetest"
)

// Worn is a store whose commits sometimes fail while it is on, before or after they take effect.
type Worn struct {
	store.Store
	commits int
	On      bool
}

// Commit implements store.Store. Every third commit fails.
func (s *Worn) Commit(ctx context.Context, c store.Change) error {
	if s.commits++; !s.On || s.commits%3 > 0 {
		return s.Store.Commit(ctx, c)
	}
	if s.commits%2 == 0 {
		if err := s.Store.Commit(ctx, c); err != nil {
			return err
		}
	}
	return fmt.Errorf("commit %d: the line is cut", s.commits)
}

// Dying is the store of a process that dies.
type Dying struct {
	store.Store

	mu      sync.Mutex
	commits int // how many were tried
	dying   bool
	left    int
	last    bool
}

// Dies makes all commits fail after the next few. If last is true, the first failing one takes effect, but its answer is lost.
func (s *Dying) Dies(after int, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dying, s.left, s.last = true, after, last
}

// Lives lets another process go on.
func (s *Dying) Lives() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dying = false
}

// Commits returns how many commits were tried.
func (s *Dying) Commits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commits
}

// Commit implements store.Store.
func (s *Dying) Commit(ctx context.Context, c store.Change) error {
	s.mu.Lock()
	s.commits++
	s.left--
	dying, left := s.dying, s.left
	s.mu.Unlock()
	switch {
	case !dying || left >= 0:
		return s.Store.Commit(ctx, c)
	case left == -1 && s.last:
		_ = s.Store.Commit(ctx, c)
	}
	return errDied
}

var errDied = errors.New("the process died")

// InDying is [In] with a store that dies when the test says so.
func InDying(t *testing.T, f func(t *testing.T, w *Town, s *Dying)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory()
		defer memory.Close()
		s := &Dying{Store: memory}
		f(t, New(t, s), s)
	})
}

// InWorn is [In] with a worn store.
func InWorn(t *testing.T, f func(t *testing.T, w *Town, s *Worn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory()
		defer memory.Close()
		s := &Worn{Store: memory}
		f(t, New(t, s), s)
	})
}

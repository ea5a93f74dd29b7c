package bot

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// rewinding is a store that can return to an older state, like a Redis after a failover.
type rewinding struct {
	t    *testing.T
	path string

	mu            sync.Mutex
	now           store.Store
	interruptions int64
	fault         error // error of every Get, or nil
}

func (r *rewinding) at() store.Store {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// open makes the file at path the data that all processes see.
func (r *rewinding) open(path string) {
	r.t.Helper()
	file, err := boltstore.Open(path)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { file.Close() })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.path, r.now = path, file
	r.interruptions++
}

// copy returns a copy of all data.
func (r *rewinding) copy() []byte {
	r.t.Helper()
	data, err := os.ReadFile(r.path)
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

// back restores a copy, which undoes everything since then.
func (r *rewinding) back(to []byte) {
	r.t.Helper()
	path := filepath.Join(r.t.TempDir(), "older.db")
	if err := os.WriteFile(path, to, 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.open(path)
}

func (r *rewinding) Interruptions() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.interruptions
}

// failing makes every Get fail with err, unless it is nil.
func (r *rewinding) failing(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = err
}

func (r *rewinding) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	r.mu.Lock()
	fault := r.fault
	r.mu.Unlock()
	if fault != nil {
		return nil, fault
	}
	return r.at().Get(ctx, keys...)
}

func (r *rewinding) Commit(ctx context.Context, c store.Change) error { return r.at().Commit(ctx, c) }

func (r *rewinding) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	return r.at().Claim(ctx, now, lease, limit)
}

func (r *rewinding) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return r.at().Release(ctx, job, now, next)
}

func (r *rewinding) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	return r.at().Board(ctx, partition, board, from, n, around)
}

func (r *rewinding) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	return r.at().Scan(ctx, partition, prefix, cursor)
}

func (r *rewinding) Watch(ctx context.Context, keys ...store.Key) <-chan []store.Doc {
	return r.at().Watch(ctx, keys...)
}

func (*rewinding) Close() error { return nil }

// wall is a platform that records its messages. Like Discord, it drops repeats: a message with a known nonce is not
// sent.
type wall struct {
	chats
	standing map[chat.Address]screen.Screen
	places   map[string][]chat.Address // by chat or player, oldest first
}

func (p *wall) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	at, err := p.chats.Send(ctx, to, s, nonce)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, stands := p.standing[at]; !stands {
		p.standing[at] = s
		p.places[to.Chat+to.Player] = append(p.places[to.Chat+to.Player], at)
	}
	return at, err
}

func (p *wall) Edit(ctx context.Context, at chat.Address, s screen.Screen) error {
	err := p.chats.Edit(ctx, at, s)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, stands := p.standing[at]; !stands {
		return &chat.DeliveryError{Fault: chat.Gone}
	}
	p.standing[at] = s
	return err
}

func (p *wall) Delete(ctx context.Context, at chat.Address) error {
	err := p.chats.Delete(ctx, at)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.standing, at)
	return err
}

// latest returns the newest message in a chat or for a player that contains one of the words.
func (p *wall) latest(place string, words ...string) screen.Screen {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range slices.Backward(p.places[place]) {
		s, stands := p.standing[at]
		if stands && slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s.String(), word) }) {
			return s
		}
	}
	return screen.Screen{}
}

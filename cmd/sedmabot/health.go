package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/store"
	"sedmabot/store/redisstore"
)

const (
	probeSize  = 16 << 10        // size of a trial write in bytes, more than most tables have
	retrying   = 5 * time.Second // how often failed changes are tried again while the store answers
	fresh      = time.Minute     // how long after a successful write no trial write is needed
	probeStays = 5 * time.Minute // the expiry of a trial write that isn't deleted
)

// errNoRoom reports on /readyz that the store refuses changes.
var errNoRoom = errors.New("the store takes no changes: its disk or its memory may be full; the log says more")

// errReplica reports on /readyz that the Redis is a replica, which takes no changes.
var errReplica = errors.New("redis is a read-only replica (READONLY): " + adviceReplica)

// errUnready reports on /readyz that the Redis can't do anything yet.
var errUnready = errors.New("the store isn't ready yet: its redis loads its file, or its cluster changes")

// health is a store that remembers from the latest changes whether it accepts changes. It makes a trial write only if those
// changes failed or were long ago.
type health struct {
	store.Store
	log  *slog.Logger
	now  func() time.Time
	file *openedFile // nil: the store has none

	begun   atomic.Bool // the platforms have given their first answers, or didn't for too long
	probing sync.Mutex
	mu      sync.Mutex
	wrote   time.Time              // time of the latest successful change
	tried   time.Time              // time of the latest probe
	refused [store.Partitions]bool // by partition: the latest change failed
	cause   string                 // what was last logged about a failure; "": nothing fails
}

// Commit implements store.Store.
func (h *health) Commit(ctx context.Context, c store.Change) error {
	err := h.Store.Commit(ctx, c)
	h.note(err, c.Partition)
	h.look()
	return err
}

// Release implements store.Store.
func (h *health) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	err := h.Store.Release(ctx, job, now, next)
	h.note(err, job.Partition)
	return err
}

// Claim implements store.Store. A failed Claim doesn't show which partition it failed in.
func (h *health) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := h.Store.Claim(ctx, now, lease, limit)
	if err != nil {
		for p := range store.Partitions {
			h.note(err, p)
		}
	} else {
		h.reached(ctx)
	}
	h.look()
	return jobs, next, err
}

// look checks that the data file is still there. Each look for due jobs does so, too: there are at least two a second.
func (h *health) look() {
	if h.file != nil {
		_ = h.file.look() // which logs what it finds
	}
}

// note remembers the outcome of a change in a partition.
func (h *health) note(err error, partition int) {
	switch {
	case partition < 0 || partition >= store.Partitions:
		return
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrFenced), errors.As(err, new(*store.Damaged)), errors.Is(err, context.Canceled):
		return // nothing was written, for a reason that says nothing about space
	}
	h.mu.Lock()
	h.refused[partition] = err != nil
	if err == nil {
		h.wrote = h.now()
	}
	before := h.cause
	switch {
	case len(h.failing()) == 0:
		h.cause = ""
	case redisstore.ReadOnly(err):
		h.cause = errReplica.Error()
	case redisstore.Unready(err):
		h.cause = errUnready.Error()
	case unreached(err):
		h.cause = "the store can't be reached"
	case err != nil:
		h.cause = "the store refuses changes: if its disk or its memory is full, make room"
	}
	now := h.cause
	h.mu.Unlock()
	switch {
	case now != "" && now != before:
		h.log.Warn(now, "err", err)
	case now == "" && before != "":
		h.log.Info(recovered)
	}
}

// recovered is the log line for the end of failures.
const recovered = "the store takes changes again"

// reached tries again what failed, because the store answers. Only a change shows whether it takes changes.
func (h *health) reached(ctx context.Context) {
	h.mu.Lock()
	due := len(h.failing()) > 0 && h.now().Sub(h.tried) > retrying
	h.mu.Unlock()
	if due && h.probing.TryLock() {
		go func() {
			defer h.probing.Unlock()
			h.probe(context.WithoutCancel(ctx)) // the caller doesn't wait
		}()
	}
}

// unreached reports whether err means that no store answered.
func unreached(err error) bool {
	return errors.As(err, new(*net.OpError)) || errors.Is(err, io.EOF) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, redisstore.ErrSilent)
}

// failing returns the partitions whose latest change failed. The caller must hold h.mu.
func (h *health) failing() (partitions []int) {
	for p, refused := range h.refused {
		if refused {
			partitions = append(partitions, p)
		}
	}
	return partitions
}

// writable returns errGone if the data file is gone, and another error if the store refuses changes.
func (h *health) writable(ctx context.Context) error {
	if h.file != nil {
		if err := h.file.look(); err != nil {
			return err
		}
	}
	if h.probing.TryLock() { // otherwise another call is probing already
		h.probe(ctx)
		h.probing.Unlock()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case len(h.failing()) == 0:
		return nil
	case h.cause == errReplica.Error():
		return errReplica
	case h.cause == errUnready.Error():
		return errUnready
	}
	return errNoRoom
}

// probe makes a trial write in each partition where the latest change failed. If none failed but the last success is old,
// it tries once.
func (h *health) probe(ctx context.Context) {
	h.mu.Lock()
	h.tried = h.now()
	partitions := h.failing()
	if len(partitions) == 0 && h.now().Sub(h.wrote) > fresh {
		partitions = []int{0}
	}
	h.mu.Unlock()
	var all sync.WaitGroup
	for _, p := range partitions {
		all.Go(func() { h.try(ctx, p) })
	}
	all.Wait()
}

// try writes a document and deletes it. Like a hold, the document is left out of backups.
func (h *health) try(ctx context.Context, partition int) {
	const name = "hold:ready"
	data := []byte(`{"v":1,"d":"` + strings.Repeat("0", probeSize) + `"}`)
	write := store.Change{Partition: partition, Writes: []store.Write{{Name: name, Expect: store.Any, Data: data, Expires: h.now().Add(probeStays)}}}
	err := h.Store.Commit(ctx, write)
	if err == nil {
		err = h.Store.Commit(ctx, store.Change{Partition: partition, Writes: []store.Write{{Name: name, Expect: store.Any}}})
	}
	h.note(err, partition)
}

// healthTime is how long a whole healthcheck takes at most.
const healthTime = 3 * time.Second

// errAnother reports that the bot at monitor.listen has another identity.
var errAnother = errors.New("another bot answers at monitor.listen, with other tokens or another store")

// ourHealth is healthcheck, but another bot is an error. Older versions don't say their identity.
func ourHealth(ctx context.Context, c Config) error {
	identity, err := askHealth(ctx, c, io.Discard)
	if identity != "" && identity != c.identity() {
		return errAnother
	}
	return err
}

// healthcheck asks the running bot with the same configuration whether it is
// ready.
func healthcheck(ctx context.Context, c Config, out io.Writer) error {
	_, err := askHealth(ctx, c, out)
	return err
}

// askHealth implements healthcheck, and returns the identity of the bot that answers.
func askHealth(ctx context.Context, c Config, out io.Writer) (identity string, err error) {
	if c.Monitor.Listen == "" {
		return "", errors.New("monitor.listen is empty: set it for the bot and for this command, such as " + defaultMonitor)
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(c.Monitor.Listen)+"/readyz", nil)
	if err != nil {
		return "", fmt.Errorf("ask the bot at monitor.listen: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("no bot answers at monitor.listen: %w", err)
	}
	defer resp.Body.Close()
	identity = resp.Header.Get(identityHeader)
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return identity, fmt.Errorf("read the bot's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return identity, fmt.Errorf("the bot is not ready: %s", strings.ReplaceAll(strings.TrimSpace(string(body)), "\n", "; "))
	}
	_, err = out.Write(body)
	return identity, err
}

// reachable returns the address to call for a listening address. It replaces
// "every interface" with this machine.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, port)
}

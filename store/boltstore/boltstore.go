// Package boltstore keeps the store in one bbolt file. It is the default for a bot that runs as a single process.
//
// Every change is on the disk when Commit returns. Changes that arrive while the disk is busy share the next write
// (group commit). Each of them still succeeds or fails on its own, and a single change doesn't wait for others. If
// nothing is due, Claim only reads. Only one process at a time can open the file.
//
// # Damage
//
// Open checks the whole file before it uses it. It refuses a file with damaged pages, and one in which documents are
// missing or are older than they should be. [Read] still reads as many documents as it can. If only the bytes of single
// documents changed, the file can be used: calls that need such a document return a [store.Damaged], and all others work.
//
// That makes Open as slow as reading the file. A file of 400 MB took 0.2 s if the system had it in memory, and 0.4 to 0.6 s
// from a disk that reads it in 0.2 to 0.7 s. Half of the rest is spent on reading single pages, a quarter on bbolt's own
// search for free pages, and a quarter on checksums.
//
// bbolt's own check can't replace ours. On the 250 damaged files of TestDamagedFiles, in a process of its own and after the
// file's length was checked, it and the checksums missed no loss either. But bbolt reads a page only if every page above it
// is whole: that process crashed on 87 files and could open 25 others not at all, so it saved no document of 112 files. Of
// all 68,000 documents it read 37,323, ours 60,902. Nor can bbolt look at a file while a bot uses it, as [Check] does.
//
// Open doesn't notice a change to a free page, which holds no data, or a whole file replaced by an older one. Nor does it
// notice a change inside a document of schema 1, which had no checksums. If the file is damaged while it is open, each
// call that reads a damaged place fails. After a failed write, bbolt reads the whole file again in a goroutine of its
// own; a panic there ends the process.
package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"sedmabot/store"
)

// ErrInUse reports that another process has the file open.
var ErrInUse = errors.New("the data file is in use by another process: stop that one, or give this one a store.path of its own")

const (
	schema      = 2               // version of the file's layout: see layout.go
	lockTimeout = time.Second     // how long Open waits for another process to close the file
	batchSize   = 256             // maximum number of changes that share a write
	grace       = 5 * time.Second // how long Close waits for the last write
)

var errClosed = errors.New("the store is closed")

// Store is a store.Store that keeps its data in a file.
type Store struct {
	db       *bbolt.DB
	path     string
	found    Damage // found by Open
	requests chan *request
	closing  chan struct{} // closed by Close
	stopped  chan struct{} // closed when the writer has stopped
	close    sync.Once
	watches  watches
	holder   store.Holder
	turn     atomic.Int32 // the first partition that Claim looks at
	latest   atomic.Int64 // no due time of a job, and no lease, was set later than this; in ms
}

var _ store.Store = (*Store)(nil)

// Open opens the file at path, and creates it and its folders if they are missing. If another process has it open, the
// error is ErrInUse. Open ends all leases, as their holders were in the previous process, which is gone.
func Open(path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the data file: %w", err)
	}
	found, err := examine(path)
	if err != nil {
		return nil, err
	}
	_, err = os.Lstat(path)
	missing := errors.Is(err, fs.ErrNotExist)
	var db *bbolt.DB
	var latest int64
	err = guarded(func() (err error) {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{
			Timeout:        lockTimeout,
			FreelistType:   bbolt.FreelistMapType,
			NoFreelistSync: true, // commits write less; the next Open rebuilds the list
		})
		return err
	})
	if err != nil {
		if missing && !errors.Is(err, bbolterrors.ErrTimeout) {
			if left, statErr := os.Stat(path); statErr == nil && left.Size() <= untouched {
				os.Remove(path)
			}
		}
		return nil, opening(path, err)
	}
	err = guarded(func() error {
		if err := prepare(db); err != nil {
			return err
		}
		latest, err = endLeases(db)
		return err
	})
	if err != nil {
		return nil, errors.Join(opening(path, err), db.Close())
	}
	s := &Store{
		db:       db,
		path:     path,
		found:    found,
		requests: make(chan *request),
		closing:  make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	s.latest.Store(latest)
	go s.writer()
	return s, nil
}

// untouched is the greatest size of a file that nothing was ever written into.
var untouched = int64(4 * os.Getpagesize())

// unable are the errors of folders that can't lock, map or keep files.
var unable = []error{syscall.ENOLCK, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.ENODEV, syscall.ESTALE}

// opening wraps err as the error of a file that can't be opened.
func opening(path string, err error) error {
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return fmt.Errorf("open %s: %w", path, ErrInUse)
	case errors.Is(err, store.ErrDamaged):
		return damaged(path, err)
	}
	return fmt.Errorf("open the data file %s: %w", path, advised(err))
}

// advised adds to err what to do about a folder that can't hold a data file.
func advised(err error) error {
	if !slices.ContainsFunc(unable, func(errno error) bool { return errors.Is(err, errno) }) {
		return err
	}
	return fmt.Errorf("%w: its folder can't lock, map or keep files, as a network folder may not: set store.path to a file on this machine's disk, or set store.redis_url", err)
}

// examine checks the file at path, if there is one, and returns an error if it can't be used.
func examine(path string) (Damage, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Damage{}, nil // bbolt creates it, or returns an error
	}
	r, err := read(path, false)
	if err != nil {
		return Damage{}, err
	}
	if err := r.Close(); err != nil {
		return Damage{}, opening(path, err)
	}
	if d := r.found.Damage; !d.usable() {
		return d, damaged(path, fmt.Errorf("%w: %v", store.ErrDamaged, d))
	}
	return r.found.Damage, nil
}

// Damage returns the damage that Open found in the file.
func (s *Store) Damage() Damage { return s.found }

// prepare creates the buckets of a new file, and upgrades an old file to this schema.
func prepare(db *bbolt.DB) error {
	var found []byte
	if err := db.View(func(tx *bbolt.Tx) error {
		if b := tx.Bucket(metaBucket); b != nil {
			found = append(found, b.Get(schemaKey)...)
		}
		return nil
	}); err != nil {
		return err
	}
	if string(found) == strconv.Itoa(schema) {
		return nil
	}
	return transact(db, func(tx *txn) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		if found != nil {
			if err := tx.addSums(); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).Put(schemaKey, strconv.AppendInt(nil, schema, 10))
	})
}

// Interruptions implements store.Store. It is always 0: no other process uses the file, and no commit is ever undone.
func (*Store) Interruptions() int64 { return 0 }

// Close waits for the last write and closes the file.
func (s *Store) Close() error {
	s.close.Do(func() { close(s.closing) })
	select {
	case <-s.stopped:
		return s.db.Close()
	case <-time.After(grace):
		return errors.New("close the data file: the disk does not answer")
	}
}

// request is a change to write. Its apply may return store.ErrConflict, store.ErrFenced or a
// store.Damaged only if it has written nothing.
type request struct {
	apply func(*txn) error
	done  chan error // buffered, so that the writer never waits
}

// write makes the writer run apply in a read-write transaction, and waits for the disk.
func (s *Store) write(ctx context.Context, apply func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{apply, make(chan error, 1)}
	select {
	case s.requests <- r:
	case <-s.closing:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("the disk is slow: %w", ctx.Err())
	}
}

// writer is the only goroutine that writes. Requests that are waiting when it becomes free share a transaction.
func (s *Store) writer() {
	defer close(s.stopped)
	for {
		var batch []*request
		select {
		case r := <-s.requests:
			batch = append(batch, r)
		case <-s.closing:
			return
		}
	more:
		for len(batch) < batchSize {
			select {
			case r := <-s.requests:
				batch = append(batch, r)
			default:
				break more
			}
		}
		s.update(batch)
	}
}

// errIdle reports that a transaction has nothing to write, so it is rolled back.
var errIdle = errors.New("nothing to write")

// update runs the requests in one transaction and answers them. If a request fails that might have written something,
// update rolls back the transaction and runs each request in its own.
func (s *Store) update(batch []*request) {
	refusals := make([]error, len(batch))
	failed := false
	err := transact(s.db, func(tx *txn) error {
		wrote := false
		for i, r := range batch {
			switch err := r.apply(tx); {
			case err == nil:
				wrote = true
			case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrFenced), errors.As(err, new(*store.Damaged)):
				refusals[i] = err
			default:
				failed = true
				return err
			}
		}
		if !wrote {
			return errIdle
		}
		return nil
	})
	if (failed || errors.Is(err, store.ErrDamaged)) && len(batch) > 1 {
		for i := range batch {
			s.update(batch[i : i+1])
		}
		return
	}
	for i, r := range batch {
		switch {
		case errors.Is(refusals[i], store.ErrDamaged):
			r.done <- damaged(s.path, refusals[i])
		case refusals[i] != nil:
			r.done <- refusals[i]
		case errors.Is(err, store.ErrDamaged):
			r.done <- damaged(s.path, err)
		case err != nil:
			r.done <- fmt.Errorf("write the data file: %w", advised(err))
		default:
			r.done <- nil
		}
	}
}

// view runs f in a read-only transaction.
func (s *Store) view(ctx context.Context, f func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := guarded(func() error { return s.db.View(f) })
	switch {
	case errors.Is(err, store.ErrDamaged):
		return damaged(s.path, err)
	case err != nil:
		return fmt.Errorf("read the data file: %w", err)
	}
	return nil
}

// Package boltstore keeps the store in one bbolt file: the default of a bot that runs as a single process.
//
// Every change is on the disk when Commit returns. Changes that arrive while the disk is busy share the next write
// (group commit): each is still refused or done on its own, and one that comes alone waits for nobody. An idle Claim only
// reads. The file belongs to one process at a time.
package boltstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"sedmabot/store"
)

// ErrInUse is what Open answers when another process has the file open.
var ErrInUse = errors.New("the data file is in use by another process: stop that one, or give this one a store.path of its own")

const (
	schema      = 1               // of the file's layout: see layout.go
	lockTimeout = time.Second     // how long Open waits for another process to let go of the file
	batchSize   = 256             // changes that share a write
	grace       = 5 * time.Second // how long Close lets the last write take
)

var errClosed = errors.New("the store is closed")

// Store is a store.Store in a file.
type Store struct {
	db       *bbolt.DB
	requests chan *request
	closing  chan struct{} // closed by Close
	stopped  chan struct{} // closed when the writer is done
	close    sync.Once
	turn     atomic.Int32 // the partition that Claim asks first
}

var _ store.Store = (*Store)(nil)

// Open opens the file at path, and makes it and its folders if they are missing. If another process has it, the error is
// ErrInUse. Leases end with it: who held them was the process that had the file before, and is gone.
func Open(path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the data file: %w", err)
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:        lockTimeout,
		FreelistType:   bbolt.FreelistMapType,
		NoFreelistSync: true, // found again at the next Open: commits write less
	})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, fmt.Errorf("open %s: %w", path, ErrInUse)
	case err != nil:
		return nil, fmt.Errorf("open the data file %s: %w", path, err)
	}
	if err = prepare(db); err == nil {
		err = endLeases(db)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the data file %s: %w", path, err), db.Close())
	}
	s := &Store{
		db:       db,
		requests: make(chan *request),
		closing:  make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	go s.writer()
	return s, nil
}

// prepare makes the buckets of a new file and checks the schema of an old one.
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
	if found != nil {
		n, err := strconv.Atoi(string(found))
		if err != nil || n < 1 {
			return fmt.Errorf("its schema is %q", found)
		}
		if n > schema {
			return fmt.Errorf("it has schema %d, from a newer version of this program; this one knows schema %d", n, schema)
		}
		return nil
	}
	return db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).Put(schemaKey, strconv.AppendInt(nil, schema, 10))
	})
}

// Interruptions implements store.Store: the file is this process's alone, and what it has committed stays.
func (*Store) Interruptions() int64 { return 0 }

// Close ends the last write and closes the file.
func (s *Store) Close() error {
	s.close.Do(func() { close(s.closing) })
	select {
	case <-s.stopped:
		return s.db.Close()
	case <-time.After(grace):
		return errors.New("close the data file: the disk does not answer")
	}
}

// request is something to write. Its apply may return store.ErrConflict or store.ErrFenced only if it has written nothing.
type request struct {
	apply func(*bbolt.Tx) error
	done  chan error // with room for the answer
}

// write has the writer run apply in a read-write transaction, and waits for the disk.
func (s *Store) write(ctx context.Context, apply func(*bbolt.Tx) error) error {
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

// writer is the only one who writes. Requests that wait when it becomes free share a transaction.
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

// errIdle ends a transaction that has nothing to write.
var errIdle = errors.New("nothing to write")

// update does the requests in one transaction and answers them. If one fails that might have written something, all is
// undone and each is done in a transaction of its own.
func (s *Store) update(batch []*request) {
	refusals := make([]error, len(batch))
	failed := false
	err := s.db.Update(func(tx *bbolt.Tx) error {
		wrote := false
		for i, r := range batch {
			switch err := r.apply(tx); {
			case err == nil:
				wrote = true
			case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrFenced):
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
	if failed && len(batch) > 1 {
		for i := range batch {
			s.update(batch[i : i+1])
		}
		return
	}
	for i, r := range batch {
		switch {
		case refusals[i] != nil:
			r.done <- refusals[i]
		case err != nil:
			r.done <- fmt.Errorf("write the data file: %w", err)
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
	if err := s.db.View(f); err != nil {
		return fmt.Errorf("read the data file: %w", err)
	}
	return nil
}

// Package boltstore keeps the store in one bbolt file. It is the default for a bot that runs as a single process.
//
// Every change is on the disk when Commit returns. Changes that arrive while the disk is busy share the next write
// (group commit). Each of them still succeeds or fails on its own, and a single change doesn't wait for others. If
// nothing is due, Claim only reads. Only one process at a time can open the file.
//
// # Damage
//
// [Check] looks for damage. The process that calls it may die of that damage, so that it has to be one of its own. bbolt
// itself trusts its file. If a page is damaged while the store is open, or Check wasn't called, each call that reads the
// page returns [store.ErrDamaged]. After a failed write, bbolt reads the whole file again in a goroutine of its own; a
// panic there ends the process.
//
// Check finds pages that can't be read, that are cut off, that two others refer to, or whose keys are out of order. It
// doesn't find a change inside a document, a row of a board or a job, nor a whole page, or a whole file, that is replaced
// by an older one. Nor does it find that a page has lost some of its entries.
package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	schema      = "1"             // version of the file's layout: see layout.go
	summed      = "2"             // an earlier version of the layout
	lockTimeout = time.Second     // how long Open waits for another process to close the file
	batchSize   = 256             // maximum number of changes that share a write
	grace       = 5 * time.Second // how long Close waits for the last write
)

var errClosed = errors.New("the store is closed")

// Store is a store.Store that keeps its data in a file.
type Store struct {
	db       *bbolt.DB
	path     string
	skip     int // size of what is before the data of a document and doesn't belong to it: see OpenToRead
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
	_, err := os.Lstat(path)
	missing := errors.Is(err, fs.ErrNotExist)
	var db *bbolt.DB
	var latest int64
	err = guarded(func() (err error) {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{
			Timeout:        lockTimeout,
			FreelistType:   bbolt.FreelistMapType,
			NoFreelistSync: true, // commits write less; keepFree writes the list
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
	s := newStore(db, path)
	s.latest.Store(latest)
	return s, nil
}

// OpenToRead opens the file at path without writing to it. The caller may only scan and close the store.
func OpenToRead(path string) (s *Store, err error) {
	err = guarded(func() error {
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
		if err != nil {
			return err
		}
		s = newStore(db, path)
		found, err := schemaOf(db)
		if found == summed {
			s.skip = sumSize
		}
		return err
	})
	if err != nil && s != nil {
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		return nil, opening(path, err)
	}
	return s, nil
}

func newStore(db *bbolt.DB, path string) *Store {
	s := &Store{db: db, path: path, requests: make(chan *request), closing: make(chan struct{}), stopped: make(chan struct{})}
	go s.writer()
	return s
}

// untouched is the greatest size of a file that nothing was ever written into.
var untouched = int64(4 * os.Getpagesize())

// unable are the errors of folders that can't lock, map or keep files.
var unable = []error{syscall.ENOLCK, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.ENODEV, syscall.ESTALE}

// opening wraps err as the error of a file that can't be opened.
func opening(path string, err error) error {
	if errors.Is(err, bbolterrors.ErrInvalid) { // bbolt says that also of a file that can't be read
		if unread := readable(path); unread != nil {
			err = unread
		}
	}
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return fmt.Errorf("open %s: %w", path, ErrInUse)
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrVersionMismatch), errors.Is(err, bbolterrors.ErrChecksum):
		return damaged(path, fmt.Errorf("%w: %w, or another kind of file: then correct store.path", store.ErrDamaged, err))
	case errors.Is(err, store.ErrDamaged):
		return damaged(path, err)
	}
	return fmt.Errorf("open the data file %s: %w", path, advised(err))
}

// readable returns an error if the beginning of a file can't be read.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.ReadAt(make([]byte, 1), 0); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// advised adds to err what to do about a folder that can't hold a data file.
func advised(err error) error {
	if !slices.ContainsFunc(unable, func(errno error) bool { return errors.Is(err, errno) }) {
		return err
	}
	return fmt.Errorf("%w: its folder can't lock, map or keep files, as a network folder may not: set store.path to a file on this machine's disk, or set store.redis_url", err)
}

// schemaOf returns the schema of a file, or "" if the file is new.
func schemaOf(db *bbolt.DB) (found string, err error) {
	err = db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta == nil && tx.ID() <= newest {
			return nil
		}
		for _, name := range buckets {
			if tx.Bucket(name) == nil {
				return fmt.Errorf("%w: a part is missing", store.ErrDamaged)
			}
		}
		found = string(meta.Get(schemaKey))
		switch n, err := strconv.Atoi(found); {
		case err != nil:
			return fmt.Errorf("%w: its schema", store.ErrDamaged)
		case found != schema && found != summed:
			return fmt.Errorf("it has schema %d, from a newer version of this program", n)
		}
		return nil
	})
	return found, err
}

// newest is the number of the last transaction in a new file that hasn't been used yet.
const newest = 1

// prepare creates the buckets of a new file, and makes a file of schema 2 one of this schema.
func prepare(db *bbolt.DB) error {
	found, err := schemaOf(db)
	if err != nil || found == schema {
		return err
	}
	return transact(db, func(tx *bbolt.Tx) error {
		if found == summed {
			return plain(tx)
		}
		for _, name := range buckets {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).Put(schemaKey, []byte(schema))
	})
}

// sumSize is the size of a document's checksum in a file of schema 2.
const sumSize = 4

// plain takes out of a file what schema 2 has in addition: checksums, tallies of the contents, and sizes of parts of boards.
func plain(tx *bbolt.Tx) error {
	documents := tx.Bucket(documentsBucket)
	var keys [][]byte
	if err := documents.ForEach(func(key, _ []byte) error { keys = append(keys, bytes.Clone(key)); return nil }); err != nil {
		return err
	}
	for _, key := range keys {
		value := documents.Get(key)
		if err := documents.Put(key, slices.Concat(value[:documentHead], value[documentHead+sumSize:])); err != nil {
			return err
		}
	}
	meta, counts := tx.Bucket(metaBucket), []byte("counts")
	if tx.Bucket(counts) != nil {
		if err := tx.DeleteBucket(counts); err != nil {
			return err
		}
	}
	return errors.Join(meta.Delete([]byte("sums")), meta.Delete([]byte("counted")), meta.Put(schemaKey, []byte(schema)))
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

// request is a change to write. Its apply may return store.ErrConflict or store.ErrFenced only if it has written nothing.
type request struct {
	apply func(*bbolt.Tx) error
	done  chan error // buffered, so that the writer never waits
}

// write makes the writer run apply in a read-write transaction, and waits for the disk.
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

// writer is the only goroutine that writes. Requests that are waiting when it becomes free share a transaction.
func (s *Store) writer() {
	defer close(s.stopped)
	for {
		var batch []*request
		select {
		case r := <-s.requests:
			batch = append(batch, r)
		case <-s.closing:
			s.keepFree()
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

// keepFree writes the list of free pages, so that the next Open needn't read the whole file to find them. If it fails, or if
// the process is killed, that Open does.
func (s *Store) keepFree() {
	if !s.db.IsReadOnly() {
		s.db.NoFreelistSync = false
		_ = transact(s.db, func(*bbolt.Tx) error { return nil })
	}
}

// errIdle reports that a transaction has nothing to write, so it is rolled back.
var errIdle = errors.New("nothing to write")

// update runs the requests in one transaction and answers them. If a request fails that might have written something,
// update rolls back the transaction and runs each request in its own.
func (s *Store) update(batch []*request) {
	refusals := make([]error, len(batch))
	failed := false
	err := transact(s.db, func(tx *bbolt.Tx) error {
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
	if (failed || errors.Is(err, store.ErrDamaged)) && len(batch) > 1 {
		for i := range batch {
			s.update(batch[i : i+1])
		}
		return
	}
	for i, r := range batch {
		switch {
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

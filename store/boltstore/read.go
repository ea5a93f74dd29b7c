package boltstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"sedmabot/store"
)

// Reader reads the documents of a data file that no bot has open. If the file is damaged, it reads as many as it can. It
// writes nothing.
type Reader struct {
	path  string
	file  *os.File
	lock  *bbolt.DB // keeps bots from opening the file
	found *inspection
}

// Read opens the file at path. If a bot has it open, the error is ErrInUse.
func Read(path string) (*Reader, error) { return read(path, true) }

// read implements Read. Without keep the Reader has no documents.
func read(path string, keep bool) (_ *Reader, err error) {
	r := &Reader{path: path}
	if r.file, err = os.Open(path); err != nil {
		return nil, opening(path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(opening(path, err), r.Close())
		}
	}()
	size, err := r.size()
	if err != nil || size == 0 {
		r.found = &inspection{Damage: Damage{Empty: true}}
		return r, err
	}
	if _, _, err = latestHead(r.file, size); err != nil {
		_, unread := r.file.ReadAt(make([]byte, 1), 0)
		return nil, cmp.Or(unread, err)
	}
	err = guarded(func() (err error) {
		r.lock, err = bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
		return err
	})
	if err != nil {
		return nil, err
	}
	r.found, err = r.inspect(keep)
	return r, err
}

func (r *Reader) size() (int64, error) {
	info, err := r.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// inspect checks the file.
func (r *Reader) inspect(keep bool) (*inspection, error) {
	size, err := r.size()
	if err != nil {
		return nil, err
	}
	defer readAhead(r.file, size)()
	return inspect(r.file, size, keep)
}

const (
	readers = 4       // number of goroutines of readAhead
	chunk   = 1 << 20 // size of what each reads at once
)

// readAhead reads a file from its beginning to its end, so that the system has it in memory when inspect needs its pages.
// inspect reads them in the order of the tree, which takes a disk much longer. The function that readAhead returns stops
// it.
func readAhead(file *os.File, size int64) (stop func()) {
	var all sync.WaitGroup
	var next, stopped atomic.Int64
	for range min(readers, size/chunk) {
		all.Go(func() {
			buffer := make([]byte, chunk)
			for at := next.Add(chunk) - chunk; at < size && stopped.Load() == 0; at = next.Add(chunk) - chunk {
				_, _ = file.ReadAt(buffer, at) // inspect reports errors
			}
		})
	}
	return func() { stopped.Store(1); all.Wait() }
}

// Damage returns the damage of the file.
func (r *Reader) Damage() Damage { return r.found.Damage }

// Close closes the file and releases its lock.
func (r *Reader) Close() error {
	err := r.file.Close()
	if r.lock != nil {
		err = errors.Join(err, r.lock.Close())
	}
	return err
}

// Scan pages through the documents that can be read, like Scan of a [store.Store].
func (r *Reader) Scan(ctx context.Context, partition int, prefix, cursor string) (docs []store.Doc, next string, err error) {
	now := present(time.Time{})
	from := documentKey(partition, max(prefix, cursor))
	i, found := slices.BinarySearchFunc(r.found.docs, from, func(p place, key []byte) int { return strings.Compare(string(p.key), string(key)) })
	if found && cursor != "" && cursor >= prefix {
		i++
	}
	for ; i < len(r.found.docs) && len(docs) < pageSize; i++ {
		p := r.found.docs[i]
		key := keyOf(p.key)
		if key.Partition != partition || !strings.HasPrefix(key.Name, prefix) {
			return docs, "", nil
		}
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		d, err := r.document(p)
		if err != nil {
			return nil, "", err
		}
		if d = d.at(now); d.version != 0 {
			docs = append(docs, store.Doc{Key: key, Version: d.version, Data: d.data})
		}
		next = key.Name
	}
	if i == len(r.found.docs) {
		next = ""
	}
	return docs, next, nil
}

// document reads a document's data from the file.
func (r *Reader) document(p place) (document, error) {
	value := make([]byte, p.size)
	if _, err := r.file.ReadAt(value, p.at); err != nil {
		return document{}, fmt.Errorf("read the data file %s: %w", r.path, err)
	}
	if r.found.schema == 1 {
		return document{int64(order.Uint64(value)), int64(order.Uint64(value[8:])), 0, value[16:]}, nil
	}
	d, ok := decode(p.key, value)
	if !ok {
		return d, damaged(r.path, &store.Damaged{Keys: []store.Key{keyOf(p.key)}})
	}
	return d, nil
}

// checks is how often Check tries to check a file without a change in between, while a bot writes to it.
const checks = 20

// Check checks the file at path, even while a bot uses it, and returns its damage. used reports whether a bot uses it. If
// the bot never stops writing, the error is ErrInUse.
func Check(path string) (d Damage, used bool, err error) {
	r, err := read(path, false)
	if err == nil {
		return r.Damage(), false, r.Close()
	}
	if !errors.Is(err, ErrInUse) {
		return d, false, err
	}
	live := &Reader{path: path}
	if live.file, err = os.Open(path); err != nil {
		return d, true, opening(path, err)
	}
	defer live.file.Close()
	for range checks {
		found, err := live.inspect(false)
		if err != nil {
			return d, true, opening(path, err)
		}
		size, err := live.size()
		if err != nil {
			return d, true, opening(path, err)
		}
		now, _, err := latestHead(live.file, size)
		if err == nil && now.tx == found.pages.tx || !found.Any() {
			return found.Damage, true, nil
		}
	}
	return d, true, opening(path, bbolterrors.ErrTimeout)
}

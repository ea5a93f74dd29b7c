package boltstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// Reader reads the documents of a data file that no bot has open, also of a damaged one: as many as can be read. It
// writes nothing.
type Reader struct {
	path  string
	file  *os.File
	lock  *bbolt.DB // keeps bots away
	found *inspection
}

// Read opens the file at path. If a bot has it, the error is ErrInUse.
func Read(path string) (*Reader, error) { return read(path, true) }

// read is Read; without keep the Reader has no documents.
func read(path string, keep bool) (_ *Reader, err error) {
	r := &Reader{path: path}
	if info, err := os.Stat(path); err != nil {
		return nil, opening(path, err)
	} else if info.Size() == 0 {
		r.found = &inspection{Damage: Damage{Empty: true}}
		return r, nil
	}
	err = guarded(func() (err error) {
		r.lock, err = bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
		return err
	})
	if err != nil {
		return nil, opening(path, err)
	}
	r.file, r.found, err = inspectFile(path, keep)
	if err != nil {
		return nil, errors.Join(err, r.lock.Close())
	}
	return r, nil
}

// inspectFile opens a file and inspects it.
func inspectFile(path string, keep bool) (*os.File, *inspection, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, opening(path, err)
	}
	info, err := f.Stat()
	if err == nil {
		var found *inspection
		if found, err = inspect(f, info.Size(), keep); err == nil {
			return f, found, nil
		}
	}
	f.Close()
	return nil, nil, opening(path, err)
}

// Damage returns what is wrong with the file.
func (r *Reader) Damage() Damage { return r.found.Damage }

// Close lets go of the file.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.file.Close(), r.lock.Close())
}

// Scan pages through the documents that can be read, as that of a [store.Store] does.
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

// document reads a document again.
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

// checks is how often Check looks at a file that a bot writes to, until it comes to an end between two changes.
const checks = 20

// Check goes over the file at path, also while a bot uses it, and returns what is wrong with it. used reports whether a bot
// uses it. If the bot writes all the while, the error is ErrInUse.
func Check(path string) (d Damage, used bool, err error) {
	r, err := read(path, false)
	if err == nil {
		return r.Damage(), false, r.Close()
	}
	if !errors.Is(err, ErrInUse) {
		return d, false, err
	}
	for range checks {
		f, found, err := inspectFile(path, false)
		if err != nil {
			return d, true, err
		}
		now, _, err := latestHead(f)
		f.Close()
		if err == nil && now.tx == found.pages.tx || !found.Any() {
			return found.Damage, true, nil
		}
	}
	return d, true, opening(path, ErrInUse)
}

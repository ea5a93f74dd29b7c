package boltstore

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

const pageSize = 128 // documents a call of Scan

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	docs := make([]store.Doc, len(keys))
	now := present(time.Time{})
	err := s.view(ctx, func(tx *bbolt.Tx) error {
		documents := tx.Bucket(documentsBucket)
		for i, key := range keys {
			if key.Partition < 0 || key.Partition >= store.Partitions {
				return fmt.Errorf("get %q: no partition %d", key.Name, key.Partition)
			}
			docs[i].Key = key
			value := documents.Get(documentKey(key.Partition, key.Name))
			if version, data := decodeAt(value, now); version != 0 {
				docs[i].Version, docs[i].Data = version, bytes.Clone(data)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// decode reads a stored document; version 0: there is none.
func decode(value []byte) (version, expires int64, data []byte) {
	if value == nil {
		return 0, 0, nil
	}
	return int64(order.Uint64(value)), int64(order.Uint64(value[8:])), value[16:]
}

// decodeAt reads a stored document as it is at now: an expired one is none.
func decodeAt(value []byte, now int64) (version int64, data []byte) {
	version, expires, data := decode(value)
	if expires != 0 && expires <= now {
		return 0, nil
	}
	return version, data
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) error {
	if err := c.Check(); err != nil {
		return err
	}
	held := false
	err := s.write(ctx, func(tx *bbolt.Tx) (err error) {
		if err = apply(tx, c); err == nil && c.Hold != nil {
			held, err = hold(tx, c.Partition, *c.Hold, c.Now)
		}
		return err
	})
	if err == nil && c.Hold != nil {
		c.Hold.Held = held
	}
	return err
}

// apply does a change but for its Hold: it looks at everything first, then writes.
func apply(tx *bbolt.Tx, c store.Change) error {
	now := present(c.Now)
	documents := tx.Bucket(documentsBucket)
	var held job
	if c.Done != nil {
		held = readJob(tx, c.Partition, c.Done.ID)
		if held.token == 0 || held.token != c.Done.Token {
			return store.ErrFenced
		}
	}
	for _, w := range c.Writes {
		version, _ := decodeAt(documents.Get(documentKey(c.Partition, w.Name)), now)
		if w.Expect != store.Any && w.Expect != version {
			return store.ErrConflict
		}
	}

	for _, w := range c.Writes {
		if err := put(tx, c.Partition, w); err != nil {
			return err
		}
	}
	for _, r := range c.Rows {
		if err := setRow(tx, c.Partition, r); err != nil {
			return err
		}
	}
	if c.Done != nil {
		next := held.wake
		if !c.Next.IsZero() && (next == 0 || millis(c.Next) < next) {
			next = millis(c.Next)
		}
		if err := writeJob(tx, c.Partition, c.Done.ID, held, job{when: next}); err != nil {
			return err
		}
	}
	for _, m := range c.Due {
		if err := mark(tx, c.Partition, m); err != nil {
			return err
		}
	}
	return nil
}

// put writes or deletes a document and keeps the index of expiry.
func put(tx *bbolt.Tx, p int, w store.Write) error {
	documents, index := tx.Bucket(documentsBucket), tx.Bucket(expiresBucket)
	key := documentKey(p, w.Name)
	version, expires, _ := decode(documents.Get(key))
	if expires != 0 {
		if err := index.Delete(expiresKey(expires, p, w.Name)); err != nil {
			return err
		}
	}
	if w.Data == nil {
		return remove(documents, key, version)
	}
	version++
	if version == 1 {
		n, err := documents.NextSequence()
		if err != nil {
			return err
		}
		version = int64(n)
	}
	expires = 0
	if !w.Expires.IsZero() {
		expires = millis(w.Expires)
		if err := index.Put(expiresKey(expires, p, w.Name), nil); err != nil {
			return err
		}
	}
	value := make([]byte, 0, 16+len(w.Data))
	value = order.AppendUint64(value, uint64(version))
	value = order.AppendUint64(value, uint64(expires))
	return documents.Put(key, append(value, w.Data...))
}

// remove deletes a document. If it comes back it begins with a larger version.
func remove(documents *bbolt.Bucket, key []byte, version int64) error {
	if uint64(version) > documents.Sequence() {
		if err := documents.SetSequence(uint64(version)); err != nil {
			return err
		}
	}
	return documents.Delete(key)
}

// Scan implements store.Store. The cursor is the last name of the page before.
func (s *Store) Scan(ctx context.Context, partition int, prefix, cursor string) (docs []store.Doc, next string, err error) {
	if partition < 0 || partition >= store.Partitions {
		return nil, "", fmt.Errorf("scan: no partition %d", partition)
	}
	now := present(time.Time{})
	begin, from := documentKey(partition, prefix), documentKey(partition, prefix)
	if cursor != "" {
		from = documentKey(partition, cursor+"\x00")
	}
	err = s.view(ctx, func(tx *bbolt.Tx) error {
		c := tx.Bucket(documentsBucket).Cursor()
		n := 0
		for key, value := c.Seek(from); key != nil && bytes.HasPrefix(key, begin); key, value = c.Next() {
			name := string(key[1:])
			if version, data := decodeAt(value, now); version != 0 {
				docs = append(docs, store.Doc{
					Key:     store.Key{Partition: partition, Name: name},
					Version: version,
					Data:    bytes.Clone(data),
				})
			}
			if n++; n == pageSize {
				next = name
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	return docs, next, nil
}

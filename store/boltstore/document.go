package boltstore

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

const pageSize = 128 // maximum number of documents that one call of Scan reads

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	var docs []store.Doc
	err := s.view(ctx, func(tx *bbolt.Tx) (err error) {
		docs, err = get(tx, keys, present(time.Time{}))
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// get reads documents as they are at now.
func get(tx *bbolt.Tx, keys []store.Key, now int64) ([]store.Doc, error) {
	docs := make([]store.Doc, len(keys))
	documents := tx.Bucket(documentsBucket)
	for i, key := range keys {
		if key.Partition < 0 || key.Partition >= store.Partitions {
			return nil, fmt.Errorf("get a document: no partition %d", key.Partition)
		}
		docs[i].Key = key
		if d := decode(documents.Get(documentKey(key.Partition, key.Name))).at(now); d.version != 0 {
			docs[i].Version, docs[i].Data = d.version, bytes.Clone(d.data)
		}
	}
	return docs, nil
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) error {
	if err := c.Check(); err != nil {
		return err
	}
	held := false
	var docs []store.Doc
	end := s.holder.Commit(c)
	err := s.write(ctx, func(tx *bbolt.Tx) (err error) {
		s.set(time.UnixMilli(caller(c)))
		if err = apply(tx, c); err == nil && c.Claim != nil {
			if held, err = claim(tx, c.Partition, *c.Claim, c.Now); held {
				docs, err = get(tx, c.Claim.Keys(c.Partition), present(c.Now))
			}
		}
		return err
	})
	s.watches.wake(c) // also after an error, as the change may have been written
	end(err == nil && held, err)
	if err == nil && c.Claim != nil {
		if c.Claim.Claimed = held; held {
			c.Claim.Docs = docs
		}
	}
	return err
}

// apply writes a change, except its Claim. It checks everything before it writes.
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
		d := decode(documents.Get(documentKey(c.Partition, w.Name)))
		if w.Expect != store.Any && w.Expect != d.at(now).version {
			return store.ErrConflict
		}
	}

	for i := range c.Writes {
		if err := put(tx, c.Partition, &c.Writes[i]); err != nil {
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
		if err := writeJob(tx, c.Partition, c.Done.ID, held, job{when: next, wake: caller(c)}); err != nil {
			return err
		}
	}
	for _, m := range c.Due {
		if err := mark(tx, c.Partition, m, caller(c)); err != nil {
			return err
		}
	}
	return nil
}

// put writes or deletes a document and updates the expiry index. It sets the write's Version.
func put(tx *bbolt.Tx, p int, w *store.Write) error {
	documents, index := tx.Bucket(documentsBucket), tx.Bucket(expiresBucket)
	key := documentKey(p, w.Name)
	old := decode(documents.Get(key))
	if old.expires != 0 {
		if err := index.Delete(expiresKey(old.expires, p, w.Name)); err != nil {
			return err
		}
	}
	if w.Data == nil {
		return remove(documents, key, old)
	}
	w.Version = store.Following(old.version)
	if old.version == 0 {
		w.Version = store.Following(int64(documents.Sequence()))
		if err := documents.SetSequence(uint64(w.Version)); err != nil {
			return err
		}
	}
	expires := int64(0)
	if !w.Expires.IsZero() {
		expires = millis(w.Expires)
		if err := index.Put(expiresKey(expires, p, w.Name), nil); err != nil {
			return err
		}
	}
	return documents.Put(key, encode(w.Version, expires, w.Data))
}

// remove deletes a document. If a document of that name is written again, it begins with a larger version.
func remove(documents *bbolt.Bucket, key []byte, old document) error {
	if uint64(old.version) > documents.Sequence() {
		if err := documents.SetSequence(uint64(old.version)); err != nil {
			return err
		}
	}
	return documents.Delete(key)
}

// Scan implements store.Store. The cursor is the last name of the previous page.
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
			doc := store.Doc{Key: keyOf(key)}
			if d := decode(value).at(now); d.version != 0 {
				doc.Version, doc.Data = d.version, bytes.Clone(d.data[s.skip:])
				docs = append(docs, doc)
			}
			if n++; n == pageSize {
				next = doc.Key.Name
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

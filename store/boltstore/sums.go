package boltstore

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the CRC-32C of the concatenated parts.
func checksum(parts ...[]byte) (sum uint32) {
	for _, part := range parts {
		sum = crc32.Update(sum, castagnoli, part)
	}
	return sum
}

// tally is a number of items and the sum of their checksums. Both may wrap around.
type tally struct{ count, sum uint64 }

func (t *tally) add(sum uint32)    { t.count++; t.sum += uint64(sum) }
func (t *tally) remove(sum uint32) { t.count--; t.sum -= uint64(sum) }
func (t *tally) apply(d tally)     { t.count += d.count; t.sum += d.sum }

// sums are the tallies of a file's contents. Each transaction writes them, so that a lost document of a damaged file, or
// one in an older version, is noticed. Indexes need no tally, as they can be computed from the rest.
type sums struct {
	sequence   uint64 // sequence of the documents' bucket
	jobs, rows tally
	documents  map[string]tally // by kind
}

// encode returns the stored form of the sums: numbers, then the kinds with their lengths, then a checksum of all that.
func (s sums) encode() []byte {
	b := make([]byte, 0, 512)
	for _, n := range []uint64{s.sequence, s.jobs.count, s.jobs.sum, s.rows.count, s.rows.sum} {
		b = order.AppendUint64(b, n)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.documents)) {
		b = append(append(b, byte(len(kind))), kind...)
		b = order.AppendUint64(order.AppendUint64(b, s.documents[kind].count), s.documents[kind].sum)
	}
	return order.AppendUint32(b, checksum(b))
}

// decodeSums parses stored sums. It returns false if they are damaged.
func decodeSums(b []byte) (s sums, ok bool) {
	s.documents = map[string]tally{}
	if len(b) < 44 || checksum(b[:len(b)-4]) != order.Uint32(b[len(b)-4:]) {
		return s, false
	}
	s.sequence = order.Uint64(b)
	s.jobs = tally{order.Uint64(b[8:]), order.Uint64(b[16:])}
	s.rows = tally{order.Uint64(b[24:]), order.Uint64(b[32:])}
	for b = b[40 : len(b)-4]; len(b) > 0; {
		n := 1 + int(b[0])
		if len(b) < n+16 {
			return s, false
		}
		s.documents[string(b[1:n])] = tally{order.Uint64(b[n:]), order.Uint64(b[n+8:])}
		b = b[n+16:]
	}
	return s, true
}

// txn is a read-write transaction that keeps the sums up to date.
type txn struct {
	*bbolt.Tx
	change sums // added to the sums before the commit
}

// transact runs f in a read-write transaction and commits it.
func transact(db *bbolt.DB, f func(*txn) error) error {
	return guarded(func() error {
		tx, err := db.Begin(true)
		if err != nil {
			return err
		}
		// After a commit this does nothing. Unlike bbolt's own cleanup after a panic, it doesn't read the file.
		defer func() { _ = tx.Rollback() }()
		t := &txn{Tx: tx, change: sums{documents: map[string]tally{}}}
		if err := f(t); err != nil {
			return err
		}
		if err := t.settle(); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// count adds a document to the sums or removes it, depending on change.
func (t *txn) count(name string, sum uint32, change func(*tally, uint32)) {
	kind := store.Key{Name: name}.Kind()
	of := t.change.documents[kind]
	change(&of, sum)
	t.change.documents[kind] = of
}

// settle applies the transaction's changes to the sums and stores them.
func (t *txn) settle() error {
	meta := t.Bucket(metaBucket)
	all := sums{documents: map[string]tally{}}
	if stored := meta.Get(sumsKey); stored != nil {
		var ok bool
		if all, ok = decodeSums(stored); !ok {
			return fmt.Errorf("%w: its sums", store.ErrDamaged)
		}
	}
	all.sequence = t.Bucket(documentsBucket).Sequence()
	all.jobs.apply(t.change.jobs)
	all.rows.apply(t.change.rows)
	for kind, d := range t.change.documents {
		of := all.documents[kind]
		of.apply(d)
		if all.documents[kind] = of; of == (tally{}) {
			delete(all.documents, kind)
		}
	}
	return meta.Put(sumsKey, all.encode())
}

// upgrading is the batch size for reading an old file's elements.
const upgrading = 1000

// addSums adds the sums to an old file, and the checksums to its documents. It rebuilds the indexes, which must match the
// rest from now on.
func (t *txn) addSums() error {
	for _, name := range [][]byte{expiresBucket, whenBucket, rankingBucket} {
		if err := t.DeleteBucket(name); err != nil {
			return err
		}
		if _, err := t.CreateBucket(name); err != nil {
			return err
		}
	}
	if err := t.rewrite(documentsBucket, t.addSum); err != nil {
		return err
	}
	if err := t.rewrite(jobsBucket, func(key, value []byte) error {
		p, id := int(key[0]), string(key[1:])
		return writeJob(t, p, id, job{}, readJob(t.Tx, p, id))
	}); err != nil {
		return err
	}
	return t.rewrite(rowsBucket, func(key, value []byte) error {
		t.change.rows.add(checksum(key, value))
		score, _ := decodeRow(value)
		board, member := splitRow(key)
		return t.Bucket(rankingBucket).Put(placeKey(int(key[0]), board, score, member), nil)
	})
}

// rewrite calls f with each element of a bucket. f may change the element it is called with, but no other.
func (t *txn) rewrite(name []byte, f func(key, value []byte) error) error {
	type pair struct{ key, value []byte }
	for from := []byte{}; ; {
		var some []pair
		c := t.Bucket(name).Cursor()
		for key, value := c.Seek(from); key != nil && len(some) < upgrading; key, value = c.Next() {
			some = append(some, pair{bytes.Clone(key), bytes.Clone(value)})
		}
		for _, one := range some {
			if err := f(one.key, one.value); err != nil {
				return err
			}
		}
		if len(some) < upgrading {
			return nil
		}
		from = append(some[len(some)-1].key, 0)
	}
}

// addSum adds a document's checksum and its entry in the expiry index.
func (t *txn) addSum(key, value []byte) error {
	version, expires := int64(order.Uint64(value)), int64(order.Uint64(value[8:]))
	if expires != 0 {
		if err := t.Bucket(expiresBucket).Put(expiresKey(expires, int(key[0]), string(key[1:])), nil); err != nil {
			return err
		}
	}
	value, sum := encode(key, version, expires, value[16:])
	t.count(string(key[1:]), sum, (*tally).add)
	return t.Bucket(documentsBucket).Put(key, value)
}

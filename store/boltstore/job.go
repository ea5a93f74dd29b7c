package boltstore

import (
	"bytes"
	"context"
	"time"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

const (
	sweepSize = 256 // maximum number of expired documents that one Claim deletes
	jobSize   = 24  // size of a stored job in bytes
)

// job is a stored job; the zero value means that there is none.
type job struct {
	when  int64 // if parked: when it is due; if held: when the lease expires
	token int64 // the holder's token; 0: parked
	wake  int64 // if held: when a mark makes it due after its release; 0: no mark
}

func readJob(tx *bbolt.Tx, p int, id string) job {
	value := tx.Bucket(jobsBucket).Get(documentKey(p, id))
	if value == nil {
		return job{}
	}
	return job{int64(order.Uint64(value)), int64(order.Uint64(value[8:])), int64(order.Uint64(value[16:]))}
}

// encode returns the stored form of the job.
func (j job) encode() []byte {
	value := make([]byte, 0, jobSize)
	for _, n := range []int64{j.when, j.token, j.wake} {
		value = order.AppendUint64(value, uint64(n))
	}
	return value
}

// writeJob replaces old with new, in the jobs and in their index.
func writeJob(tx *txn, p int, id string, old, new job) error {
	jobs, index, key := tx.Bucket(jobsBucket), tx.Bucket(whenBucket), documentKey(p, id)
	if old != (job{}) {
		tx.change.jobs.remove(checksum(key, old.encode()))
	}
	if old.when != 0 && old.when != new.when {
		if err := index.Delete(whenKey(p, old.when, id)); err != nil {
			return err
		}
	}
	if new.when == 0 {
		return jobs.Delete(key)
	}
	if old.when != new.when {
		if err := index.Put(whenKey(p, new.when, id), nil); err != nil {
			return err
		}
	}
	value := new.encode()
	tx.change.jobs.add(checksum(key, value))
	return jobs.Put(key, value)
}

// mark makes a job due at a time, or leaves it if it is due sooner.
func mark(tx *txn, p int, m store.Mark) error {
	old, at := readJob(tx.Tx, p, m.ID), millis(m.At)
	new := old
	switch {
	case old.token == 0 && (old.when == 0 || at < old.when):
		new.when = at
	case old.token != 0 && (old.wake == 0 || at < old.wake):
		new.wake = at
	default:
		return nil
	}
	return writeJob(tx, p, m.ID, old, new)
}

// hold claims a job if nobody holds it; otherwise it marks the job.
func hold(tx *txn, p int, h store.Hold, now time.Time) (bool, error) {
	old := readJob(tx.Tx, p, h.ID)
	if old.token != 0 {
		return false, mark(tx, p, store.Mark{ID: h.ID, At: now})
	}
	return true, writeJob(tx, p, h.ID, old, job{when: millis(h.Until), token: h.Token})
}

// Claim implements store.Store. It writes only if a job is due or a document has expired.
func (s *Store) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	at, ends, wall := now.UnixMilli(), millis(now.Add(lease)), time.Now().UnixMilli()
	var jobs []store.Job
	var soonest int64
	var stale bool
	err := s.view(ctx, func(tx *bbolt.Tx) error {
		soonest = head(tx)
		key, _ := tx.Bucket(expiresBucket).Cursor().First()
		stale = key != nil && int64(order.Uint64(key)) <= wall
		return nil
	})
	if err != nil {
		return nil, time.Time{}, err
	}
	if due := soonest != 0 && soonest <= at && limit > 0; due || stale {
		err = s.write(ctx, func(tx *txn) (err error) {
			if err = sweep(tx, wall); err != nil {
				return err
			}
			jobs, err = s.take(tx, at, ends, limit)
			soonest = head(tx.Tx)
			return err
		})
		if err != nil {
			return nil, time.Time{}, err
		}
	}
	switch {
	case soonest == 0:
		return jobs, time.Time{}, nil
	case soonest <= at:
		return jobs, now, nil
	}
	return jobs, time.UnixMilli(soonest), nil
}

// head returns when the next job of any partition can be claimed, or 0 if no job is parked or held.
func head(tx *bbolt.Tx) (soonest int64) {
	c := tx.Bucket(whenBucket).Cursor()
	for p := range store.Partitions {
		key, _ := c.Seek([]byte{byte(p)})
		if key == nil || key[0] != byte(p) {
			continue
		}
		if when, _ := readWhen(key); soonest == 0 || when < soonest {
			soonest = when
		}
	}
	return soonest
}

// take claims up to limit jobs, one from each partition in turn.
func (s *Store) take(tx *txn, now, ends int64, limit int) ([]store.Job, error) {
	token, err := tx.Bucket(documentsBucket).NextSequence()
	if err != nil {
		return nil, err
	}
	// Collect the jobs first: the index must not change under its cursors.
	var due [store.Partitions][]store.Job
	waiting := 0
	for p := range due {
		c := tx.Bucket(whenBucket).Cursor()
		for key, _ := c.Seek([]byte{byte(p)}); key != nil && key[0] == byte(p) && len(due[p]) < limit; key, _ = c.Next() {
			when, id := readWhen(key)
			if when > now {
				break
			}
			due[p] = append(due[p], store.Job{Partition: p, ID: id, Token: int64(token), Due: time.UnixMilli(when)})
			waiting++
		}
	}
	var jobs []store.Job
	p := int(s.turn.Load())
	for ; len(jobs) < min(limit, waiting); p = (p + 1) % store.Partitions {
		if len(due[p]) == 0 {
			continue
		}
		next := due[p][0]
		due[p] = due[p][1:]
		old := readJob(tx.Tx, p, next.ID)
		new := job{when: ends, token: int64(token)}
		if old.wake > now {
			new.wake = old.wake
		}
		if err := writeJob(tx, p, next.ID, old, new); err != nil {
			return nil, err
		}
		jobs = append(jobs, next)
	}
	s.turn.Store(int32(p))
	return jobs, nil
}

// endLeases ends all leases now.
func endLeases(db *bbolt.DB) error {
	now := millis(time.Now())
	held := map[string]job{} // by job key
	err := db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(jobsBucket).ForEach(func(key, _ []byte) error {
			if j := readJob(tx, int(key[0]), string(key[1:])); j.token != 0 && j.when > now {
				held[string(key)] = j
			}
			return nil
		})
	})
	if err != nil || len(held) == 0 {
		return err
	}
	return transact(db, func(tx *txn) error {
		for key, old := range held {
			ended := old
			ended.when = now
			if err := writeJob(tx, int(key[0]), key[1:], old, ended); err != nil {
				return err
			}
		}
		return nil
	})
}

// sweep deletes expired documents. It keeps a damaged one, so that Check still reports it, but drops it from the index.
func sweep(tx *txn, wall int64) error {
	index, documents := tx.Bucket(expiresBucket), tx.Bucket(documentsBucket)
	var expired [][]byte
	c := index.Cursor()
	for key, _ := c.First(); key != nil && int64(order.Uint64(key)) <= wall && len(expired) < sweepSize; key, _ = c.Next() {
		expired = append(expired, bytes.Clone(key))
	}
	for _, key := range expired {
		if d, ok := decode(key[8:], documents.Get(key[8:])); ok {
			if err := remove(tx, key[8:], d); err != nil {
				return err
			}
		}
		if err := index.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// Release implements store.Store.
func (s *Store) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

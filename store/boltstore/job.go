package boltstore

import (
	"bytes"
	"context"
	"errors"
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
	wake  int64 // if held: when a mark makes it due after its release; 0: no mark. If parked: when its due time was set
}

func readJob(tx *bbolt.Tx, p int, id string) job {
	value := tx.Bucket(jobsBucket).Get(documentKey(p, id))
	if value == nil {
		return job{}
	}
	return decodeJob(value)
}

func decodeJob(value []byte) job {
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
func writeJob(tx *bbolt.Tx, p int, id string, old, new job) error {
	jobs, index, key := tx.Bucket(jobsBucket), tx.Bucket(whenBucket), documentKey(p, id)
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
	return jobs.Put(key, new.encode())
}

// skew is store.Skew in ms, and late is store.Late.
const (
	skew = int64(store.Skew / time.Millisecond)
	late = int64(store.Late / time.Millisecond)
)

// doubted reports whether a clock that was ahead of now set when the job is due, or when its lease ends. A lease that
// begins now ends at ends. Both times are in ms.
func (j job) doubted(now, ends int64) bool {
	if j.token == 0 {
		return j.when > now && j.wake > now+skew
	}
	return j.when > ends+skew+late
}

// mark makes a job due at a time, or leaves it if it is due sooner. now is the caller's current time in ms.
func mark(tx *bbolt.Tx, p int, m store.Mark, now int64) error {
	old, at := readJob(tx, p, m.ID), millis(m.At)
	new := old
	overdue := old.when != 0 && now > old.when
	if overdue {
		at = min(at, old.when)
	}
	switch {
	case old.token == 0 && (old.when == 0 || at < old.when || overdue):
		new.when, new.wake = at, now
	case old.token != 0 && (old.wake == 0 || at < old.wake):
		new.wake = at
	default:
		return nil
	}
	return writeJob(tx, p, m.ID, old, new)
}

// claim claims a job and returns true, if nobody holds the job. Otherwise it makes the job due again after its holder.
func claim(tx *bbolt.Tx, p int, h store.Claim, now time.Time) (bool, error) {
	old := readJob(tx, p, h.ID)
	if old.token != 0 {
		return false, mark(tx, p, store.Mark{ID: h.ID, At: now}, now.UnixMilli())
	}
	return true, writeJob(tx, p, h.ID, old, job{when: millis(h.Until), token: h.Token})
}

// Claim implements store.Store. It writes only if a job is due or a document has expired.
func (s *Store) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) (jobs []store.Job, next time.Time, err error) {
	at, ends, wall := now.UnixMilli(), millis(now.Add(lease)), time.Now().UnixMilli()
	left, free := s.left(now)
	doubtful := s.holder.Doubtful()
	token, end := s.holder.Claim(lease)
	defer func() { end(jobs, err) }()
	var soonest int64
	var stale bool
	err = s.view(ctx, func(tx *bbolt.Tx) error {
		soonest = head(tx, left)
		key, _ := tx.Bucket(expiresBucket).Cursor().First()
		stale = key != nil && int64(order.Uint64(key)) <= wall
		return nil
	})
	if err != nil {
		return nil, time.Time{}, err
	}
	behind := s.latest.Load() > at+skew
	if due := soonest != 0 && soonest <= at && limit > 0; due || stale || behind || doubtful {
		var claimed []store.Job // not jobs, as the writer may still run after an error
		err = s.write(ctx, func(tx *bbolt.Tx) (err error) {
			if err = sweep(tx, wall); err != nil {
				return err
			}
			if doubtful {
				if err = s.takeBack(tx, at); err != nil {
					return err
				}
			}
			if behind {
				if err = distrust(tx, at, ends); err != nil {
					return err
				}
				s.latest.Store(at + skew)
			}
			claimed, err = s.take(tx, token, left, at, ends, limit)
			soonest = head(tx, left)
			s.set(now)
			return err
		})
		if err != nil {
			return nil, time.Time{}, err
		}
		jobs = claimed
	}
	if !free.IsZero() && (soonest == 0 || millis(free) < soonest) {
		soonest = millis(free)
	}
	switch {
	case soonest == 0:
		return jobs, time.Time{}, nil
	case soonest <= at:
		return jobs, now, nil
	}
	return jobs, time.UnixMilli(soonest), nil
}

// left returns the jobs that are left to others, by their keys, and when the first of them no longer is.
func (s *Store) left(now time.Time) (left map[string]bool, next time.Time) {
	left = map[string]bool{}
	all, next := s.holder.Left(now)
	for p, ids := range all {
		for _, id := range ids {
			left[string(documentKey(p, id))] = true
		}
	}
	return left, next
}

// head returns when the next job of any partition that isn't left can be claimed, or 0 if no job is parked or held.
func head(tx *bbolt.Tx, left map[string]bool) (soonest int64) {
	c := tx.Bucket(whenBucket).Cursor()
	for p := range store.Partitions {
		for key, _ := c.Seek([]byte{byte(p)}); key != nil && key[0] == byte(p); key, _ = c.Next() {
			when, id := readWhen(key)
			if left[string(documentKey(p, id))] {
				continue
			}
			if soonest == 0 || when < soonest {
				soonest = when
			}
			break
		}
	}
	return soonest
}

// takeBack makes the jobs due that this process holds and doesn't know.
func (s *Store) takeBack(tx *bbolt.Tx, now int64) error {
	held, err := jobs(tx, func(j job) bool { return j.token != 0 })
	if err != nil {
		return err
	}
	for key, old := range held {
		p, id := int(key[0]), key[1:]
		if s.holder.Lost(store.Job{Partition: p, ID: id, Token: old.token}) {
			if err := writeJob(tx, p, id, old, job{when: now, wake: now}); err != nil {
				return err
			}
		}
	}
	return nil
}

// take claims up to limit jobs that aren't left, one from each partition in turn.
func (s *Store) take(tx *bbolt.Tx, token int64, left map[string]bool, now, ends int64, limit int) ([]store.Job, error) {
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
			if left[string(documentKey(p, id))] {
				continue
			}
			due[p] = append(due[p], store.Job{Partition: p, ID: id, Token: token, Due: time.UnixMilli(when)})
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
		old := readJob(tx, p, next.ID)
		next.Taken = old.token != 0
		new := job{when: ends, token: token}
		if old.token != 0 && old.wake > now {
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

// set notes that a due time or a lease was set at that time. Only the writer calls it.
func (s *Store) set(now time.Time) { s.latest.Store(max(s.latest.Load(), now.UnixMilli())) }

// distrust makes all doubted jobs due now.
func distrust(tx *bbolt.Tx, now, ends int64) error {
	doubted, err := jobs(tx, func(j job) bool { return j.doubted(now, ends) })
	if err != nil {
		return err
	}
	for key, old := range doubted {
		again := old
		again.when = now
		if old.token == 0 {
			again.wake = now
		}
		if err := writeJob(tx, int(key[0]), key[1:], old, again); err != nil {
			return err
		}
	}
	return nil
}

// jobs returns the jobs that want accepts, by their keys.
func jobs(tx *bbolt.Tx, want func(job) bool) (map[string]job, error) {
	found := map[string]job{}
	err := tx.Bucket(jobsBucket).ForEach(func(key, value []byte) error {
		if j := decodeJob(value); want(j) {
			found[string(key)] = j
		}
		return nil
	})
	return found, err
}

// endLeases ends all leases now. It returns the latest time at which a job's due time was set.
func endLeases(db *bbolt.DB) (latest int64, err error) {
	now := millis(time.Now())
	var held map[string]job
	err = db.View(func(tx *bbolt.Tx) (err error) {
		held, err = jobs(tx, func(j job) bool {
			if j.token == 0 {
				latest = max(latest, j.wake)
			}
			return j.token != 0 && j.when > now
		})
		return err
	})
	if err != nil || len(held) == 0 {
		return latest, err
	}
	return latest, transact(db, func(tx *bbolt.Tx) error {
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

// sweep deletes expired documents.
func sweep(tx *bbolt.Tx, wall int64) error {
	index, documents := tx.Bucket(expiresBucket), tx.Bucket(documentsBucket)
	var expired [][]byte
	c := index.Cursor()
	for key, _ := c.First(); key != nil && int64(order.Uint64(key)) <= wall && len(expired) < sweepSize; key, _ = c.Next() {
		expired = append(expired, bytes.Clone(key))
	}
	for _, key := range expired {
		if err := errors.Join(remove(documents, key[8:], decode(documents.Get(key[8:]))), index.Delete(key)); err != nil {
			return err
		}
	}
	return nil
}

// Release implements store.Store.
func (s *Store) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

package redisstore

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"sedmabot/store"
)

// sweepSize is the maximum number of expired documents that one Claim deletes in each partition.
const sweepSize = 64

// look is the answer of peek.lua for one partition.
type look struct {
	waiting int
	next    int64 // when the next job can be claimed, in ms; 0: no job is parked or held
	expired []string
	held    []store.Job // by any process, if this one may hold some without knowing
}

// Claim implements store.Store. It looks at all partitions in one round trip. If it finds due jobs or expired documents,
// it claims or deletes them in a second one.
func (s *Store) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	at, ends, wall := now.UnixMilli(), millis(now.Add(lease)), s.Now().UnixMilli()
	ahead, over := at+store.Skew.Milliseconds(), ends+(store.Skew+store.Late).Milliseconds()
	if n := s.Interruptions(); s.looked.Swap(n) != n {
		s.holder.Doubt()
	}
	left, free := s.holder.Left(now)
	looks, err := s.peek(ctx, at, wall, ahead, over, left)
	if err == nil {
		var lost bool
		if lost, err = s.takeBack(ctx, &looks, now); lost && err == nil {
			looks, err = s.peek(ctx, at, wall, ahead, over, left)
		}
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("look for due jobs in redis: %w", err)
	}
	first := int(s.turn.Load())
	parts, last, rest := divide(looks, max(limit, 0), first)
	s.turn.CompareAndSwap(int32(first), int32((last+1)%store.Partitions))

	var calls []call
	var jobs []store.Job
	token, end := s.holder.Claim(lease)
	defer func() { end(jobs, err) }()
	for p, look := range looks {
		if parts[p] > 0 {
			calls = append(calls, call{claim, p,
				[]string{s.keys.due(p), s.keys.lease(p), s.keys.held(p), s.keys.wake(p), s.keys.set(p)},
				appendAll([]any{at, ends, parts[p], ahead, over, token}, left[p]), nil})
		}
		if len(look.expired) > 0 {
			calls = append(calls, s.sweep(p, wall, look.expired))
		}
	}
	err = s.pipe(ctx, calls)
	for _, call := range calls {
		if call.script == claim && call.answer.Err() == nil {
			got, wrong := readJobs(call, token)
			err = cmp.Or(err, wrong)
			jobs = append(jobs, got...)
		}
	}
	if err != nil && len(jobs) == 0 {
		return nil, time.Time{}, fmt.Errorf("claim jobs in redis: %w", err)
	}

	var next int64
	if !free.IsZero() {
		next = millis(free)
	}
	for _, look := range looks {
		if look.next != 0 && (next == 0 || look.next < next) {
			next = look.next
		}
	}
	if len(jobs) > 0 && (next == 0 || ends < next) {
		next = ends
	}
	switch {
	case rest > 0:
		return jobs, now, nil
	case next == 0:
		return jobs, time.Time{}, nil
	}
	return jobs, time.UnixMilli(next), nil
}

// divide divides limit jobs among the partitions: one each in turn from first on, and no more than are waiting there. It
// also returns the partition that got the last one (first-1 if none did), and how many jobs are left waiting.
func divide(looks [store.Partitions]look, limit, first int) (parts [store.Partitions]int, last, rest int) {
	last = (first + store.Partitions - 1) % store.Partitions
	for _, look := range looks {
		rest += look.waiting
	}
	for p := first; limit > 0 && rest > 0; p = (p + 1) % store.Partitions {
		if parts[p] < looks[p].waiting {
			parts[p]++
			last = p
			limit--
			rest--
		}
	}
	return parts, last, rest
}

// sweep returns the call that deletes those of the named documents that have expired.
func (s *Store) sweep(p int, wall int64, names []string) call {
	keys, args := []string{s.keys.names(p), s.keys.expires(p), s.keys.sequence(p)}, []any{wall}
	for _, name := range names {
		keys, args = append(keys, s.keys.document(p, name)), append(args, name)
	}
	return call{sweep, p, keys, args, nil}
}

// takeBack makes the jobs due that this process holds and doesn't know. It reports whether there are any.
func (s *Store) takeBack(ctx context.Context, looks *[store.Partitions]look, now time.Time) (bool, error) {
	var calls []call
	for p, look := range looks {
		for _, job := range look.held {
			if s.holder.Lost(job) {
				keys, args := s.commitWords(store.Change{Partition: p, Done: &job, Next: now, Now: now})
				calls = append(calls, call{commit, p, keys, args, nil})
			}
		}
	}
	return len(calls) > 0, s.pipe(ctx, calls)
}

// appendAll appends words to the ARGV of a script.
func appendAll(args []any, words []string) []any {
	for _, word := range words {
		args = append(args, word)
	}
	return args
}

// peek runs peek.lua for all partitions, with its ARGV except one.
func (s *Store) peek(ctx context.Context, now, wall, ahead, over int64, left [store.Partitions][]string) (looks [store.Partitions]look, err error) {
	calls := make([]call, store.Partitions)
	held := 0
	if s.holder.Doubtful() {
		held = 1
	}
	for p := range calls {
		calls[p] = call{peek, p,
			[]string{s.keys.due(p), s.keys.lease(p), s.keys.expires(p), s.keys.set(p), s.keys.held(p)},
			appendAll([]any{now, wall, sweepSize, ahead, over, held}, left[p]), nil}
	}
	if err := s.pipe(ctx, calls); err != nil {
		return looks, err
	}
	for p, call := range calls {
		answer, err := call.answer.Slice()
		if err != nil {
			return looks, err
		}
		waiting, _ := answer[0].(int64)
		looks[p].waiting = int(waiting)
		if next, _ := answer[1].(string); next != "" {
			if looks[p].next, err = readMillis(next); err != nil {
				return looks, err
			}
		}
		expired, _ := answer[2].([]any)
		for _, name := range expired {
			name, _ := name.(string)
			looks[p].expired = append(looks[p].expired, name)
		}
		words, _ := answer[3].([]any)
		for i := 0; i+1 < len(words); i += 2 {
			id, _ := words[i].(string)
			token, _ := words[i+1].(string)
			n, _ := strconv.ParseInt(token, 10, 64)
			looks[p].held = append(looks[p].held, store.Job{Partition: p, ID: id, Token: n})
		}
	}
	return looks, nil
}

// call is a script to run, with its answer.
type call struct {
	script    *script
	partition int
	keys      []string
	args      []any
	answer    *redis.Cmd
}

// pipe runs scripts of many partitions in one round trip, or in two if Redis hasn't cached one of them yet. It returns
// the first error; the answers of the other calls are valid.
func (s *Store) pipe(ctx context.Context, calls []call) error {
	todo := make([]*call, len(calls))
	for i := range calls {
		todo[i] = &calls[i]
	}
	return s.retry(ctx, false, func(ctx context.Context) error {
		for round := 0; ; round++ {
			if len(todo) == 0 {
				return nil
			}
			pipe := s.client.Pipeline()
			for _, c := range todo {
				if round == 0 {
					c.answer = pipe.EvalSha(ctx, c.script.hash, c.keys, c.args...)
				} else {
					c.answer = pipe.Eval(ctx, c.script.source, c.keys, c.args...)
				}
			}
			_, _ = pipe.Exec(ctx) // each command keeps its error
			var missing, failed []*call
			var first error
			for _, c := range todo {
				switch err := c.answer.Err(); {
				case redis.HasErrorPrefix(err, "NOSCRIPT"):
					missing = append(missing, c)
				case err != nil:
					failed = append(failed, c)
					if first == nil {
						first = err
					}
				}
			}
			if first != nil {
				todo = append(failed, missing...)
				return first
			}
			todo = missing
		}
	})
}

// readJobs parses the answer of claim.lua.
func readJobs(c call, token int64) (jobs []store.Job, err error) {
	words, err := c.answer.StringSlice()
	if err != nil {
		return nil, err
	}
	for i := 0; i+2 < len(words); i += 3 {
		since, err := readMillis(words[i+1])
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, store.Job{Partition: c.partition, ID: words[i], Token: token, Due: time.UnixMilli(since), Taken: words[i+2] == "1"})
	}
	return jobs, nil
}

// readMillis parses a sorted set's score as a time in ms.
func readMillis(score string) (int64, error) {
	ms, err := strconv.ParseFloat(score, 64)
	if err != nil {
		return 0, fmt.Errorf("a time in redis: %w", err)
	}
	return int64(ms), nil
}

// Release implements store.Store.
func (s *Store) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"sedmabot/store"
)

const (
	headSize = 32  // size of the header before a document's data: version and expiry, 16 digits each
	pageSize = 128 // maximum number of documents that one call of Scan reads
)

// Get implements store.Store. It sends one MGET for each partition, all in one round trip. If all keys are in one
// partition, it may share the round trip with other calls.
func (s *Store) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	docs, bad, err := s.get(ctx, keys)
	if err == nil && len(bad) > 0 {
		err = &store.Damaged{Keys: bad}
	}
	if err != nil {
		return nil, fmt.Errorf("get from redis: %w", err)
	}
	return docs, nil
}

// get implements Get, and also returns the keys of malformed documents.
func (s *Store) get(ctx context.Context, keys []store.Key) (docs []store.Doc, bad []store.Key, err error) {
	var places [store.Partitions][]int
	for i, key := range keys {
		if key.Partition < 0 || key.Partition >= store.Partitions {
			return nil, nil, fmt.Errorf("get a document: no partition %d", key.Partition)
		}
		places[key.Partition] = append(places[key.Partition], i)
	}
	if len(keys) == 0 {
		return nil, nil, nil
	}
	docs = make([]store.Doc, len(keys))
	err = s.retry(ctx, true, func(ctx context.Context) error {
		var answers [store.Partitions]*redis.SliceCmd
		cmds := make([]redis.Cmder, 0, 1)
		for p, places := range places {
			if len(places) == 0 {
				continue
			}
			words := make([]any, 1, 1+len(places))
			words[0] = "mget"
			for _, place := range places {
				words = append(words, s.keys.document(p, keys[place].Name))
			}
			answers[p] = redis.NewSliceCmd(ctx, words...)
			cmds = append(cmds, answers[p])
		}
		if err := s.send(ctx, keys[0].Partition, cmds); err != nil {
			return err
		}
		now := s.present(time.Time{})
		bad = nil
		for p, places := range places {
			for i, place := range places {
				value, _ := answers[p].Val()[i].(string)
				doc, ok := decode(keys[place], value, now)
				if !ok {
					bad = append(bad, keys[place])
				}
				docs[place] = doc
			}
		}
		return nil
	})
	return docs, bad, err
}

// send sends commands in one round trip. A single command goes over the wire of its partition.
func (s *Store) send(ctx context.Context, partition int, cmds []redis.Cmder) error {
	if len(cmds) == 1 {
		return s.wires[partition%len(s.wires)].process(ctx, cmds[0])
	}
	pipe := s.client.Pipeline()
	for _, cmd := range cmds {
		_ = pipe.Process(ctx, cmd) // only adds the command to the pipeline
	}
	_, err := pipe.Exec(ctx)
	return err
}

// expected returns a write's expected version for commit.lua: "" for any, else its document header without expiry.
func expected(w store.Write) any {
	if w.Expect == store.Any {
		return ""
	}
	return encode(w.Expect, 0, nil)
}

// encode returns the stored form of a document.
func encode(version, expires int64, data []byte) []byte {
	value := make([]byte, 0, headSize+len(data))
	value = appendDigits(value, version)
	value = appendDigits(value, expires)
	return append(value, data...)
}

// appendDigits appends n as 16 decimal digits.
func appendDigits(b []byte, n int64) []byte {
	b = append(b, "0000000000000000"...)
	for i := len(b) - 1; n > 0; i-- {
		b[i] += byte(n % 10)
		n /= 10
	}
	return b
}

// decode parses a stored document; value is empty if there is none. It returns false if value is malformed.
func decode(key store.Key, value string, now int64) (store.Doc, bool) {
	doc := store.Doc{Key: key}
	if value == "" {
		return doc, true
	}
	if len(value) < headSize {
		return doc, false
	}
	version, err := strconv.ParseInt(value[:16], 10, 64)
	expires, err2 := strconv.ParseInt(value[16:headSize], 10, 64)
	if err != nil || err2 != nil {
		return doc, false
	}
	if expires == 0 || expires > now {
		doc.Version, doc.Data = version, []byte(value[headSize:])
	}
	return doc, true
}

// Commit implements store.Store. It runs commit.lua once.
func (s *Store) Commit(ctx context.Context, c store.Change) (err error) {
	if err := c.Check(); err != nil {
		return err
	}
	keys, args := s.commitWords(c)
	claimed, end := false, s.holder.Commit(c)
	defer func() { end(claimed, err) }()
	return s.retry(ctx, false, func(ctx context.Context) error {
		answer, err := run(ctx, s.wires[c.Partition%len(s.wires)].process, commit, keys, args)
		if err != nil {
			return fmt.Errorf("commit to redis: %w", err)
		}
		var values []any // documents that were read
		if list, ok := answer.Val().([]any); ok && len(list) > 0 {
			answer.SetVal(list[0])
			values = list[1:]
		}
		outcome, err := answer.Int()
		switch {
		case err != nil:
			return fmt.Errorf("commit to redis: %w", err)
		case outcome == 1:
			return store.ErrConflict
		case outcome == 2:
			return store.ErrFenced
		}
		if c.Claim != nil {
			claimed = outcome == 3
			if c.Claim.Claimed = claimed; claimed {
				c.Claim.Docs = s.docsAfter(c, values)
			}
		}
		return nil
	})
}

// written returns the write of a document whose version after the change is known.
func written(c store.Change, name string) *store.Write {
	for i := range c.Writes {
		if w := &c.Writes[i]; w.Name == name && w.Expect > 0 && w.Data != nil {
			return w
		}
	}
	return nil
}

// docsAfter returns the documents that a Claim reads, after its change. values are those that Redis returned.
func (s *Store) docsAfter(c store.Change, values []any) []store.Doc {
	now := s.present(c.Now)
	var docs []store.Doc
	for _, key := range c.Claim.Keys(c.Partition) {
		doc := store.Doc{Key: key}
		if w := written(c, key.Name); w != nil {
			if w.Expires.IsZero() || millis(w.Expires) > now {
				doc.Version, doc.Data = w.Version, w.Data
			}
		} else {
			if len(values) == 0 {
				return nil
			}
			value, _ := values[0].(string)
			values = values[1:]
			var ok bool
			if doc, ok = decode(key, value, now); !ok {
				return nil
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// commitWords returns the KEYS and ARGV of commit.lua.
func (s *Store) commitWords(c store.Change) (keys []string, args []any) {
	p := c.Partition
	keys = make([]string, 0, 8+len(c.Writes)+2*len(c.Rows))
	keys = append(keys, s.keys.sequence(p), s.keys.names(p), s.keys.expires(p),
		s.keys.due(p), s.keys.lease(p), s.keys.held(p), s.keys.wake(p), s.keys.set(p))

	var done, token, next string
	if c.Done != nil {
		done, token = c.Done.ID, strconv.FormatInt(c.Done.Token, 10)
		if !c.Next.IsZero() {
			next = strconv.FormatInt(millis(c.Next), 10)
		}
	}
	args = make([]any, 0, 8+4*len(c.Writes)+4*len(c.Rows)+2*len(c.Due))
	args = append(args, s.present(c.Now), len(c.Writes), len(c.Rows), len(c.Due), done, token, next, s.caller(c))
	for i := range c.Writes {
		w := &c.Writes[i]
		if w.Data == nil {
			continue
		}
		w.Version = store.Following(max(w.Expect, 0))
		var expires int64
		if !w.Expires.IsZero() {
			expires = millis(w.Expires)
		}
		keys = append(keys, s.keys.document(p, w.Name))
		args = append(args, w.Name, expected(*w), expires, encode(w.Version, expires, w.Data))
	}
	for _, w := range c.Writes {
		if w.Data == nil {
			keys = append(keys, s.keys.document(p, w.Name))
			args = append(args, w.Name, expected(w), "", "")
		}
	}
	boards := make(map[string]int)
	for _, r := range c.Rows {
		if boards[r.Board] == 0 {
			boards[r.Board] = len(boards) + 1
			keys = append(keys, s.keys.ranking(p, r.Board), s.keys.rows(p, r.Board))
		}
		score := ""
		if !r.Delete {
			score = strconv.FormatFloat(0-r.Score, 'g', -1, 64)
		}
		args = append(args, boards[r.Board], r.Member, score, string(r.Data)) // a copy: a caller who gives up may reuse the bytes
	}
	for _, m := range c.Due {
		args = append(args, m.ID, millis(m.At))
	}
	if h := c.Claim; h != nil {
		before := len(keys)
		for _, name := range h.Read {
			if written(c, name) == nil {
				keys = append(keys, s.keys.document(p, name))
			}
		}
		args = append(args, h.ID, millis(c.Now), h.Token, millis(h.Until), len(keys)-before)
	}
	return keys, args
}

// Scan implements store.Store. The cursor is the last name of the previous page.
func (s *Store) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	if partition < 0 || partition >= store.Partitions {
		return nil, "", fmt.Errorf("scan: no partition %d", partition)
	}
	from, to := "["+prefix, lexEnd(prefix)
	if cursor != "" {
		from = "(" + cursor
	}
	var names []string
	err := s.retry(ctx, true, func(ctx context.Context) (err error) {
		names, err = s.client.ZRangeByLex(ctx, s.keys.names(partition), &redis.ZRangeBy{Min: from, Max: to, Count: pageSize}).Result()
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("scan redis: %w", err)
	}
	if len(names) == 0 {
		return nil, "", nil
	}
	keys := make([]store.Key, len(names))
	for i, name := range names {
		keys[i] = store.Key{Partition: partition, Name: name}
	}
	all, bad, err := s.get(ctx, keys)
	if err != nil {
		return nil, "", fmt.Errorf("scan redis: %w", err)
	}
	docs := all[:0]
	for _, doc := range all {
		if doc.Version != 0 {
			docs = append(docs, doc)
		}
	}
	next := ""
	if len(names) == pageSize {
		next = names[len(names)-1]
	}
	if len(bad) > 0 {
		err = fmt.Errorf("scan redis: %w", &store.Damaged{Keys: bad})
	}
	return docs, next, err
}

// lexEnd returns the exclusive upper bound of the names that begin with prefix, in the syntax of ZRANGEBYLEX.
func lexEnd(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			return "(" + prefix[:i] + string([]byte{prefix[i] + 1})
		}
	}
	return "+"
}

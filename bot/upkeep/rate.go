package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// Times of the jobs that rate again.
const (
	rateLater = time.Minute // delay while a person's data is being deleted
	rateAgain = time.Second // delay after a match was entered meanwhile
)

// RateAgain makes the jobs of all homes due whose members were rated by another rule than this program's. The ledger of all
// homes comes last. If it was rated by this rule, they all were, so RateAgain needs one read.
func (room *Room) RateAgain(ctx context.Context) error {
	last := doc.HomeKey(league.Everywhere)
	var all doc.Home
	if version, err := room.docs.Get(ctx, last, &all); err != nil || version == 0 || all.Rated == league.Rule || all.Rater == league.Rule {
		return err
	}
	due := func(partition int, home string) error {
		now := room.docs.Now()
		return room.docs.Commit(ctx, "", store.Change{Partition: partition, Now: now, Due: []store.Mark{{ID: league.RateJob(home), At: now}}})
	}
	for p := range store.Partitions {
		for cursor, more := "", true; more; more = cursor != "" {
			docs, next, err := room.docs.Store.Scan(ctx, p, doc.HomeName(""), cursor)
			if damaged := (*store.Damaged)(nil); err != nil && !errors.As(err, &damaged) {
				return err
			}
			for _, stored := range docs {
				var h doc.Home
				_, home := doc.KindAndRest(stored.Key.Name)
				if doc.Decode(stored, &h) != nil || h.Played == 0 || h.Rated == league.Rule || h.Rater == league.Rule || home == league.Everywhere {
					continue
				}
				if err := due(p, home); err != nil {
					return err
				}
			}
			cursor = next
		}
	}
	return due(last.Partition, league.Everywhere)
}

// tendRate runs the job that rates a home's members again: from its ledger, in order, by the code that rates each match.
func (room *Room) tendRate(ctx context.Context, home string, job store.Job, ends time.Time) error {
	var h doc.Home
	version, err := room.docs.Get(ctx, doc.HomeKey(home), &h)
	if err != nil {
		return err
	}
	c := store.Change{Partition: job.Partition, Done: &job}
	switch {
	case h.Played == 0:
	case h.Rated != league.Rule && h.Rater != league.Rule:
		c.Next = room.docs.Now().Add(league.RateLater)
		h.Rater = league.Rule
		c.Writes = []store.Write{{Name: doc.HomeName(home), Expect: version, Data: doc.Encode(h)}}
	default: // if a process of an earlier version entered a match, its result is outdated
		switch err := room.rateHome(ctx, home); {
		case errors.Is(err, errUnfinished):
			c.Next = room.docs.Now().Add(rateLater)
		case errors.Is(err, store.ErrConflict):
			c.Next = room.docs.Now().Add(rateAgain)
		case err != nil:
			return err
		}
	}
	return room.queue.Complete(ctx, c, ends)
}

func (room *Room) rateHome(ctx context.Context, home string) error {
	b := newBook(home)
	scan := func(partition int, prefix string, each func(store.Doc) error) error {
		for cursor, more := "", true; more; more = cursor != "" {
			docs, next, err := room.docs.Store.Scan(ctx, partition, prefix, cursor)
			if err != nil {
				return err
			}
			for _, stored := range docs {
				if err := each(stored); err != nil {
					return err
				}
			}
			cursor = next
		}
		return nil
	}
	// The home is read first. So a match that is entered while the others are read causes a conflict.
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(home))
	if err == nil {
		err = b.add(docs[0])
	}
	for _, prefix := range []string{doc.MemberName(home, ""), league.ResultName(home, "")} {
		if err == nil {
			err = scan(b.partition, prefix, b.add)
		}
	}
	for p := range store.Partitions {
		if err == nil {
			err = scan(p, EraseName(""), func(store.Doc) error { return errUnfinished })
		}
	}
	if err != nil {
		return err
	}
	var ids []string
	for id, r := range b.results {
		if b.outdated(r) {
			ids = append(ids, id)
		}
	}
	for some := range slices.Chunk(ids, replayBatch) {
		if err := b.replay(ctx, room.docs.Store, some); err != nil {
			return err
		}
	}
	b.compute(&Accounts{})
	return b.write(ctx, room.docs.Store, room.docs.Now())
}

// replayBatch is how many matches are read at once.
const replayBatch = 64

// replay replays matches of the ledger whose records are still stored.
func (b *book) replay(ctx context.Context, s store.Store, ids []string) error {
	var keys []store.Key
	for _, id := range ids {
		if at, no, ok := doc.ParseMatchID(id); ok {
			if key, found := doc.MatchKey(at, no); found {
				keys = append(keys, key)
			}
		}
	}
	docs, err := s.Get(ctx, keys...)
	if err != nil {
		return err
	}
	matches, records := map[string]doc.Match{}, map[string]json.RawMessage{}
	keys = nil
	for _, stored := range docs {
		var m doc.Match
		if err := doc.Decode(stored, &m); err != nil {
			return err
		}
		_, name := doc.KindAndRest(stored.Key.Name)
		at, no, _ := strings.Cut(name, ":")
		matches[at+"-"+no] = m
		for i := range m.Seeds {
			keys = append(keys, store.Key{Partition: stored.Key.Partition, Name: doc.RecordName(at, m.First+i)})
		}
	}
	if docs, err = s.Get(ctx, keys...); err != nil {
		return err
	}
	for _, stored := range docs {
		if stored.Version == 0 {
			continue
		}
		var text json.RawMessage
		if err := doc.Decode(stored, &text); err != nil {
			return err
		}
		_, name := doc.KindAndRest(stored.Key.Name)
		records[name] = text
	}
	for id, m := range matches {
		at, _, _ := strings.Cut(id, "-")
		if r, ok := league.ResultOfMatch(m, at, records); ok {
			b.replayed(id, r)
		}
	}
	return nil
}

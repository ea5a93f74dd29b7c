package boards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// spreadResult runs the job of a result. It enters the match in the ledgers of all other homes
// that count it. Each ledger skips a match that it already has. So nothing is counted twice,
// even if the job is repeated.
func (room *Room) spreadResult(ctx context.Context, _ string, job store.Job, ends time.Time) error {
	docs, err := room.docs.Store.Get(ctx, store.Key{Partition: job.Partition, Name: job.ID})
	if err != nil {
		return err
	}
	var r league.Result
	if err := doc.Decode(docs[0], &r); err != nil {
		return err
	}
	_, match, _ := doc.CutLast(job.ID, "|")
	var left []string // homes that failed and are retried later, so that the other homes don't wait for them
	var next time.Time
	var pass error // why another process has to do the rest
	for _, home := range r.Homes {
		err := room.EnterElsewhere(ctx, home, match, r)
		switch {
		case err == nil:
			continue
		case errors.Is(err, doc.ErrNewer), doc.Unreadable(err):
			pass = err
		default:
			room.docs.Log.Error("enter a match in another ledger", "err", err)
			next = room.docs.Now().Add(work.Pardon(err))
		}
		left = append(left, home)
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: next}
	if len(left) < len(r.Homes) {
		r.Homes = left
		c.Writes = append(c.Writes, store.Write{Name: job.ID, Expect: docs[0].Version, Data: doc.Encode(r)})
	}
	if pass != nil {
		c.Done, c.Next, c.Now = nil, time.Time{}, room.docs.Now()
		return cmp.Or(room.docs.Store.Commit(ctx, c), pass)
	}
	return room.queue.Complete(ctx, c, ends)
}

// EnterElsewhere enters a match in the ledger of another home, unless it is already there.
func (room *Room) EnterElsewhere(ctx context.Context, home, match string, r league.Result) error {
	r.Rerate() // Enter knows if that home has another rule
	partition := store.Partition(home)
	keys := append([]store.Key{doc.HomeKey(home), {Partition: partition, Name: league.ResultName(home, match)}}, r.MemberKeys(home)...)
	r.Homes = nil
	err := room.docs.Update(ctx, "", keys, func(docs []store.Doc, c *store.Change) error {
		if docs[1].Version != 0 {
			return doc.ErrSame
		}
		var h doc.Home
		if err := doc.Decode(docs[0], &h); err != nil {
			return err
		}
		if home != league.Everywhere {
			h.List(match)
		}
		if _, _, err := league.Enter(&h, c, home, match, r, docs[2:]); err != nil {
			return err
		}
		c.Writes = append(c.Writes, store.Write{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(h)})
		return nil
	})
	if errors.Is(err, doc.ErrBusy) {
		return fmt.Errorf("enter a match: %w", err)
	}
	return err
}

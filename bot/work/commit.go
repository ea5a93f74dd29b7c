package work

import (
	"context"
	"errors"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Commit commits an event's change that makes a job due. If the commit also claimed
// that job (store.Change.Claim), Commit starts it at once.
func (q *Queue) Commit(ctx context.Context, event string, c store.Change) error {
	err := q.docs.CommitOnce(ctx, event, c)
	var job store.Job
	if c.Claim != nil {
		job = store.Job{Partition: c.Partition, ID: c.Claim.ID, Token: c.Claim.Token}
	}
	switch {
	case errors.Is(err, store.ErrConflict), errors.Is(err, doc.ErrRepeated):
	case err == nil && c.Claim != nil && c.Claim.Claimed:
		job.Docs = c.Claim.Docs
		q.begin(job, c.Claim.Until)
	case err == nil:
		q.docs.Nudge()
	case c.Claim != nil:
		q.pool.begin(func(context.Context) { q.leave(job) }, q.docs.Nudge) // the commit may have succeeded despite the error
	}
	return err
}

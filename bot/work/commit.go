package work

import (
	"context"
	"errors"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Commit commits an event's change that makes a job due. If the commit also claimed
// that job (store.Change.Hold), Commit starts it at once.
func (q *Queue) Commit(ctx context.Context, event string, c store.Change) error {
	err := q.docs.CommitOnce(ctx, event, c)
	var job store.Job
	if c.Hold != nil {
		job = store.Job{Partition: c.Partition, ID: c.Hold.ID, Token: c.Hold.Token}
	}
	switch {
	case errors.Is(err, store.ErrConflict), errors.Is(err, doc.ErrRepeated):
	case err == nil && c.Hold != nil && c.Hold.Held:
		job.Docs = c.Hold.Docs
		q.begin(job, c.Hold.Until)
	case err == nil:
		q.docs.Nudge()
	case c.Hold != nil:
		q.crew.begin(func(context.Context) { q.leave(job) }, q.docs.Nudge) // the commit may have succeeded despite the error
	}
	return err
}

package work

import (
	"context"
	"errors"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Commit commits an event's change that makes work due, and begins with it at once
// if the change has got hold of it.
func (q *Queue) Commit(ctx context.Context, event string, c store.Change) error {
	err := q.docs.CommitOnce(ctx, event, c)
	var job store.Job
	if c.Hold != nil {
		job = store.Job{Partition: c.Partition, ID: c.Hold.ID, Token: c.Hold.Token}
	}
	switch {
	case errors.Is(err, store.ErrConflict), errors.Is(err, doc.ErrRepeated):
	case err == nil && c.Hold != nil && c.Hold.Held:
		q.begin(job, c.Hold.Until)
	case err == nil:
		q.docs.Nudge()
	case c.Hold != nil:
		q.crew.begin(func(context.Context) { q.leave(job) }, q.docs.Nudge) // it may have been done all the same
	}
	return err
}

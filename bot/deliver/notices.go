package deliver

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Notice is what a job shows about something other than a table, such as a tournament.
type Notice struct {
	Messages
	Posts   []screen.Post
	Asked   map[string]table.Player     // by chat: the person who asked for the messages there, and reads in private if the chat refuses all
	Due     time.Time                   // when the job has something to do again; zero: when it is made due
	Expires time.Time                   // when the record of the messages may be deleted; zero: never
	Moved   func(from, to string) error // follows a chat to its new id
}

// Tend runs a job that keeps messages up to date, whose record has that key. advance takes the steps that are due, and returns
// what the messages show then. Only the worker that holds the job delivers them.
func (d *Deliverer) Tend(ctx context.Context, queue *work.Queue, job store.Job, ends time.Time, key store.Key, advance func() (Notice, error)) error {
	d.DoubtTaken(ctx, notesKey(key), job)
	record, err := d.notices(ctx, key) // before the steps, so that a doubt about the messages isn't lost
	if err != nil {
		return err
	}
	n, err := advance()
	if err != nil {
		return err
	}
	now := d.docs.Now()
	if now.Add(work.Showing + work.Delivery).After(ends) {
		return d.docs.Store.Release(ctx, job, now, now)
	}
	next := d.showNotice(ctx, record, n)
	return d.complete(ctx, queue, record, store.Change{Partition: job.Partition, Done: &job, Next: work.Earlier(n.Due, next)}, n.Expires, ends)
}

// notices are the messages of a Notice.
type notices struct {
	shown  Shown
	notes  doc.Notes
	stored store.Doc
	before []byte // shown, as it was read
}

// notesKey returns the key of the notes about the messages whose record has that key.
func notesKey(key store.Key) store.Key {
	_, id := doc.KindAndRest(key.Name)
	return store.Key{Partition: key.Partition, Name: doc.NotesName(id)}
}

// notices loads the record of the messages with that key.
func (d *Deliverer) notices(ctx context.Context, key store.Key) (*notices, error) {
	docs, err := d.docs.Store.Get(ctx, key, notesKey(key))
	if err != nil {
		return nil, err
	}
	n := &notices{stored: docs[0]}
	if err := errors.Join(doc.Decode(docs[0], &n.shown), doc.Decode(docs[1], &n.notes)); err != nil {
		return nil, err
	}
	n.before = doc.Encode(n.shown)
	return n, nil
}

// showNotice updates the messages to match the posts. It returns when to continue, or zero if everything is up to date.
func (d *Deliverer) showNotice(ctx context.Context, n *notices, notice Notice) time.Time {
	now, m, posts := d.docs.Now(), notice.Messages, notice.Posts
	for where, who := range notice.Asked {
		if who.ID != where {
			m.people = append(m.people, reader{id: who.ID, lang: who.Lang})
		}
	}
	n.shown.prepare(m, n.notes, now)
	d.reopen(&n.shown, n.notes, now)
	posts = append(slices.Clip(posts), silentNotices(m, notice.Asked, posts, &n.shown)...)
	var all []Post
	for _, p := range posts {
		all = append(all, Post{Post: p})
	}
	plans := Plan(all, &n.shown, m.Stage, func(p *ShownPost) bool { return d.Old(p, now) })
	limited, cancel := context.WithTimeout(ctx, work.Showing)
	defer cancel()
	next := d.carryOut(limited, m, plans, &n.shown)
	for from, to := range n.shown.Moved {
		if err := notice.Moved(from, to); err != nil {
			d.docs.Log.Warn("follow a chat to its new id", "table", m.ID, "err", err)
		}
	}
	return next
}

// complete is queue.Complete for a job that has shown n, and stores the record of the messages. expires is zero, or when the
// record may be deleted. If another worker may hold the job by now, that one shows all messages again: edits made here may have
// overwritten newer ones.
func (d *Deliverer) complete(ctx context.Context, queue *work.Queue, n *notices, c store.Change, expires, ends time.Time) error {
	if n.shown.Until.IsZero() == expires.IsZero() && bytes.Equal(doc.Encode(n.shown), n.before) {
		return queue.Complete(ctx, c, ends)
	}
	n.shown.Until = expires
	c.Writes = append(c.Writes, store.Write{Name: n.stored.Key.Name, Expect: n.stored.Version, Data: doc.Encode(n.shown), Expires: expires})
	err := queue.Complete(ctx, c, ends)
	if err != nil {
		d.Doubt(ctx, notesKey(n.stored.Key), c.Done.ID)
	}
	return err
}

// DoubtTaken lets a job show all its messages again if its last worker lost it: that worker may have changed messages without
// recording it. The job isn't made due by this, since it reads the notes afterwards. Processes whose clocks differ would wake each
// other, and take each other's leases all the time.
func (d *Deliverer) DoubtTaken(ctx context.Context, key store.Key, job store.Job) {
	if job.Taken {
		d.doubt(ctx, key, job.ID, false)
	}
}

// Doubt lets a job show all its messages again. The key is that of its notes.
func (d *Deliverer) Doubt(ctx context.Context, key store.Key, job string) {
	d.doubt(ctx, key, job, true)
}

func (d *Deliverer) doubt(ctx context.Context, key store.Key, job string, due bool) {
	err := work.Insist(ctx, func(ctx context.Context) error {
		return d.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
			var notes doc.Notes
			if err := doc.Decode(docs[0], &notes); err != nil {
				return err
			}
			notes.Doubts++
			c.Writes = []store.Write{doc.WriteOf(docs[0], notes, c.Now)}
			if due {
				c.Due = []store.Mark{{ID: job, At: c.Now}}
			}
			return nil
		})
	})
	if err != nil {
		d.docs.Log.Warn("tell of a lost lease", "job", doc.KindOf(job), "err", err)
	}
}

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

// Notices are messages about something other than a table, such as a tournament. Only the
// worker that holds its job delivers them.
type Notices struct {
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

// Notices loads the record of the messages with that key.
func (d *Deliverer) Notices(ctx context.Context, key store.Key) (*Notices, error) {
	docs, err := d.docs.Store.Get(ctx, key, notesKey(key))
	if err != nil {
		return nil, err
	}
	n := &Notices{stored: docs[0]}
	if err := errors.Join(doc.Decode(docs[0], &n.shown), doc.Decode(docs[1], &n.notes)); err != nil {
		return nil, err
	}
	n.before = doc.Encode(n.shown)
	return n, nil
}

// None reports whether there is no message.
func (n *Notices) None() bool { return len(n.shown.Posts) == 0 }

// ShowNotices updates the messages to match posts. It returns when to continue, or zero if
// everything is up to date. If a chat refuses all of its messages, the person in asked who asked for them there reads that in
// private. If a chat has got a new id, it calls moved.
func (d *Deliverer) ShowNotices(ctx context.Context, n *Notices, m Messages, posts []screen.Post, asked map[string]table.Player, moved func(from, to string) error) time.Time {
	now := d.docs.Now()
	for where, who := range asked {
		if who.ID != where {
			m.people = append(m.people, reader{id: who.ID, lang: who.Lang})
		}
	}
	n.shown.prepare(m, n.notes, now)
	posts = append(slices.Clip(posts), silentNotices(m, asked, posts, &n.shown)...)
	var all []Post
	for _, p := range posts {
		all = append(all, Post{Post: p})
	}
	plans := Plan(all, &n.shown, m.Stage, func(p *ShownPost) bool { return d.Old(p, now) })
	limited, cancel := context.WithTimeout(ctx, work.Showing)
	defer cancel()
	next := d.carryOut(limited, m, plans, &n.shown)
	for from, to := range n.shown.Moved {
		if err := moved(from, to); err != nil {
			d.docs.Log.Warn("follow a chat to its new id", "table", m.ID, "err", err)
		}
	}
	return next
}

// Complete is queue.Complete for a job that has shown n, and stores the record of the messages. expires is zero, or when the
// record may be deleted. If another worker may hold the job by now, that one shows all messages again: edits made here may have
// overwritten newer ones.
func (d *Deliverer) Complete(ctx context.Context, queue *work.Queue, n *Notices, c store.Change, expires, ends time.Time) error {
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

// Doubt lets a job show all its messages again. The key is that of its notes.
func (d *Deliverer) Doubt(ctx context.Context, key store.Key, job string) {
	err := d.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var notes doc.Notes
		if err := doc.Decode(docs[0], &notes); err != nil {
			return err
		}
		notes.Doubts++
		c.Writes, c.Due = []store.Write{doc.WriteOf(docs[0], notes, c.Now)}, []store.Mark{{ID: job, At: c.Now}}
		return nil
	})
	if err != nil {
		d.docs.Log.Warn("tell of a lost lease", "job", doc.KindOf(job), "err", err)
	}
}

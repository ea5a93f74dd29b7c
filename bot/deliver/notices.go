package deliver

import (
	"bytes"
	"context"
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
	stored store.Doc
	before []byte // shown, as it was read
}

// Notices loads the record of the messages with that key.
func (d *Deliverer) Notices(ctx context.Context, key store.Key) (*Notices, error) {
	docs, err := d.docs.Store.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	n := &Notices{stored: docs[0]}
	if err := doc.Decode(n.stored, &n.shown); err != nil {
		return nil, err
	}
	n.before = doc.Encode(n.shown)
	return n, nil
}

// None reports whether there is no message.
func (n *Notices) None() bool { return len(n.shown.Posts) == 0 }

// ShowNotices updates the messages to match posts. It returns when to continue, or zero if
// everything is up to date. It treats the messages like those of the table at, which has
// their chats. If a chat refuses all of its messages, the person in asked who asked for them there reads that in
// private. If a chat has got a new id, it calls moved.
func (d *Deliverer) ShowNotices(ctx context.Context, n *Notices, at table.Table, posts []screen.Post, asked map[string]table.Player, moved func(from, to string) error) time.Time {
	now := d.docs.Now()
	for where, who := range asked {
		if who.ID != where {
			at.Seats = append(at.Seats, table.Seat{Player: who})
		}
	}
	n.shown.Prepare(at, doc.Notes{}, now)
	posts = append(slices.Clip(posts), silentNotices(at, asked, posts, &n.shown)...)
	var all []Post
	for _, p := range posts {
		all = append(all, Post{Post: p})
	}
	plans := Plan(all, &n.shown, Stage(at), func(p *ShownPost) bool { return d.Old(p, now) })
	limited, cancel := context.WithTimeout(ctx, work.Showing)
	defer cancel()
	next := d.CarryOut(limited, at, plans, &n.shown)
	for from, to := range n.shown.Moved {
		if err := moved(from, to); err != nil {
			d.docs.Log.Warn("follow a chat to its new id", "table", at.ID, "err", err)
		}
	}
	return next
}

// Writes returns the write that stores the record, if the record has changed. expires is
// zero, or when the record may be deleted.
func (n *Notices) Writes(expires time.Time) []store.Write {
	if n.shown.Until.IsZero() == expires.IsZero() && bytes.Equal(doc.Encode(n.shown), n.before) {
		return nil
	}
	n.shown.Until = expires
	return []store.Write{{Name: n.stored.Key.Name, Expect: n.stored.Version, Data: doc.Encode(n.shown), Expires: expires}}
}

package deliver

import (
	"bytes"
	"reflect"

	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// readShown is what was shown of a table, and the document's bytes that it was
// written to.
type readShown struct {
	data  []byte
	shown Shown
}

// TakeShown reads what was shown of a table. It belongs to the caller, who holds
// the table's job: it is changed while the table is shown.
func (d *Deliverer) TakeShown(stored store.Doc) (shown Shown, err error) {
	if known, ok := d.shows.Take(stored.Key.Name); ok && bytes.Equal(known.data, stored.Data) {
		return known.shown, nil
	}
	return shown, doc.Decode(stored, &shown)
}

// LeaveShown keeps what was shown for the next who holds the table's job: as it
// would be read, with times of the wall clock alone. The caller is done with it.
func (d *Deliverer) LeaveShown(name string, data []byte, shown Shown) {
	shown.Moved = nil
	for _, p := range shown.Posts {
		p.Sent = p.Sent.Round(0)
	}
	for _, p := range shown.Places {
		p.NotBefore, p.Closed = p.NotBefore.Round(0), p.Closed.Round(0)
	}
	d.shows.Put(name, readShown{data, shown}, doc.MostKnown)
}

// Post is a post with the hash of its screen, if that is known; else "".
type Post struct {
	view.Post
	hash string
}

// pastPosts are the posts that look back on a table.
type pastPosts struct {
	of    table.Public
	posts []Post
}

// past are the posts that look back on a table: they are made anew when a deal
// ends or somebody comes or goes, and not for each move.
func (d *Deliverer) past(p table.Public) []Post {
	p = p.Settled()
	known, _ := d.pasts.Get(p.ID)
	if !reflect.DeepEqual(known.of, p) {
		known = pastPosts{of: p}
		for _, each := range view.PastPosts(p) {
			known.posts = append(known.posts, Post{each, screenHash(each.Screen)})
		}
		d.pasts.Put(p.ID, known, doc.MostKnown)
	}
	return known.posts
}

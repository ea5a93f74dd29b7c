package deliver

import (
	"bytes"
	"reflect"
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// readShown is a cached Shown, with the stored bytes that it was encoded to.
type readShown struct {
	data  []byte
	shown Shown
}

// TakeShown returns the table's Shown, from the cache if the stored bytes are still the same.
// It removes the entry from the cache, so the caller may change the value. The caller must
// hold the table's job.
func (d *Deliverer) TakeShown(stored store.Doc) (shown Shown, err error) {
	if known, ok := d.shows.Take(stored.Key.Name); ok && bytes.Equal(known.data, stored.Data) {
		return known.shown, nil
	}
	return shown, doc.Decode(stored, &shown)
}

// LeaveShown caches the table's Shown for the next holder of the table's job. It strips
// the monotonic clock readings, so that the value equals one that was decoded from the store.
// The caller must not use shown afterwards.
func (d *Deliverer) LeaveShown(name string, data []byte, shown Shown) {
	shown.Moved, shown.Late = nil, nil
	for _, p := range shown.Posts {
		p.Sent = p.Sent.Round(0)
	}
	for _, p := range shown.Places {
		p.NotBefore, p.Closed = p.NotBefore.Round(0), p.Closed.Round(0)
	}
	d.shows.Put(name, readShown{data, shown}, doc.MaxKnown)
}

// Post is a post with the hash of its screen; the hash is "" if it hasn't been computed yet.
type Post struct {
	screen.Post
	hash   string
	onPage bool // its reader sees it on the table's page, so it has no message now
}

// pastPosts is a cache entry: the posts about a table's past, and the state they were made from.
type pastPosts struct {
	of, now table.Lasting // now is compared with of, and is kept here so that it isn't allocated again
	posts   []Post
}

// past returns the posts about a table's past. They are cached, and not made again after
// each move, but when a deal ends or a player joins or leaves.
func (d *Deliverer) past(p table.Public) []Post {
	key := p.ID
	if p.Policy.Masked { // each player knows the others by other names
		key += " " + p.Chats[0].ID
	}
	known, ok := d.pasts.Take(key) // nobody else may use it meanwhile
	if !ok {
		known = &pastPosts{}
	}
	known.now = p.Lasting
	if slices.EqualFunc(known.of.Seats, known.now.Seats, table.Seat.Same) {
		known.now.Seats = known.of.Seats // as each table has a list of its own
	}
	if !ok || !reflect.DeepEqual(&known.of, &known.now) {
		known.posts = nil
		for _, each := range view.PastPosts(p) {
			known.posts = append(known.posts, Post{Post: each, hash: screenHash(each.Screen)})
		}
	}
	known.of = known.now // equal lists are now the same, which makes the next comparison quick
	posts := known.posts
	d.pasts.Put(key, known, doc.MaxKnown) // from here on, known may be another worker's
	return posts
}

package bot

import (
	"bytes"
	"reflect"
	"sync"

	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// What a process worked out lately of the tables that are at play, so that it
// need not do it anew for each press. They are no more than that: what they hold
// follows from what they are asked about, and the store stays the truth.

// mostKnown is how many tables are kept in mind. A table with its document and
// its posts has some 40 kB.
const mostKnown = 512

// few holds a value each for a few keys: when there are too many, any goes, for a
// busy one is soon back.
type few[V any] struct {
	mu sync.Mutex
	of map[string]V
}

// get is the key's value, or the zero value.
func (f *few[V]) get(key string) V {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.of[key]
}

// take is get, and forgets it.
func (f *few[V]) take(key string) V {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.of[key]
	delete(f.of, key)
	return v
}

func (f *few[V]) put(key string, v V) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[string]V{}
	}
	if _, known := f.of[key]; !known && len(f.of) >= mostKnown {
		for other := range f.of {
			delete(f.of, other)
			break
		}
	}
	f.of[key] = v
}

// readDoc is a table and the document's bytes that it was read from, or written to.
type readDoc struct {
	data  []byte
	table table.Table
}

// readTable reads a table. Reading one plays its deal anew, so the same bytes
// are read once. It is shared, and must not be changed in place.
func (b *Bot) readTable(doc store.Doc) (loaded, error) {
	if known := b.read.get(doc.Key.Name); known.data != nil && bytes.Equal(known.data, doc.Data) {
		return loaded{known.table, doc.Version}, nil
	}
	l, err := decodeTable(doc)
	if err == nil && doc.Version != 0 {
		b.read.put(doc.Key.Name, readDoc{doc.Data, l.Table})
	}
	return l, err
}

// readShown is what was shown of a table, and the document's bytes that it was
// written to.
type readShown struct {
	data  []byte
	shown shownDoc
}

// takeShown reads what was shown of a table. It belongs to the caller, who holds
// the table's job: it is changed while the table is shown.
func (b *Bot) takeShown(doc store.Doc) (shown shownDoc, err error) {
	if known := b.shows.take(doc.Key.Name); known.data != nil && bytes.Equal(known.data, doc.Data) {
		return known.shown, nil
	}
	return shown, decode(doc, &shown)
}

// leaveShown keeps what was shown for the next who holds the table's job: as it
// would be read, with times of the wall clock alone. The caller is done with it.
func (b *Bot) leaveShown(name string, data []byte, shown shownDoc) {
	shown.moved = nil
	for _, p := range shown.Posts {
		p.Sent = p.Sent.Round(0)
	}
	for _, p := range shown.Places {
		p.NotBefore, p.Closed = p.NotBefore.Round(0), p.Closed.Round(0)
	}
	b.shows.put(name, readShown{data, shown})
}

// post is a post with the hash of its screen, if that is known; else "".
type post struct {
	view.Post
	hash string
}

// pastPosts are the posts that look back on a table.
type pastPosts struct {
	of    table.Public
	posts []post
}

// past are the posts that look back on a table: they are made anew when a deal
// ends or somebody comes or goes, and not for each move.
func (b *Bot) past(p table.Public) []post {
	p = p.Settled()
	known := b.pasts.get(p.ID)
	if !reflect.DeepEqual(known.of, p) {
		known = pastPosts{of: p}
		for _, each := range view.PastPosts(p) {
			known.posts = append(known.posts, post{each, screenHash(each.Screen)})
		}
		b.pasts.put(p.ID, known)
	}
	return known.posts
}

// Package deliver brings what people see nearer to what they should see: it
// compares the posts that should exist with the messages that are known to exist,
// and sends, edits or deletes the difference, as far as each place's limits allow.
// Only the holder of a table's job delivers for that table, so showing never
// conflicts with a press.
package deliver

import (
	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

// Deliverer sends, edits and deletes messages on all platforms.
type Deliverer struct {
	Platforms map[string]chat.Platform // by name
	docs      *doc.Docs
	flights   map[string]chan struct{}       // by platform: its deliveries that are under way
	shows     cache.Cache[string, readShown] // by the document's name
	pasts     cache.Cache[string, pastPosts] // by the table's id
}

// New returns a deliverer to those platforms.
func New(docs *doc.Docs, platforms ...chat.Platform) *Deliverer {
	d := &Deliverer{docs: docs, Platforms: map[string]chat.Platform{}, flights: map[string]chan struct{}{}}
	for _, p := range platforms {
		d.Platforms[p.Name()], d.flights[p.Name()] = p, make(chan struct{}, inFlight)
	}
	return d
}

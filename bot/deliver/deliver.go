// Package deliver brings the messages in a chat closer to what they should be. It
// gets a table and what is known of its messages ([Shown]), works out the posts that
// should exist, compares the two, and sends, edits or deletes what differs, as far as
// each chat's limits allow. What is left over waits for the next round.
//
// Only the worker that holds a table's job delivers for that table, so showing never
// conflicts with a press. Start with Deliverer.Show in show.go: [Plan] finds the steps
// and Deliverer.CarryOut takes them. reach.go is about players who can't be written
// to, and memo.go remembers the screens of deals that are over.
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

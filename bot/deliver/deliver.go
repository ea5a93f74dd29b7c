// Package deliver updates the messages in chats to match the state of a table. It takes
// the table and the record of its messages ([Shown]), and works out which posts should
// exist. Then it sends, edits or deletes whatever differs, within each chat's rate
// limits. Anything left over waits for the next round.
//
// Only the worker that holds a table's job delivers for that table, so delivery never
// conflicts with a press. Start with Deliverer.Show in show.go: [Plan] finds the steps
// and Deliverer.carryOut performs them. note.go records their outcomes. reach.go handles
// players who don't accept private messages, and hands.go the hands that players open. cache.go caches message records and the posts
// about finished deals. slot.go limits how many tables deliver to a platform at once.
package deliver

import (
	"context"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
)

// Deliverer sends, edits and deletes messages on all platforms.
type Deliverer struct {
	Platforms map[string]chat.Platform // by name
	Pages     map[string]string        // by platform: the address of the tables' pages; a platform without one has no links
	Apps      map[string]bool          // platforms on which a button in the chat opens a table's page in the platform's own app
	docs      *doc.Docs
	pageLinks Links
	hides     func(press string) bool         // reports whether no screen has a button with the press
	queues    map[string]*queue               // by platform
	shows     cache.Cache[string, readShown]  // by document name
	pasts     cache.Cache[string, *pastPosts] // by table id
	heard     cache.Cache[string, time.Time]  // by player: when they last pressed something in private, as far as this process knows
}

// Links makes personal links to the pages of tables.
type Links interface {
	// Link returns the address of a player's personal link to the page of a table, or "".
	Link(ctx context.Context, own table.Private, notes doc.Notes) (string, error)
}

// New returns a deliverer for the given platforms. pages has the address of the tables' pages by platform, and apps the
// platforms whose own app opens them. No message has a button whose press hides reports.
func New(docs *doc.Docs, links Links, pages map[string]string, apps map[string]bool, hides func(press string) bool, platforms ...chat.Platform) *Deliverer {
	d := &Deliverer{docs: docs, pageLinks: links, Pages: pages, Apps: apps, hides: hides, Platforms: map[string]chat.Platform{}, queues: map[string]*queue{}}
	for _, p := range platforms {
		d.Platforms[p.Name()], d.queues[p.Name()] = p, newQueue()
	}
	return d
}

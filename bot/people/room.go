// Package people shows and changes settings: those of a person, and those of a home, which only
// its managers may change. Each room gives its own settings. After a change, a job copies the
// settings to the open tables.
// The package also exports everything that is stored about a person to a file, and
// welcomes the people of a home that has just added the bot.
//
// Start with prefs.go for the settings, mydata.go for the export and welcome.go. Package
// upkeep deletes a person's data.
package people

import (
	"context"
	"sync"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room manages settings. It is safe for concurrent use.
type Room struct {
	Others
	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	reading chan struct{} // semaphore: an export holds it while it reads the store
	heard   sync.Map      // by platform: the Since of its Heard
}

// Others is what the settings need of other rooms.
type Others struct {
	Eraser      Eraser
	Tournaments Tournaments
	Documents   func() map[string]doc.Kind // returns all document kinds by name, for exports
	Settings    func() Settings            // returns all settings
}

// Eraser deletes people's data.
type Eraser interface {
	// Erase starts the deletion of everything that is stored about the person.
	Erase(ctx context.Context, in chat.Input) chat.Reply
}

// Tournaments knows the tournaments.
type Tournaments interface {
	// CopySettings copies a home's settings to its open tournament.
	CopySettings(ctx context.Context, home doc.Home) error
}

// New returns a Room.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, others Others) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, Others: others, reading: make(chan struct{}, 1)}
}

// Package people keeps settings: a person's own, and those of a home, which only its
// managers may change. After a change, its job brings the settings to the open tables.
// The room also writes the file with everything that is stored about a person.
//
// Start with prefs.go for the settings and mydata.go for the file. Deleting a person's
// data is the business of package upkeep.
package people

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
)

// Room keeps settings. Its methods may be called from many goroutines.
type Room struct {
	// Erase begins to delete everything that is kept of the person.
	Erase func(ctx context.Context, in chat.Input) chat.Reply
	// DressCup brings what was set for a home to its open tournament.
	DressCup func(ctx context.Context, home doc.Home) error
	// Documents are all kinds of documents, for exports.
	Documents map[string]doc.Kind

	docs    *doc.Docs
	tables  *tables.Tables
	reading chan struct{} // holds one while an export reads the whole store
}

// New returns the room. Erase, DressCup and Documents are to be set before it is used.
func New(docs *doc.Docs, ts *tables.Tables) *Room {
	return &Room{docs: docs, tables: ts, reading: make(chan struct{}, 1)}
}

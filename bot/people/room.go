// Package people manages settings: those of a person, and those of a home, which only
// its managers may change. After a change, a job copies the settings to the open tables.
// The package also exports everything that is stored about a person to a file.
//
// Start with prefs.go for the settings and mydata.go for the export. Package upkeep
// deletes a person's data.
package people

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
)

// Room manages settings. It is safe for concurrent use.
type Room struct {
	// Erase starts the deletion of everything that is stored about the person.
	Erase func(ctx context.Context, in chat.Input) chat.Reply
	// DressCup copies a home's settings to its open tournament.
	DressCup func(ctx context.Context, home doc.Home) error
	// Told returns a person's settings about new tables in a home, and SetTell changes one.
	Told    func(ctx context.Context, home, player string) ([]view.Pref, error)
	SetTell func(ctx context.Context, in chat.Input, home, name, value string) error
	// Posted returns a home's settings about what is posted there, and SetPosted changes one.
	Posted    func(ctx context.Context, home string) ([]view.Pref, error)
	SetPosted func(ctx context.Context, in chat.Input, home, name, value string) error
	// Documents has all document kinds by name, for exports.
	Documents map[string]doc.Kind

	docs    *doc.Docs
	tables  *tables.Tables
	reading chan struct{} // semaphore: an export holds it while it reads the store
}

// New returns a Room. Set its fields before using it.
func New(docs *doc.Docs, ts *tables.Tables) *Room {
	return &Room{docs: docs, tables: ts, reading: make(chan struct{}, 1)}
}

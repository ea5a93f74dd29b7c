// Package people manages settings: those of a person, and those of a home, which only
// its managers may change. After a change, a job copies the settings to the open tables.
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
	"sedmabot/bot/view"
	"sedmabot/bot/work"
)

// Room manages settings. It is safe for concurrent use.
type Room struct {
	// Erase starts the deletion of everything that is stored about the person.
	Erase func(ctx context.Context, in chat.Input) chat.Reply
	// DressCup copies a home's settings to its open tournament.
	DressCup func(ctx context.Context, home doc.Home) error
	// Told returns a person's settings about hearing of new tables in a home, and SetTell
	// changes one.
	Told    func(ctx context.Context, home, player string) ([]view.Pref, error)
	SetTell func(ctx context.Context, in chat.Input, home, name, value string) error
	// Posted returns a home's settings about regular posts, and SetPosted changes one.
	Posted    func(ctx context.Context, home string) ([]view.Pref, error)
	SetPosted func(ctx context.Context, in chat.Input, home, name, value string) error
	// Marks shows the season's ranks beside the names of a home's members.
	Marks Marks
	// Documents has all document kinds by name, for exports.
	Documents map[string]doc.Kind

	// Pages is set if people can watch tables on web pages.
	Pages bool

	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	reading chan struct{} // semaphore: an export holds it while it reads the store
	heard   sync.Map      // by platform: the Since of its Heard
}

// Marks is the part of package marks that the settings use.
type Marks interface {
	// May returns nil, or a refusal that says why the bot can't set marks in the home.
	May(ctx context.Context, home string) error
	// Trouble returns why the bot can't set marks that are turned on, or "".
	Trouble(ctx context.Context, home string) chat.MarkFault
	// Wake sets or takes away the marks, as the home's settings say.
	Wake(ctx context.Context, home string, h doc.Home) error
}

// New returns a Room. Set its fields before using it.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, reading: make(chan struct{}, 1)}
}

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
	Others
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

// Others is what the settings need of other rooms.
type Others struct {
	Eraser      Eraser
	Tournaments Tournaments
	News        News
	Marks       Marks
	Documents   func() map[string]doc.Kind // returns all document kinds by name, for exports
	Pages       bool                       // people can watch tables on web pages
}

// Eraser deletes people's data.
type Eraser interface {
	// Erase starts the deletion of everything that is stored about the person.
	Erase(ctx context.Context, in chat.Input) chat.Reply
}

// Tournaments knows the tournaments.
type Tournaments interface {
	// Dress copies a home's settings to its open tournament.
	Dress(ctx context.Context, home doc.Home) error
}

// News sends messages that people and chats have asked for.
type News interface {
	// Prefs returns a person's settings about hearing of new tables in a home, and Set changes one.
	Prefs(ctx context.Context, home, player string) ([]view.Pref, error)
	Set(ctx context.Context, in chat.Input, home, name, value string) error
	// Posted returns a home's settings about regular posts, and SetPosted changes one.
	Posted(ctx context.Context, home string) ([]view.Pref, error)
	SetPosted(ctx context.Context, in chat.Input, home, name, value string) error
}

// New returns a Room.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, others Others) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, Others: others, reading: make(chan struct{}, 1)}
}

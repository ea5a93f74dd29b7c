// Package tables loads and changes tables. All rooms change tables through it, because
// one room may open a table that another one plays.
//
// [Tables.Update] is the central method. It loads a table, lets the caller apply a
// command of package table, and commits the result. The same commit has everything that
// follows from the change: records of finished deals and matches, the home's index and
// ledger, and the due time of the job that shows the table. Start there, then read
// Tables.Change, which builds that commit. Tables.Advance does the same for changes
// that time causes. Tables.Act, Tables.Cards and Tables.Open are what people do with tables: apply a command, show
// a hand, open a table.
package tables

import (
	"context"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Tables gives access to the tables of a store. Its methods are safe for concurrent use.
type Tables struct {
	Limits   Limits
	Seed     func() table.Seed // returns the seed of a new deal
	docs     *doc.Docs
	queue    *work.Queue
	thinkers *work.Thinkers
	witness  *doc.Witness
	messages Messages
	links    Links
	pace     time.Duration // delay between two moves of the AI
	owners   func() map[string]Owner
	read     cache.Cache[string, *doc.EncodedTable] // decoded tables, by the document's name
}

// Config is the configuration of Tables.
type Config struct {
	Limits Limits
	Seed   func() table.Seed // returns the seed of a new deal
	Pace   time.Duration     // delay between two moves of the AI
	Owners func() map[string]Owner
}

// Owner is what a room is told about the tables that it has opened. Its name is in [table.Policy].
type Owner struct {
	// Ends adds to a commit what follows for the room when a match or the table ends. It may change t. over is the document
	// of the match, or nil if it was not played to its end.
	Ends func(ctx context.Context, c *store.Change, t *table.Table, over *doc.Match) error
	// Shows returns the table as its messages should show it, and when to ask again; zero: when the table changes. nil: as
	// it is.
	Shows func(ctx context.Context, t doc.Table) (doc.Table, time.Time, error)
}

// Shows asks the table's owner how to show it, if that wants to be asked.
func (ts *Tables) Shows(ctx context.Context, t doc.Table) (doc.Table, time.Time, error) {
	if shows := ts.owners()[t.Policy.Owner].Shows; shows != nil {
		return shows(ctx, t)
	}
	return t, time.Time{}, nil
}

// New returns the Tables of docs, whose store must be witness. It uses thinkers for the
// AI's moves.
func New(docs *doc.Docs, witness *doc.Witness, queue *work.Queue, thinkers *work.Thinkers, messages Messages, links Links, c Config) *Tables {
	return &Tables{Limits: c.Limits, Seed: c.Seed, pace: c.Pace, owners: c.Owners, docs: docs, witness: witness, queue: queue, thinkers: thinkers, messages: messages, links: links}
}

// Package doc is what the shell stores: documents, their names, and how they are read
// and changed. Rooms use it instead of using the store directly.
//
// A document is {"v": schema number, "d": data}, written by [Encode] and read by
// [Decode]. Its name is its kind, a colon, and the rest. [Kind] is everything the shell
// knows about a kind: its type, the partition it is in, what a restore or a person's
// deletion does to it, and the job of the same name. Each room lists its own kinds.
// Documents that more than one room needs have their types here; read document.go
// first, then kind.go and update.go.
//
// All documents of a table, and those of the home it belongs to, are in the home's
// partition. These are the kinds, by the names of their documents:
//
//	home:<home>                 Home: which table is open in which chat, settings, the latest matches
//	table:<table>               Table; its job lets time pass and shows the table
//	shown:<table>               deliver.Shown: which messages exist. Only the holder of the table's job writes it
//	notes:<table>               Notes: what a press tells the holder of that job
//	record:<table>:<deal>       a finished deal, as package record reads it
//	match:<table>:<match>       Match: a finished match, and which deals belong to it
//	coach:<table>:<match>       review.Coach: what the AI thought of the match; its job finds that out
//	result:<home>|<match>       league.Result: an entry in the home's ledger; its job tells other homes
//	member:<home>|<player>      league.Member: what the results have made of a player in a home
//	skill:<home>|<player>       league.Skill: how well a player chose there, as the coach saw it
//	hall:<home>                 league.Hall: who was in front at the end of each season
//	daily:<home>|<date>         daily.Deal: a home's deal of one day; also the name of its job and its board
//	try:<home>|<date>|<player>  league.Try: one player's try at it
//	tournament:<id>             cup.Tournament; its id is made like a table's, and shown:<id> is its messages
//	share:<code>                play.Share: a table that may be shown in one more chat
//	player:<player>             Player: the tables a player sits at, and their settings
//	chat:<id>                   ChatHome: the home of a chat that had another id before
//	erase:<player>              how far a person's data is deleted; its job deletes it
//	purge:<home>                the home removed the bot; its job deletes the home's data thirty days later
//	seen:<event>                the event happened, and must not happen again; in the partition of what it changed
//	hold:<name>                 which process may do what only one may do
//
// The jobs of a home and a player bring new settings to their open tables. Two kinds are
// jobs without a document: undone:<name> edits the messages of a table or a tournament
// whose latest changes were lost, or that was restored, and boards:<home> closes boards.
package doc

import (
	"context"
	"log/slog"
	"time"

	"sedmabot/store"
)

// Docs is the store as the shell uses it. One is shared by all parts of a Bot.
type Docs struct {
	Store store.Store
	Now   func() time.Time
	Log   *slog.Logger
	Nudge func() // wakes the workers of this process after a commit that made work due
}

// Get loads one document into v, and returns the document's version: 0 if there
// is none, which leaves v as it is.
func (d *Docs) Get(ctx context.Context, key store.Key, v any) (version int64, err error) {
	docs, err := d.Store.Get(ctx, key)
	if err != nil {
		return 0, err
	}
	return docs[0].Version, Decode(docs[0], v)
}

// Package doc defines the documents that the shell stores: their names and types, and
// how they are read and changed. Rooms use it instead of using the store directly.
//
// A document is {"v": schema number, "d": data}, written by [Encode] and read by
// [Decode]. Its name is its kind, a colon, and the rest. [Kind] describes a kind: its
// type, its partition, the job of the same name, and what happens to it on a restore
// or when a person's data is deleted. Each room lists its own kinds. Document types
// that more than one room needs are in this package. Read document.go first, then
// kind.go and update.go.
//
// All documents of a table, and those of the home it belongs to, are in the home's
// partition. These are the kinds, by the names of their documents:
//
//	home:<home>                 Home: the open table of each chat, settings, the latest matches
//	table:<table>               Table; its job advances the table in time and shows it
//	shown:<table>               deliver.Shown: the table's existing messages. Only the holder of the table's job writes it
//	notes:<table>               Notes: messages from presses to the holder of that job
//	company:<table>             pages.Company: photos of the people who have the table's page open, and what they just said
//	record:<table>:<deal>       a finished deal, in the format of package record
//	match:<table>:<match>       Match: a finished match, and the numbers of its deals
//	verdict:<coach's rest>|<player>  review.Verdict: the AI's analysis of the player's choices in a match; its job computes it
//	coach:<table>:<match>       review.Coach: the analysis of all players by an earlier version
//	result:<home>|<match>       league.Result: an entry in the home's ledger; its job copies it to other homes
//	member:<home>|<player>      league.Member: a player's totals and rating in a home, or the totals of
//	                            people who played together against the AI
//	skill:<home>|<player>       league.Skill: how well a player chose in a home, as counted by earlier versions
//	hall:<home>                 league.Hall: the leaders at the end of each season
//	daily:<home>|<date>         daily.Deal: a home's deal of one day; also the name of its job and its board
//	try:<home>|<date>|<player>  league.Try: one player's attempt at it
//	streak:<home>|<player>      league.Streak: on how many days in a row a player finished the deal of the day
//	news:<home>                 daily.Morning: what is posted to a home that asked for it; also the name of its job
//	tell:<home>                 meet.Wishes: what the people who are told of new tables wish
//	tournament:<id>             tournaments.Tournament; its id has the form of a table's, and shown:<id> has its messages
//	meet:<home>|<game>          meet.Queue: the lobbies of strangers that wait for people, for one game
//	apart:<player>              meet.Apart: the people whom a player doesn't want to be paired with
//	share:<code>                play.Share: a code that lets one more chat show a table
//	player:<player>             Player: a player's open tables and settings
//	chat:<id>                   ChatHome: the home of a chat whose id has changed, by its new and its former id
//	erase:<player>              progress of the deletion of a person's data; its job deletes it
//	purge:<home>                the home removed the bot; its job deletes the home's data thirty days later
//	seen:<event>                the event was handled and must not be repeated; in the partition of the change
//	secret:pages                pages.Secret: the key that signs links to web pages and their sessions
//	hold:<name>                 the process that holds a task that only one may run
//
// The jobs of a home and a player copy new settings to their open tables. Three kinds are
// jobs without a document. undone:<name> edits the messages of a table or a tournament
// whose latest changes were lost, or that was restored. boards:<home> closes boards.
// rate:<home> rates the home's members again after a change of the rule.
package doc

import (
	"context"
	"log/slog"
	"time"

	"sedmabot/bot/observe"
	"sedmabot/store"
)

// Docs gives access to the stored documents. All parts of a Bot share one.
type Docs struct {
	Store store.Store
	Now   func() time.Time
	Log   *slog.Logger
	Wakes chan struct{} // capacity 1: something became due in this process; nil: nothing waits for it

	Observe *observe.Observer // nil: nothing is measured
}

// Get loads one document into v and returns its version. If there is no such
// document, it returns 0 and leaves v unchanged.
func (d *Docs) Get(ctx context.Context, key store.Key, v any) (version int64, err error) {
	docs, err := d.Store.Get(ctx, key)
	if err != nil {
		return 0, err
	}
	return docs[0].Version, Decode(docs[0], v)
}

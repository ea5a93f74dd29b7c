// Package upkeep keeps the store in order. It deletes the data of a person who asks
// for it, and of a home that removed the bot; follows a chat to its new id; writes and
// restores backups; and recomputes the boards from the records of matches.
//
// It knows no kind of document by itself: it is given the table of all kinds, and asks
// each what a deletion or a restore means for it. Start with erase.go, which reads the
// whole store on behalf of both deletions, then purge.go, backup.go and rebuild.go.
package upkeep

import (
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room keeps the store in order. Its methods may be called from many goroutines.
type Room struct {
	// Documents are all kinds of documents, for deletions.
	Documents map[string]doc.Kind

	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
}

// New returns the room. Documents is to be set before it is used.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d}
}

// Package upkeep keeps the store in order: it deletes what is kept of a person or of
// a home that removed the bot, follows chats to new ids, writes and restores
// backups, and recomputes the boards from the records.
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

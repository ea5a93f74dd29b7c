// Package upkeep maintains the store. It deletes a person's data on request, and the
// data of a home that removed the bot. It updates a chat whose id changed, writes and
// restores backups, and recomputes the boards from the records of matches.
//
// The package gets a table of all document kinds. Each kind has functions that do its
// part of a deletion or a restore. Start with erase.go, which scans the whole store for
// both deletions. Then read purge.go, backup.go and rebuild.go.
package upkeep

import (
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room maintains the store. It is safe for concurrent use.
type Room struct {
	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	all     func() map[string]doc.Kind
	erased  func(player string)
}

// New returns a Room. kinds returns all document kinds by name, for deletions. erased is called before anything of a person is
// deleted, perhaps more than once.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, kinds func() map[string]doc.Kind, erased func(player string)) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, all: kinds, erased: erased}
}

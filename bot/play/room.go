// Package play is the life of a table as people see it. It opens tables, does what
// buttons and commands ask of them, shows players their cards, and shares a table
// with other chats. It also does a table's job: time passes, the AI moves, and what
// should be seen is delivered.
//
// The rules of a table are in package table; this room finds the table, translates
// a press into a command, and answers. Start with press.go and command.go for what
// people do, and with tend.go for what happens later.
package play

import (
	"context"
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room plays tables. Its methods may be called from many goroutines.
type Room struct {
	// Compare tells a table with a deal of the day what the AI made of that deal.
	// It returns when to ask again if that is not known yet.
	Compare func(ctx context.Context, t doc.Table) (doc.Table, time.Time, error)

	// Raise has the message of a tournament sent again.
	Raise func(ctx context.Context, id string) error

	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	pace    time.Duration // between two moves of the AI
}

// New returns the room. Compare and Raise are to be set before it is used.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, pace: pace}
}

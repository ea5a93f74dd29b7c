// Package news decides who hears of what, outside tables. The file tell.go keeps the list of
// people who asked to be told of new tables in a home, with their wishes, and says whom a new
// table calls. The file morning.go posts the board of the day before, and a page of the week,
// to chats whose managers asked for it.
//
// Nobody is told who didn't ask, and every message has a button that turns it off.
package news

import (
	"context"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
)

// Room manages who is told of what. It is safe for concurrent use.
type Room struct {
	// Board returns the board of a day's deal in a home, or nil if nobody finished it.
	Board func(ctx context.Context, home, date string) (*view.DailyBoard, error)

	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
}

// New returns a Room. Set Board before using it.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d}
}

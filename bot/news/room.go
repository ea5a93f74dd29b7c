// Package news sends messages that people and chats have asked for. The file tell.go keeps the
// list of people who want to hear about new tables in a home, and chooses whom a new table
// calls. The file morning.go posts yesterday's board, and a page of the week, to chats whose
// managers asked for it; morning_screen.go has the message.
//
// Only people and chats that asked get such messages. Each message has a button that turns
// them off.
package news

import (
	"context"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room manages these messages. It is safe for concurrent use.
type Room struct {
	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	daily   Daily
}

// Daily knows the deals of the day.
type Daily interface {
	// Board returns the board of a day's deal in a home, or nil if nobody finished it.
	Board(ctx context.Context, home, date string, c *lang.Catalogue) ([]screen.Block, error)
}

// New returns a Room.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, daily Daily) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, daily: daily}
}

// Package play runs tables for the people at them. It opens tables, handles their
// buttons and commands, shows players their cards, and shares tables with other
// chats. It also runs a table's background job, which applies timeouts,
// makes the AI's moves and updates the messages.
//
// The rules of a table are in package table. This package loads the table, turns a
// button press into a table command, and replies. Start with press.go and command.go
// for user input, and with tend.go for the background job.
package play

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Room handles tables. It is safe for concurrent use.
type Room struct {
	// Compare adds the AI's result to a table with a finished deal of the day.
	// If that result is not known yet, it returns when to call Compare again.
	Compare func(ctx context.Context, t doc.Table) (doc.Table, time.Time, error)

	// Raise sends the message of a tournament again.
	Raise func(ctx context.Context, id string) error

	// Call returns the people whom a new table with that family of games calls, and the
	// writes that note the call.
	Call func(ctx context.Context, in chat.Input, home doc.Home, family string) ([]table.Player, []store.Write, error)

	// PageLink returns the address of a player's personal link to the page of a table, or "".
	PageLink func(ctx context.Context, own table.Private) (string, error)

	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	pace    time.Duration // delay between two moves of the AI
}

// New returns a Room. Set its fields before using it.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, pace: pace}
}

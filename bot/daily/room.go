// Package daily deals the deal of the day: the same cards for everyone in a home,
// one try each, and a board of what they made of it.
package daily

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
	"sedmabot/game/table"
)

// Room deals the deal of the day. Its methods may be called from many goroutines.
type Room struct {
	// Act applies a command to a table.
	Act func(ctx context.Context, in chat.Input, id string, command table.Command) chat.Reply

	docs     *doc.Docs
	queue    *work.Queue
	tables   *tables.Tables
	thinkers *work.Thinkers
	pace     time.Duration // between two moves of the AI
}

// New returns the room. Act is to be set before it is used.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, thinkers *work.Thinkers, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, thinkers: thinkers, pace: pace}
}

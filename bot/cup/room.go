// Package cup runs tournaments. People enter in a chat, the host begins, and the room
// pairs the entrants round by round and opens their tables, at all of which the same
// cards are dealt. Between rounds it shows the standings.
//
// A [Tournament] is one document, and its job moves the tournament on. Pairing is pure
// and in package tournament. Start with cup.go for the document and what people see,
// press.go for the buttons, and rounds.go for the job.
package cup

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room runs tournaments. Its methods may be called from many goroutines.
type Room struct {
	// Cards shows the presser their hand at a table.
	Cards func(ctx context.Context, in chat.Input, id string) chat.Reply

	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	pace    time.Duration // between two moves of the AI
}

// New returns the room. Cards is to be set before it is used.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, pace: pace}
}

// Package cup runs tournaments: entering, pairing, rounds in which every table plays
// the same cards, and standings.
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

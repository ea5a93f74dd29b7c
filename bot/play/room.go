// Package play runs tables for the people at them. It handles their buttons and commands,
// and shares tables with other chats. It also runs a table's background job, which applies timeouts,
// makes the AI's moves and updates the messages.
//
// The rules of a table are in package table. Package tables applies commands to a table. Start with command.go
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
)

// Room handles tables. It is safe for concurrent use.
type Room struct {
	docs        *doc.Docs
	queue       *work.Queue
	tables      *tables.Tables
	deliver     *deliver.Deliverer
	daily       Daily
	tournaments Tournaments
	caller      tables.Caller
	pace        time.Duration // delay between two moves of the AI
}

// Daily knows the deals of the day.
type Daily interface {
	// Visit shows a person the deal of the day of a home.
	Visit(ctx context.Context, in chat.Input, home string) chat.Reply
}

// Tournaments knows the tournaments.
type Tournaments interface {
	// Raise sends the message of a tournament again.
	Raise(ctx context.Context, id string) error
}

// New returns a Room. pace is the delay between two moves of the AI.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, daily Daily, tournaments Tournaments, caller tables.Caller, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, daily: daily, tournaments: tournaments, caller: caller, pace: pace}
}

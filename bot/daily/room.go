// Package daily runs the deal of the day. Everyone in a home gets the same cards,
// alone with the AI and once, and a board compares what they made of them. The AI
// plays the same deal, so that a finished try can be compared with that too.
//
// Each try is a table like any other, so playing it is the business of package play.
// This room begins the tries, shows the board, and does the job of a day's deal. Start
// with daily.go; kinds.go says what is stored.
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

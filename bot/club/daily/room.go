// Package daily runs the deal of the day. Everyone in a home gets the same cards and one
// try, alone with the AI. A board compares the results. The AI also plays the deal on all
// seats, so that players can compare their results with the AI's.
//
// Each try is a table like any other, and package play handles the moves. This room begins
// the tries, shows the board, and runs the job of a day's deal. If the managers of a home want it,
// morning.go posts yesterday's board. Start with daily.go;
// screen.go has the board, and kinds.go the stored documents.
package daily

import (
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room runs the deal of the day. Its methods are safe for concurrent use.
type Room struct {
	docs     *doc.Docs
	queue    *work.Queue
	tables   *tables.Tables
	thinkers *work.Thinkers
	posting  *posting
	pace     time.Duration // pause between two moves of the AI
}

// New returns a room for the deal of the day.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, thinkers *work.Thinkers, d *deliver.Deliverer, pace time.Duration) *Room {
	room := &Room{docs: docs, queue: queue, tables: ts, thinkers: thinkers, pace: pace}
	room.posting = &posting{docs: docs, queue: queue, tables: ts, deliver: d, daily: room}
	return room
}

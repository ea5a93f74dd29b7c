// Package tournaments runs tournaments. People enter in a chat, and the host starts the tournament.
// The room then pairs the entrants round by round and opens their tables. All tables of a
// round get the same cards. Between rounds the room shows the standings.
//
// A [Tournament] is one document, and its job starts and ends the rounds. Package tournament
// computes the pairings, as pure functions. Start with tournament.go for the document and its
// rules, press.go for the buttons, and rounds.go for the job.
package tournaments

import (
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room runs tournaments. Its methods are safe for concurrent use.
type Room struct {
	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	pace    time.Duration // pause between two moves of the AI
}

// New returns a room for tournaments.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, deliver: d, pace: pace}
}

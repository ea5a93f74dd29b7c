// Package meet finds people to play with. [Room.Play] gives a person a free seat at the
// open table of their chat. If there is none, it opens a table whose lobby counts down,
// and then the AI gets the free seats.
//
// In a private chat, and in chats whose managers allow it, Play seats the person with
// people from other chats instead, at a table of strangers: see table.Strangers. The
// first person who asks for a game opens the table's lobby, and a [Queue] lists the
// lobbies that wait for more people. So waiting needs no messages or jobs of its own: the
// lobby shows it, survives a restart, and starts on its own.
//
// The file tell.go keeps the list of people who want to hear about new tables in a home, and chooses whom a new table
// calls. Only people who asked are called, and each call has a button that ends them.
package meet

import (
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room finds people to play with. It is safe for concurrent use.
type Room struct {
	docs   *doc.Docs
	queue  *work.Queue
	tables *tables.Tables
	pace   time.Duration // delay between two moves of the AI
}

// New returns a Room.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, pace: pace}
}

// Package boards shows what results come to: leaderboards, statistics and the hall
// of fame. It also enters results in the ledgers of other homes, and closes the
// boards of periods that are over.
package boards

import (
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
)

// Room keeps boards. Its methods may be called from many goroutines.
type Room struct {
	docs  *doc.Docs
	queue *work.Queue
}

// New returns the room.
func New(docs *doc.Docs, queue *work.Queue) *Room { return &Room{docs: docs, queue: queue} }

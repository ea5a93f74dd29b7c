// Package boards shows what results come to: leaderboards, a player's statistics and
// the hall of fame. It also does two jobs: it enters a result in the ledgers of the
// other homes that count the match, and closes the boards of periods that are over.
//
// What a result means is worked out by package league. Start with board.go and
// stats.go for the screens, spread.go and season.go for the jobs, and kinds.go for the
// documents.
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

// Package boards shows leaderboards, player statistics and the hall of fame. It also runs
// two jobs. One enters a result in the ledgers of the other homes that count the match.
// The other closes the boards of periods that are over.
//
// Package league computes ratings and statistics from the results. Start with board.go
// and stats.go for the screens, spread.go and season.go for the jobs, and kinds.go for
// the documents.
package boards

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/work"
)

// Room serves and maintains boards. Its methods are safe for concurrent use.
type Room struct {
	docs  *doc.Docs
	queue *work.Queue
	coach Coach
}

// Coach knows how well people chose.
type Coach interface {
	// Lately returns how well a player chose in their latest matches among those with
	// the given ids.
	Lately(ctx context.Context, player string, matches []string) (league.Lately, error)
}

// New returns a room for boards.
func New(docs *doc.Docs, queue *work.Queue, coach Coach) *Room {
	return &Room{docs: docs, queue: queue, coach: coach}
}

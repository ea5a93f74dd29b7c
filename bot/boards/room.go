// Package boards shows leaderboards, player statistics and the hall of fame. It also runs
// two jobs. One enters a result in the ledgers of the other homes that count the match.
// The other closes the boards of periods that are over.
//
// Managers of a home may ask for more: marks.go shows the season's ranks beside people's names, and
// morning.go posts yesterday's board.
//
// Package league computes ratings and statistics from the results. Start with board.go
// and stats.go for the screens, spread.go and season.go for the jobs, and kinds.go for
// the documents.
package boards

import (
	"context"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room serves and maintains boards. Its methods are safe for concurrent use.
type Room struct {
	docs    *doc.Docs
	queue   *work.Queue
	coach   Coach
	marking *marking
	posting *posting
}

// Coach knows how well people chose.
type Coach interface {
	// Lately returns how well a player chose in their latest matches among those with
	// the given ids.
	Lately(ctx context.Context, player string, matches []string) (league.Lately, error)
}

// Daily knows the deals of the day.
type Daily interface {
	// Board returns the board of a day's deal in a home, or nil if nobody finished it.
	Board(ctx context.Context, home, date string, c *lang.Catalogue) (*screen.Screen, error)
}

// New returns a room for boards.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, d *deliver.Deliverer, coach Coach, daily Daily) *Room {
	return &Room{
		docs: docs, queue: queue, coach: coach,
		marking: &marking{docs: docs, queue: queue, deliver: d},
		posting: &posting{docs: docs, queue: queue, tables: ts, deliver: d, daily: daily},
	}
}

// Package review looks back on what was played: replays, the coach's remarks on
// finished matches, and hints for those who play alone.
package review

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room reviews matches. Its methods may be called from many goroutines.
type Room struct {
	// Unsealed refuses to show a match of a tournament to a reader as long as others
	// still play its cards.
	Unsealed func(ctx context.Context, m doc.Match, reader string) error

	docs     *doc.Docs
	tables   *tables.Tables
	thinkers *work.Thinkers
}

// New returns the room. Unsealed is to be set before it is used.
func New(docs *doc.Docs, ts *tables.Tables, thinkers *work.Thinkers) *Room {
	return &Room{docs: docs, tables: ts, thinkers: thinkers}
}

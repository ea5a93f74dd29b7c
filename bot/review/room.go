// Package review looks back at what was played. It shows replays of finished matches
// step by step, has the AI go through a match afterwards and say where a better card
// was missed (the coach), and gives hints to people who play alone.
//
// It reads the records that a finished match leaves, and never changes a table. Start
// with replay.go for the screens and with coach.go for the job that follows a match.
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

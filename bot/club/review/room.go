// Package review analyzes matches. It shows step-by-step replays of finished matches.
// When a player opens a match, the coach lets the AI check each of their choices for a
// better card. It shows the costliest moments in words, and the player can play on from
// each against the AI, which counts nowhere. Solo players can also get hints.
//
// The package reads the records of finished matches and never changes a table. Start
// with replay.go, coach.go and retry.go; their screens are in replay_screen.go and so on. habit.go
// names the kinds of mistakes that the coach adds up over a player's latest matches. The
// job in verdict.go analyzes a player's choices. It also does so for statistics: see skill.go.
package review

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
)

// Room shows replays, coaching and hints. It is safe for concurrent use.
type Room struct {
	docs     *doc.Docs
	tables   *tables.Tables
	idle     *work.Idle
	thinkers *work.Thinkers
	seals    Seals
	links    Links
}

// Seals knows which matches may not be seen yet.
type Seals interface {
	// Unsealed returns an error if other tables are still playing the cards of a
	// tournament match, so that the reader may not see it yet.
	Unsealed(ctx context.Context, m doc.Match, reader string) error
}

// New returns a Room.
func New(docs *doc.Docs, ts *tables.Tables, idle *work.Idle, thinkers *work.Thinkers, seals Seals, links Links) *Room {
	return &Room{docs: docs, tables: ts, idle: idle, thinkers: thinkers, seals: seals, links: links}
}

// Package meet finds people to play with. [Room.Play] gives a person a free seat at the
// open table of their chat. If there is none, it opens a table whose lobby counts down,
// and then the AI gets the free seats.
//
// In a private chat, and in chats whose managers allow it, Play seats the person with
// people from other chats instead, at a table of strangers: see table.Strangers. The
// first person who asks for a game opens the table's lobby, and a [Queue] lists the
// lobbies that wait for more people. So waiting needs no messages or jobs of its own: the
// lobby shows it, survives a restart, and starts on its own.
package meet

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Room finds people to play with. It is safe for concurrent use.
type Room struct {
	// Act applies a command to a table, and replies.
	Act func(ctx context.Context, in chat.Input, id string, command table.Command) chat.Reply
	// Open opens a table in the chat, whose lobby counts down.
	Open func(ctx context.Context, in chat.Input, settings doc.Default) chat.Reply
	// Exists replies that the chat already has that table.
	Exists func(ctx context.Context, in chat.Input, id string) chat.Reply
	// Wants reports whether the command's words name the game, or none.
	Wants func(in chat.Input, r game.Rules) (bool, error)
	// Beginning returns the game that the command's words ask for, or else the home's default.
	Beginning func(ctx context.Context, in chat.Input) (doc.Default, error)

	docs   *doc.Docs
	queue  *work.Queue
	tables *tables.Tables
	pace   time.Duration // delay between two moves of the AI
}

// New returns a Room. Set its functions before using it.
func New(docs *doc.Docs, queue *work.Queue, ts *tables.Tables, pace time.Duration) *Room {
	return &Room{docs: docs, queue: queue, tables: ts, pace: pace}
}

// Package bot is the front door of the shell around the pure table: [Bot.Handle]
// turns what one person did into one committed change and one private reply, and
// [Bot.Run] does everything that happens later. Both only find the room that does
// it: the tables in handle.go and kinds.go say which.
//
// # Commit first, show after
//
// A room loads a table, applies a command and commits the result together with a
// mark that makes the table due; if this process has a free worker, the same commit
// claims the table for it. It sends nothing. The queue claims the other due tables.
// Whoever holds one does what time demands (an AI's move, a turn limit, the next
// deal), computes the posts that should exist, and sends or edits what differs from
// the messages that are known to exist. A process that is killed anywhere loses
// nothing: the next one computes the same posts. A crash between a send and the
// note of it may leave one message twice; both work.
//
// # The rooms and the ground
//
// The rooms are play, review, daily, cup, boards, people and upkeep. No room knows
// another. They stand on the ground, which is chat (the contract with a platform),
// doc (stored documents), work (due work), league (what results mean), tables
// (loading and changing a table) and deliver (showing one).
package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/cup"
	"sedmabot/bot/daily"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/play"
	"sedmabot/bot/review"
	"sedmabot/bot/tables"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Config is what a Bot needs. All fields but Worlds, Forgotten, Limits, Now and Seed are required.
type Config struct {
	Store     store.Store
	Platforms []chat.Platform
	Think     work.Think // the AI
	Worlds    int        // in which hints and the coach play each choice out; 0: 500
	Pace      time.Duration
	Forgotten []string // homes whose messages are posted again, because the last process kept them only in memory
	Limits    tables.Limits
	Log       *slog.Logger
	Now       func() time.Time  // nil: the wall clock
	Seed      func() table.Seed // nil: from crypto/rand
}

// Bot is the shell. Its methods may be called from many goroutines; any number
// of Bots in any number of processes may share a store that allows it.
type Bot struct {
	docs      *doc.Docs
	queue     *work.Queue
	tables    *tables.Tables
	deliver   *deliver.Deliverer
	thinkers  *work.Thinkers
	throttle  throttle
	forgotten []string
	actions   map[view.Action]buttonRoute
	commands  map[string]commandRoute

	rooms
}

// rooms are the parts of the shell that people and jobs come to.
type rooms struct {
	play   *play.Room
	review *review.Room
	daily  *daily.Room
	cup    *cup.Room
	boards *boards.Room
	people *people.Room
	upkeep *upkeep.Room
}

// New returns a Bot.
func New(c Config) *Bot {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Seed == nil {
		c.Seed = randomSeed
	}
	c.Limits.PlayerTables = min(c.Limits.PlayerTables, tables.MostPlayerTables)
	witness := doc.NewWitness(c.Store)
	docs := &doc.Docs{Store: witness, Now: c.Now, Log: chat.Sparing(c.Log)}
	queue := work.New(docs)
	thinkers := work.NewThinkers(c.Think, cmp.Or(c.Worlds, 500))
	ts := tables.New(docs, witness, queue, thinkers, c.Seed, c.Limits)
	d := deliver.New(docs, c.Platforms...)
	b := &Bot{
		docs: docs, queue: queue, tables: ts, deliver: d, thinkers: thinkers,
		throttle: throttle{perSecond: c.Limits.Presses}, forgotten: c.Forgotten,
		rooms: rooms{
			play:   play.New(docs, queue, ts, d, c.Pace),
			review: review.New(docs, ts, thinkers),
			daily:  daily.New(docs, queue, ts, thinkers, c.Pace),
			cup:    cup.New(docs, queue, ts, d, c.Pace),
			boards: boards.New(docs, queue),
			people: people.New(docs, ts),
			upkeep: upkeep.New(docs, queue, ts, d),
		},
	}
	b.play.Compare = b.daily.Compare
	b.play.Raise = b.cup.Raise
	b.review.Unsealed = b.cup.Unsealed
	b.daily.Act = b.play.Act
	b.cup.Cards = b.play.Cards
	b.people.Erase = b.upkeep.Erase
	b.people.DressCup = b.cup.DressCup
	kinds := b.kinds()
	b.people.Documents, b.upkeep.Documents = kinds, kinds
	queue.Do(kinds)
	b.actions, b.commands = b.actionTable(), b.commandTable()
	return b
}

// Run works on due tables until ctx ends, and returns when what is in hand is
// finished, 8 s later at most.
func (b *Bot) Run(ctx context.Context) error {
	b.remember(ctx, b.forgotten)
	return b.queue.Run(ctx)
}

// Steps returns a finished match that a person may see, step by step. Its error is
// doc.ErrNoMatch if there is no such match, or it is not for that person.
func (b *Bot) Steps(ctx context.Context, in chat.Input, match string) ([]chat.Step, error) {
	return b.review.Steps(ctx, in, match)
}

func randomSeed() (s table.Seed) {
	rand.Read(s[:])
	return s
}

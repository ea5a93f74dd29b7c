// Package bot is the entry point of the shell around the pure table. [Bot.Handle]
// turns one person's action into one committed change and one private reply.
// [Bot.Run] does all background work. Both only dispatch to a room; features.go has
// them all.
//
// # Commit first, show after
//
// A room loads a table, applies a command and commits the result. It sends nothing.
// The same commit makes the table due. If this process has a free worker, the commit
// also claims the table for it. The queue claims all other due tables.
//
// The worker that holds a table first does what is due: an AI's move, a turn limit,
// the next deal. Then it computes the posts that should exist, compares them with the
// known messages, and sends or edits those that differ. If a process is killed, nothing
// is lost: the next one computes the same posts. A crash between a send and its commit
// may leave a message twice; both copies work.
//
// # The way of a press
//
// An adapter turns a press into a [chat.Input] and calls [Bot.Handle]. Handle checks the person's rate limit and looks
// up the button by the first word of the press; the room of the button reads the rest. Handle loads what the button
// wants to know (the home of a chat whose id changed, the settings of the person and the home) and calls the button's
// function, which belongs to a room. The room changes a table with tables.Act, or a document with doc.Set: one load,
// one commit, again if somebody else was faster. Its reply goes to the presser alone. The commit made the table due,
// so a worker shows the change to everybody else.
//
// # The rooms and the ground
//
// A feature is a room: a package with its commands, buttons, kinds of documents, settings, screens and tests. Its method Feature
// returns all that the rest of the program has to know, as one [doc.Feature], and features.go joins these values. All lists
// (the menus of the platforms, the help, what a page may press) are made from them. To add a command or a
// setting, add it to its room's feature.go, and its texts to the catalogues.
//
// The rooms are play, boards, people, upkeep and pages: the core. Above it is the club, rooms that a match can do without:
// bot/club/daily, marks, meet, puzzle, review and tournaments. The core never imports the club: features.go joins it in one
// place, and a deployment may leave out any of these rooms. No room imports another. A room declares as a small interface
// all that it needs of another, and gets it in its New; [New] below shows all of these arrows, which have no cycle. The
// kinds of documents, the settings, and what a page may press are known only
// when all rooms are made. The rooms that use these lists get a function that returns them.
//
// All rooms use the ground: screen (the neutral screen), chat (the contract with a platform), doc (stored documents), work
// (due jobs), league (the effects of results), tables (loading and changing a table), view (the screens of a table) and
// deliver (showing one). Below them are lang and face (texts and cards), observe (metrics), and cache and
// budget, which know nothing of the bot. budget divides what a platform takes from one token among processes: the adapters
// send within their part, and work keeps the document by which the processes know of each other.
//
// # What to read first
//
// Twelve packages hold the core. Read their comments and the files that these name, in this order: game, game/table, store,
// bot/screen, bot/chat, bot/doc, bot/work, bot/tables, bot/view, bot/deliver, bot/play, and bot itself with handle.go and
// features.go. Then read an adapter, bot/discord or bot/telegram.
//
// # What was refused
//
//   - An actor or a lock for each table. A process that dies would keep it, and two processes would need to agree on its owner.
//     Versioned documents need neither, and a conflict costs one more load.
//   - Sending messages in the handler of a press. A crash between the commit and the send would lose the message, and a rate
//     limit would hold up the answer. The queue shows the latest state instead, and many changes become one edit.
//   - A bus of events between the rooms. Nobody could read from the code what follows from a result. A commit holds all
//     that follows, or makes the job due that does it later.
//   - Rooms that register themselves in init, or get functions set into their fields. The compiler would see neither a cycle
//     nor a missing line.
//   - A contract with platforms that knows the screens. Adapters show a neutral screen, and to them a press is opaque text.
//     So a room's screens change without touching an adapter.
package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/bot/pages"
	"sedmabot/bot/people"
	"sedmabot/bot/play"
	"sedmabot/bot/tables"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Config is the configuration of a Bot. All fields except Without, Worlds, Forgotten, Erased, Limits, Pages, Observe, Now and Seed are required.
type Config struct {
	Store     store.Store
	Platforms []chat.Platform
	Think     work.Think // chooses the AI's moves
	Without   []string   // the rooms of the club that are left out: see Rooms
	Worlds    int        // how many random worlds hints and the coach simulate for each choice; 0: EnoughWorlds
	Pace      time.Duration
	Forgotten []string            // homes whose messages are posted again, because the last process kept them only in memory
	Erased    func(player string) // is called before a person's data is deleted, perhaps more than once; nil: nobody asks
	Limits    tables.Limits
	Pages     map[string]string // by platform: the address of the tables' web pages, which private messages link to
	Apps      map[string]bool   // platforms whose own app opens the pages: a table's message has a button for it
	Observe   *observe.Observer // measures; nil: off
	Log       *slog.Logger
	Now       func() time.Time  // returns the current time; nil: the wall clock
	Seed      func() table.Seed // returns the seed of a new deal; nil: crypto/rand
}

// EnoughWorlds is how many worlds settle what the coach and the hints say. With eight times
// as many, hardly any choice costs a tenth more or less.
const EnoughWorlds = 500

// Bot is the shell. Its methods are safe for concurrent use. Any number of Bots in
// any number of processes can share a store, if the store supports it.
type Bot struct {
	docs      *doc.Docs
	queue     *work.Queue
	tables    *tables.Tables
	deliver   *deliver.Deliverer
	thinkers  *work.Thinkers
	throttle  throttle
	forgotten []string
	kinds     map[string]doc.Kind
	buttons   map[string]doc.Button
	commands  map[string]doc.Command
	courses   func(ctx context.Context, in chat.Input) ([]doc.Course, error)

	rooms
}

// rooms are the parts of the shell that handle inputs and jobs: those of the core, and the club above them.
type rooms struct {
	play   *play.Room
	boards *boards.Room
	people *people.Room
	upkeep *upkeep.Room
	pages  *pages.Room

	club
}

// New returns a Bot.
func New(c Config) *Bot {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Erased == nil {
		c.Erased = func(string) {}
	}
	if c.Seed == nil {
		c.Seed = randomSeed
	}
	c.Limits.PlayerTables = min(c.Limits.PlayerTables, tables.MaxPlayerTables)
	witness := doc.NewWitness(c.Store, c.Observe)
	docs := &doc.Docs{Store: witness, Now: c.Now, Log: c.Log, Wakes: make(chan struct{}, 1), Observe: c.Observe}
	queue := work.New(docs)
	thinkers := work.NewThinkers(c.Think, cmp.Or(c.Worlds, EnoughWorlds), c.Observe)
	links := pages.NewLinks(docs, c.Pages)
	b := new(Bot)
	d := deliver.New(docs, links, c.Pages, c.Apps, b.hides, c.Platforms...)
	ts := tables.New(docs, witness, queue, thinkers, d, links, tables.Config{Limits: c.Limits, Seed: c.Seed, Pace: c.Pace, Owners: b.owners})
	*b = Bot{
		docs: docs, queue: queue, tables: ts, deliver: d, thinkers: thinkers,
		throttle: throttle{perSecond: c.Limits.Presses}, forgotten: c.Forgotten,
	}
	var kinds map[string]doc.Kind
	documents := func() map[string]doc.Kind { return kinds }
	var settings people.Settings

	// Each room gets the rooms before it that it needs.
	b.pages = pages.New(docs, ts, links, len(c.Apps) > 0, b.allows, b.atDoor)
	b.club = b.join(c.Without, c.Pace)
	b.play = play.New(docs, queue, ts, d, b.daily, b.tournaments, b.meet, c.Pace)
	b.upkeep = upkeep.New(docs, queue, ts, d, documents, c.Erased)
	b.people = people.New(docs, queue, ts, d, people.Others{
		Eraser: b.upkeep, Tournaments: b.tournaments, Documents: documents, Settings: func() people.Settings { return settings },
	})
	b.boards = boards.New(docs, queue, b.review)
	features := b.features()
	kinds, settings = kindsOf(features), settingsOf(features)
	b.kinds, b.buttons, b.commands, b.courses = kinds, buttonsOf(features), commandsOf(features), coursesOf(features)
	return b
}

// Pages returns the bot as the server of web pages sees it.
func (b *Bot) Pages() chat.Pages { return b.pages }

// Ground is what the rooms of a bot have in common, and the kinds of their documents and jobs.
type Ground struct {
	Docs     *doc.Docs
	Queue    *work.Queue
	Tables   *tables.Tables
	Thinkers *work.Thinkers
	Kinds    map[string]doc.Kind
}

// Ground returns the bot's own ground, for tests of rooms.
func (b *Bot) Ground() Ground { return Ground{b.docs, b.queue, b.tables, b.thinkers, b.kinds} }

// Run processes due jobs until ctx ends. It returns when the jobs in progress are
// finished, at most 8 s later.
func (b *Bot) Run(ctx context.Context) error {
	b.remember(ctx, b.forgotten)
	var rating sync.WaitGroup
	defer rating.Wait()
	rating.Go(func() {
		if err := b.upkeep.RateAgain(ctx); err != nil && ctx.Err() == nil {
			b.docs.Log.Error("look for ratings of an earlier version", "err", err)
		}
	})
	return b.queue.Run(ctx, b.kinds, b.tables.CompareHistory)
}

// Steps returns the steps of a finished match. The error is chat.ErrNoMatch if there
// is no such match, or if the person may not see it.
func (b *Bot) Steps(ctx context.Context, in chat.Input, match string) ([]chat.Step, error) {
	b.queue.Idle.Begin()
	defer b.queue.Idle.End()
	return b.review.Steps(ctx, in, match)
}

func randomSeed() (s table.Seed) {
	rand.Read(s[:])
	return s
}

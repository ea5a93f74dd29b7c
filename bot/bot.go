// Package bot is the shell around the pure table: [Bot.Handle] turns what one
// person did into one committed change and one private reply, and [Bot.Run]
// does everything that happens later.
//
// # Commit first, show after
//
// Handle loads a table, applies the command and commits the result together
// with a mark that makes the table due; if this process has a worker free, the
// same commit claims the table for it. It sends nothing. Run claims the other due
// tables. Whoever holds one does what time demands (an AI's move, a turn limit,
// the next deal), works out the posts that should be standing, and sends or
// edits what differs from the posts that are known to stand. A process killed
// anywhere loses nothing: the next one computes the same posts. A crash
// between a send and the note of it may leave one message twice; both work.
//
// # Who writes what
//
// A table's document is written by optimistic commits from anywhere. What was
// shown is a document of its own, written only by the holder of the table's
// job, so that showing never conflicts with a press. What a press has to tell
// that holder (a hand that was called up, a private chat that was opened) is a
// third. See documents.go.
package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Config is what a Bot needs. All fields but Worlds, Forgotten, Limits, Now and Seed are required.
type Config struct {
	Store     store.Store
	Platforms []Platform
	Think     Think // the AI
	Worlds    int   // in which hints and the coach play each choice out; 0: 500
	Pace      time.Duration
	Forgotten []string // homes whose messages ended with the process before: what should stand there is posted anew
	Limits    Limits
	Log       *slog.Logger
	Now       func() time.Time  // nil: the wall clock
	Seed      func() table.Seed // nil: from crypto/rand
}

// Bot is the shell. Its methods may be called from many goroutines; any number
// of Bots in any number of processes may share a store that allows it.
type Bot struct {
	docs      *Docs
	byName    map[string]Kind // all kinds of documents and jobs
	witness   *witness        // is the store
	platforms map[string]Platform
	flights   map[string]chan struct{} // by platform: its deliveries that are on their way
	think     Think
	worlds    int
	turns     *ai.Turns     // of those who think
	reading   chan struct{} // holds one while all that is kept is read for somebody
	pace      time.Duration
	forgotten []string
	limits    Limits
	throttle  throttle
	read      few[readDoc]   // by the document's name
	shows     few[readShown] // by the document's name
	pasts     few[pastPosts] // by the table's id
	seed      func() table.Seed
	crew      crew
	look      func()        // is called whenever work is looked for
	nudges    chan struct{} // holds one: "a table became due in this process"
}

// New makes a Bot.
func New(c Config) *Bot {
	witness := newWitness(c.Store)
	b := &Bot{
		docs:      &Docs{Store: witness, Now: c.Now, Log: Sparing(c.Log)},
		witness:   witness,
		platforms: map[string]Platform{},
		flights:   map[string]chan struct{}{},
		think:     c.Think,
		worlds:    cmp.Or(c.Worlds, 500),
		turns:     ai.NewTurns(thinkers()),
		reading:   make(chan struct{}, 1),
		pace:      c.Pace,
		forgotten: c.Forgotten,
		limits:    c.Limits,
		throttle:  throttle{perSecond: c.Limits.Presses},
		seed:      c.Seed,
		nudges:    make(chan struct{}, 1),
	}
	b.limits.PlayerTables = min(b.limits.PlayerTables, MostPlayerTables)
	for _, p := range c.Platforms {
		b.platforms[p.Name()], b.flights[p.Name()] = p, make(chan struct{}, inFlight)
	}
	b.docs.Nudge = b.nudge
	b.look = b.compareHistory
	if b.docs.Now == nil {
		b.docs.Now = time.Now
	}
	if b.seed == nil {
		b.seed = randomSeed
	}
	b.byName = b.kinds()
	return b
}

// Run works on due tables until ctx ends, and returns when what is in hand is
// finished, 8 s later at most.
func (b *Bot) Run(ctx context.Context) error {
	b.remember(ctx, b.forgotten)
	return b.attend(ctx)
}

func randomSeed() (s table.Seed) {
	rand.Read(s[:])
	return s
}

func (b *Bot) env() table.Env {
	return table.Env{Now: b.docs.Now().Round(0), Seed: b.seed()} // the wall clock's alone, as a stored time is
}

// nudge wakes Run in this process.
func (b *Bot) nudge() {
	select {
	case b.nudges <- struct{}{}:
	default:
	}
}

// attempts is how often a change is computed anew after somebody else's commit
// came first. Each attempt that fails means that another one succeeded.
const attempts = 8

// errBusy refuses a change that lost to the changes of others too often.
var errBusy = &Refusal{Key: "reply.busy", Outcome: Failed}

// update loads a table, lets step change it, and commits what step returns, as
// often as it takes. It returns the table that stands at the end. step must
// have no effect of its own. An error of step is returned as it is, with the
// table as it was loaded.
func (b *Bot) update(ctx context.Context, id string, step func(t table.Table) (table.Table, []table.Event, error)) (table.Table, error) {
	return b.updateWith(ctx, id, "", "", func(t table.Table, _ playerDoc) (table.Table, []table.Event, error) { return step(t) })
}

// updateWith is update for a step that needs what is kept of a player, and for an
// event that changes the table once, unless they are "".
func (b *Bot) updateWith(ctx context.Context, id, player, event string, step func(t table.Table, own playerDoc) (table.Table, []table.Event, error)) (table.Table, error) {
	keys, ok := tableKeys(id)
	if !ok {
		return table.Table{}, errNoTable
	}
	want := []store.Key{keys[0]}
	if player != "" {
		want = append(want, playerKey(player))
	}
	for range attempts {
		docs, err := b.docs.Store.Get(ctx, want...)
		if err != nil {
			return table.Table{}, err
		}
		if docs[0].Version == 0 {
			return table.Table{}, errNoTable
		}
		old, err := b.readTable(docs[0])
		if err != nil {
			return table.Table{}, err
		}
		var own playerDoc
		if player != "" {
			if err := decode(docs[len(docs)-1], &own); err != nil {
				return old.Table, err
			}
			if own.Erasing {
				return old.Table, errErasing
			}
		}
		t, events, err := step(old.Table, own)
		if err != nil {
			return old.Table, err
		}
		change, err := b.change(ctx, old, &t, events)
		if err != nil {
			return old.Table, err
		}
		if change.Hold = b.hold(id, change.Now); change.Hold == nil {
			change.Due = append(change.Due, store.Mark{ID: tableName(id), At: change.Now})
		}
		switch err := b.commit(ctx, event, change); {
		case err == nil:
			return t, nil
		case !errors.Is(err, store.ErrConflict):
			return old.Table, err
		}
	}
	return table.Table{}, errBusy
}

// commit commits an event's change that makes work due, and begins with it at once
// if the change has got hold of it.
func (b *Bot) commit(ctx context.Context, event string, c store.Change) error {
	err := b.docs.CommitOnce(ctx, event, c)
	var job store.Job
	if c.Hold != nil {
		job = store.Job{Partition: c.Partition, ID: c.Hold.ID, Token: c.Hold.Token}
	}
	switch {
	case errors.Is(err, store.ErrConflict), errors.Is(err, errRepeated):
	case err == nil && c.Hold != nil && c.Hold.Held:
		b.begin(job, c.Hold.Until)
	case err == nil:
		b.docs.Nudge()
	case c.Hold != nil:
		b.crew.begin(func(context.Context) { b.leave(job) }, b.docs.Nudge) // it may have been done all the same
	}
	return err
}

// errNoTable refuses a table that doesn't exist, or no longer does.
var errNoTable = NewRefusal("gone")

// Package tables loads and changes tables. Every change of a table goes through it,
// whichever room asks: a table is opened by one room and played in another.
//
// [Tables.Update] is the heart. It loads a table, lets the caller apply a command of
// package table, and commits the table together with everything that follows from
// the change: records of finished deals and matches, the home's index and its ledger,
// and the job that shows the table. Start there, then read Tables.Change, which builds
// that commit. Tables.Advance does the same for what happens when time passes.
package tables

import (
	"sedmabot/bot/cache"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game/table"
)

// Tables are the tables of a store. Its methods may be called from many goroutines.
type Tables struct {
	Limits   Limits
	Seed     func() table.Seed // of a new deal
	docs     *doc.Docs
	queue    *work.Queue
	thinkers *work.Thinkers
	witness  *doc.Witness
	read     cache.Cache[string, readDoc] // by the document's name
}

// New returns the tables of docs, whose store is witness. The AI's moves are found by
// thinkers. Whenever queue looks for work, tables that have lost commits are looked for.
func New(docs *doc.Docs, witness *doc.Witness, queue *work.Queue, thinkers *work.Thinkers, seed func() table.Seed, limits Limits) *Tables {
	ts := &Tables{Limits: limits, Seed: seed, docs: docs, witness: witness, queue: queue, thinkers: thinkers}
	queue.Look = ts.compareHistory
	return ts
}

package doc

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// Kind is everything that the shell knows about one kind of document, or of job.
// A document's name is the kind's name, a colon, and the rest.
type Kind struct {
	Name string
	// Owner finds the partition in which such a document lies; nil for a job without a document.
	Owner Owner
	// New returns an empty value that a document of this kind decodes into.
	New func() any
	// Restore adds to r what is made from a document: board rows, due marks, and
	// when the document expires. nil: nothing.
	Restore func(r *Restored, doc store.Doc) error
	// Forget deletes what a document says about the person or the home that s
	// names, and reports whether there was anything. It is asked again until
	// nothing is found. nil: there is never anything.
	Forget func(ctx context.Context, s Sweep, doc store.Doc) (bool, error)
	// Export adds to x what a document says about a person. nil: nothing.
	Export func(x *Export, doc store.Doc) error
	// Job does the job that has the document's name. nil: there is none.
	Job func(ctx context.Context, rest string, job store.Job, ends time.Time) error
}

// Check reports whether a document can be one of this kind: its name is whole, and
// it can be read.
func (k Kind) Check(doc store.Doc) error {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	if _, ok := k.Owner(rest); !ok {
		return fmt.Errorf("%w: %s", ErrUnreadable, k.Name)
	}
	return Decode(doc, k.New())
}

// Owner finds the partition of a document by its name's rest.
type Owner func(rest string) (partition int, ok bool)

// OfTable is the owner of a document whose rest begins with a table's id.
func OfTable(rest string) (int, bool) {
	id, _, _ := strings.Cut(rest, ":")
	return TablePartition(id)
}

// OfOne is the owner of a document whose rest is a home, a player, a chat or a code.
func OfOne(rest string) (int, bool) { return store.Partition(rest), rest != "" }

// OfHome is the owner of a document whose rest is a home, then one or more parts, each behind a bar.
func OfHome(parts int) Owner {
	return func(rest string) (int, bool) {
		ok := true
		for range parts {
			var cut bool
			rest, _, cut = CutLast(rest, "|")
			ok = ok && cut
		}
		return store.Partition(rest), ok
	}
}

// Restored is what restores a document.
type Restored struct {
	Change *store.Change // of which Write is a part
	Write  *store.Write  // of the document
	Now    time.Time
	Keep   func(partition int, table string) time.Duration // how long the records of a table stay
}

// RestoreDue makes the job that has the document's name due.
func RestoreDue(r *Restored, doc store.Doc) error {
	r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.Key.Name, At: r.Now})
	return nil
}

// RestoreFor has a document expire some time after it was restored.
func RestoreFor(d time.Duration) func(*Restored, store.Doc) error {
	return func(r *Restored, _ store.Doc) error {
		r.Write.Expires = r.Now.Add(d)
		return nil
	}
}

// Sweep is what is being deleted, and how far that has come.
type Sweep struct {
	Player string // whose traces are deleted; "": nobody's
	Home   string // that is deleted as a whole
	Salt   []byte // what tombstones are made with
	Stage  SweepStage
	Round  int // readings of this stage before this one
}

// SweepStage is a part of a deletion. Each ends with a reading that finds nothing.
type SweepStage int

// The stages of a deletion, in order.
const (
	SweepTables  SweepStage = iota // the person leaves all tables, and a removed home's tables end
	SweepResults                   // every home enters the matches that it counts
	SweepAll                       // every trace is deleted
	SweepAgain                     // so is what others wrote meanwhile
	SweepDone                      // the person is told
)

// sweepForce is after how many readings a deletion no longer waits for what shows a table.
const sweepForce = 3

// Forced reports whether the deletion no longer waits for the jobs of tables.
func (s Sweep) Forced() bool { return s.Round >= sweepForce }

// Gone returns who stands for the person in the documents of a home. Nobody can
// tell who that was, nor that another home's tombstone is the same person; within
// a home it is always the same, so that ratings can be recomputed from its ledger.
func (s Sweep) Gone(home string) string {
	mac := hmac.New(sha256.New, s.Salt)
	mac.Write([]byte(home))
	return table.Gone + hex.EncodeToString(mac.Sum(nil)[:8])
}

// Mentioned reports whether a document may say anything about the person or the home.
func (s Sweep) Mentioned(doc store.Doc) bool {
	for _, id := range []string{s.Player, s.Home} {
		if id != "" && (strings.Contains(doc.Key.Name, id) || bytes.Contains(doc.Data, []byte(id))) {
			return true
		}
	}
	return false
}

// Amend lets step change a document, and commits the result. A document that step
// leaves as it was is deleted. step reports whether there is anything to do, and
// so does Amend.
func Amend[D any](ctx context.Context, d *Docs, doc store.Doc, step func(*D, *store.Write) bool) (bool, error) {
	var v D
	if err := Decode(doc, &v); err != nil {
		return false, err
	}
	before := Encode(v)
	w := store.Write{Name: doc.Key.Name, Expect: doc.Version}
	if !step(&v, &w) {
		return false, nil
	}
	if after := Encode(v); !bytes.Equal(before, after) {
		w.Data = after
	}
	return true, d.Store.Commit(ctx, store.Change{Partition: doc.Key.Partition, Writes: []store.Write{w}, Now: d.Now()})
}

// Drop deletes a document, and makes jobs due.
func (d *Docs) Drop(ctx context.Context, doc store.Doc, due ...store.Mark) error {
	return d.Store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}, Due: due, Now: d.Now(),
	})
}

// Export is what is kept of a person, as it is found document by document.
type Export struct {
	Player string
	Lists  map[string][]any          // by section
	Maps   map[string]map[string]any // by section and key
}

// Add adds a value to a section that is a list.
func (x *Export) Add(section string, v any) { x.Lists[section] = append(x.Lists[section], v) }

// Put sets a key of a section that is a map.
func (x *Export) Put(section, key string, v any) {
	if x.Maps[section] == nil {
		x.Maps[section] = map[string]any{}
	}
	x.Maps[section][key] = v
}

// RowBatch is how many rows one commit changes at most.
const RowBatch = 250

// ClearBoard deletes all rows of a board.
func (d *Docs) ClearBoard(ctx context.Context, partition int, board string) error {
	for {
		standings, _, err := d.Store.Board(ctx, partition, board, 0, RowBatch, "")
		if err != nil || len(standings) == 0 {
			return err
		}
		c := store.Change{Partition: partition, Now: d.Now()}
		for _, s := range standings {
			c.Rows = append(c.Rows, store.Row{Board: board, Member: s.Member, Delete: true})
		}
		if err := d.Store.Commit(ctx, c); err != nil {
			return err
		}
	}
}

package doc

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// Kind describes one kind of document or job. The name of a document is the kind's
// name, a colon, and the rest.
type Kind struct {
	Name string
	// Owner finds the partition of such a document; nil for a job without a document.
	Owner Owner
	// New returns an empty value to decode a document of this kind into.
	New func() any
	// Restore adds to r everything that a restore derives from a document: board rows,
	// due marks, and the expiry of a document that isn't Expiring. nil: nothing.
	Restore func(r *Restored, doc store.Doc) error
	// Belongs returns the home and the people to whom a document belongs, by the rest of its name. It is deleted with any of
	// them, and comes to no other person's export. nil: it is nobody's, or see Own.
	Belongs func(rest string) (home string, people []string)
	// Goes amends the commit that deletes a document with its owner. nil: nothing else is deleted.
	Goes func(ctx context.Context, c *store.Change, doc store.Doc) error
	// Without takes the person or the home that s names out of a document that isn't theirs: see the function Without.
	// nil: it names nobody else.
	Without func(ctx context.Context, d *Docs, s Sweep, doc store.Doc) (bool, error)
	// Forget does the same for a kind where that takes more than a change of the document.
	Forget func(ctx context.Context, s Sweep, doc store.Doc) (bool, error)
	// About adds a document's data about a person to x: see the function About. nil: nothing.
	About func(x *Export, doc store.Doc) error
	// Scan makes an export read all documents of this kind. It is for kinds with few documents, or with documents that
	// soon expire. Documents of other kinds are read only if a Lead finds them.
	Scan bool
	// Own: a person has at most one document of this kind, and its rest is their id. It is theirs, and an export reads it.
	Own bool
	// Lead finds more documents for an export, by a document that it reads. If that document is damaged, it has no data,
	// and Lead finds all that might be needed. nil: none.
	Lead func(x *Export, doc store.Doc)
	// Job does the job with the document's name. nil: the kind has no job.
	Job func(ctx context.Context, rest string, job store.Job, ends time.Time) error
	// Idle: nobody waits for the job. It computes in idle capacity only (see work.Idle).
	Idle bool
}

// belongs returns to whom a document with that rest belongs.
func (k Kind) belongs(rest string) (home string, people []string) {
	switch {
	case k.Own:
		return "", []string{rest}
	case k.Belongs == nil:
		return "", nil
	}
	return k.Belongs(rest)
}

// Remove deletes a document's data about the person or the home that s names, and reports whether it found any. It is called
// again until it finds nothing.
func (k Kind) Remove(ctx context.Context, d *Docs, s Sweep, doc store.Doc) (bool, error) {
	_, rest := KindAndRest(doc.Key.Name)
	home, people := k.belongs(rest)
	switch {
	case s.Home != "" && home == s.Home, s.Player != "" && slices.Contains(people, s.Player):
		c := store.Change{Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}, Now: d.Now()}
		if k.Goes != nil {
			if err := k.Goes(ctx, &c, doc); err != nil {
				return true, err
			}
		}
		return true, d.Store.Commit(ctx, c)
	case k.Forget != nil:
		return k.Forget(ctx, s, doc)
	case k.Without != nil:
		return k.Without(ctx, d, s, doc)
	}
	return false, nil
}

// Without returns a Kind.Without: step takes what s names out of a value, and reports whether it was there. rest is that of
// the document's name. If step returns true but leaves the value unchanged, the document is deleted.
func Without[D any](step func(v *D, s Sweep, rest string) bool) func(ctx context.Context, d *Docs, s Sweep, doc store.Doc) (bool, error) {
	return func(ctx context.Context, d *Docs, s Sweep, doc store.Doc) (bool, error) {
		_, rest := KindAndRest(doc.Key.Name)
		return Amend(ctx, d, doc, func(v *D, _ *store.Write) bool { return step(v, s, rest) })
	}
}

// JobGoes is a Kind.Goes that makes the document's job due, which then ends.
func JobGoes(_ context.Context, c *store.Change, doc store.Doc) error {
	c.Due = append(c.Due, store.Mark{ID: doc.Key.Name, At: c.Now})
	return nil
}

// MessagesGo is a Kind.Goes that also deletes the record of the messages that a document's "id" names.
func MessagesGo(ctx context.Context, c *store.Change, doc store.Doc) error {
	var d struct {
		ID string `json:"id"`
	}
	if err := Decode(doc, &d); err != nil {
		return err
	}
	c.Writes = append(c.Writes, store.Write{Name: ShownName(d.ID), Expect: store.Any})
	return JobGoes(ctx, c, doc)
}

// Export adds a document's data about the person to x.
func (k Kind) Export(x *Export, doc store.Doc) error {
	_, rest := KindAndRest(doc.Key.Name)
	_, people := k.belongs(rest)
	if k.About == nil || !x.Mentions(doc) || len(people) > 0 && !slices.Contains(people, x.Player) {
		return nil
	}
	return k.About(x, doc)
}

// About returns a Kind.About: tell adds what a value says about the person of x. rest is that of the document's name.
func About[D any](tell func(v D, x *Export, rest string)) func(x *Export, doc store.Doc) error {
	return func(x *Export, doc store.Doc) error {
		var v D
		if err := Decode(doc, &v); err != nil {
			return err
		}
		_, rest := KindAndRest(doc.Key.Name)
		tell(v, x, rest)
		return nil
	}
}

// OfItsHome is the Belongs of documents whose rest is a home.
func OfItsHome(rest string) (home string, people []string) { return rest, nil }

// OfHomesPart is the Belongs of documents whose rest is a home and something of it, such as a day.
func OfHomesPart(rest string) (home string, people []string) {
	home, _, _ = CutLast(rest, "|")
	return home, nil
}

// OfItsMember is the Belongs of documents whose rest is a home and a person.
func OfItsMember(rest string) (home string, people []string) {
	home, person, _ := CutLast(rest, "|")
	return home, []string{person}
}

// Check returns an error unless the document is a valid one of this kind: its name is
// complete, and it can be decoded.
func (k Kind) Check(doc store.Doc) error {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	if _, ok := k.Owner(rest); !ok {
		return fmt.Errorf("%w: %s", ErrUnreadable, k.Name)
	}
	return Decode(doc, k.New())
}

// Owner finds the partition of a document by the rest of its name.
type Owner func(rest string) (partition int, ok bool)

// OfTable is the Owner of documents whose name is the kind, a colon and a table's id.
// Another colon and more may follow.
func OfTable(rest string) (int, bool) {
	id, _, _ := strings.Cut(rest, ":")
	return TablePartition(id)
}

// OfOne is the Owner of documents whose rest is a home, a player, a chat or a code.
func OfOne(rest string) (int, bool) { return store.Partition(rest), rest != "" }

// OfHome returns the Owner of documents whose rest is a home, then that many parts, each after a bar.
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

// Restored is the commit that restores a document. Kind.Restore amends it.
type Restored struct {
	Change *store.Change // the commit, which contains Write
	Write  *store.Write  // the write of the document
	Now    time.Time
	// Until returns when what is kept about a finished match expires: a document whose name is a kind and what OfTable takes.
	Until func(key store.Key) time.Time
}

// RestoreDue is a Restore that makes the job with the document's name due.
func RestoreDue(r *Restored, doc store.Doc) error {
	r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.Key.Name, At: r.Now})
	return nil
}

// RestoreDueIf is RestoreDue for a kind whose job has something to do only for some values.
func RestoreDueIf[D any](does func(v D) bool) func(r *Restored, doc store.Doc) error {
	return func(r *Restored, doc store.Doc) error {
		var v D
		if err := Decode(doc, &v); err != nil || !does(v) {
			return err
		}
		return RestoreDue(r, doc)
	}
}

// Sweep is the deletion of a person's or a home's data, and its progress.
type Sweep struct {
	Player string // the person whose data is deleted; "": none
	Home   string // the home that is deleted as a whole; "": none
	Salt   []byte // key for making tombstones
	Stage  SweepStage
	Round  int // number of earlier passes in this stage
}

// SweepStage is a stage of a deletion. It ends with a pass that finds nothing.
type SweepStage int

// The stages of a deletion, in order.
const (
	SweepTables  SweepStage = iota // the person leaves all tables, and a removed home's tables end
	SweepResults                   // every home enters the person's results that it still has to count
	SweepAll                       // all data is deleted
	SweepAgain                     // data that was written meanwhile is deleted too
	SweepDone                      // the person is notified
)

// sweepForce is the number of passes after which a deletion no longer waits for the jobs of tables.
const sweepForce = 3

// Forced reports whether the deletion no longer waits for the jobs of tables.
func (s Sweep) Forced() bool { return s.Round >= sweepForce }

// Gone returns the tombstone that replaces the person's id in the documents of a home.
// It reveals neither who the person was nor which tombstones of other homes are theirs.
// Within a home it is always the same, so ratings can be recomputed from the ledger.
func (s Sweep) Gone(home string) string {
	mac := hmac.New(sha256.New, s.Salt)
	mac.Write([]byte(home))
	return table.Gone + hex.EncodeToString(mac.Sum(nil)[:8])
}

// namesOthers is in a table of an earlier version, whose deal of the day has names of others without their ids.
var namesOthers = []byte(`"others":[{"name":`)

// Mentioned reports whether a document may hold data about the person or the home.
func (s Sweep) Mentioned(doc store.Doc) bool {
	if s.Player != "" && bytes.Contains(doc.Data, namesOthers) {
		return true
	}
	for _, id := range []string{s.Player, s.Home} {
		if id != "" && (strings.Contains(doc.Key.Name, id) || bytes.Contains(doc.Data, []byte(id))) {
			return true
		}
	}
	return false
}

// Amend lets step change a document, and commits the result. step reports whether
// there is anything to do, and Amend returns that. If step returns true but leaves
// the document unchanged, Amend deletes it.
func Amend[D any](ctx context.Context, d *Docs, doc store.Doc, step func(*D, *store.Write) bool) (bool, error) {
	var v D
	if err := Decode(doc, &v); err != nil {
		return false, err
	}
	before, now := Encode(v), d.Now()
	w := store.Write{Name: doc.Key.Name, Expect: doc.Version}
	if !step(&v, &w) {
		return false, nil
	}
	if after := WriteOf(doc, v, now); after.Data != nil && !bytes.Equal(before, after.Data) {
		w.Data = after.Data
		if w.Expires.IsZero() {
			w.Expires = after.Expires
		}
	}
	return true, d.Store.Commit(ctx, store.Change{Partition: doc.Key.Partition, Writes: []store.Write{w}, Now: now})
}

// Drop deletes a document.
func (d *Docs) Drop(ctx context.Context, doc store.Doc) error {
	return d.Store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}, Now: d.Now(),
	})
}

// RowBatch is the maximum number of rows that one commit changes.
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

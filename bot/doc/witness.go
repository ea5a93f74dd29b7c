package doc

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/observe"
	"sedmabot/store"
)

// Parameters of the check for lost commits.
const (
	maxWitnessed = 1024            // maximum number of tables to remember
	witnessBatch = 64              // number of tables to compare with one read
	witnessEvery = 2 * time.Second // shortest time between two checks
)

// lost is the version of a table that surely has lost a commit.
const lost = math.MaxInt64

// Witness is a store that remembers the versions of the tables that this process has recently read or written. After an
// interruption of the store, Compare finds the tables that have lost commits. Every call of the store by the bot passes
// through a Witness, so it also shows the calls to the Observer.
type Witness struct {
	store.Store
	observe *observe.Observer

	mu            sync.Mutex
	versions      cache.Cache[store.Key, int64] // the latest
	interruptions int64                         // the store's count of interruptions at the last completed comparison
	next          time.Time                     // earliest time of the next comparison
}

// NewWitness returns a Witness of s that remembers no versions yet. o may be nil.
func NewWitness(s store.Store, o *observe.Observer) *Witness {
	return &Witness{Store: s, observe: o}
}

// Get reads documents and remembers the versions of tables.
func (w *Witness) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	docs, err := w.read(ctx, keys...)
	if err == nil {
		for _, doc := range docs {
			w.saw(doc)
		}
	}
	return docs, damage(err)
}

// damage returns err, as a chat.Damage if it reports damaged documents.
func damage(err error) error {
	if d := (*store.Damaged)(nil); errors.As(err, &d) {
		return &chat.Damage{Kind: d.Keys[0].Kind(), Err: err}
	}
	return err
}

func (w *Witness) read(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	end := w.observe.Call("get")
	docs, err := w.Store.Get(ctx, keys...)
	end(err)
	return docs, err
}

// Commit commits a change and remembers the new versions of tables.
func (w *Witness) Commit(ctx context.Context, c store.Change) error {
	known := make([]int64, len(c.Writes))
	for i, write := range c.Writes {
		known[i], _ = w.versions.Get(store.Key{Partition: c.Partition, Name: write.Name})
	}
	end := w.observe.Commit(c)
	err := w.Store.Commit(ctx, c)
	end(err)
	if err == nil {
		for i, write := range c.Writes {
			if write.Expect > 0 && write.Data != nil {
				doc := store.Doc{Key: store.Key{Partition: c.Partition, Name: write.Name}, Version: write.Version}
				if write.Expect < known[i] { // it was later before the commit
					doc.Version = lost
				}
				w.saw(doc)
			}
		}
	}
	return damage(err)
}

// Claim claims due jobs.
func (w *Witness) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	end := w.observe.Claim(now, lease)
	jobs, next, err := w.Store.Claim(ctx, now, lease, limit)
	end(jobs, err)
	return jobs, next, err
}

// Release releases a job without a commit.
func (w *Witness) Release(ctx context.Context, j store.Job, now, next time.Time) error {
	end := w.observe.Release(j)
	err := w.Store.Release(ctx, j, now, next)
	end(err)
	return err
}

// Board reads a board.
func (w *Witness) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	end := w.observe.Call("board")
	standings, all, err := w.Store.Board(ctx, partition, board, from, n, around)
	end(err)
	return standings, all, err
}

// Scan reads a page of documents.
func (w *Witness) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	end := w.observe.Call("scan")
	docs, next, err := w.Store.Scan(ctx, partition, prefix, cursor)
	end(err)
	return docs, next, err
}

// saw remembers a table, unless a later version is known. It ignores other documents, and all documents before the first
// interruption that the store counts.
func (w *Witness) saw(doc store.Doc) {
	if doc.Version == 0 || w.Interruptions() == 0 || !strings.HasPrefix(doc.Key.Name, "table:") {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	known, _ := w.versions.Get(doc.Key)
	if replaces(doc.Version, known) {
		doc.Version = lost
	}
	if doc.Version > known {
		w.versions.Put(doc.Key, doc.Version, maxWitnessed)
	}
}

// earlier is how many writes of a program before this one, which adds 1 to a version, may follow a version.
const earlier = 16

// replaces reports whether a version of a table stands where another one was.
func replaces(version, known int64) bool {
	count := store.Writes(known)
	return count > 0 && store.Writes(version) == count && (version < known || version > known+earlier)
}

// Due reports whether there was an interruption since the last completed comparison, and time to compare again.
func (w *Witness) Due(now time.Time) bool {
	interruptions := w.Interruptions()
	w.mu.Lock()
	defer w.mu.Unlock()
	if interruptions == w.interruptions || now.Before(w.next) {
		return false
	}
	w.next = now.Add(witnessEvery)
	return true
}

// Compare reads the tables that it remembers, and calls undone with the id of each table that has lost commits. It stops at the
// first error; then a comparison stays due.
func (w *Witness) Compare(ctx context.Context, undone func(id string) error) error {
	interruptions, versions := w.Interruptions(), w.versions.All()
	for batch := range slices.Chunk(slices.Collect(maps.Keys(versions)), witnessBatch) {
		docs, err := w.read(ctx, batch...)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			if known := versions[doc.Key]; doc.Version >= known && !replaces(doc.Version, known) {
				continue
			}
			if doc.Version != 0 { // otherwise the table has expired, or its creation was lost
				if err := undone(strings.TrimPrefix(doc.Key.Name, "table:")); err != nil {
					return err
				}
			}
			w.versions.Take(doc.Key) // the remembered version no longer exists
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.interruptions = interruptions
	return nil
}

package doc

import (
	"context"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/store"
)

// How a process finds out that its store has lost commits.
const (
	mostWitnessed = 1024            // versions of tables that are kept
	witnessBatch  = 64              // tables that one reading compares
	witnessEvery  = 5 * time.Second // how often at most
)

// Witness is a store that remembers the versions of the tables that this process has read or written last. After an
// interruption of the store, Compare finds those of them that have lost commits.
type Witness struct {
	store.Store

	mu            sync.Mutex
	versions      cache.Cache[store.Key, int64]
	interruptions int64     // of the store, when the versions were compared last
	next          time.Time // when they may be compared again
	comparing     bool
}

// NewWitness returns a witness of s that has seen nothing yet.
func NewWitness(s store.Store) *Witness {
	return &Witness{Store: s}
}

// Get remembers the versions that it returns.
func (w *Witness) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	docs, err := w.Store.Get(ctx, keys...)
	if err == nil {
		for _, doc := range docs {
			w.saw(doc.Key, doc.Version)
		}
	}
	return docs, err
}

// Commit remembers the versions that it wrote.
func (w *Witness) Commit(ctx context.Context, c store.Change) error {
	err := w.Store.Commit(ctx, c)
	if err == nil {
		for _, write := range c.Writes {
			if write.Expect > 0 && write.Data != nil {
				w.saw(store.Key{Partition: c.Partition, Name: write.Name}, write.Expect+1)
			}
		}
	}
	return err
}

// saw remembers the version of a table, unless a later one is known.
func (w *Witness) saw(key store.Key, version int64) {
	if version == 0 || w.Interruptions() == 0 || !strings.HasPrefix(key.Name, "table:") {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if known, _ := w.versions.Get(key); version > known {
		w.versions.Put(key, version, mostWitnessed)
	}
}

// Begin returns the versions to compare, and the number of interruptions so far. It returns none if there was no
// interruption since the last time, or if that was a moment ago. End must follow if there are any.
func (w *Witness) Begin(now time.Time) (versions map[store.Key]int64, interruptions int64) {
	interruptions = w.Interruptions()
	w.mu.Lock()
	defer w.mu.Unlock()
	if interruptions == w.interruptions || w.comparing || now.Before(w.next) {
		return nil, 0
	}
	versions = w.versions.All()
	if len(versions) == 0 {
		w.interruptions = interruptions
		return nil, 0
	}
	w.comparing, w.next = true, now.Add(witnessEvery)
	return versions, interruptions
}

// End ends what Begin began. Versions that were not all compared are compared again.
func (w *Witness) End(interruptions int64, compared bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.comparing = false
	if compared {
		w.interruptions = interruptions
	}
}

// Compare reads the tables of those versions, and calls lost with the id of each whose version was undone. An error of
// lost ends it.
func (w *Witness) Compare(ctx context.Context, versions map[store.Key]int64, lost func(id string) error) error {
	var keys []store.Key
	for key := range versions {
		keys = append(keys, key)
	}
	for len(keys) > 0 {
		batch := keys[:min(len(keys), witnessBatch)]
		keys = keys[len(batch):]
		docs, err := w.Store.Get(ctx, batch...)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			if doc.Version >= versions[doc.Key] {
				continue
			}
			if doc.Version != 0 { // else it has expired, or was never begun
				if err := lost(strings.TrimPrefix(doc.Key.Name, "table:")); err != nil {
					return err
				}
			}
			w.versions.Take(doc.Key) // it does not stand any more
		}
	}
	return nil
}

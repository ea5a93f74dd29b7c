package doc

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"sedmabot/store"
)

// Export collects the data that is kept about a person, document by document.
type Export struct {
	Player string
	Lists  map[string][]any          // by section
	Maps   map[string]map[string]any // by section and key

	keys     []store.Key // documents that are still to be read
	prefixes []store.Key // the beginnings of the names of documents that are still to be read
	followed map[store.Key]bool
}

// Follow makes the export read more documents, each once. They need not exist.
func (x *Export) Follow(keys ...store.Key) {
	if x.followed == nil {
		x.followed = map[store.Key]bool{}
	}
	for _, key := range keys {
		if !x.followed[key] {
			x.followed[key] = true
			x.keys = append(x.keys, key)
		}
	}
}

// FollowMatch makes the export read what the coach found out about the person in a match.
func (x *Export) FollowMatch(id string, match int) {
	if p, ok := TablePartition(id); ok {
		x.Follow(store.Key{Partition: p, Name: VerdictName(id, match, x.Player)}, store.Key{Partition: p, Name: CoachName(id, match)})
	}
}

// FollowAll makes the export read all documents whose names begin like that.
func (x *Export) FollowAll(prefix store.Key) { x.prefixes = append(x.prefixes, prefix) }

// Mentions reports whether a document may hold data about the person.
func (x *Export) Mentions(doc store.Doc) bool {
	_, rest := KindAndRest(doc.Key.Name)
	return bytes.Contains(doc.Data, []byte(x.Player)) || rest == x.Player || strings.HasSuffix(rest, "|"+x.Player) || strings.HasSuffix(doc.Key.Name, ":"+x.Player)
}

// exportBatch is the maximum number of documents that an export reads at once.
const exportBatch = 128

// Gather adds everything that is stored about the person to x. It reads the kinds of documents whose Scan or Own is set,
// and what their Leads find. log is called with the error of each document that can't be read.
func (x *Export) Gather(ctx context.Context, s store.Store, kinds map[string]Kind, log func(error)) error {
	g := gathering{x, s, kinds, log}
	for name, kind := range kinds {
		if kind.Own {
			x.Follow(store.Key{Partition: store.Partition(x.Player), Name: name + ":" + x.Player})
		}
		for p := 0; kind.Scan && p < store.Partitions; p++ {
			if err := g.scan(ctx, store.Key{Partition: p, Name: name + ":"}); err != nil {
				return err
			}
		}
	}
	for len(x.keys)+len(x.prefixes) > 0 {
		if n := min(len(x.keys), exportBatch); n > 0 {
			keys := x.keys[:n]
			x.keys = x.keys[n:]
			if err := g.get(ctx, keys); err != nil {
				return err
			}
			continue
		}
		prefix := x.prefixes[0]
		x.prefixes = x.prefixes[1:]
		if err := g.scan(ctx, prefix); err != nil {
			return err
		}
	}
	return nil
}

// gathering is the work of Gather.
type gathering struct {
	*Export
	store store.Store
	kinds map[string]Kind
	log   func(error)
}

// scan reads all documents whose names begin with prefix.
func (g gathering) scan(ctx context.Context, prefix store.Key) error {
	for cursor := ""; ; {
		docs, next, err := g.store.Scan(ctx, prefix.Partition, prefix.Name, cursor)
		if _, err := g.lost(err); err != nil {
			return err
		}
		for _, stored := range docs {
			g.add(stored)
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

// get reads documents that may not exist.
func (g gathering) get(ctx context.Context, keys []store.Key) error {
	for {
		docs, err := g.store.Get(ctx, keys...)
		lost, err := g.lost(err)
		if err != nil {
			return err
		}
		if len(lost) > 0 {
			keys = slices.DeleteFunc(slices.Clone(keys), func(key store.Key) bool { return slices.Contains(lost, key) })
			continue
		}
		for _, stored := range docs {
			if stored.Version != 0 {
				g.add(stored)
			}
		}
		return nil
	}
}

// lost returns the damaged documents that err names, and follows their leads. It returns any other error.
func (g gathering) lost(err error) ([]store.Key, error) {
	var damaged *store.Damaged
	if !errors.As(err, &damaged) {
		return nil, err
	}
	g.log(err)
	for _, key := range damaged.Keys {
		if lead := g.kinds[KindOf(key.Name)].Lead; lead != nil {
			lead(g.Export, store.Doc{Key: key})
		}
	}
	return damaged.Keys, nil
}

// add adds a document's data about the person, and follows its leads.
func (g gathering) add(stored store.Doc) {
	kind := g.kinds[KindOf(stored.Key.Name)]
	if kind.Lead != nil {
		kind.Lead(g.Export, stored)
	}
	if err := kind.Export(g.Export, stored); err != nil {
		g.log(err)
	}
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

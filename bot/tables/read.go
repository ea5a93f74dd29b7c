package tables

import (
	"bytes"
	"context"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Load loads one table.
func (ts *Tables) Load(ctx context.Context, id string) (table.Table, error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return table.Table{}, doc.ErrNoTable
	}
	docs, err := ts.docs.Store.Get(ctx, keys[0])
	if err != nil {
		return table.Table{}, err
	}
	if docs[0].Version == 0 {
		return table.Table{}, doc.ErrNoTable
	}
	t, err := ts.ReadTable(docs[0])
	return t.Table, err
}

// ReadTable decodes a table, with a cache. Decoding replays the deal, so the same bytes
// are decoded only once. The result is shared and must not be changed in place.
func (ts *Tables) ReadTable(stored store.Doc) (doc.Table, error) {
	if known, ok := ts.read.Get(stored.Key.Name); ok && bytes.Equal(known.Data, stored.Data) {
		return doc.Table{Table: known.Table, Version: stored.Version}, nil
	}
	l, err := doc.DecodeTable(stored)
	if err == nil && stored.Version != 0 {
		ts.read.Put(stored.Key.Name, &doc.EncodedTable{Table: l.Table, Data: stored.Data}, doc.MaxKnown)
	}
	return l, err
}

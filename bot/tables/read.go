package tables

import (
	"bytes"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// readDoc is a table and the document's bytes that it was read from, or written to.
type readDoc struct {
	data  []byte
	table table.Table
}

// ReadTable reads a table. Reading one plays its deal anew, so the same bytes
// are read once. It is shared, and must not be changed in place.
func (ts *Tables) ReadTable(stored store.Doc) (doc.Table, error) {
	if known, ok := ts.read.Get(stored.Key.Name); ok && bytes.Equal(known.data, stored.Data) {
		return doc.Table{Table: known.table, Version: stored.Version}, nil
	}
	l, err := doc.DecodeTable(stored)
	if err == nil && stored.Version != 0 {
		ts.read.Put(stored.Key.Name, readDoc{stored.Data, l.Table}, doc.MostKnown)
	}
	return l, err
}

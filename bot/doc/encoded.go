package doc

import (
	"bytes"

	"sedmabot/game/table"
)

// EncodedTable is a table with the document that it was read from or written to. Neither may be changed in place.
type EncodedTable struct {
	Table table.Table
	Data  []byte

	past, last []byte // how Data ends: the encoding of Table.Past and Table.Last; nil if there are none, or if it isn't known
}

// EncodeTable returns the table with the document that Encode makes of it. Finished deals and the match before are most of
// that document, and a move doesn't change them. known is an earlier state of the table, or nil: if it has the same deals
// and match, their encoding is copied from it.
func EncodeTable(t *table.Table, known *EncodedTable) *EncodedTable {
	if known == nil {
		known = &EncodedTable{}
	}
	e := &EncodedTable{Table: *t}
	if len(t.Past) > 0 {
		before := known.Table.Past
		if e.past = known.past; len(before) != len(t.Past) || &before[0] != &t.Past[0] || e.past == nil {
			e.past = encoding(t.Past)
		}
	}
	if t.Last != nil {
		if e.last = known.last; known.Table.Last != t.Last || e.last == nil {
			e.last = encoding(t.Last)
		}
	}
	var b bytes.Buffer
	b.Grow(len(known.Data) + 256) // a move adds a few bytes
	e.Table.Past, e.Table.Last = nil, nil
	encodeOpen(&b, &e.Table)
	e.Table.Past, e.Table.Last = t.Past, t.Last
	b.Truncate(b.Len() - 1)
	if e.past != nil {
		b.WriteString(`,"past":`)
		b.Write(e.past)
	}
	if e.last != nil {
		b.WriteString(`,"last":`)
		b.Write(e.last)
	}
	b.WriteString("}}")
	e.Data = b.Bytes()
	return e
}

// encoding returns v as JSON.
func encoding(v any) []byte {
	var b bytes.Buffer
	encode(&b, v)
	return b.Bytes()
}

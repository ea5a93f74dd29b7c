package screen

import "sedmabot/bot/face"

// Table is a list of people in columns, such as a leaderboard. The block that it belongs to says the same in lines, for
// places without tables, and [Table.Ranking] makes a picture of it.
type Table struct {
	Labels []string // labels of the cells; empty: there is no row of labels
	Rows   []Row
	// More names what the block's lines say beyond the table: they are shown below it when the reader asks. "": nothing
	More string
	// Closed is set if the block above names the table, and the table is shown when the reader asks.
	Closed bool
}

// Row is a row of a Table. With only a Name it is a heading, and without a Name a gap.
type Row struct {
	Place int // from 1; 0: none
	Name  []Span
	Mark  string   // shown after the name, but not in a picture
	Mine  bool     // the reader's own row
	Cells []string // values under Labels

	Instead string // what a picture shows if its font lacks letters of the name
	Plain   bool   // the picture has no medal for the place
}

// Ranking returns the table for a picture. Detail is a line below the title.
func (t *Table) Ranking(f face.Face, title, detail string) *face.Ranking {
	r := &face.Ranking{Title: title, Detail: detail, Labels: t.Labels}
	for _, row := range t.Rows {
		name := PlainText(f, row.Name)
		if row.Instead != "" && !face.Legible(name) {
			name = row.Instead
		}
		r.Rows = append(r.Rows, face.Rank{Place: row.Place, Name: name, Mine: row.Mine, Cells: row.Cells, Plain: row.Plain})
	}
	return r
}

// HasTable reports whether a block of the screen is a table.
func (s Screen) HasTable() bool {
	for _, b := range s.Blocks {
		if b.Table != nil {
			return true
		}
	}
	return false
}

// Tabled adds a block with these lines, which says the same as the table.
func (w *Writer) Tabled(t *Table, lines ...[]Span) {
	n := len(w.Screen.Blocks)
	w.Block(Plain, lines...)
	if len(w.Screen.Blocks) == n || len(t.Rows) == 0 {
		return
	}
	for i := range t.Rows {
		t.Rows[i].Name = w.named(t.Rows[i].Name)
	}
	w.Screen.Blocks[n].Table = t
}

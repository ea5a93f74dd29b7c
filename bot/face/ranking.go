package face

import (
	"image"
	"image/color"
	"strconv"
)

// Ranking is a ranked table, such as a leaderboard. It is 800 pixels wide, and as high
// as its rows need.
type Ranking struct {
	Title  string
	Detail string   // what is ranked, and how
	Labels []string // labels of the columns on the right
	Rows   []Rank
}

// Rank is a row of a Ranking. If only Name is set, it is a heading. Without a Place, a row with Cells has no number.
type Rank struct {
	Place int // from 1; the first three have a medal. 0: none, a heading, or a gap if Name is empty
	Name  string
	Mine  bool     // the reader's own row
	Cells []string // values under Labels
	Plain bool     // no medal, whatever the place
	Marks string   `json:"Marks,omitempty"` // a box for each trick between the name and the cells, full for an x; "": none
}

// These are the measures of a ranking.
const (
	rankHead = 128 // height of the title and labels above the rows
	rankRow  = 40
	rankGap  = 26 // height of a gap between rows
	rankFoot = 24
)

// cell returns the width of a column.
func (r Ranking) cell() int {
	switch {
	case len(r.Labels) < 4:
		return 116
	case len(r.Labels) < 5:
		return 98
	}
	return 88
}

func (r Rank) high() int {
	if r.Place == 0 && r.Name == "" {
		return rankGap
	}
	return rankRow
}

func (r Ranking) size() image.Point {
	high := rankHead + rankFoot
	for _, row := range r.Rows {
		high += row.high()
	}
	return image.Pt(800, high)
}

// medalColors are the colours for gold, silver and bronze.
var medalColors = [...]color.RGBA{amber, silver, brown}

func (r Ranking) paint(to Painter) {
	const left, end = 44, 756
	star(to, amber, left+18, 42, 18)
	to.Text(cream, cut(to, r.Title, end-left-50, 34, true), left+50, 54, 34, true)
	to.Text(mist, cut(to, r.Detail, end-left, 22, false), left, 92, 22, false)
	edges, cell := make([]int, len(r.Labels)), r.cell()
	for i, label := range r.Labels {
		edges[i] = end - 12 - cell*(len(r.Labels)-1-i)
		room, size := cell-6, 18
		if i == 0 {
			room += 40 // the space to its left is free: names are lower down
		}
		for size > 15 && to.Width(label, size, false) > room {
			size--
		}
		right(to, mist, cut(to, label, room, size, false), edges[i], rankHead-8, size, false)
	}
	y := rankHead
	for _, row := range r.Rows {
		switch {
		case row.Place == 0 && row.Name == "":
			for i := range 3 {
				disc(to, mist, left+18, y+6+i*7, 2)
			}
		case row.Place == 0 && len(row.Cells) == 0:
			to.Text(mist, cut(to, row.Name, end-left, 22, true), left, y+30, 22, true)
		default:
			r.row(to, row, y, edges, cell)
		}
		y += row.high()
	}
}

func (r Ranking) row(to Painter, row Rank, y int, edges []int, cell int) {
	const left, end = 44, 756
	ground := shade
	if row.Mine {
		ground = plate
	}
	to.Box(ground, left-12, y, end-left+24, rankRow-5, 9)
	if row.Mine {
		to.Box(amber, left-12, y, 6, rankRow-5, 3)
	}
	if row.Place == 0 {
		to.Box(mist, left+11, y+16, 14, 2, 0)
	} else if row.Place <= len(medalColors) && !row.Plain {
		disc(to, medalColors[row.Place-1], left+18, y+17, 14)
		centred(to, ink, strconv.Itoa(row.Place), left+18, y+25, 22, true)
	} else {
		centred(to, mist, strconv.Itoa(row.Place), left+18, y+25, 22, false)
	}
	room := end - left - 60 - cell*len(row.Cells)
	if row.Marks != "" {
		room -= marksRoom + 8
		row.marks(to, left+48+room+8, y+17)
	}
	to.Text(cream, cut(to, row.Name, room, 24, true), left+48, y+26, 24, true)
	for i, text := range row.Cells[:min(len(row.Cells), len(edges))] {
		right(to, cream, cut(to, text, cell-6, 24, i == 0), edges[i], y+26, 24, i == 0)
	}
}

// marksRoom is the width for the boxes of a row.
const marksRoom = 240

// marks draws a box for each trick from x on, around the height y: a full one for a trick of the player's side, and a small
// empty one for the others.
func (r Rank) marks(to Painter, x, y int) {
	step := min(26, marksRoom/len(r.Marks))
	size := step - max(3, step/4)
	for i, mark := range r.Marks {
		if mark == 'x' {
			to.Box(amber, x+i*step, y-size/2, size, size, 3)
			continue
		}
		to.Box(mist, x+i*step, y-size/2, size, size, 3)
		to.Box(ink, x+i*step+2, y-size/2+2, size-4, size-4, 2)
	}
}

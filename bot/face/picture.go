package face

import (
	"image"
	"image/color"
	"strconv"

	"sedmabot/game"
)

// Picture is something to draw, as a plain value: what is equal looks equal.
// Exactly one of its pointers is set. Its texts are in the reader's
// language, and names in it are [Legible].
type Picture struct {
	Face    Face     `json:"face,omitempty"`
	Table   *Table   `json:"table,omitempty"`
	Hand    *Hand    `json:"hand,omitempty"`
	Result  *Result  `json:"result,omitempty"`
	Ranking *Ranking `json:"ranking,omitempty"`
	Chart   *Chart   `json:"chart,omitempty"`
}

// Table is a running deal, as everybody may see it: 800 by 500 pixels.
type Table struct {
	Seats   []Seat // 2, 3, 4 or 6, clockwise; the first sits at the bottom
	Plays   []Play // a trick
	Winning int    // which of Plays is winning; -1: none
	Stock   int    // cards in it
	Labels  [2]string
	Sides   []Side
	Dealer  string // a letter for the dealer's chip
	Note    string // what Plays are, in a corner; "": the open trick
}

// Seat is somebody at the table.
type Seat struct {
	Name   string
	Side   int // which of Sides
	Turn   bool
	Leads  bool // the trick that is open, or comes next
	Dealer bool
}

// Play is a card in the trick.
type Play struct {
	Seat int // which of Seats
	Card game.Card
}

// Side is a side's row in the table's middle, under Labels.
type Side struct{ Points, Score int }

// Hand is a player's own hand, by its places.
type Hand struct {
	Cards []game.Card // no card where a place is free
	Dim   []bool      // by place: it cannot be played now
}

// Result is a deal or a match that is over: 800 by 500 pixels.
type Result struct {
	Title    string // the game
	Headline string // who won
	Detail   string // what
	Won      bool   // somebody has won: Headline has a crown
	Cards    []game.Card
	Labels   []string // of the columns
	Rows     []ResultRow
	Progress [][]int // by row: the match score after each deal
}

// ResultRow is one side's.
type ResultRow struct {
	Names string
	Side  int
	Won   bool
	Cells []string // under Labels
}

// Size is how wide and high the picture is, in pixels.
func (p Picture) Size() image.Point {
	switch {
	case p.Ranking != nil:
		return p.Ranking.size()
	case p.Chart != nil:
		return image.Point{800, 440}
	case p.Hand == nil:
		return image.Point{800, 500}
	}
	n := max(1, len(p.Hand.Cards))
	w := handWidth(n)
	return image.Point{max(480, n*(w+handGap)+handGap+2*handRim), CardHeight(w) + 2*handGap + handFoot + 2*handRim}
}

// Paint draws the picture.
func (p Picture) Paint(to Painter) {
	size := p.Size()
	to.Box(rail, 0, 0, size.X, size.Y, 0)
	to.Box(felt, rim, rim, size.X-2*rim, size.Y-2*rim, 22)
	switch {
	case p.Table != nil:
		p.Table.paint(to, p.Face)
	case p.Hand != nil:
		p.Hand.paint(to, p.Face, size)
	case p.Result != nil:
		p.Result.paint(to, p.Face)
	case p.Ranking != nil:
		p.Ranking.paint(to)
	case p.Chart != nil:
		p.Chart.paint(to)
	}
}

// rim is how wide the rail around the felt is.
const rim = 7

// The measures of a hand.
const (
	handGap  = 12
	handRim  = rim + 4
	handFoot = 38 // for the numbers of the places
)

func handWidth(places int) int {
	switch {
	case places <= 4:
		return 132
	case places <= 6:
		return 112
	}
	return 84
}

func (h Hand) paint(to Painter, f Face, size image.Point) {
	n := len(h.Cards)
	w := handWidth(n)
	high := CardHeight(w)
	x, y := (size.X-n*(w+handGap)+handGap)/2, handRim+handGap
	for i, c := range h.Cards {
		if c == 0 {
			ghost(to, x, y, w)
		} else {
			to.Card(f, c, x, y, w, h.Dim[i])
			if !h.Dim[i] {
				number(to, cream, ink, i+1, x+w/2, y+high+27)
			} else {
				number(to, plate, mist, i+1, x+w/2, y+high+27)
			}
		}
		x += w + handGap
	}
}

// number is a number on a disc around (x, y).
func number(to Painter, ground, letters color.RGBA, n, x, y int) {
	disc(to, ground, x, y, 16)
	centred(to, letters, strconv.Itoa(n), x, y+8, 22, true)
}

func disc(to Painter, c color.RGBA, x, y, r int) { to.Box(c, x-r, y-r, 2*r, 2*r, r) }

// centred writes a text with its middle at x.
func centred(to Painter, c color.RGBA, text string, x, y, size int, bold bool) {
	to.Text(c, text, x-to.Width(text, size, bold)/2, y, size, bold)
}

// right writes a text that ends at x.
func right(to Painter, c color.RGBA, text string, x, y, size int, bold bool) {
	to.Text(c, text, x-to.Width(text, size, bold), y, size, bold)
}

// ghost is where a card of that width may lie.
func ghost(to Painter, x, y, w int) {
	h, r := CardHeight(w), cardRadius*w/100
	to.Box(shade, x, y, w, h, r)
	to.Box(felt, x+3, y+3, w-6, h-6, r-2)
}

// sideColors are the colours of sides; their marks tell the same.
var sideColors = [3]color.RGBA{coral, sky, lilac}

// sideMark is the mark of a side, in a square of that size around (x, y): a
// triangle, a disc, a square.
func sideMark(to Painter, side, x, y, size int) {
	c, r := sideColors[side%3], size/2
	switch side % 3 {
	case 0:
		to.Polygon(c, image.Pt(x-r, y+r-1), image.Pt(x, y-r), image.Pt(x+r, y+r-1))
	case 1:
		disc(to, c, x, y, r)
	default:
		to.Box(c, x-r+1, y-r+1, size-2, size-2, 2)
	}
}

// star is a crown for what wins, around (x, y).
func star(to Painter, c color.RGBA, x, y, r int) {
	at := func(dx, dy int) image.Point { return image.Pt(x+dx*r/20, y+dy*r/20) }
	to.Polygon(c, at(-16, 14), at(-20, -12), at(-9, -2), at(0, -17), at(9, -2), at(20, -12), at(16, 14))
}

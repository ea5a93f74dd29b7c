package face

import (
	"image"
	"image/color"
	"strconv"

	"sedmabot/game"
)

// Picture describes a drawing as a plain value: equal values look equal. Exactly one
// of its pointers is set. Its texts are in the reader's language, and its names are
// [Legible].
type Picture struct {
	Face    Face     `json:"face,omitempty"`
	Table   *Table   `json:"table,omitempty"`
	Lobby   *Lobby   `json:"lobby,omitempty"`
	Games   *Games   `json:"games,omitempty"`
	Hand    *Hand    `json:"hand,omitempty"`
	Result  *Result  `json:"result,omitempty"`
	Ranking *Ranking `json:"ranking,omitempty"`
	Chart   *Chart   `json:"chart,omitempty"`
}

// Table is a running deal as everyone may see it: 800 by 560 pixels, and more with open hands.
type Table struct {
	Seats   []Seat // 2, 3, 4 or 6, clockwise; the first is at the bottom
	Plays   []Play // the cards of a trick
	Winning int    // index of the winning card in Plays; -1: none
	Dark    []int  // indexes of the cards in Plays that came from the top of the stock: a small back marks them
	Past    bool   // Plays are the previous trick: nobody has led to the next one yet
	Stock   int    // number of cards in the stock
	Labels  [2]string
	Sides   []Side
	Dealer  string // a letter for the dealer's chip
	Leads   string // a word for the player who leads
	Hands   []Hand // by seat, open hands in a strip below the table; empty: none, and no strip

	Headline string // whose turn it is, or what has just happened: a few words, shown large
	Detail   string // what the trick is worth so far, or what was won; "": nothing
}

// Seat is a seat at the table, with its player.
type Seat struct {
	Name   string
	Side   int // index in Sides
	Turn   bool
	Leads  bool // leads the open trick, or the next one
	Dealer bool
}

// Play is a card in a trick.
type Play struct {
	Seat int // index in Seats; a seat plays one card in each round of the trick
	Card game.Card
}

// Side is a row in the middle of the table for one side, under Labels.
type Side struct{ Points, Score int }

// Hand is a player's own hand, in the order of its places.
type Hand struct {
	Cards []game.Card // a free place is zero
	Dim   []bool      // by place: the card cannot be played now
}

// Result is a finished match: 800 pixels wide, and as high as its rows need.
type Result struct {
	Title    string      // name of the game
	Headline string      // name of the winner, or a text if there is none
	Detail   string      // the match in a few words: its story, or why its only deal counts what it counts
	Won      bool        // there is a winner: Headline has a crown
	Cards    []game.Card // for the decoration, at most 4
	Large    []int       // points of the only deal by side, which are written large; empty: a match of several deals
	Sides    []int       // Large: the side of each number
	Label    string      // below Large, or above the scores of Rows
	Columns  [3]string   // labels of the columns: best trick, rating, streak; "": the picture has no such column
	Rows     []ResultRow
	Progress [][]int // by row: the match score after each deal
	Decisive *DecisiveTrick
	Art      int // selects one of several decorations; any number
}

// DecisiveTrick is the trick that decided a match.
type DecisiveTrick struct {
	Title   string // such as "Deal 9, last trick"
	Cards   []game.Card
	Dark    []int    // indexes of the cards that came from the top of the stock
	Names   []string // by card: who played it
	Seats   []int    // by card: the seat of that player; nil: one card from each
	Winning int      // index of the card that took the trick
	Caption string   // who took it, and how many points
}

// ResultRow is one side in a result.
type ResultRow struct {
	Side   int
	Won    bool
	Score  string // of the match; "": not shown
	People []ResultPerson
}

// ResultPerson is a player in a result.
type ResultPerson struct {
	Name   string
	Card   game.Card // with which the player took most points in one trick, or zero
	Points int       // of that trick
	Rating string    // after the match; "": unchanged
	By     string    // how much the match changed it
	Streak string    // matches won in a row; "": not told
}

// Size returns the width and height of the picture, in pixels.
func (p Picture) Size() image.Point {
	switch {
	case p.Ranking != nil:
		return p.Ranking.size()
	case p.Chart != nil:
		return image.Point{800, 440}
	case p.Table != nil:
		return image.Point{800, tableH + p.Table.strip()}
	case p.Lobby != nil:
		return image.Point{800, lobbyH}
	case p.Games != nil:
		return image.Point{800, p.Games.height()}
	case p.Result != nil:
		return image.Point{800, p.Result.height()}
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
	top := rim
	if p.Table != nil {
		top = bandH
	}
	to.Box(felt, rim, top, size.X-2*rim, size.Y-top-rim, 22)
	switch {
	case p.Table != nil:
		p.Table.paint(to, p.Face)
	case p.Lobby != nil:
		p.Lobby.paint(to, p.Face)
	case p.Games != nil:
		p.Games.paint(to, p.Face)
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

// rim is the width of the rail around the felt.
const rim = 7

// These are the measures of a hand.
const (
	handGap  = 12
	handRim  = rim + 4
	handFoot = 38 // height below the cards, for the numbers of their places in the hand
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
			to.Card(Look{Face: f, Card: c, Width: w, Dim: h.Dim[i]}, x, y)
			if !h.Dim[i] {
				number(to, cream, ink, i+1, x+w/2, y+high+27)
			} else {
				number(to, plate, mist, i+1, x+w/2, y+high+27)
			}
		}
		x += w + handGap
	}
}

// number draws a number on a disc around (x, y).
func number(to Painter, ground, letters color.RGBA, n, x, y int) {
	disc(to, ground, x, y, 16)
	centred(to, letters, strconv.Itoa(n), x, y+8, 22, true)
}

func disc(to Painter, c color.RGBA, x, y, r int) { to.Box(c, x-r, y-r, 2*r, 2*r, r) }

// centred writes a text that is centred at x.
func centred(to Painter, c color.RGBA, text string, x, y, size int, bold bool) {
	to.Text(c, text, x-to.Width(text, size, bold)/2, y, size, bold)
}

// right writes a text that ends at x.
func right(to Painter, c color.RGBA, text string, x, y, size int, bold bool) {
	to.Text(c, text, x-to.Width(text, size, bold), y, size, bold)
}

// ghost draws an empty place for a card of width w.
func ghost(to Painter, x, y, w int) {
	h, r := CardHeight(w), cardRadius*w/100
	to.Box(shade, x, y, w, h, r)
	to.Box(felt, x+3, y+3, w-6, h-6, r-2)
}

// sideColors are the colours of the sides. Their marks show the same without colour.
var sideColors = [3]color.RGBA{coral, sky, lilac}

// sideMark draws the mark of a side, of the given size, around (x, y): a triangle, a
// disc or a square.
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

// star draws the winner's crown, around (x, y).
func star(to Painter, c color.RGBA, x, y, r int) {
	at := func(dx, dy int) image.Point { return image.Pt(x+dx*r/20, y+dy*r/20) }
	to.Polygon(c, at(-16, 14), at(-20, -12), at(-9, -2), at(0, -17), at(9, -2), at(20, -12), at(16, 14))
}

package face

import (
	"image"
	"strconv"
)

// spot is the position of a seat in a table's picture.
type spot struct {
	x      int // the centre of the plate and the cards
	plateY int
	cardsY int
}

const (
	plateH   = 42
	plateW   = 226
	plateOut = 12 // distance from the edge of the picture
	lineSize = 25 // line height of names
)

// spots returns the positions of a table's seats, clockwise from the bottom, and the
// width of their cards.
func spots(seats int) ([]spot, int) {
	const big, small = 84, 64
	bigH, smallH := CardHeight(big), CardHeight(small)
	bottom := func(x, h int) spot { return spot{x, 500 - plateOut - plateH, 500 - plateOut - plateH - 8 - h} }
	top := func(x int) spot { return spot{x, plateOut, plateOut + plateH + 8} }
	side := func(x int) spot { return spot{x, 168 + bigH + 8, 168} }
	switch seats {
	case 2:
		return []spot{bottom(400, bigH), top(400)}, big
	case 3:
		return []spot{bottom(400, bigH), side(132), side(668)}, big
	case 4:
		return []spot{bottom(400, bigH), side(132), top(400), side(668)}, big
	}
	return []spot{bottom(400, smallH), bottom(136, smallH), top(136), top(400), top(664), bottom(664, smallH)}, small
}

func (t Table) paint(to Painter, f Face) {
	places, width := spots(len(t.Seats))
	for i, seat := range t.Seats {
		t.plate(to, seat, places[i])
	}
	t.middle(to, f)
	if x, y := 30, 46; t.Note != "" {
		if len(t.Seats) == 6 {
			y = 258 // the corners of the other seats leave this space free
		}
		to.Text(mist, cut(to, t.Note, 210, 24, false), x, y, 24, false)
	}
	high := CardHeight(width)
	counts := make([]int, len(t.Seats))
	for _, p := range t.Plays {
		counts[p.Seat]++
	}
	for i, n := range counts {
		if n == 0 {
			ghost(to, places[i].x-width/2, places[i].cardsY, width)
		}
	}
	laid := make([]int, len(t.Seats))
	crown := image.Point{-1, -1}
	for i, p := range t.Plays {
		at := places[p.Seat]
		step := 0
		if n := counts[p.Seat]; n > 1 {
			room := plateW + 10
			if len(t.Seats) == 2 {
				room = 560
			}
			step = min(width*11/20, (room-width)/(n-1))
			if len(t.Seats) == 2 {
				step = min(width+8, (room-width)/(n-1))
			}
		}
		x := at.x - (width+step*(counts[p.Seat]-1))/2 + step*laid[p.Seat]
		laid[p.Seat]++
		if i == t.Winning {
			const line = 5
			to.Box(amber, x-line, at.cardsY-line, width+2*line, high+2*line, cardRadius*width/100+line)
			crown = image.Point{x + 7, at.cardsY + high - 7}
		}
		to.Card(f, p.Card, x, at.cardsY, width, false)
	}
	if crown.X >= 0 {
		disc(to, rail, crown.X, crown.Y, 16)
		disc(to, amber, crown.X, crown.Y, 14)
		star(to, ink, crown.X, crown.Y, 9)
	}
}

// plate draws the plate with a player's name.
func (t Table) plate(to Painter, seat Seat, at spot) {
	ground, letters := plate, cream
	if seat.Turn {
		ground, letters = amber, ink
	}
	x, y := at.x-plateW/2, at.plateY
	to.Box(ground, x, y, plateW, plateH, 12)
	to.Box(plate, x+4, y+4, plateH-8, plateH-8, 9)
	sideMark(to, seat.Side, x+plateH/2, y+plateH/2, 20)
	from, end := x+plateH+6, x+plateW-10
	if seat.Turn || seat.Leads {
		my := y + plateH/2
		to.Polygon(letters, image.Pt(from, my-9), image.Pt(from+13, my), image.Pt(from, my+9))
		from += 20
	}
	if seat.Dealer {
		end -= 30
		chip(to, t.Dealer, end+20, y+plateH/2)
	}
	name := cut(to, seat.Name, end-from, lineSize, true)
	to.Text(letters, name, from, y+30, lineSize, true)
}

// chip draws the dealer's chip.
func chip(to Painter, letter string, x, y int) {
	disc(to, rail, x, y, 17)
	disc(to, cream, x, y, 16)
	disc(to, red, x, y, 13)
	disc(to, cream, x, y, 11)
	centred(to, ink, letter, x, y+6, 17, true)
}

// middle draws the stock, and the points and score of each side.
func (t Table) middle(to Painter, f Face) {
	const pile, row, column = 48, 36, 84
	y := 250
	if len(t.Seats) == 3 {
		y = 150
	}
	// The stock is on the left and the board on the right, both centred on the line y.
	pileH := CardHeight(pile)
	x := 400 - 150
	top := y - (pileH+22)/2
	if t.Stock > 0 {
		for i := min(2, t.Stock-1); i >= 0; i-- {
			to.Card(f, 0, x+3*i, top-3*i, pile, false)
		}
		centred(to, cream, strconv.Itoa(t.Stock), x+pile/2, top+pileH+23, 24, true)
	} else {
		ghost(to, x, top+12, pile)
	}

	high := 22 + row*len(t.Sides)
	top = y - high/2
	left := x + pile + 26
	for i, label := range t.Labels {
		right(to, mist, cut(to, label, column+14, 19, false), left+30+column*(i+1), top+17, 19, false)
	}
	for i, s := range t.Sides {
		base := top + 22 + row*i + 28
		sideMark(to, i, left+12, base-9, 20)
		right(to, cream, strconv.Itoa(s.Points), left+30+column, base, 28, false)
		right(to, cream, strconv.Itoa(s.Score), left+30+2*column, base, 28, true)
	}
}

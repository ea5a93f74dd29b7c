package face

import (
	"image"
	"image/color"
	"slices"
	"strconv"
)

// These are the measures of a table's picture.
const (
	tableH   = 560
	bandH    = 92 // height of the band with the headline
	plateH   = 42
	plateW   = 248
	plateTop = bandH + 9
	plateEnd = tableH - rim - 3 - plateH
	cardsTop = plateTop + plateH + 8
	cardsEnd = plateEnd - 8 // lower edge of the cards of the seats at the bottom
	lineSize = 25           // line height of names
)

// spot is the position of a seat in a table's picture.
type spot struct {
	x      int // the centre of the plate and the cards
	plateY int
	cardsY int
}

// setting is how a number of seats sits at the table.
type setting struct {
	spots        []spot // clockwise from the bottom
	width        int    // of the cards
	room         int    // width of the cards in front of one seat
	board, stock image.Point
}

// settingOf returns the setting for a table. The cards of a past trick are smaller, and those that didn't win it are dim.
func settingOf(seats int, past bool) setting {
	s := setting{width: 82, room: 236}
	switch seats {
	case 2:
		s.width, s.room, s.board, s.stock = 92, 500, image.Pt(26, 290), image.Pt(62, 160)
	case 3:
		s.room, s.board, s.stock = 226, image.Pt(264, 205), image.Pt(352, 112)
	case 4:
		s.board, s.stock = image.Pt(26, 108), image.Pt(618, 130)
	default:
		s.width, s.room, s.board, s.stock = 80, 240, image.Pt(390, 277), image.Pt(204, 290)
	}
	if past {
		s.width = s.width * 3 / 4
	}
	high := CardHeight(s.width)
	bottom := func(x int) spot { return spot{x, plateEnd, cardsEnd - high} }
	top := func(x int) spot { return spot{x, plateTop, cardsTop} }
	side := func(x int) spot { return spot{x, 412, 404 - high} }
	switch seats {
	case 2:
		s.spots = []spot{bottom(524), top(524)}
	case 3:
		s.spots = []spot{bottom(400), top(138), top(662)}
	case 4:
		s.spots = []spot{bottom(400), side(138), top(400), side(662)}
	default:
		s.spots = []spot{bottom(400), bottom(136), top(136), top(400), top(664), bottom(664)}
	}
	return s
}

// tilts are the angles of cards on the felt. They are few, so that cards are drawn once
// and used often. Straight cards make shorter files.
var tilts = [...]int{-2, 0, 2, 0}

func (t Table) paint(to Painter, f Face) {
	t.headline(to)
	t.hands(to, f)
	s := settingOf(len(t.Seats), t.Past)
	for i, seat := range t.Seats {
		t.plate(to, seat, s.spots[i])
	}
	t.board(to, s.board)
	t.pile(to, f, s.stock)
	high := CardHeight(s.width)
	counts := make([]int, len(t.Seats))
	for _, p := range t.Plays {
		counts[p.Seat]++
	}
	for i, n := range counts {
		if n == 0 {
			ghost(to, s.spots[i].x-s.width/2, s.spots[i].cardsY, s.width)
		}
	}
	laid := make([]int, len(t.Seats))
	crown := image.Point{-1, -1}
	for i, p := range t.Plays {
		at, n := s.spots[p.Seat], counts[p.Seat]
		step := 0
		if n > 1 {
			step = min(s.width+10, (s.room-s.width)/(n-1))
		}
		x := at.x - (s.width+step*(n-1))/2 + step*laid[p.Seat]
		to.Card(Look{Face: f, Card: p.Card, Width: s.width, Tilt: tilts[(p.Seat+laid[p.Seat])%len(tilts)], Dim: t.Past && i != t.Winning, Lit: i == t.Winning}, x, at.cardsY)
		if slices.Contains(t.Dark, i) {
			darkMark(to, f, x, at.cardsY, s.width)
		}
		laid[p.Seat]++
		if i == t.Winning {
			crown = image.Point{x + 9, at.cardsY + high - 9}
		}
	}
	if crown.X >= 0 {
		disc(to, rail, crown.X, crown.Y, 20)
		disc(to, amber, crown.X, crown.Y, 18)
		star(to, ink, crown.X, crown.Y, 12)
	}
}

// darkMark marks a card of that width as played in the dark, with a small back at its upper right corner.
func darkMark(to Painter, f Face, x, y, width int) {
	to.Card(Look{Face: f, Width: width * 3 / 8}, x+width-width*3/8+5, y-5)
}

// These are the measures of the strip with open hands.
const (
	openRow   = 74
	openWidth = 40 // of a card
	openFew   = 4  // with more cards, they overlap, so that names have room
)

// strip returns the height of the strip with open hands.
func (t Table) strip() int {
	if len(t.Hands) == 0 {
		return 0
	}
	return (len(t.Hands)+1)/2*openRow + 10
}

// hands draws the open hands below the table, in two columns. Cards that are dim have just been played.
func (t Table) hands(to Painter, f Face) {
	const left, column = 26, 387
	for i, hand := range t.Hands {
		x, y := left+i%2*column, tableH+i/2*openRow
		to.Box(shade, x-10, y, column-16, openRow-8, 8)
		end := x + column - 36
		step := openWidth + 5
		if len(hand.Cards) > openFew {
			step = openWidth * 4 / 5
		}
		cards := end - step*len(hand.Cards) + step - openWidth
		sideMark(to, t.Seats[i].Side, x+8, y+openRow/2-4, 20)
		name, size, room := t.Seats[i].Name, lineSize, cards-x-34
		for size > 19 && to.Width(name, size, true) > room {
			size--
		}
		to.Text(cream, cut(to, name, room, size, true), x+26, y+openRow/2+5, size, true)
		for j, c := range hand.Cards {
			if c != 0 {
				to.Card(Look{Face: f, Card: c, Width: openWidth, Dim: hand.Dim[j]}, cards+j*step, y+(openRow-8-CardHeight(openWidth))/2)
			}
		}
	}
}

// headline writes the headline and the detail above the felt.
func (t Table) headline(to Painter) {
	ink := cream
	for _, seat := range t.Seats {
		if seat.Turn {
			ink = straw
		}
	}
	const room = 800 - 4*rim
	fitted(to, ink, t.Headline, 400, 47, room, 44, 32, true)
	fitted(to, cream, t.Detail, 400, 81, room, 28, 24, false)
}

// fitted writes a text that is centred at x. If it is wider than room, it is written
// smaller. If it is still too wide at the smallest size, it is cut.
func fitted(to Painter, c color.RGBA, text string, x, y, room, size, smallest int, bold bool) {
	for size > smallest && to.Width(text, size, bold) > room {
		size -= 2
	}
	centred(to, c, cut(to, text, room, size, bold), x, y, size, bold)
}

// leadsSize is the size of the word for the player who leads.
const leadsSize = 22

// plate draws the plate with a player's name, and with marks: an arrow on the player's
// turn, the dealer's chip, and a word if they lead, or a flag if the word has no room.
func (t Table) plate(to Painter, seat Seat, at spot) {
	ground, letters := plate, cream
	if seat.Turn {
		ground, letters = amber, ink
	}
	x, y := at.x-plateW/2, at.plateY
	to.Box(ground, x, y, plateW, plateH, 12)
	to.Box(plate, x+4, y+4, plateH-8, plateH-8, 9)
	sideMark(to, seat.Side, x+plateH/2, y+plateH/2, 20)
	from, end, middle := x+plateH+4, x+plateW-9, y+plateH/2
	if seat.Turn {
		to.Polygon(letters, image.Pt(from, middle-10), image.Pt(from+15, middle), image.Pt(from, middle+10))
		from += 21
	}
	if seat.Dealer {
		chip(to, t.Dealer, end-15, middle)
		end -= 36
	}
	name, size := seat.Name, lineSize
	if seat.Leads {
		if word := to.Width(t.Leads, leadsSize, false); t.Leads != "" && to.Width(name, size, true) <= end-from-word-12 {
			quiet := mist
			if seat.Turn {
				quiet = ink
			}
			to.Text(quiet, t.Leads, end-word-3, y+29, leadsSize, false)
			end -= word + 12
		} else {
			pennant(to, letters, end-18, middle)
			end -= 25
		}
	}
	if to.Width(name, size, true) > end-from {
		size = 22
	}
	to.Text(letters, cut(to, name, end-from, size, true), from, y+30, size, true)
}

// pennant draws the mark of the player who leads, 18 pixels wide.
func pennant(to Painter, c color.RGBA, x, y int) {
	to.Box(c, x, y-12, 3, 24, 1)
	to.Polygon(c, image.Pt(x+3, y-12), image.Pt(x+18, y-6), image.Pt(x+3, y))
}

// chip draws the dealer's chip.
func chip(to Painter, letter string, x, y int) {
	disc(to, rail, x, y, 17)
	disc(to, cream, x, y, 16)
	disc(to, red, x, y, 13)
	disc(to, cream, x, y, 11)
	centred(to, ink, letter, x, y+6, 17, true)
}

// board writes the points and the score of each side.
func (t Table) board(to Painter, at image.Point) {
	const label, column, row = 86, 62, 36
	for i := range t.Sides {
		sideMark(to, i, at.X+label+column*i+column-16, at.Y+12, 20)
	}
	for i, text := range t.Labels {
		base, size := at.Y+row*i+54, 23
		for size > 18 && to.Width(text, size, false) > label+8 {
			size--
		}
		to.Text(mist, cut(to, text, label+8, size, false), at.X, base, size, false)
		for j, side := range t.Sides {
			n := side.Points
			if i == 1 {
				n = side.Score
			}
			right(to, cream, strconv.Itoa(n), at.X+label+column*(j+1), base, 30, i == 1)
		}
	}
}

// pile draws the stock with the number of its cards.
func (t Table) pile(to Painter, f Face, at image.Point) {
	const width = 46
	if t.Stock == 0 {
		ghost(to, at.X, at.Y, width)
	}
	for i := min(2, t.Stock-1); i >= 0; i-- {
		to.Card(Look{Face: f, Width: width}, at.X+4*i, at.Y-3*i)
	}
	to.Text(cream, strconv.Itoa(t.Stock), at.X+width+20, at.Y+CardHeight(width)/2+11, 32, true)
}

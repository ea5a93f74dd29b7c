package face

import (
	"image"

	"sedmabot/game"
)

// Lobby is a table before the match: who sits where, and which cards the game is about. It is 800 by 344 pixels.
type Lobby struct {
	Seats []Place     // 2, 3, 4 or 6, clockwise; the first is at the bottom
	Cards []game.Card // at most 4, in the middle
}

// Place is a seat of a Lobby.
type Place struct {
	Name string // name of the player or AI, or what a free seat is called
	Note string // who that is: the host, or the AI's level; "": nothing
	Side int
	Free bool
}

// These are the measures of a lobby's picture.
const (
	lobbyH     = 344
	placeH     = 66
	placeTop   = rim + 9
	placeEnd   = lobbyH - rim - 9 - placeH
	placeSide  = (lobbyH - placeH) / 2
	lobbyCards = 72 // width of the cards in the middle
)

// lobbySpots returns where the plates are: their centre and their upper edge. They are in the same order as the seats of a
// running deal.
func lobbySpots(seats int) []image.Point {
	at := func(x, y int) image.Point { return image.Pt(x, y) }
	switch seats {
	case 2:
		return []image.Point{at(400, placeEnd), at(400, placeTop)}
	case 3:
		return []image.Point{at(400, placeEnd), at(138, placeTop), at(662, placeTop)}
	case 4:
		return []image.Point{at(400, placeEnd), at(138, placeSide), at(400, placeTop), at(662, placeSide)}
	default:
		return []image.Point{at(400, placeEnd), at(136, placeEnd), at(136, placeTop), at(400, placeTop), at(664, placeTop), at(664, placeEnd)}
	}
}

func (l Lobby) paint(to Painter, f Face) {
	spots := lobbySpots(len(l.Seats))
	if len(spots) == 4 { // partners sit opposite each other: a line joins them
		const thick = 6
		to.Box(between(felt, sideColors[1], 1, 2), spots[1].X, placeSide+placeH/2-thick/2, spots[3].X-spots[1].X, thick, 0)
		to.Box(between(felt, sideColors[0], 1, 2), 400-thick/2, placeTop, thick, placeEnd-placeTop, 0)
	}
	step := lobbyCards * 5 / 8
	x, y := 400-(lobbyCards+step*(len(l.Cards)-1))/2, (lobbyH-CardHeight(lobbyCards))/2
	for i, c := range l.Cards {
		to.Card(Look{Face: f, Card: c, Width: lobbyCards}, x+step*i, y)
	}
	for i, p := range l.Seats {
		p.paint(to, spots[i])
	}
}

// paint draws a plate with the name on a seat, and the note below it. A free seat is an empty frame.
func (p Place) paint(to Painter, at image.Point) {
	x, y := at.X-plateW/2, at.Y
	to.Box(plate, x, y, plateW, placeH, 12)
	letters := cream
	if p.Free {
		to.Box(felt, x+3, y+3, plateW-6, placeH-6, 10)
		letters = mist
	}
	sideMark(to, p.Side, x+24, y+placeH/2, 24)
	from, room := x+46, plateW-46-10
	size := 29
	for size > 23 && to.Width(p.Name, size, true) > room {
		size -= 2
	}
	base := y + 29
	if p.Note == "" {
		base = y + placeH/2 + 9
	}
	to.Text(letters, cut(to, p.Name, room, size, true), from, base, size, true)
	if p.Note != "" {
		to.Text(mist, cut(to, p.Note, room, 22, false), from, y+55, 22, false)
	}
}

package face

import (
	"image"

	"sedmabot/game"
)

// Games is a choice of games, a tile for each: 800 pixels wide, and as high as its rows need.
type Games struct {
	Tiles  []Tile
	Chosen int // index of the current game in Tiles; -1: none
}

// Tile shows what a game is like.
type Tile struct {
	Name   string
	Cards  []game.Card // the cards that match any card, or if there are none, cards that match each other; at most 2
	Points string      // what a deal is about, such as "90 points"
	People string      // for how many players, such as "2, 3, 4"
}

// These are the measures of the tiles.
const (
	tileColumns = 3
	tileGap     = 8
	tileH       = 132
	tileW       = (800 - 2*rim - (tileColumns+1)*tileGap) / tileColumns
	tileCard    = 50 // width of a card
)

func (g Games) height() int {
	rows := (len(g.Tiles) + tileColumns - 1) / tileColumns
	return 2*rim + tileGap + rows*(tileH+tileGap)
}

func (g Games) paint(to Painter, f Face) {
	for i, t := range g.Tiles {
		x, y := rim+tileGap+i%tileColumns*(tileW+tileGap), rim+tileGap+i/tileColumns*(tileH+tileGap)
		if i == g.Chosen {
			to.Box(amber, x-3, y-3, tileW+6, tileH+6, 14)
		}
		to.Box(plate, x, y, tileW, tileH, 12)
		t.paint(to, f, x, y, i == g.Chosen)
	}
}

// paint draws what is in a tile: the name, and below it the cards, the points and the number of players.
func (t Tile) paint(to Painter, f Face, x, y int, chosen bool) {
	const edge, size, smallest, room = 14, 28, 22, tileW - 2*14
	letters, fits := cream, size
	if chosen {
		letters = straw
	}
	for fits > smallest && to.Width(t.Name, fits, true) > room {
		fits--
	}
	to.Text(letters, cut(to, t.Name, room, fits, true), x+edge, y+34, fits, true)
	const step = tileCard + 4
	for i, c := range t.Cards {
		to.Card(Look{Face: f, Card: c, Width: tileCard}, x+edge+step*i, y+tileH-CardHeight(tileCard)-12)
	}
	from := x + edge + 2*step + 10
	fits = 23
	for fits > 18 && to.Width(t.Points, fits, false) > x+tileW-edge/2-from {
		fits--
	}
	to.Text(cream, cut(to, t.Points, x+tileW-edge/2-from, fits, false), from, y+76, fits, false)
	bust(to, from, y+102)
	to.Text(mist, t.People, from+28, y+110, 23, false)
}

// bust draws the sign for players: a head and shoulders, 20 pixels wide. y is its middle.
func bust(to Painter, x, y int) {
	disc(to, mist, x+10, y-6, 6)
	to.Polygon(mist, image.Pt(x, y+10), image.Pt(x+3, y+3), image.Pt(x+17, y+3), image.Pt(x+20, y+10))
}

package view

import (
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Writer builds a screen about a table.
type Writer struct {
	screen.Writer
	blocks [6]screen.Block // room for the first blocks
	names  []seated        // by seat: the names that were written already
}

// seated is the name of the player or AI that has a seat.
type seated struct {
	of       *table.Seat // nil: the name isn't known yet
	name     [1]screen.Span
	pictured string // see pictured; "": not known
}

// seated returns where the name of a seat is kept.
func (w *Writer) seated(p table.Public, seat int) *seated {
	if len(w.names) < len(p.Seats) {
		w.names = make([]seated, len(p.Seats))
	}
	return &w.names[seat]
}

// NewWriter returns a writer of an empty screen.
func NewWriter(c *lang.Catalogue, f face.Face) *Writer {
	w := &Writer{Writer: screen.Writer{Catalogue: c, Screen: screen.Screen{Face: f}}}
	w.Screen.Blocks = w.blocks[:0]
	return w
}

// Button returns a button with the label of its press's first word.
func (w *Writer) Button(press string, tone screen.Tone) screen.Button {
	return screen.Button{Label: w.Text("button." + screen.PressWord(press)), Press: press, Tone: tone}
}

// Legend says what the letters on the cards of a plain face mean. It returns nil for other faces.
func Legend(w *Writer, f face.Face) []screen.Span {
	if f.Like() != face.Plain {
		return nil
	}
	var ranks, suits [][]screen.Span
	for _, c := range []game.Card{game.NewCard('J', 'c'), game.NewCard('Q', 's'), game.NewCard('K', 'h'), game.NewCard('A', 'd')} {
		rank, suit := face.Words(f, c)
		letter := face.SuitLetter(f, c)
		ranks = append(ranks, screen.Text(strings.TrimSuffix(face.Text(f, c), letter)+" "+w.Text("card."+rank)))
		suits = append(suits, screen.Text(letter+" "+w.Text("card."+suit)))
	}
	return screen.Dots(append(ranks, suits...)...)
}

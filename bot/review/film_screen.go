package review

import (
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Film is a recorded deal that is shown as an animation, as the chat saw it.
type Film struct {
	Rules  game.Rules
	Seats  []table.Seat
	Dealer int
	Scores []int       // match score before the deal, by side
	Views  []game.View // a spectator's views: at the beginning, and after each action
	Past   *table.Past // the end of the deal; nil if the record ends before it
}

// How long the frames of a film are shown.
const (
	filmCard  = 500 * time.Millisecond
	filmTrick = 900 * time.Millisecond // the cards as dealt, and finished tricks
	filmEnd   = 4 * time.Second
)

// Frames returns a picture of the table for each view, in the language of c.
func (f Film) Frames(c *lang.Catalogue) []face.Frame {
	style := face.For("", c.Code(), f.Rules.Deck)
	lasting := table.Lasting{Rules: f.Rules, Seats: f.Seats, Scores: f.Scores, Dealer: f.Dealer, DealNo: 1}
	at := table.Public{Lasting: lasting}
	var frames []face.Frame
	for i, v := range f.Views {
		w := view.NewWriter(c, style)
		at.View, at.Turn = v, v.Turn
		last := i == len(f.Views)-1
		if last && f.Past != nil {
			view.ShowEnd(w, at, *f.Past)
			frames = append(frames, face.Frame{Picture: w.Screen.Picture.Draw, Shown: filmEnd})
			break
		}
		picture := view.Picture(w, at, game.Nobody)
		shown := filmCard
		switch {
		case last:
			shown = filmEnd
		case i == 0 || picture.Past:
			shown = filmTrick
		}
		picture.Past = false // a finished trick keeps its size
		frames = append(frames, face.Frame{Picture: face.Picture{Face: style, Table: picture}, Shown: shown})
	}
	return frames
}

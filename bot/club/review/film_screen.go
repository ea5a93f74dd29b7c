package review

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/record"
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

// FilmOf returns a deal of a record as a film. It replays the record up to each action of the deal. deal is its number in
// the record, from 1.
func FilmOf(r record.Record, deal int, seats []table.Seat) (Film, error) {
	r.Deals = slices.Clone(r.Deals[:deal])
	if _, err := r.Replay(); err != nil {
		return Film{}, fmt.Errorf("replay the record: %w", err)
	}
	whole := &r.Deals[deal-1]
	f := Film{Rules: r.Rules, Seats: seats}
	actions := whole.Actions
	for n := range len(actions) + 1 {
		whole.Actions = actions[:n]
		o, err := r.Replay()
		if err != nil {
			return Film{}, fmt.Errorf("replay the record: %w", err)
		}
		now := o.Deals[deal-1]
		f.Views = append(f.Views, now.View)
		f.Dealer = now.View.Dealer
		if result, over := now.State.Result(); over {
			f.Past = &table.Past{No: deal, Result: result, Score: now.Settlement, Totals: now.Match.Scores}
			break // what follows can only be a stop that the rules force
		}
		f.Scores = o.Match.Scores
	}
	return f, nil
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

// filmScreen returns a message with a film as an animation.
func filmScreen(m Match, deal, deals int, data []byte, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "replay.title", "game", screen.GameName(c, m.Rules), "no", deal, "of", deals)
	w.Screen.File = &screen.File{Name: "sedma-" + m.ID() + ".gif", Data: data}
	return w.Screen
}

// pasted returns a shared result as a text to paste elsewhere, with its picture. link leads to its message; "": it has none.
func pasted(result screen.Screen, link string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, result.Face)
	text := screen.PlainText(result.Face, result.Blocks[0].Spans)
	if link != "" {
		text += "\n" + link
	}
	w.Screen.Blocks, w.Screen.Picture = []screen.Block{screen.CodeBlock(text)}, result.Picture
	if utf8.RuneCountInString(text) <= screen.CopyLimit {
		w.Row(screen.Button{Label: w.Text("button.copy"), Copy: text})
	}
	return w.Screen
}

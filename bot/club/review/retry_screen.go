package review

import (
	"strconv"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Retry is a position of a finished match that one of its players plays on against the AI.
type Retry struct {
	Match
	Deal   int       // number of the deal, from 1
	Totals []int     // score of the match before the deal, by side
	View   game.View // of the player
	Since  int       // index in the view's log of the player's latest choice in this try, if there is any

	Now  *table.Past     // the end of the deal; nil while it is played
	Then game.Settlement // the end of the deal in the match

	press retry // the press that led here
}

// Screen returns the position, or the result once the deal is over.
func (r Retry) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.For("", c.Code(), r.Rules.Deck))
	w.Say(screen.Title, "retry.title", "deal", r.Deal)
	at := r.at(r.Deal, r.View, r.Totals)
	if plays := r.since(); len(plays) > 0 {
		w.Say(screen.Small, "retry.since", "cards", view.ByPlayer(w, at, plays))
	}
	if r.Now != nil {
		at.Turn = game.Nobody
		w.Block(screen.Plain, view.PerSide(w, at, "retry.now", r.Now.Score.Sides, r.Now.Score.Points))
		w.Block(screen.Plain, view.PerSide(w, at, "retry.then", r.Then.Sides, r.Then.Points))
		view.ShowEnd(w, at, *r.Now)
	} else {
		w.Block(screen.Plain, screen.Bold(w.Text("puzzle.ask")))
		view.Position(w, at)
	}
	w.Say(screen.Small, "retry.how")
	var cards, others []screen.Button
	for i, m := range r.View.Legal[:min(maxPlace+1, len(r.View.Legal))] {
		p := r.press
		p.moves += strconv.Itoa(i)
		b := screen.Button{Label: screen.Cut(view.MoveText(w, m), screen.LabelLength), Press: p.String()}
		var isCard bool
		if b.Card, isCard = m.Card(); isCard {
			cards = append(cards, b)
		} else {
			b.Card = 0
			others = append(others, b)
		}
	}
	for _, row := range append(screen.InRows(cards), others) {
		w.Row(row...)
	}
	again := r.press
	again.moves = ""
	row := []screen.Button{w.Button(r.Match.press(actCoach, 1, pageMoment).String(), screen.Quiet)}
	if len(r.press.moves) > 0 {
		row = append([]screen.Button{{Label: w.Text("button.again"), Press: again.String(), Tone: screen.Primary}}, row...)
	}
	w.Row(row...)
	return w.Screen
}

// since returns the cards that were played since the player's latest choice in this try.
func (r Retry) since() (plays []game.Play) {
	if len(r.press.moves) == 0 {
		return nil
	}
	for _, e := range r.View.Log[r.Since:] {
		if e.Card != 0 {
			plays = append(plays, game.Play{Seat: e.Seat, Card: e.Card})
		}
	}
	return plays
}

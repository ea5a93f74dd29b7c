package review

import (
	"slices"
	"strconv"

	"sedmabot/bot/chat"
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

	Played bool // both were played to the end, so their points can be compared

	Advice *RatedChoice // the coach's opinion of what the player chose here in the match, before another try; nil: none

	press retry // the press that led here
}

// Screen returns the position, or the result once the deal is over.
func (r Retry) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.For("", c.Code(), r.Rules.Deck))
	w.Say(screen.Title, "retry.title", "deal", r.Deal)
	at := r.at(r.Deal, r.View, r.Totals)
	if len(r.press.moves) > 0 {
		view.Since(w, at, r.Since)
	}
	if r.Now != nil {
		at.Turn = game.Nobody
		if r.Played {
			r.verdict(w)
		}
		w.Block(screen.Plain, view.PerSide(w, at, "retry.now", r.Now.Score.Sides, r.Now.Score.Points))
		w.Block(screen.Plain, view.PerSide(w, at, "retry.then", r.Then.Sides, r.Then.Points))
		view.ShowEnd(w, at, *r.Now)
	} else {
		view.AskMove(w, at)
		view.Position(w, at)
	}
	r.ask(w)
	return w.Screen
}

// onFelt returns the position, or the end of the deal, for a page, which shows it on its felt.
func (r Retry) onFelt(c *lang.Catalogue) *chat.Position {
	w := view.NewWriter(c, face.For("", c.Code(), r.Rules.Deck))
	w.Say(screen.Title, "retry.title", "deal", r.Deal)
	if r.Now != nil {
		if r.Played {
			r.verdict(w)
		}
		w.Block(screen.Plain, view.PerSide(w, r.public(), "retry.now", r.Now.Score.Sides, r.Now.Score.Points), view.PerSide(w, r.public(), "retry.then", r.Then.Sides, r.Then.Points))
	}
	if r.Advice != nil {
		r.Advice.played(w)
	}
	if len(r.press.moves) > 0 {
		w.Row(r.last(w)...)
	}
	return r.position(w)
}

// position returns the position for a page, beside the words of w. Before the first choice, what was better in
// the match is marked.
func (r Retry) position(w *view.Writer) *chat.Position {
	start := r.press
	start.moves = ""
	p := &chat.Position{Name: start.String(), Table: r.at(r.Deal, r.View, r.Totals), Beside: w.Screen, Lang: w.Code()}
	if r.Now != nil {
		p.Table.Turn = game.Nobody
	} else {
		p.Moves = map[game.Move]string{}
		for i, m := range r.View.Legal[:min(maxPlace+1, len(r.View.Legal))] {
			p.Moves[m] = r.chosen(i)
		}
	}
	if r.Advice != nil {
		p.Best, p.Wrong = []game.Move{r.Advice.better()}, r.Advice.Chosen
	}
	return p
}

// ask adds the buttons of the choices.
func (r Retry) ask(w *view.Writer) {
	w.Say(screen.Small, "retry.how")
	for _, row := range view.ChoiceRows(w, r.View, r.View.Legal[:min(maxPlace+1, len(r.View.Legal))], r.chosen) {
		w.Row(row...)
	}
	w.Row(r.last(w)...)
}

// last returns the buttons of another try, and of the coach.
func (r Retry) last(w *view.Writer) []screen.Button {
	return append(r.again(w), w.Button(r.Match.press(actCoach, 1, pageMoment).String(), screen.Quiet))
}

// chosen returns the press of a legal move.
func (r Retry) chosen(i int) string {
	p := r.press
	p.moves += strconv.Itoa(i)
	return p.String()
}

// again returns the button of another try, after a choice.
func (r Retry) again(w *view.Writer) []screen.Button {
	p := r.press
	if p.moves == "" {
		return nil
	}
	p.moves = ""
	return []screen.Button{{Label: w.Text("button.again"), Press: p.String(), Tone: screen.Primary}}
}

// verdict says how many points more or less the player's side has than in the match.
func (r Retry) verdict(w *view.Writer) {
	points := func(s game.Settlement) int {
		return s.Points[slices.IndexFunc(s.Sides, func(side []int) bool { return slices.Contains(side, r.View.Seat) })]
	}
	switch more := points(r.Now.Score) - points(r.Then); {
	case more > 0:
		w.Block(screen.Plain, screen.Bold(w.Text("retry.better", "points", w.Text("points", "n", more))))
	case more < 0:
		w.Block(screen.Plain, screen.Bold(w.Text("retry.worse", "points", w.Text("points", "n", -more))))
	default:
		w.Block(screen.Plain, screen.Bold(w.Text("retry.same")))
	}
}

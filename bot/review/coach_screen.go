package review

import (
	"cmp"
	"fmt"
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
)

// RatedChoice is the AI's opinion of one choice that a player made in a match.
type RatedChoice struct {
	Deal, Step int // where the replay shows the choice
	Action     int // number of the action in the deal, from 0
	View       game.View
	Chosen     game.Move
	Choices    []view.Advice // all choices that were possible
	Why        view.Reason   // why the best of them is better than the chosen one; set only for the costly ones
}

// best returns the choices, the best first.
func (t RatedChoice) best() []view.Advice {
	return slices.SortedStableFunc(slices.Values(t.Choices), func(a, b view.Advice) int { return cmp.Compare(b.Score, a.Score) })
}

// Cost returns the expected loss of the choice, compared with the best one.
func (t RatedChoice) Cost() float64 {
	for _, c := range t.Choices {
		if c.Move == t.Chosen {
			return t.best()[0].Score - c.Score
		}
	}
	return 0
}

// Report is the AI's opinion of all choices of one player in a match.
type Report struct {
	Match
	Choices  int           // number of choices that the player had
	Accuracy float64       // from 0 to 1
	StandIn  bool          // the AI chose moves for the player, which the coach doesn't rate
	Costly   []RatedChoice // the most expensive choices
}

// Screen returns the coach's report as the player sees it.
func (c Report) Screen(texts *lang.Catalogue) screen.Screen {
	w := view.NewWriter(texts, face.For("", texts.Code(), c.Rules.Deck))
	w.Say(screen.Title, "coach.title", "game", screen.GameName(texts, c.Rules), "date", screen.DayText(texts, c.At.UTC()))
	if c.Choices > 0 {
		w.Say(screen.Plain, "coach.accuracy", "percent", screen.Percent(c.Accuracy), "choices", w.Text("choices", "n", c.Choices))
		w.Say(screen.Small, "coach.how")
	}
	switch {
	case c.StandIn:
		w.Say(screen.Plain, "coach.stand_in")
	case c.Choices == 0:
		w.Say(screen.Plain, "coach.none")
	}
	var lines [][]screen.Span
	var buttons []screen.Button
	for i, t := range c.Costly {
		best := t.best()[0]
		line := w.Spans("coach.costly", "no", i+1, "deal", t.Deal, "trick", t.Step, "chosen", screen.Bold(view.MoveText(w, t.Chosen)),
			"best", screen.Bold(view.MoveText(w, best.Move)), "cost", view.Expected(w, -t.Cost()), "unit", w.Text(view.UnitKey(c.Rules)))
		if t.Why.Cause != "" {
			line = append(line, screen.Span{Text: ". " + t.Why.Text(w)})
		}
		lines = append(lines, line)
		b := screen.Button{Label: fmt.Sprint(i + 1), Press: c.press(actReplay, t.Deal, t.Step).String()}
		if !slices.ContainsFunc(buttons, func(other screen.Button) bool { return other.Press == b.Press }) {
			buttons = append(buttons, b)
		}
	}
	if len(lines) > 0 {
		w.Say(screen.Plain, "coach.list")
		w.Block(screen.Quote, lines...)
	}
	w.Row(buttons...)
	w.Row(w.Button(c.press(actReplay, 1, 0).String(), screen.Quiet))
	return w.Screen
}

// thoughts adds the AI's opinion of the reader's own choices in the step. If there is none
// yet, it says so.
func (r Replay) thoughts(w *view.Writer) {
	if r.Coaching && r.Step > 0 {
		w.Say(screen.Small, "coach.soon")
	}
	var lines [][]screen.Span
	for _, t := range r.Thoughts {
		line := w.Spans("coach.move", "move", screen.Bold(view.MoveText(w, t.Chosen)), "choices", view.AdviceText(w, t.best()))
		if view.Expected(w, t.Cost()) != view.Expected(w, 0) {
			line = append(append(line, screen.Span{Text: " "}), w.Spans("coach.lost", "cost", view.Expected(w, -t.Cost()))...)
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		w.Block(screen.Small, append([][]screen.Span{w.Spans("coach.step", "unit", w.Text(view.UnitKey(r.Rules)))}, lines...)...)
	}
}

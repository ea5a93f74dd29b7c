package review

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// RatedChoice is the AI's opinion of one choice that a player made in a match.
type RatedChoice struct {
	Deal    int       // number of the deal in the match, from 1
	Action  int       // number of the action in the deal, from 0
	View    game.View // of the player, before the choice
	Scores  []int     // of the match before the deal, by side; set only for a moment
	Chosen  game.Move
	Choices []view.Advice // all choices that were possible
	Why     view.Reason   // why the best of them is better than the chosen one; set only for a moment
}

// trick returns the number of the choice's trick, from 1.
func (t RatedChoice) trick() int { return len(t.View.Tricks) + 1 }

// step returns the step of the replay that shows the choice.
func (t RatedChoice) step() int {
	n := cardsIn(t.View.Log)
	if t.Chosen < game.Pass {
		n++ // the card itself
	}
	return n
}

// best returns the choices, the best first.
func (t RatedChoice) best() []view.Advice {
	return slices.SortedStableFunc(slices.Values(t.Choices), func(a, b view.Advice) int { return cmp.Compare(b.Score, a.Score) })
}

// better returns the move that the coach names: of the moves that are nearly as good as the best, and clearly better than
// the chosen one, the one with the fewest points, or one that doesn't match any rank. A player doesn't believe in giving away
// a ten for a small advantage.
func (t RatedChoice) better() game.Move {
	choices, least := t.best(), leastCost(t.View.Rules)
	named, chosen := choices[0].Move, choices[0].Score-t.Cost()
	for _, c := range choices[1:] {
		if choices[0].Score-c.Score <= least*2/3 && c.Score-chosen >= least && ai.Price(&t.View.Rules, c.Move) < ai.Price(&t.View.Rules, named) {
			named = c.Move
		}
	}
	return named
}

// touches reports whether a habit is of the same kind as the mistake. Praise for it would look odd beside it.
func (t RatedChoice) touches(h habit) bool {
	return h.like(habitOf(t.View, t.Chosen, t.better())) || ai.Price(&t.View.Rules, t.Chosen) >= 100 && h.like(spends)
}

// hundredths returns the scores of the choices, in hundredths.
func (t RatedChoice) hundredths() (scores []int) {
	for _, c := range t.Choices {
		scores = append(scores, int(math.Round(100*c.Score)))
	}
	return scores
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

// CoachReport is the AI's opinion of all choices of one player in a match.
type CoachReport struct {
	Match
	Choices  int           // number of choices that the player had
	Accuracy float64       // from 0 to 1
	StandIn  bool          // the AI chose moves for the player, which the coach doesn't rate
	Sealed   bool          // nobody may see the replay yet
	Moments  []RatedChoice // the choices that cost most, the costliest first
	Tallies  tallies       // the player's habits in the match
}

// begin returns a writer that has written the title.
func (c CoachReport) begin(texts *lang.Catalogue) *view.Writer {
	w := view.NewWriter(texts, face.For("", texts.Code(), c.Rules.Deck))
	w.Say(screen.Title, "coach.title", "game", screen.GameName(texts, c.Rules), "date", screen.DayText(texts, c.At.UTC()))
	return w
}

// well says what the player did well, but nothing for which bad is true, and whose choices the coach leaves out.
func (c CoachReport) well(w *view.Writer, bad func(habit) bool) {
	if h := c.Tallies.avoided(bad); h != noHabit {
		w.Say(screen.Plain, "coach.well", "habit", w.Text("coach.good."+h.String()), "n", c.Tallies[h].Good, "of", c.Tallies[h].Good+c.Tallies[h].Bad)
	}
	if c.StandIn {
		w.Say(screen.Small, "coach.stand_in")
	}
}

// Screen returns the coach's opinion of a match without a moment to show.
func (c CoachReport) Screen(texts *lang.Catalogue) screen.Screen {
	w := c.begin(texts)
	switch {
	case c.Choices > 0:
		w.Say(screen.Plain, "coach.perfect")
	case !c.StandIn:
		w.Say(screen.Plain, "coach.none")
	}
	c.well(w, none)
	c.pages(w, 0, pageMoment)
	return w.Screen
}

// Moment returns a moment of the match, which counts from 1: the position, what the player chose, and what was better.
func (c CoachReport) Moment(n int, texts *lang.Catalogue) screen.Screen {
	t := c.Moments[n-1]
	w := c.begin(texts)
	c.numbered(w, screen.Small, n)
	w.Block(screen.Plain, view.Goal(w, t.View))
	t.played(w)
	w.Say(screen.Plain, "coach.because", "why", t.Why.Text(w))
	view.Position(w, c.at(t.Deal, t.View, t.Scores))
	if n == 1 {
		c.well(w, t.touches)
	}
	w.Row(screen.Button{Label: w.Text("button.retry"), Tone: screen.Primary, Press: c.retry(t).String()})
	c.pages(w, n, pageMoment)
	return w.Screen
}

// numbered says which moment this is.
func (c CoachReport) numbered(w *view.Writer, look screen.Look, n int) {
	t := c.Moments[n-1]
	w.Say(look, "coach.moment", "no", n, "of", len(c.Moments), "deal", t.Deal, "trick", t.trick())
}

// played says what the player chose, and what was better.
func (t RatedChoice) played(w *view.Writer) {
	w.Say(screen.Plain, "coach.played", "chosen", screen.Bold(view.MoveText(w, t.Chosen)), "best", screen.Bold(view.MoveText(w, t.better())))
}

// retry returns the press that plays on from a moment.
func (c CoachReport) retry(t RatedChoice) retry {
	return retry{table: c.Table, match: c.No, deal: t.Deal, action: t.Action}
}

// onFelt returns a moment for a page, which shows it on its felt. There its reader can play on from it. The last one has
// the verdict.
func (c CoachReport) onFelt(n int, texts *lang.Catalogue) *chat.Position {
	t := c.Moments[n-1]
	w := view.NewWriter(texts, face.For("", texts.Code(), c.Rules.Deck))
	c.numbered(w, screen.Title, n)
	t.played(w)
	w.Say(screen.Plain, "coach.because", "why", t.Why.Short(w))
	if n == len(c.Moments) {
		c.accurate(w)
		c.well(w, t.touches)
	}
	var row []screen.Button
	if n > 1 {
		row = append(row, screen.Button{Label: "‹ " + w.Text("button.moment", "no", n-1), Press: c.press(actCoach, n-1, pageMoment).String()})
	}
	if n < len(c.Moments) {
		row = append(row, screen.Button{Label: w.Text("button.moment", "no", n+1) + " ›", Press: c.press(actCoach, n+1, pageMoment).String()})
	}
	w.Row(append(row, screen.Button{Label: w.Text("button.more"), Press: c.press(actCoach, 0, pageNumbers).String()})...)
	return Retry{Match: c.Match, Deal: t.Deal, Totals: t.Scores, View: t.View, Advice: &t, press: c.retry(t)}.position(w)
}

// at returns the table of the match, as it was in the view.
func (m Match) at(deal int, v game.View, scores []int) table.Public {
	p := m.public()
	p.View, p.Turn, p.Phase, p.HasDeal, p.Dealer = v, v.Turn, table.Playing, true, v.Dealer
	p.DealNo, p.Scores, p.AtHome = deal, scores, game.Nobody
	return p
}

// Numbers returns the numbers behind the coach's words, and what they mean.
func (c CoachReport) Numbers(texts *lang.Catalogue) screen.Screen {
	w := c.begin(texts)
	c.accurate(w)
	var lines [][]screen.Span
	for i, t := range c.Moments {
		lines = append(lines, w.Spans("coach.costly", "no", i+1, "deal", t.Deal, "trick", t.trick(), "chosen", screen.Bold(view.MoveText(w, t.Chosen)),
			"best", screen.Bold(view.MoveText(w, t.better())), "cost", view.Cost(w, c.Rules, t.Cost())))
	}
	if len(lines) > 0 {
		w.Say(screen.Plain, "coach.list")
		w.Block(screen.Quote, lines...)
	}
	c.pages(w, 0, pageNumbers)
	return w.Screen
}

// accurate says how good the player's choices were.
func (c CoachReport) accurate(w *view.Writer) {
	if c.Choices > 0 {
		w.Say(screen.Plain, "coach.accuracy", "percent", screen.Percent(c.Accuracy), "choices", w.Text("choices", "n", c.Choices))
	}
}

// pages adds the buttons to the coach's other pages, and to the replay. The reader looks at that moment and that page.
func (c CoachReport) pages(w *view.Writer, moment, page int) {
	var row []screen.Button
	for n := range len(c.Moments) {
		if n+1 != moment {
			row = append(row, screen.Button{Label: w.Text("button.moment", "no", n+1), Press: c.press(actCoach, n+1, pageMoment).String()})
		}
	}
	w.Row(row...)
	deal, step := 1, 0
	if moment > 0 {
		deal, step = c.Moments[moment-1].Deal, c.Moments[moment-1].step()
	}
	row = nil
	if c.Choices > 0 && page != pageNumbers {
		row = append(row, screen.Button{Label: w.Text("button.numbers"), Press: c.press(actCoach, 0, pageNumbers).String()})
	}
	row = append(row, screen.Button{Label: w.Text("button.habits"), Press: c.press(actCoach, 0, pageHabits).String()})
	if !c.Sealed {
		row = append(row, w.Button(c.press(actReplay, deal, step).String(), screen.Quiet))
	}
	w.Row(row...)
}

// Habits is what the player does well, and what costs them most, in their latest matches.
type Habits struct {
	Match           // the one from which the reader comes
	Matches int     // how many matches it covers
	Waiting int     // how many more the coach is still going through
	Tallies tallies // of all matches together
}

// Screen returns the habits as the player sees them.
func (h Habits) Screen(texts *lang.Catalogue) screen.Screen {
	w := view.NewWriter(texts, face.For("", texts.Code(), h.Rules.Deck))
	w.Say(screen.Title, "coach.habits", "matches", w.Text("board.matches", "n", h.Matches))
	worst := h.Tallies.costliest()
	var lines [][]screen.Span
	for i, bad := range worst {
		cost := max(1, int(math.Round(float64(h.Tallies[bad].Lost)/200*10/float64(h.Matches)))) // two stakes are a deal
		lines = append(lines, w.Spans("coach.habit", "no", i+1, "habit", w.Text("coach.bad."+bad.String()), "cost", screen.Bold(strconv.Itoa(cost))))
	}
	if len(lines) > 0 {
		w.Say(screen.Plain, "coach.worst")
		w.Block(screen.Quote, lines...)
	} else {
		w.Say(screen.Plain, "coach.no_habits")
	}
	CoachReport{Match: h.Match, Tallies: h.Tallies}.well(w, none)
	if h.Waiting > 0 {
		w.Say(screen.Small, "stats.judging", "matches", w.Text("board.matches", "n", h.Waiting))
	}
	w.Row(w.Button(h.press(actCoach, 1, pageMoment).String(), screen.Quiet))
	return w.Screen
}

// thoughts adds what would have been better than the reader's own choices in the step. If the coach doesn't know yet, it says so.
func (r Replay) thoughts(w *view.Writer) {
	if r.Coaching && r.Step > 0 {
		w.Say(screen.Small, "coach.soon")
	}
	var lines [][]screen.Span
	for _, t := range r.Thoughts {
		if t.Cost() < leastCost(r.Rules) {
			continue
		}
		played := w.Spans("coach.played", "chosen", screen.Bold(view.MoveText(w, t.Chosen)), "best", screen.Bold(view.MoveText(w, t.better())))
		lines = append(lines, screen.Dots(played, screen.Text(view.Cost(w, r.Rules, t.Cost()))))
	}
	w.Block(screen.Small, lines...)
}

package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
	"sedmabot/game/ai"
)

// Advice is a move with its expected result: the player's side minus the others, in
// units of the score.
type Advice struct {
	Move  game.Move
	Score float64
}

// Cost says what a choice costs in points, or in deals of a hundred that would be lost instead of won.
func Cost(w *Writer, r game.Rules, cost float64) string {
	n := max(1, int(math.Round(cost*inUnits(r))))
	if UnitKey(r) == "unit.points" {
		return w.Text("cost.points", "points", w.Text("points", "n", n))
	}
	return w.Text("cost.deals", "n", min(n, 100)) // a deal for several stakes is one deal
}

// inUnits returns how many points, or deals of a hundred, one unit of the score is. A won deal differs from a lost one by what the player wins
// and what the others, on average, don't.
func inUnits(r game.Rules) float64 {
	switch {
	case UnitKey(r) == "unit.points":
		return 1
	case r.Sides() == 3:
		return 100 / 1.5
	}
	return 100 / 2
}

// MoveText returns a move in a word.
func MoveText(w *Writer, m game.Move) string {
	if c, ok := m.Card(); ok {
		return face.Text(w.Screen.Face, c)
	}
	return w.Text("button." + m.String())
}

// UnitKey returns the text key of the unit that a score is counted in: "in stakes" or "in points".
func UnitKey(r game.Rules) string { return "unit." + rules.Unit(r) }

// Amount returns a number of stakes or points, whichever the rules count.
func Amount(w *Writer, r game.Rules, n int) string {
	return w.Text(strings.TrimPrefix(UnitKey(r), "unit."), "n", n)
}

// Expected returns an expected score with its sign. Next to nothing is +0.00, whichever sign it had.
func Expected(w *Writer, score float64) string {
	return screen.Decimal(w.Catalogue, fmt.Sprintf("%+.2f", math.Round(100*score)/100+0))
}

// Reason is the AI's reason why one move is better than another, in words.
type Reason ai.Reason

// namedCards is how many cards a reason names at most.
const namedCards = 8

// Text returns the reason in one or two sentences, and what helps to check it in one or two more.
func (r Reason) Text(w *Writer) string { return strings.Join(r.sentences(w), " ") }

// Short returns the reason in one sentence.
func (r Reason) Short(w *Writer) string { return r.sentences(w)[0] }

// Brief returns as much of the reason as fits into that many characters: the end is left out first.
func (r Reason) Brief(w *Writer, limit int) string {
	all := r.sentences(w)
	for len(all) > 1 && utf8.RuneCountInString(strings.Join(all, " ")) > limit {
		all = all[:len(all)-1]
	}
	return screen.Cut(strings.Join(all, " "), limit)
}

// sentences returns the reason, and then what can be left out where there is no room.
func (r Reason) sentences(w *Writer) []string {
	all := []string{r.in(w, r.key(), r.Cards)}
	switch {
	case r.Cause == ai.Unbeatable && r.Points > r.Than:
		all = append(all, r.in(w, "hint.why.expect", nil))
	case r.Cause == ai.Pair && r.Than > 0:
		all = append(all, r.in(w, "hint.why.fewer", nil))
	case len(r.Cards) > 0 && !r.Sure && !r.Lead && slices.Contains([]ai.Cause{ai.Over, ai.Gift, ai.Feed, ai.Bank}, r.Cause):
		all = append(all, r.in(w, "hint.takers", r.Cards))
	}
	switch {
	case r.Advice != ai.NoAdvice:
		all = append(all, w.Text("lesson."+string(r.Advice)+".do"))
	case r.Than == 0:
	case r.Cause == ai.Low || r.Cause == ai.Gift || r.Cause == ai.Unsafe:
		all = slices.Insert(all, 1, r.in(w, "hint.lost", nil))
	case r.Cause == ai.Feed || r.Cause == ai.Leave:
		all = slices.Insert(all, 1, r.in(w, "hint.won", nil))
	}
	if len(r.Then) > 0 {
		all = slices.Insert(all, 1, r.in(w, "hint.then", r.Then))
	}
	if len(r.Missing) > 0 {
		all = append(all, r.in(w, "hint.missing", r.Missing))
	}
	return all
}

// key returns the key of the text that says the reason.
func (r Reason) key() string {
	key := "hint.why." + cmp.Or(string(r.Cause), "none")
	switch {
	case r.Other == game.Stop && r.Cause == ai.Over && r.Points > 0:
		key += ".stop"
	case r.Cause == ai.Bank && len(r.Cards) > 0 && r.Points > 0:
		key += ".risk"
	case r.Cause == ai.Bank && len(r.Cards) > 0:
		key += ".round"
	case r.Cause == ai.Dead && r.Points > 0:
		key += ".last"
	case r.Points == 0 && (r.Cause == ai.Bank || r.Cause == ai.Over || r.Cause == ai.Risky):
		key += ".empty"
	case r.Cause == ai.Exposed && len(r.Cards) == 0:
		key += ".plain"
	case r.Lead:
		key += ".lead"
	case r.Own && (r.Cause == ai.Ends || r.Cause == ai.Spare || r.Cause == ai.Feed && !r.Sure):
		key += ".own"
	case r.Cause == ai.Leave && len(r.Cards) > 0:
		key += ".out"
	case r.Cause == ai.Open && r.Several:
		key += ".several"
	}
	switch {
	case r.Sure:
		key += ".sure"
	case r.Cause == ai.Open && r.Than == 0:
		key += ".none"
	}
	return key
}

// in returns a text of the reason with these cards. They are sorted by rank, so that a reader can count them.
func (r Reason) in(w *Writer, key string, of []game.Card) string {
	list := slices.SortedStableFunc(slices.Values(of), func(a, b game.Card) int { return cmp.Compare(a.Rank().Height(), b.Rank().Height()) })
	var cards []string
	for _, c := range list[:min(namedCards, len(list))] {
		cards = append(cards, face.Text(w.Screen.Face, c))
	}
	if more := len(of) - namedCards; more > 0 {
		cards = append(cards, fmt.Sprintf("+%d", more))
	}
	opponent := "hint.opponent.single"
	if r.Several {
		opponent = "hint.opponent"
	}
	return w.Text(key, "opponent", w.Text(opponent), "better", MoveText(w, r.Better), "other", MoveText(w, r.Other), "cards", strings.Join(cards, " "),
		"points", w.Text("points", "n", r.Points), "all", w.Text("points", "n", r.Than), "stakes", w.Text("stakes", "n", r.Points), "n", r.Points, "m", r.Than)
}

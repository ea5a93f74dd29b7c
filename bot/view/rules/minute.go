package rules

import (
	"slices"
	"strings"

	"sedmabot/bot/screen"
	"sedmabot/game"
)

// The rules in one minute: how to play, in the order of play, generated from the options
// that the engine uses. They leave out what a first deal can do without: the exact rules
// follow them.

// minutes are the parts of the rules in one minute. Each has a label, "rules.minute.<name>",
// and sentences; a part without sentences is left out.
var minutes = []struct {
	name string
	say  func(w *screen.Writer, r game.Rules) [][]screen.Span
}{
	{"game", minuteGame},
	{"deal", minuteDeal},
	{"trick", minuteTrick},
	{"example", minuteExample},
	{"continue", minuteContinue},
	{"draw", minuteDraw},
	{"score", minuteScore},
}

// minute returns the rules in one minute, a line for each part.
func minute(w *screen.Writer, r game.Rules) [][]screen.Span {
	var lines [][]screen.Span
	for _, part := range minutes {
		if spans := screen.Join(screen.Span{Text: " "}, part.say(w, r)); len(spans) > 0 {
			label := screen.Bold(w.Text("rules.minute." + part.name))
			lines = append(lines, slices.Concat(label, screen.Text(" "), spans))
		}
	}
	return lines
}

func minuteGame(w *screen.Writer, r game.Rules) [][]screen.Span {
	sentences := [][]screen.Span{sayTeams(w, r)}
	values := []string{pointValues(w, r)}
	if r.LastTrick > 0 {
		values = append(values, w.Text("rules.minute.last_trick", "n", r.LastTrick))
	}
	if r.TrickPoints == 0 {
		values = append(values, w.Text("rules.minute.total", "n", totalPoints(r)))
	}
	if values = slices.DeleteFunc(values, func(s string) bool { return s == "" }); len(values) > 0 {
		sentences = append(sentences, w.Spans("rules.minute.points", "values", strings.Join(values, ", ")))
	}
	if r.TrickPoints > 0 {
		sentences = append(sentences, w.Spans("rules.trick_points."+string(r.TrickUnit), "n", r.TrickPoints))
	}
	return sentences
}

// totalPoints returns the points in a deal of a game in which no tricks count.
func totalPoints(r game.Rules) int {
	total := r.LastTrick
	for _, c := range r.Pack() {
		total += r.CardPoints.Of(c.Rank())
	}
	return total
}

func minuteDeal(w *screen.Writer, r game.Rules) [][]screen.Span {
	return [][]screen.Span{sayPack(w, r), w.Spans("rules.minute.hand", "n", r.HandSize)}
}

func minuteTrick(w *screen.Writer, r game.Rules) [][]screen.Span {
	sentences := [][]screen.Span{w.Spans("rules.minute.play")}
	if wild := r.Wild.List(); len(wild) == 0 {
		sentences = append(sentences, w.Spans("rules.minute.wins"))
	} else {
		sentences = append(sentences, w.Spans("rules.minute.wild", "wild", w.Ranks(wild...)))
	}
	sentences = append(sentences, sayWildOrder(w, r)...)
	if r.Continue == game.NoContinue {
		sentences = append(sentences, w.Spans("rules.minute.once"))
	}
	if r.Dark {
		sentences = append(sentences, w.Spans("rules.minute.dark"))
	}
	return sentences
}

// minuteExample shows the cards of one round, and the one that takes them: the last one, which has the rank of the first
// card or matches any rank.
func minuteExample(w *screen.Writer, r game.Rules) [][]screen.Span {
	led := game.Rank('K')
	if r.Teams == game.SoloKing {
		led = 'Q' // a king might be the lone one
	}
	ranks := []game.Rank{led, 'A', led, 'A', 'A', 'A'}[:r.Players]
	last := led
	if wild := r.Wild.List(); len(wild) > 0 {
		last = wild[0]
	}
	ranks[len(ranks)-1] = last
	suits := "cshd"
	if r.Deck == game.German32 {
		suits = "alhb"
	}
	var cards [][]screen.Span
	for i, rank := range ranks {
		cards = append(cards, []screen.Span{screen.CardSpan(game.NewCard(rank, game.Suit(suits[i%4])))})
	}
	return [][]screen.Span{w.Spans("rules.example", "cards", screen.Join(screen.Span{Text: ", "}, cards), "card", cards[len(cards)-1])}
}

func minuteContinue(w *screen.Writer, r game.Rules) [][]screen.Span {
	if r.Continue == game.NoContinue {
		return nil
	}
	key := "rules.minute.match"
	if r.Continue == game.AnyCard {
		key = "rules.minute.any"
	}
	sentences := [][]screen.Span{w.Spans(key)}
	if r.ContinueWhen == game.OpponentWinning {
		sentences = append(sentences, w.Spans("rules.continue_when.opponent_winning"))
	}
	return sentences
}

func minuteDraw(w *screen.Writer, r game.Rules) [][]screen.Span {
	if r.DrawTiming == game.AfterPlay {
		return [][]screen.Span{w.Spans("rules.minute.draw.after_play")}
	}
	return [][]screen.Span{w.Spans("rules.minute.draw."+string(r.DrawFrom), "n", r.HandSize)}
}

func minuteScore(w *screen.Writer, r game.Rules) [][]screen.Span {
	return [][]screen.Span{sayWorth(w, r), sayMatch(w, r)}
}

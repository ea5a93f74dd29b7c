package view

import (
	"slices"

	"sedmabot/game"
)

// The rules in one minute: how to play, in the order of play, generated from the options
// that the engine uses. They leave out what a first deal can do without: the exact rules
// follow them.

// minutes are the parts of the rules in one minute. Each has a label, "rules.minute.<name>",
// and sentences; a part without sentences is left out.
var minutes = []struct {
	name string
	say  func(w *writer, r game.Rules) [][]Span
}{
	{"aim", minuteAim},
	{"deal", minuteDeal},
	{"trick", minuteTrick},
	{"continue", minuteContinue},
	{"draw", minuteDraw},
	{"score", minuteScore},
}

// minute returns the rules in one minute, a line for each part.
func minute(w *writer, r game.Rules) [][]Span {
	var lines [][]Span
	for _, part := range minutes {
		if spans := joinSpans(Span{Text: " "}, part.say(w, r)); len(spans) > 0 {
			label := bold(w.Text("rules.minute." + part.name))
			lines = append(lines, slices.Concat(label, text(" "), spans))
		}
	}
	return lines
}

func minuteAim(w *writer, r game.Rules) [][]Span {
	sentences := [][]Span{sayTeams(w, r)}
	if values := pointValues(w, r); values != "" {
		sentences = append(sentences, w.spans("rules.minute.points", "values", values))
	}
	if r.LastTrick > 0 {
		sentences = append(sentences, w.spans("rules.last_trick", "n", r.LastTrick))
	}
	if r.TrickPoints > 0 {
		sentences = append(sentences, w.spans("rules.trick_points."+string(r.TrickUnit), "n", r.TrickPoints))
	} else {
		sentences = append(sentences, w.spans("rules.minute.total", "points", w.Text("points", "n", totalPoints(r))))
	}
	return sentences
}

func minuteDeal(w *writer, r game.Rules) [][]Span {
	return [][]Span{sayPack(w, r), w.spans("rules.minute.hand", "n", r.HandSize)}
}

func minuteTrick(w *writer, r game.Rules) [][]Span {
	sentences := [][]Span{w.spans("rules.minute.play")}
	if wild := r.Wild.List(); len(wild) == 0 {
		sentences = append(sentences, w.spans("rules.minute.wins"))
	} else {
		sentences = append(sentences, w.spans("rules.minute.wild", "wild", w.ranks(wild...)))
		if slices.Equal(wild, []game.Rank{'7'}) {
			sentences = append(sentences, w.spans("rules.minute.seven"))
		}
	}
	sentences = append(sentences, sayWildOrder(w, r)...)
	if r.Continue == game.NoContinue {
		sentences = append(sentences, w.spans("rules.minute.once"))
	}
	if r.Dark {
		sentences = append(sentences, w.spans("rules.minute.dark"))
	}
	return sentences
}

func minuteContinue(w *writer, r game.Rules) [][]Span {
	if r.Continue == game.NoContinue {
		return nil
	}
	key := "rules.minute.match"
	if r.Continue == game.AnyCard {
		key = "rules.minute.any"
	}
	sentences := [][]Span{w.spans(key)}
	if r.ContinueWhen == game.OpponentWinning {
		sentences = append(sentences, w.spans("rules.continue_when.opponent_winning"))
	}
	return sentences
}

func minuteDraw(w *writer, r game.Rules) [][]Span {
	if r.DrawTiming == game.AfterPlay {
		return [][]Span{w.spans("rules.minute.draw.after_play")}
	}
	return [][]Span{w.spans("rules.minute.draw."+string(r.DrawFrom), "n", r.HandSize)}
}

func minuteScore(w *writer, r game.Rules) [][]Span {
	return [][]Span{
		w.spans("rules.scoring."+string(r.Scoring), "a", r.Stakes[0], "b", r.Stakes[1], "c", r.Stakes[2], "n", r.SweepScore),
		sayMatch(w, r),
	}
}

// totalPoints returns the points of a deal in which tricks count nothing.
func totalPoints(r game.Rules) int {
	total := r.LastTrick
	for _, c := range r.Pack() {
		total += r.CardPoints.Of(c.Rank())
	}
	return total
}

package view

import (
	"slices"

	"sedmabot/bot/screen"
	"sedmabot/game"
)

// Goal says what the seat of the view plays for in the rest of the deal, if that can be said in a line.
func Goal(w *Writer, v game.View) []screen.Span {
	to, own, more := goalOf(v)
	if to == noGoal {
		return nil
	}
	key, enough := "puzzle.goal."+string(to), to == oneTrick
	if enough {
		key = "puzzle.goal." + string(needMore)
	}
	if v.Rules.Players == 2 && to != mostOf {
		key += ".single"
	}
	spans := w.Spans(key, "own", w.Text("points", "n", own), "more", more, "best", w.Text("points", "n", more))
	if enough {
		spans = append(append(spans, screen.Span{Text: " "}), w.Spans("puzzle.goal.trick")...)
	}
	return spans
}

// A goal is what the solver's side plays for in the rest of the deal.
type goal string

// The goals.
const (
	noGoal   goal = ""
	needMore goal = "need"  // the side needs more points to win the deal
	oneTrick goal = "trick" // the same, and the open trick, which the side can win with the points so far, is enough
	takeAll  goal = "all"   // the side wins the deal; it wins more if the others get nothing
	getSome  goal = "some"  // the deal is lost, and costs less if the side gets something
	mostOf   goal = "most"  // three or more sides play: the one with the most points wins the deal, and that is open
)

// goalOf returns what the seat of the view plays for, and how many points its side has. more is how many more it needs for a
// goal of needMore or oneTrick, and what the best other side has for one of mostOf. Games that are scored in stakes have goals.
func goalOf(v game.View) (to goal, own, more int) {
	r := v.Rules
	if r.Scoring != game.ByStakes || r.Teams == game.SoloKing || r.TrickPoints > 0 || unsettled(v) {
		return noGoal, 0, 0
	}
	total, least := r.LastTrick, 0
	for _, c := range r.Pack() {
		n := r.CardPoints.Of(c.Rank())
		total += n
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	if least == 0 {
		return noGoal, 0, 0
	}
	if r.Sides() != 2 {
		left := total
		for side, n := range v.CardPoints {
			left -= n
			if side != r.Side(v.Seat) {
				more = max(more, n)
			}
		}
		order := slices.Sorted(slices.Values(v.CardPoints))
		if order[len(order)-1]-order[len(order)-2] > left { // nobody can catch up any more
			return noGoal, 0, 0
		}
		return mostOf, v.CardPoints[r.Side(v.Seat)], more
	}
	mine := r.Side(v.Seat)
	pot := 0
	for _, play := range v.Trick {
		pot += r.CardPoints.Of(play.Card.Rank())
	}
	own = v.CardPoints[mine]
	others := v.CardPoints[1-mine]
	need := total/2/least*least + least                       // more than half
	tie := r.Tie == game.TieLastTrick && total%(2*least) == 0 // half of the points and the last trick are enough
	switch {
	case own < need && (tie || total-others < need) && others < need:
		return noGoal, own, 0
	case others >= need && own == 0:
		return getSome, own, 0
	case others >= need:
		return noGoal, own, 0
	case own < need && own+pot >= need && winnable(v):
		return oneTrick, own, need - own
	case own < need:
		return needMore, own, need - own
	case others == 0:
		return takeAll, own, 0
	}
	return noGoal, own, 0
}

// unsettled reports whether something else than points can still decide the deal: four equal cards, or a seven as its last card.
func unsettled(v game.View) bool {
	r, left := v.Rules, map[game.Rank]int{} // cards that aren't in a finished trick
	for _, c := range r.Pack() {
		left[c.Rank()]++
	}
	gone := slices.Concat(v.Captured...)
	for _, t := range v.Tricks {
		for _, p := range t.Plays {
			gone = append(gone, p.Card)
		}
	}
	for _, c := range gone {
		left[c.Rank()]--
	}
	for rank, n := range left {
		if n > 3 && (r.Burn.Of(rank) > 0 || r.BurnedGame > 0 && v.Stock > 0) {
			return true
		}
	}
	return r.FinalSeven == game.SevenLoses && left['7'] > 0
}

// winnable reports whether the seat's side is winning the open trick, or the seat has a card that takes it over.
func winnable(v game.View) bool {
	return v.Rules.Side(v.Winner) == v.Rules.Side(v.Seat) || slices.ContainsFunc(v.Hand, func(c game.Card) bool {
		return c != 0 && v.Taking.Ranks.Has(c.Rank()) || v.Taking.Special && c == v.Rules.SpecialSeven
	})
}

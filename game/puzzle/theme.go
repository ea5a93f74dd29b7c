package puzzle

import "sedmabot/game"

// A Theme is what a puzzle is about.
type Theme string

// The themes.
const (
	Sevens  Theme = "sevens"  // whether to play a card that matches any rank
	Stop    Theme = "stop"    // whether to continue a trick
	Feed    Theme = "feed"    // whether a partner's trick needs help, and what to add to it
	Endgame Theme = "endgame" // the stock is empty
	Opening Theme = "lead"    // what to lead
	Taking  Theme = "take"    // whether to take a trick, and what to give away
)

// Theme returns what the puzzle's first choice is about: what distinguishes the best move from the second.
func (p *Puzzle) Theme() Theme {
	v, err := p.View()
	if err != nil {
		return ""
	}
	best, second := p.Choices[0].Move, p.Choices[1].Move
	wild := func(m game.Move) bool {
		c, isCard := m.Card()
		return isCard && (v.Rules.Wild.Has(c.Rank()) || c == v.Rules.SpecialSeven)
	}
	switch {
	case best == game.Stop || second == game.Stop:
		return Stop
	case v.Phase == game.Follow && partnerWins(v):
		return Feed
	case wild(best) != wild(second):
		return Sevens
	case v.Stock == 0:
		return Endgame
	case v.Phase == game.Lead:
		return Opening
	}
	return Taking
}

// partnerWins reports whether a partner of the seat is winning the trick.
func partnerWins(v game.View) bool {
	return v.Winner >= 0 && v.Winner != v.Seat && v.Rules.Side(v.Winner) == v.Rules.Side(v.Seat)
}

// A Goal is what the solver's side plays for in the rest of the deal.
type Goal string

// The goals.
const (
	NoGoal   Goal = ""
	NeedMore Goal = "need"  // the side needs more points to win the deal
	OneTrick Goal = "trick" // the same, and the points in the open trick are enough
	TakeAll  Goal = "all"   // the side wins the deal; it wins more if the others get nothing
	GetSome  Goal = "some"  // the deal is lost, and costs less if the side gets something
	MostOf   Goal = "most"  // three or more sides play: the one with the most points wins the deal
)

// GoalOf returns what the seat of the view plays for, and how many points its side has. more is how many more it needs for a
// goal of NeedMore or OneTrick, and what the best other side has for one of MostOf. Games that are scored in stakes have goals.
func GoalOf(v game.View) (goal Goal, own, more int) {
	r := v.Rules
	if !Fits(r) || r.Teams == game.SoloKing || r.TrickPoints > 0 {
		return NoGoal, 0, 0
	}
	if r.Sides() != 2 {
		for side, n := range v.CardPoints {
			if side != r.Side(v.Seat) {
				more = max(more, n)
			}
		}
		return MostOf, v.CardPoints[r.Side(v.Seat)], more
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
		return NoGoal, 0, 0
	}
	mine := r.Side(v.Seat)
	pot := 0
	for _, play := range v.Trick {
		pot += r.CardPoints.Of(play.Card.Rank())
	}
	own = v.CardPoints[mine]
	others := v.CardPoints[1-mine]
	need := total/2/least*least + least // more than half
	switch {
	case others >= need && own == 0:
		return GetSome, own, 0
	case others >= need:
		return NoGoal, own, 0
	case own < need && own+pot >= need:
		return OneTrick, own, need - own
	case own < need:
		return NeedMore, own, need - own
	case others == 0:
		return TakeAll, own, 0
	}
	return NoGoal, own, 0
}

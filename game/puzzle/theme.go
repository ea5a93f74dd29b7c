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

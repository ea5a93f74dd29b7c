package table

import (
	"slices"

	"sedmabot/game"
)

// Haul is the trick in which one card of a player took the most points.
type Haul struct {
	Seat   int       `json:"seat"`
	Card   game.Card `json:"card"` // the card that took the trick
	Points int       `json:"points"`
	Deal   int       `json:"deal"` // number of its deal in the match, from 1
}

// BestPlay returns the index of the card that is winning a trick, or the beginning of one. It is the winner's latest card
// that took over the trick, or the first card. winner may be -1 for the beginning of a trick, when the winner is unknown.
func BestPlay(r game.Rules, trick []game.Play, winner int) int {
	best := -1
	for i, play := range trick {
		if best < 0 || (winner < 0 || play.Seat == winner) && takes(r, trick[0].Card, trick[best].Card, play.Card) {
			best = i
		}
	}
	return best
}

// takes reports whether the rules let card c take over a trick from best (rules.md,
// section 1).
func takes(rules game.Rules, led, best, c game.Card) bool {
	rank := func(c game.Card) game.Rank {
		if c == rules.SpecialSeven {
			return '7'
		}
		return c.Rank()
	}
	lead, r := rank(led), rank(c)
	if rules.WildOrder == game.EightOverSeven && r == '7' && rank(best) == '8' {
		return lead == '7' && rules.SevenLedBeatsEight
	}
	return r == lead || rules.Wild.Has(r)
}

// hauls returns the hauls of a match after one more deal, in the order of seats. before are those of its earlier deals.
func hauls(r game.Rules, before []Haul, deal int, past Past) []Haul {
	after := slices.Clone(before)
	for i, trick := range past.Tricks {
		points := pointsOf(r, trick)
		if i == len(past.Tricks)-1 && past.Result.LastTrick >= 0 {
			points += r.LastTrick
		}
		play := BestPlay(r, trick.Plays, trick.Winner)
		if points == 0 || play < 0 || trick.Plays[play].Seat != trick.Winner {
			continue
		}
		new := Haul{Seat: trick.Winner, Card: trick.Plays[play].Card, Points: points, Deal: deal}
		switch at := slices.IndexFunc(after, func(h Haul) bool { return h.Seat == new.Seat }); {
		case at < 0:
			after = append(after, new)
		case new.Points > after[at].Points:
			after[at] = new
		}
	}
	slices.SortFunc(after, func(a, b Haul) int { return a.Seat - b.Seat })
	return after
}

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

// BestPlay returns the index of the card that is winning a trick, or the beginning of one: the latest card that took over
// from the one before, or the first card. It returns -1 without a card. winner is the seat that the card won for, or -1 if
// that isn't known. The very last card of a deal may be a seven that takes over nothing, which shows in the winner. A card
// that burns wins, even if it takes over nothing.
func BestPlay(r game.Rules, trick []game.Play, winner int) int {
	if burns(r, trick) {
		return len(trick) - 1
	}
	best, before := -1, -1
	for i, play := range trick {
		if best < 0 || takes(r, trick[0].Card, trick[best].Card, play.Card) {
			best, before = i, best
		}
	}
	if winner >= 0 && best == len(trick)-1 && before >= 0 && trick[best].Seat != winner {
		return before
	}
	return best
}

// burns reports whether the trick's last four cards burn.
func burns(r game.Rules, trick []game.Play) bool {
	n := len(trick)
	if n < 4 || n > 4 && r.BurnAlign != game.AnyRunning {
		return false
	}
	rank := trick[n-1].Card.Rank()
	return r.Burn.Of(rank) > 0 && !slices.ContainsFunc(trick[n-4:], func(p game.Play) bool { return p.Card.Rank() != rank })
}

// takes reports whether the rules let card c take over a trick from best (RULES.md,
// Taking over).
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
		points := TrickPoints(r, trick)
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

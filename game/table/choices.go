package table

import (
	"slices"

	"sedmabot/game"
)

// Choices counts how often a seat could choose between several moves, and how often the AI chose for its person.
type Choices struct {
	All int `json:"all"`
	AI  int `json:"ai,omitempty"`
}

// mostMissed is the share of their choices, as one of so many, that the AI may make for a person whose match counts in full.
const mostMissed = 5

// Missed reports whether the AI made more than a fifth of the seat's choices.
func (c Choices) Missed() bool { return mostMissed*c.AI > c.All }

// CountChoices adds the choices of a finished deal, by seat. auto are the indexes of the moves that the AI made for people.
func CountChoices(sum []Choices, rules game.Rules, deal game.State, auto []int) []Choices {
	sum = slices.Clone(sum)
	for len(sum) < rules.Players {
		sum = append(sum, Choices{})
	}
	s, err := game.Deal(rules, deal.Deck(), deal.Dealer())
	for i, e := range deal.View(game.Nobody).Log {
		if err != nil {
			break
		}
		if len(s.Legal()) > 1 {
			sum[e.Seat].All++
			if slices.Contains(auto, i) {
				sum[e.Seat].AI++
			}
		}
		s, err = game.Apply(s, e.Seat, e.Move)
	}
	return sum
}

package table

import (
	"errors"
	"slices"

	"sedmabot/game"
)

// Check returns an error if seats, deal or numbers don't fit the table's rules and phase. Every table from [Apply] or
// [Advance] passes. A stored table that was edited may not, and could make them panic.
func (t Table) Check() error {
	switch {
	case len(t.Seats) == 0 || len(t.Seats) != t.Rules.Players:
		return errors.New("the table has not the seats of its game")
	case !slices.Contains([]Phase{Lobby, Playing, Pause, Over, Closed}, t.Phase):
		return errors.New("the table is in no known phase")
	case len(t.Chats) == 0 && !t.Policy.Private:
		return errors.New("the table has no chat")
	case t.Phase == Playing && (!t.hasDeal() || t.Deal.Over()):
		return errors.New("the table is at play without a running deal")
	case t.hasDeal() && t.Deal.Rules().Players != len(t.Seats):
		return errors.New("the table has the deal of another game")
	}
	if t.hasDeal() || t.Phase == Pause || t.Phase == Over {
		if !fits(t.Match, len(t.Seats)) {
			return errors.New("the match has not the scores of its game")
		}
		for _, past := range t.Past {
			if !past.fits(t.Match) {
				return errors.New("a finished deal has not the numbers of its game")
			}
		}
	}
	if t.Last != nil && !t.Last.fits() {
		return errors.New("the last match has not the numbers of its game")
	}
	return nil
}

// fits reports whether a match with that many seats has valid scores and seat numbers.
func fits(m game.Match, seats int) bool {
	r := m.Rules
	return r.Players == seats && seats > 0 && len(m.Scores) == r.Sides() &&
		below(seats, []int{m.Dealer, m.Home}) && m.Winner >= game.Nobody && m.Winner < len(m.Scores)
}

// fits reports whether a past deal has a number for each side, and no seat number out of range.
func (p Past) fits(m game.Match) bool {
	sides, seats := len(p.Score.Sides), m.Rules.Players
	for _, side := range p.Score.Sides {
		if !below(seats, side) {
			return false
		}
	}
	if slices.ContainsFunc(p.Tricks, func(t game.Trick) bool { return !seated(t, seats) }) {
		return false
	}
	r := p.Result
	return sides > 0 && below(seats, []int{r.Dealer, r.Leader}) && below(seats+1, []int{r.Solo + 1}) &&
		below(sides+1, []int{r.LastTrick + 1, r.LastCardSide + 1, r.Burner + 1}) && len(p.Score.Points) == sides && len(r.CardPoints) == sides && len(r.TricksWon) == sides && len(r.RoundsWon) == sides &&
		len(p.Totals) == len(m.Scores) && len(p.Score.ScoreDelta) == len(m.Scores) && len(p.Score.Payments) == seats &&
		below(sides, p.Score.Winners) && below(seats, []int{p.Score.NextDealer, p.Score.NextLeader})
}

// fits reports whether the outcome has the numbers of its match.
func (o Outcome) fits() bool {
	seats := len(o.Seats)
	if !fits(o.Match, seats) || !below(seats, o.Winners) || o.Decisive != nil && !seated(o.Decisive.Trick, seats) {
		return false
	}
	for _, past := range []*Past{o.Single, o.Final} {
		if past != nil && !past.fits(o.Match) {
			return false
		}
	}
	return len(o.Curve) == 0 || len(o.Curve) == len(o.Match.Scores) &&
		!slices.ContainsFunc(o.Curve, func(scores []int) bool { return len(scores) != len(o.Curve[0]) })
}

// seated reports whether a trick has only seats that there are.
func seated(t game.Trick, seats int) bool {
	return below(seats, []int{t.Leader, t.Winner}) && !slices.ContainsFunc(t.Plays, func(p game.Play) bool { return !below(seats, []int{p.Seat}) })
}

// below reports whether all numbers are valid indexes of a list of length n.
func below(n int, numbers []int) bool {
	return !slices.ContainsFunc(numbers, func(i int) bool { return i < 0 || i >= n })
}

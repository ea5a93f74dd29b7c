// Package eyes plays Sedma for two or four with what a player was told in words, and with nothing else. A test uses it to show that
// what a screen reader says on the page is enough.
package eyes

import "slices"

// Card is a card in words.
type Card struct{ Rank, Suit string }

// Points are what the card is worth.
func (c Card) Points() int {
	if c.Rank == "ace" || c.Rank == "10" {
		return 10
	}
	return 0
}

// Trick is an open trick.
type Trick struct {
	Players int    // 2, or 4 with the partners opposite each other
	Cards   []Card // in the order of play
}

// Points are what the trick is worth so far.
func (t Trick) Points() (points int) {
	for _, c := range t.Cards {
		points += c.Points()
	}
	return points
}

// takes reports whether a card, played now, takes the trick.
func (t Trick) takes(c Card) bool {
	return len(t.Cards) > 0 && (c.Rank == t.Cards[0].Rank || c.Rank == "7")
}

// mine reports whether the side of the player whose turn it is is winning the trick: every other card is theirs.
func (t Trick) mine() bool {
	winning := 0
	for i, c := range t.Cards {
		if t.takes(c) {
			winning = i
		}
	}
	return winning%2 == len(t.Cards)%2
}

// Decides reports whether the leader of the trick now stops or continues.
func (t Trick) Decides() bool { return len(t.Cards) > 0 && len(t.Cards)%t.Players == 0 }

// Choose returns the place in the hand of the card that a player plays next; -1: the player stops. An empty place of the hand
// has no card.
func Choose(hand []Card, t Trick) int {
	best, most := -1, -1000
	if t.Decides() {
		if most = 10; !t.mine() {
			most = -t.Points()
		}
	}
	for i, c := range hand {
		if c == (Card{}) || t.Decides() && !t.takes(c) {
			continue
		}
		if score := t.score(c, hand); score > most {
			best, most = i, score
		}
	}
	return best
}

// score rates a card. Only comparisons count.
func (t Trick) score(c Card, hand []Card) int {
	same := len(slices.DeleteFunc(slices.Clone(hand), func(o Card) bool { return o.Rank != c.Rank }))
	keep := same - 1 // a rank that is held twice can continue a trick
	if c.Rank == "7" {
		keep += 12
	}
	switch {
	case len(t.Cards) == 0:
		return 3*same - 2*c.Points() - 2*keep
	case t.Decides() && t.mine():
		return 9 - keep - c.Points()
	case t.Decides():
		return t.Points() - keep - c.Points()/2
	case t.mine() && t.takes(c):
		return 2*c.Points() - keep - 8
	case t.mine():
		return 2*c.Points() - keep
	case t.takes(c):
		return 3 + t.Points() + c.Points() - keep
	}
	return -2*c.Points() - keep
}

package game

import (
	"errors"
	"fmt"
	"slices"
)

// ErrDraw reports cards that are not a valid draw for partners.
var ErrDraw = errors.New("draw refused")

// A TeamsDrawn is the outcome of the draw for partners (RULES.md, Draw for partners).
type TeamsDrawn struct {
	Redraw []int  // players who must draw again; if there are any, the other fields are empty
	Low    [2]int // partners: the players with the two lowest cards, in the order of players
	High   [2]int // partners: the players with the two highest cards, in the order of players
	Dealer int    // the player with the lowest card
	Seats  [4]int // the seat of each player; the dealer has seat 0
}

// TeamDraw evaluates the draw for partners. It takes the four players' cards, and for each redraw the new cards by
// player.
func TeamDraw(cards [4]Card, again ...map[int]Card) (TeamsDrawn, error) {
	var keys [4][]int // by player: heights of the ranks drawn, first draw first
	for p, c := range cards {
		if c == 0 {
			return TeamsDrawn{}, fmt.Errorf("%w: player %d has no card", ErrDraw, p)
		}
		keys[p] = []int{c.Rank().Height()}
	}
	order, redraw := drawOrder(&keys)
	for i, drawn := range again {
		if len(drawn) != len(redraw) || len(redraw) == 0 {
			return TeamsDrawn{}, fmt.Errorf("%w: draw %d is for players %v", ErrDraw, i+2, redraw)
		}
		for _, p := range redraw {
			if drawn[p] == 0 {
				return TeamsDrawn{}, fmt.Errorf("%w: draw %d is for players %v", ErrDraw, i+2, redraw)
			}
			keys[p] = append(keys[p], drawn[p].Rank().Height())
		}
		order, redraw = drawOrder(&keys)
	}
	if len(redraw) > 0 {
		return TeamsDrawn{Redraw: redraw}, nil
	}
	t := TeamsDrawn{Low: [2]int{order[0], order[1]}, High: [2]int{order[2], order[3]}, Dealer: order[0]}
	for seat, i := range [4]int{0, 2, 1, 3} {
		t.Seats[order[i]] = seat
	}
	slices.Sort(t.Low[:])
	slices.Sort(t.High[:])
	return t, nil
}

// drawOrder returns the players from the lowest to the highest. If equal ranks leave the partners undecided, it also
// returns who must draw again.
func drawOrder(keys *[4][]int) (order [4]int, redraw []int) {
	order = [4]int{0, 1, 2, 3}
	slices.SortStableFunc(order[:], func(p, q int) int { return slices.Compare(keys[p], keys[q]) })
	same := func(i, j int) bool { return slices.Equal(keys[order[i]], keys[order[j]]) }
	if !same(0, 1) && !same(1, 2) {
		return order, nil
	}
	for i := range order {
		if same(i, 1) {
			redraw = append(redraw, order[i])
		}
	}
	slices.Sort(redraw)
	return order, redraw
}

package arena

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sedmabot/game"
)

// An action is a move as everybody saw it.
type action struct {
	seat int // game.Nobody if the request has no seat
	move game.Move
	card game.Card // card that was played, even in the dark
}

// UnmarshalText reads "2:9a", "2:dark:Kh", "2:stop" or "2:pass". The seat may be left out.
func (a *action) UnmarshalText(b []byte) error {
	text := string(b)
	a.seat = game.Nobody
	if len(text) > 1 && text[1] == ':' && '0' <= text[0] && text[0] <= '9' {
		a.seat, text = int(text[0]-'0'), text[2:]
	}
	var err error
	if card, ok := strings.CutPrefix(text, "dark:"); ok {
		a.move = game.Dark
		a.card, err = game.ParseCard(card)
		return err
	}
	if a.move, err = game.ParseMove(text); err != nil {
		return err
	}
	if a.move == game.Dark {
		return errors.New("the card that came from the dark is missing")
	}
	if c, ok := a.move.Card(); ok {
		a.card = c
	}
	return nil
}

// MarshalText returns the text that UnmarshalText reads.
func (a action) MarshalText() ([]byte, error) {
	b := []byte{byte('0' + a.seat), ':'}
	if a.move == game.Dark {
		return fmt.Appendf(b, "dark:%s", a.card), nil
	}
	return append(b, a.move.String()...), nil
}

// state returns a deal that looks to the seat as the request says, and the match. The cards that the seat can't know
// are arbitrary.
func (r *request) state() (game.State, game.Match, error) {
	rules, err := game.ParseRules(r.Rules)
	if err != nil {
		return game.State{}, game.Match{}, err
	}
	m := game.NewMatch(rules, 0)
	switch {
	case r.Dealer < 0 || r.Dealer >= rules.Players || r.Seat < 0 || r.Seat >= rules.Players:
		return game.State{}, m, fmt.Errorf("dealer %d, seat %d: %w", r.Dealer, r.Seat, game.ErrSeat)
	case len(r.Scores) != 0 && len(r.Scores) != len(m.Scores):
		return game.State{}, m, fmt.Errorf("scores for %d sides, not for %d", len(m.Scores), len(r.Scores))
	case len(r.Scores) != 0:
		m.Scores = r.Scores
	}
	m.Dealer, m.Pool, m.Abeyance, m.Deals = r.Dealer, r.Pool, r.Abeyance, r.Hands
	g := &guess{rules: rules, dealer: r.Dealer, seat: r.Seat, hand: r.Hand, actions: r.Actions, deck: rules.Pack()}
	s, err := g.find()
	return s, m, err
}

// errNoDeal reports that the actions and the hand don't fit together.
var errNoDeal = errors.New("the actions and the hand do not go together by the rules")

// guess searches for a deck with which the deal would have gone as the request says. It begins with an arbitrary deck
// and swaps cards that nobody has seen yet.
type guess struct {
	rules   game.Rules
	dealer  int
	seat    int
	hand    []game.Card
	actions []action

	deck   []game.Card
	fixed  []bool // by place in the deck: the card is known
	where  int    // number of actions that worked in the best attempt
	gaps   bool   // forced stops may be missing
	budget int
}

func (g *guess) find() (game.State, error) {
	for turn := range 80 { // with burned games, a deck may end the deal too early, so try others
		g.gaps = turn >= 40 // first try as if no stop was left out
		g.fixed, g.budget, g.where = make([]bool, len(g.deck)), 5000, 0
		s, err := game.Deal(g.rules, g.deck, g.dealer)
		if err != nil {
			return game.State{}, err
		}
		if s, ok := g.from(s, nil, 0); ok {
			return s, nil
		}
		for i := len(g.deck) - 1; i > 0; i-- {
			j := (i*7919 + turn*104729) % (i + 1)
			g.deck[i], g.deck[j] = g.deck[j], g.deck[i]
		}
	}
	if g.where < len(g.actions) {
		text, _ := g.actions[g.where].MarshalText() // MarshalText never fails for a valid action
		return game.State{}, fmt.Errorf("%w, from action %d, %s", errNoDeal, g.where+1, text)
	}
	return game.State{}, errNoDeal
}

// from continues with the i-th action, in the state after these moves.
func (g *guess) from(s game.State, moves []game.Move, i int) (game.State, bool) {
	if g.budget--; g.budget < 0 || s.Over() {
		return s, false
	}
	g.where = max(g.where, i)
	if i == len(g.actions) {
		if s.Turn() == g.seat {
			if end, ok := g.end(s, moves); ok {
				return end, true
			}
		}
		return g.stop(s, moves, i)
	}
	a := g.actions[i]
	if a.seat == game.Nobody || a.seat == s.Turn() {
		deck, fixed := slices.Clone(g.deck), slices.Clone(g.fixed)
		if next, ok := g.make(s, moves, a); ok {
			if end, ok := g.from(next, append(moves[:len(moves):len(moves)], a.move), i+1); ok {
				return end, true
			}
		}
		g.deck, g.fixed = deck, fixed
	}
	return g.stop(s, moves, i)
}

// stop tries a forced stop that the request left out.
func (g *guess) stop(s game.State, moves []game.Move, i int) (game.State, bool) {
	if !g.gaps || s.Phase() != game.Decide {
		return s, false
	}
	next, err := game.Apply(s, s.Turn(), game.Stop)
	if err != nil {
		return s, false
	}
	return g.from(next, append(moves[:len(moves):len(moves)], game.Stop), i)
}

// make makes the action's move and changes the deck if necessary.
func (g *guess) make(s game.State, moves []game.Move, a action) (game.State, bool) {
	if a.card != 0 {
		at := len(g.deck) - s.View(game.Nobody).Stock // top of the stock
		if a.move != game.Dark {
			at = g.place(s, moves, a.card)
		}
		if at < 0 || at >= len(g.deck) || !g.put(a.card, at) {
			return s, false
		}
	}
	s, err := game.Replay(g.rules, g.deck, g.dealer, moves)
	if err == nil {
		s, err = game.Apply(s, s.Turn(), a.move)
	}
	return s, err == nil
}

// place returns where in the deck to put the card, so that it is in the hand of the seat whose turn it is; or -1. It
// prefers a place that already has the card.
func (g *guess) place(s game.State, moves []game.Move, c game.Card) int {
	hand, seat := s.Hand(s.Turn()), s.Turn()
	for _, same := range []bool{true, false} {
		for i, d := range g.deck {
			if !g.fixed[i] && (d == c) == same && slices.Contains(hand, d) && g.in(hand, moves, seat, i) {
				return i
			}
		}
	}
	return -1
}

// places returns which unknown places of the deck make up the seat's hand.
func (g *guess) places(s game.State, moves []game.Move, seat int) (places []int) {
	hand := s.Hand(seat)
	for i, c := range g.deck {
		if !g.fixed[i] && slices.Contains(hand, c) && g.in(hand, moves, seat, i) {
			places = append(places, i)
		}
	}
	return places
}

// in reports whether the card at that place of the deck is the one in the hand, and not its twin. To find out, it swaps
// the card and looks whether the hand changes.
func (g *guess) in(hand []game.Card, moves []game.Move, seat, at int) bool {
	if g.rules.Deck != game.French104 {
		return true
	}
	for j, d := range g.deck {
		if g.fixed[j] || slices.Contains(hand, d) {
			continue
		}
		g.deck[j], g.deck[at] = g.deck[at], d
		s, err := game.Replay(g.rules, g.deck, g.dealer, moves)
		g.deck[j], g.deck[at] = d, g.deck[j]
		return err == nil && slices.Contains(s.Hand(seat), d)
	}
	return true
}

// put swaps the card into that place of the deck.
func (g *guess) put(c game.Card, at int) bool {
	if g.fixed[at] {
		return false
	}
	if g.deck[at] == c {
		g.fixed[at] = true
		return true
	}
	for i, d := range g.deck {
		if d == c && !g.fixed[i] {
			g.deck[i], g.deck[at] = g.deck[at], g.deck[i]
			g.fixed[at] = true
			return true
		}
	}
	return false
}

// end gives the seat the hand from the request.
func (g *guess) end(s game.State, moves []game.Move) (game.State, bool) {
	held := slices.DeleteFunc(s.Hand(g.seat), func(c game.Card) bool { return c == 0 })
	if len(held) != len(g.hand) {
		return s, false
	}
	left := slices.Clone(g.hand)
	slices.Sort(held)
	slices.Sort(left)
	if slices.Equal(held, left) && s.Turn() == g.seat && !s.Forced() {
		return s, true
	}
	deck, fixed := slices.Clone(g.deck), slices.Clone(g.fixed)
	places := g.places(s, moves, g.seat)
	if len(places) != len(g.hand) {
		return s, false
	}
	for _, at := range slices.Clone(places) { // cards that are already right stay
		if i := slices.Index(left, g.deck[at]); i >= 0 {
			g.fixed[at] = true
			left = slices.Delete(left, i, i+1)
			places = slices.DeleteFunc(places, func(p int) bool { return p == at })
		}
	}
	for i, at := range places {
		if !g.put(left[i], at) {
			g.deck, g.fixed = deck, fixed
			return s, false
		}
	}
	s, err := game.Replay(g.rules, g.deck, g.dealer, moves)
	if err != nil || s.Turn() != g.seat || s.Forced() { // nobody is asked about a forced stop
		g.deck, g.fixed = deck, fixed
		return s, false
	}
	return s, true
}

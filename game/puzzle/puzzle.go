// Package puzzle finds and keeps positions that have one clearly best choice. The solver sees what the player of that
// seat saw, and nothing else.
//
// A [Puzzle] comes from a deal in a game scored in stakes. A [Search] accepts a choice of the deal if one move is better
// than all others by at least half a stake in 20,000 worlds, if the AI at hard finds it, and if it is still better by a
// tenth in 100,000 other worlds. Positions in which the AI finds the move at easy are too obvious. Cards that play alike
// are one choice.
//
// The hidden cards of a puzzle are shuffled again. So a stored puzzle says nothing about the hands of the match that it
// comes from, beyond what the solver may know.
//
// The file puzzles.jsonl has the puzzles that come with the program, one JSON object a line. They are from self-play at
// hard:
//
//	sedmabot puzzles --n 200 --seed 1 --out game/puzzle/puzzles.jsonl
//
// To solve all of them again, run
//
//	go test ./game/puzzle -run TestEmbedded -long
package puzzle

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sedmabot/game"
)

// A Puzzle is a position in a deal, and its solution.
type Puzzle struct {
	Rules   game.Rules  `json:"rules"`
	Dealer  int         `json:"dealer"`
	Deck    game.Cards  `json:"deck"`    // its hidden cards are in random order
	Moves   []game.Move `json:"moves"`   // the moves so far
	Choices []Choice    `json:"choices"` // best first
}

// A Choice is a move, and the stakes that the seat's side is expected to gain with it over the others.
type Choice struct {
	Move  game.Move `json:"move"`
	Score float64   `json:"score"`
}

//go:embed puzzles.jsonl
var embedded string

// Embedded returns the puzzles that come with the program.
func Embedded() ([]Puzzle, error) {
	var all []Puzzle
	for line := range strings.Lines(embedded) {
		var p Puzzle
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			return nil, fmt.Errorf("puzzle %d: %w", len(all)+1, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// UnmarshalJSON reads a puzzle. It refuses one whose position can't be reached, or whose choices aren't moves there.
func (p *Puzzle) UnmarshalJSON(b []byte) error {
	type plain Puzzle
	var read plain
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	*p = Puzzle(read)
	v, err := p.View()
	if err != nil {
		return fmt.Errorf("puzzle refused: %w", err)
	}
	if len(p.Choices) < 2 || slices.ContainsFunc(p.Choices, func(c Choice) bool { return !slices.Contains(v.Legal, c.Move) }) {
		return errors.New("puzzle refused: its choices aren't moves of the position")
	}
	return nil
}

// View returns what the solver may know of the position.
func (p *Puzzle) View() (game.View, error) {
	s, err := game.Replay(p.Rules, []game.Card(p.Deck), p.Dealer, p.Moves)
	if err != nil {
		return game.View{}, err
	}
	if s.Over() {
		return game.View{}, errors.New("the deal is over")
	}
	return s.View(s.Turn()), nil
}

// ID returns a short name that follows from what the solver knows. The same position has the same name, however its
// hidden cards are arranged.
func (p *Puzzle) ID() string {
	v, err := p.View()
	if err != nil {
		return ""
	}
	hand := slices.Clone(v.Hand)
	slices.Sort(hand)
	rules, _ := p.Rules.MarshalJSON() // it never fails
	sum := sha256.Sum256(fmt.Appendf(rules, "|%d|%v|%v", p.Dealer, p.Moves, hand))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:10])
}

// rearranged returns the deck of the state. The cards that the view doesn't show are in random order.
func rearranged(s game.State, v game.View, seed [32]byte) (game.Cards, error) {
	deck := s.Deck()
	known := map[game.Card]int{}
	for _, c := range v.Hand {
		known[c]++
	}
	for _, e := range v.Log {
		known[e.Card]++
	}
	var places []int
	var hidden []game.Card
	for i, c := range deck {
		if known[c] > 0 {
			known[c]--
			continue
		}
		places, hidden = append(places, i), append(hidden, c)
	}
	for range 100 {
		for i, c := range game.Shuffle(hidden, seed) {
			deck[places[i]] = c
		}
		t, err := game.Replay(v.Rules, deck, v.Dealer, s.Moves())
		if err == nil && same(t.View(v.Seat), v) {
			return game.Cards(deck), nil
		}
		seed = sha256.Sum256(seed[:])
	}
	return "", errors.New("no other arrangement of the hidden cards fits")
}

// same reports whether two views of a deal show the same.
func same(a, b game.View) bool {
	return a.Turn == b.Turn && a.Phase == b.Phase && slices.Equal(a.Hand, b.Hand) && slices.Equal(a.Legal, b.Legal) && slices.Equal(a.Log, b.Log)
}

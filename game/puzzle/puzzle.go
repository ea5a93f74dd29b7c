// Package puzzle finds and keeps positions that have one clearly best choice. The solver sees what the player of that
// seat saw, and nothing else.
//
// A [Puzzle] comes from a deal in a game scored in stakes. Only a choice of the deal is accepted that is clear
// whoever solves it: one move is better than all others by at least half a stake in every way of solving the position.
// There are four (see [ai.Way]): with the hidden cards weighed by what the others did, in 10,000 worlds; with all worlds
// equal; with careless players, who make every third move at random; and, where the stock is empty, with open cards and
// perfect play. It must also be the best where everybody thinks at each move (see [ai.Reconsider]). The AI must find it at
// hard, and at least a fifth of easy players (ai.Beginner) must miss it. Cards that play alike are one choice.
//
// A puzzle goes on: the others answer as at hard, and while the solver's next choice is clear, too, it is asked. The
// embedded puzzles have two to four choices, and the reason for each answer is a fact about the cards (see [ai.Reason]).
// Where the stock is empty, the expected results are those of open cards: an estimate could promise what the line of play
// beside it doesn't keep. How many worlds an easy player must imagine to find the first choice says how difficult the puzzle
// is.
//
// The hidden cards of a puzzle are shuffled again. So a stored puzzle says nothing about the hands of the match that it
// comes from, beyond what the solver may know.
//
// The file puzzles.jsonl has the puzzles that come with the program, one JSON object a line. They are from self-play at
// medium, whose players err as people do:
//
//	sedmabot puzzles --n 78 --seed 1 >game/puzzle/puzzles.jsonl
//	sedmabot puzzles --n 2 --seed 2 --theme feed --rules sedma-4p >>game/puzzle/puzzles.jsonl
//
// Few positions about feeding the partner are clear, so those are looked for separately. Some that were made before thinking
// players had a say gave their places to new ones: one from seed 4 of sedma-2p, and four from seed 7.
//
// The lessons are in lessons.jsonl: the last tricks of deals of four, each about one theme that decides the deal (see
// [Lessons]). The sentence of a lesson is true of its first choice, and a player who makes no mistake wins. They are played to the end.
// Those about sevens and feeding are from the first of these seeds, the others from the second:
//
//	sedmabot puzzles --lessons --seed 1
//	sedmabot puzzles --lessons --seed 2
//
// To solve all puzzles again, run
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
	Deck    game.Cards  `json:"deck"`            // its hidden cards are in random order
	Moves   []game.Move `json:"moves"`           // the moves so far
	Choices []Choice    `json:"choices"`         // best first
	Needs   int         `json:"needs,omitempty"` // how many worlds an easy player must imagine to find the best; 0: not known
	Then    []Step      `json:"then,omitempty"`  // the solver's next choices, after the best one each
	Line    []game.Move `json:"line,omitempty"`  // how play goes on after the last choice, to the end of the deal
}

// A Step is a later choice of a puzzle's solver.
type Step struct {
	Moves   []game.Move `json:"moves,omitempty"` // what the others answered, and the solver's moves that had no alternative
	Choices []Choice    `json:"choices"`         // best first
}

// A Choice is a move, and the stakes that the seat's side is expected to gain with it over the others.
type Choice struct {
	Move  game.Move `json:"move"`
	Score float64   `json:"score"`
}

//go:embed puzzles.jsonl
var embedded string

// Embedded returns the puzzles that come with the program.
func Embedded() ([]Puzzle, error) { return read(embedded) }

// read reads puzzles, one a line.
func read(lines string) ([]Puzzle, error) {
	var all []Puzzle
	for line := range strings.Lines(lines) {
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
	for i := range len(p.Then) + 1 {
		if i > 0 {
			if v, err = p.At(i); err != nil {
				return fmt.Errorf("puzzle refused: %w", err)
			}
		}
		choices := p.ChoicesAt(i)
		if len(choices) < 2 || slices.ContainsFunc(choices, func(c Choice) bool { return !slices.Contains(v.Legal, c.Move) }) {
			return errors.New("puzzle refused: its choices aren't moves of the position")
		}
	}
	return nil
}

// View returns what the solver may know of the position.
func (p *Puzzle) View() (game.View, error) { return p.At(0) }

// At returns what the solver may know at a choice, after the best moves before it. The first choice is 0.
func (p *Puzzle) At(choice int) (game.View, error) {
	s, err := p.state(choice)
	if err != nil {
		return game.View{}, err
	}
	if s.Over() {
		return game.View{}, errors.New("the deal is over")
	}
	return s.View(s.Turn()), nil
}

// State returns the deal at the puzzle's first choice.
func (p *Puzzle) State() (game.State, error) { return p.state(0) }

// state returns the deal at a choice.
func (p *Puzzle) state(choice int) (game.State, error) {
	if choice > len(p.Then) {
		return game.State{}, errors.New("the puzzle has fewer choices")
	}
	moves := slices.Clone(p.Moves)
	for i := range choice {
		moves = append(append(moves, p.ChoicesAt(i)[0].Move), p.Then[i].Moves...)
	}
	return game.Replay(p.Rules, []game.Card(p.Deck), p.Dealer, moves)
}

// ChoicesAt returns the moves of a choice, best first. The first choice is 0.
func (p *Puzzle) ChoicesAt(choice int) []Choice {
	if choice == 0 {
		return p.Choices
	}
	return p.Then[choice-1].Choices
}

// After returns the deal at the end of the puzzle's line of play: after the best moves, and the line.
func (p *Puzzle) After() (game.State, error) {
	last := len(p.Then)
	s, err := p.state(last)
	for _, m := range append([]game.Move{p.ChoicesAt(last)[0].Move}, p.Line...) {
		if err == nil {
			s, err = game.Apply(s, s.Turn(), m)
		}
	}
	return s, err
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

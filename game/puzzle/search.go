package puzzle

import (
	"cmp"
	"context"
	"math"
	"slices"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// Limits of a puzzle: by how many stakes the best choice leads the second, and in how many worlds.
const (
	Worlds      = 20_000
	Lead        = 0.5
	AgainWorlds = 100_000
	AgainLead   = 0.1
)

// A search is done in parts of partWorlds, each of which takes a few milliseconds. Most positions are rejected after the
// first part, or after the first few.
const (
	partWorlds = 500
	parts      = Worlds / partWorlds
	allParts   = parts + AgainWorlds/partWorlds
	fewParts   = 4
	firstLead  = 0.3
	fewLead    = 0.45
)

// A Search decides whether a position is a puzzle, in short parts. It can be stored between them. The zero Search has
// not begun.
type Search struct {
	Parts int       `json:"parts,omitempty"` // number of finished parts
	Sums  []float64 `json:"sums,omitempty"`  // for each legal move: the sum of its scores in the first Worlds worlds
	Again []float64 `json:"again,omitempty"` // the same in the next AgainWorlds worlds
}

// Fits reports whether puzzles can come from a game with these rules.
func Fits(r game.Rules) bool { return r.Scoring == game.ByStakes }

// Step does the next part of the search. It returns true when the search is over, because it has accepted or rejected
// the position. The seat of the view must have the turn.
func (q *Search) Step(ctx context.Context, v game.View) (over bool, err error) {
	if len(v.Legal) < 2 || !Fits(v.Rules) {
		return true, nil
	}
	choices, err := ai.Part(ctx, v, game.Match{}, partWorlds, q.Parts)
	if err != nil {
		return false, err
	}
	sums := &q.Sums
	if q.Parts >= parts {
		sums = &q.Again
	}
	if len(*sums) != len(v.Legal) {
		*sums = make([]float64, len(v.Legal))
	}
	for i, c := range choices {
		(*sums)[i] += c.Score
	}
	q.Parts++
	switch lead := lead(q.first(v)); q.Parts {
	case 1:
		return lead < firstLead, nil
	case fewParts:
		return lead < fewLead || q.obvious(ctx, v), nil
	case parts:
		return lead < Lead || q.surprising(ctx, v), ctx.Err()
	default:
		return q.Parts >= allParts, nil
	}
}

// obvious reports whether the AI finds the best move even at easy.
func (q *Search) obvious(ctx context.Context, v game.View) bool {
	return Alike(v.Rules, q.first(v)[0].Move, ai.Choose(ctx, ai.Levels[0], v, game.Match{}).Move)
}

// surprising reports whether the AI chooses another move at hard.
func (q *Search) surprising(ctx context.Context, v game.View) bool {
	return !Alike(v.Rules, q.first(v)[0].Move, ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move)
}

// first returns the choices as they were in the first Worlds, best first.
func (q *Search) first(v game.View) []Choice { return distinct(v, q.Sums, min(q.Parts, parts)) }

// Found returns the choices of the position, best first, as they were in the last AgainWorlds. It returns false if the
// search has rejected the position.
func (q *Search) Found(v game.View) ([]Choice, bool) {
	if q.Parts < allParts {
		return nil, false
	}
	again := distinct(v, q.Again, allParts-parts)
	if lead(again) < AgainLead || again[0].Move != q.first(v)[0].Move {
		return nil, false
	}
	for i := range again {
		again[i].Score = math.Round(again[i].Score*100) / 100
	}
	return again, true
}

// distinct returns the choices with their mean scores, best first. It keeps the lowest of cards that play alike.
func distinct(v game.View, sums []float64, parts int) []Choice {
	var choices []Choice
	for i, m := range v.Legal {
		choices = append(choices, Choice{Move: m, Score: sums[i] / float64(parts)})
	}
	slices.SortFunc(choices, func(a, b Choice) int { return cmp.Compare(a.Move, b.Move) })
	kept := choices[:0]
	for _, c := range choices {
		if !slices.ContainsFunc(kept, func(k Choice) bool { return Alike(v.Rules, k.Move, c.Move) }) {
			kept = append(kept, c)
		}
	}
	slices.SortStableFunc(kept, func(a, b Choice) int { return cmp.Compare(b.Score, a.Score) })
	return kept
}

// Alike reports whether two moves play alike: they are cards of one rank, and neither is a special seven.
func Alike(r game.Rules, a, b game.Move) bool {
	x, isCard := a.Card()
	y, areCards := b.Card()
	return a == b || isCard && areCards && x.Rank() == y.Rank() && (r.SpecialSeven == 0 || x != r.SpecialSeven && y != r.SpecialSeven)
}

// lead returns by how much the first choice is better than the second; 0 if there is only one.
func lead(choices []Choice) float64 {
	if len(choices) < 2 {
		return 0
	}
	return choices[0].Score - choices[1].Score
}

// Puzzle returns the puzzle at the state that the search was about. It returns false if the search has rejected it. The
// random seed rearranges the hidden cards.
func (q *Search) Puzzle(s game.State, seed [32]byte) (Puzzle, bool, error) {
	v := s.View(s.Turn())
	choices, ok := q.Found(v)
	if !ok {
		return Puzzle{}, false, nil
	}
	deck, err := rearranged(s, v, seed)
	if err != nil {
		return Puzzle{}, false, err
	}
	return Puzzle{Rules: v.Rules, Dealer: v.Dealer, Deck: deck, Moves: s.Moves(), Choices: choices}, true, nil
}

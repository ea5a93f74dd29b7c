package puzzle

import (
	"cmp"
	"context"
	"math"
	"slices"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// Limits of a puzzle: by how many stakes the best choice leads the second in every way of solving it, in how many worlds,
// and how many of the easy players who try it must go wrong.
const (
	Worlds  = 10_000
	Lead    = 0.5
	Players = 20
	Wrong   = Players / 5
)

// MaxSteps is the largest number of choices that a solver makes in one puzzle. Those after the first lead by StepLead.
const (
	MaxSteps   = 4
	StepLead   = 0.2
	stepWorlds = 3000
)

// MaxNeeds is the largest Puzzle.Needs: easy players don't find the answer however long they think. leastNeeds is the smallest.
const (
	MaxNeeds   = 768
	leastNeeds = 12
)

// A search rejects most positions after its first part, or after the first few.
const (
	partWorlds  = 500
	parts       = Worlds / partWorlds
	exactWorlds = 10 // worlds of a part in which all hands are open
	fewParts    = 4
	firstLead   = 0.3
	fewLead     = 0.45
)

// Thinking players have the last word: in so many deals in which everybody thinks at each move, the best choice must lead by
// thoughtLead. Their own mistakes level out most of a lead.
const (
	thoughtDeals = 200
	thoughtLead  = 0.15
)

// Fits reports whether puzzles can come from a game with these rules.
func Fits(r game.Rules) bool { return r.Scoring == game.ByStakes }

// search returns the choices of the view, whose seat has the turn, best first, if one is so clearly the best that the position
// can be a puzzle. Otherwise it returns none.
func search(ctx context.Context, v game.View) ([]Choice, error) {
	if len(v.Legal) < 2 || !Fits(v.Rules) {
		return nil, nil
	}
	var first, found []Choice
	for no, way := range ai.Ways(v) {
		sums, worlds := make([]float64, len(v.Legal)), partWorlds
		if way == ai.Exact {
			worlds = exactWorlds
		}
		for part := range parts {
			choices, err := ai.Solve(ctx, v, way, worlds, no*parts+part)
			if err != nil {
				return nil, err
			}
			for i, c := range choices {
				sums[i] += c.Score
			}
			found = distinct(v, sums, part+1)
			if no == 0 && (part == 0 && lead(found) < firstLead ||
				part+1 == fewParts && (lead(found) < fewLead || wrong(ctx, v, found[0].Move, 0) < Wrong)) {
				return nil, ctx.Err()
			}
		}
		if first == nil {
			first = found
		}
		if lead(found) < Lead || found[0].Move != first[0].Move {
			return nil, nil
		}
	}
	if !ai.Solvable(v) { // otherwise the last way was the exact one, whose numbers the line of play can't contradict
		found = first
	}
	if ok, err := confirmed(ctx, v, found); !ok || err != nil {
		return nil, err
	}
	return rounded(found), nil
}

// confirmed reports whether the AI plays the first choice at hard, and it is also the best where everybody thinks at each move.
func confirmed(ctx context.Context, v game.View, choices []Choice) (bool, error) {
	if !Alike(v.Rules, choices[0].Move, ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move) {
		return false, ctx.Err()
	}
	all, err := ai.Reconsider(ctx, v, game.Match{}, v.Legal, thoughtDeals, 0)
	if err != nil {
		return false, err
	}
	var scores []float64
	for _, c := range all {
		scores = append(scores, c.Score)
	}
	again := distinct(v, scores, 1)
	return again[0].Move == choices[0].Move && lead(again) >= thoughtLead, nil
}

// wrong returns how many of the easy players who imagine that many worlds don't find the best move. Zero is the number
// that they usually imagine.
func wrong(ctx context.Context, v game.View, best game.Move, worlds int) (n int) {
	for player := range Players {
		if !Alike(v.Rules, best, ai.Beginner.Try(ctx, v, worlds, player)) {
			n++
		}
	}
	return n
}

// needs returns how many worlds an easy player must imagine to find the best move in four of five cases.
func needs(ctx context.Context, v game.View, best game.Move) int {
	worlds := leastNeeds
	for worlds < MaxNeeds && wrong(ctx, v, best, worlds) > Wrong {
		worlds *= 2
	}
	return worlds
}

// rounded returns the choices with scores in hundredths.
func rounded(choices []Choice) []Choice {
	for i := range choices {
		choices[i].Score = math.Round(choices[i].Score*100) / 100
	}
	return choices
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

// puzzleAt returns the puzzle at the state, if it is one. The random seed rearranges the hidden cards.
func puzzleAt(ctx context.Context, s game.State, seed [32]byte) (Puzzle, bool, error) {
	v := s.View(s.Turn())
	choices, err := search(ctx, v)
	if choices == nil || err != nil {
		return Puzzle{}, false, err
	}
	deck, err := rearranged(s, v, seed)
	if err != nil {
		return Puzzle{}, false, err
	}
	p := Puzzle{Rules: v.Rules, Dealer: v.Dealer, Deck: deck, Moves: s.Moves(), Choices: choices}
	if err := p.goOn(ctx); err != nil {
		return Puzzle{}, false, err
	}
	p.Needs = needs(ctx, v, choices[0].Move)
	return p, ctx.Err() == nil, ctx.Err()
}

// goOn adds the solver's next choices, while they are clear, and the play to the end of the deal.
func (p *Puzzle) goOn(ctx context.Context) error {
	s, err := p.State()
	if err != nil {
		return err
	}
	solver, best := s.Turn(), p.Choices[0].Move
	for {
		if s, err = game.Apply(s, solver, best); err != nil {
			return err
		}
		from := len(s.Moves())
		if s, err = played(ctx, s, solver); err != nil {
			return err
		}
		var choices []Choice
		if !s.Over() && len(p.Then) < MaxSteps-1 {
			choices, err = clearly(ctx, s.View(solver))
		}
		if choices == nil {
			if err == nil {
				s, err = played(ctx, s, game.Nobody)
			}
			p.Line = s.Moves()[from:]
			return err
		}
		p.Then = append(p.Then, Step{Moves: s.Moves()[from:], Choices: choices})
		best = choices[0].Move
	}
}

// played returns the state after everybody has played as at hard, until the seat has a choice, or to the end of the deal.
func played(ctx context.Context, s game.State, seat int) (_ game.State, err error) {
	for !s.Over() && err == nil {
		v := s.View(s.Turn())
		move := v.Legal[0]
		if len(v.Legal) > 1 {
			if v.Seat == seat {
				break
			}
			move = ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move
		}
		s, err = game.Apply(s, v.Seat, move)
	}
	return s, cmp.Or(err, ctx.Err())
}

// solved returns the choices of a view, best first, after a search in one part.
func solved(ctx context.Context, v game.View, way ai.Way, worlds, part int) ([]Choice, error) {
	all, err := ai.Solve(ctx, v, way, worlds, part)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, len(all))
	for i, c := range all {
		sums[i] = c.Score
	}
	return distinct(v, sums, 1), nil
}

// clearly returns the choices of a view, best first, if one is clearly the best: it leads by StepLead in every way of
// solving the position, and it is confirmed. Otherwise it returns none.
func clearly(ctx context.Context, v game.View) ([]Choice, error) {
	var found []Choice
	for _, way := range ai.Ways(v) {
		worlds := stepWorlds
		if way == ai.Exact {
			worlds = exactWorlds * parts
		}
		choices, err := solved(ctx, v, way, worlds, 0)
		if err != nil {
			return nil, err
		}
		if lead(choices) < StepLead || found != nil && found[0].Move != choices[0].Move {
			return nil, nil
		}
		if found == nil || way == ai.Exact {
			found = rounded(choices)
		}
	}
	if ok, err := confirmed(ctx, v, found); !ok || err != nil {
		return nil, err
	}
	return found, nil
}

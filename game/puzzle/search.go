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

// A search is done in parts, each of which takes a few milliseconds. Most positions are rejected after the first part, or
// after the first few.
const (
	partWorlds  = 500
	parts       = Worlds / partWorlds
	exactWorlds = 10 // worlds of a part in which all hands are open
	fewParts    = 4
	firstLead   = 0.3
	fewLead     = 0.45
)

// current is the number of the rule by which a search accepts positions. A search that was stored under another rule
// begins again.
const current = 2

// A Search decides whether a position is a puzzle, in short parts. It can be stored between them. The zero Search has
// not begun.
type Search struct {
	Rule  int       `json:"rule,omitempty"`
	Parts int       `json:"parts,omitempty"` // number of finished parts
	Sums  []float64 `json:"sums,omitempty"`  // for each legal move: the sum of its scores in the first way's parts
	Again []float64 `json:"again,omitempty"` // the same in the way that is being tried
	Over  bool      `json:"over,omitempty"`  // the position was accepted
}

// Fits reports whether puzzles can come from a game with these rules.
func Fits(r game.Rules) bool { return r.Scoring == game.ByStakes }

// Step does the next part of the search. It returns true when the search is over, because it has accepted or rejected
// the position. The seat of the view must have the turn.
func (q *Search) Step(ctx context.Context, v game.View) (over bool, err error) {
	if q.Rule != current {
		*q = Search{Rule: current}
	}
	if len(v.Legal) < 2 || !Fits(v.Rules) {
		return true, nil
	}
	ways := ai.Ways(v)
	no, sums, worlds := q.Parts/parts, &q.Sums, partWorlds
	if no > 0 {
		sums = &q.Again
	}
	if ways[no] == ai.Exact {
		worlds = exactWorlds
	}
	choices, err := ai.Solve(ctx, v, ways[no], worlds, q.Parts)
	if err != nil {
		return false, err
	}
	if q.Parts%parts == 0 {
		*sums = make([]float64, len(v.Legal))
	}
	for i, c := range choices {
		(*sums)[i] += c.Score
	}
	q.Parts++
	done := (q.Parts-1)%parts + 1
	found := distinct(v, *sums, done)
	first := distinct(v, q.Sums, min(q.Parts, parts))
	switch {
	case q.Parts == 1:
		return lead(found) < firstLead, nil
	case q.Parts == fewParts:
		return lead(found) < fewLead || wrong(ctx, v, first[0].Move, 0) < Wrong, ctx.Err()
	case done < parts:
		return false, nil
	case lead(found) < Lead || found[0].Move != first[0].Move:
		return true, nil
	case q.Parts < parts*len(ways):
		return false, nil
	}
	q.Over = Alike(v.Rules, first[0].Move, ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move)
	return true, ctx.Err()
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

// Found returns the choices of the position, best first. It returns false if the search has rejected the position.
func (q *Search) Found(v game.View) ([]Choice, bool) {
	if !q.Over {
		return nil, false
	}
	if ai.Solvable(v) { // the last way was the exact one, whose numbers the line of play can't contradict
		return rounded(distinct(v, q.Again, parts)), true
	}
	return rounded(distinct(v, q.Sums, parts)), true
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

// Puzzle returns the puzzle at the state that the search was about. It returns false if the search has rejected it. The
// random seed rearranges the hidden cards.
func (q *Search) Puzzle(ctx context.Context, s game.State, seed [32]byte) (Puzzle, bool, error) {
	v := s.View(s.Turn())
	choices, ok := q.Found(v)
	if !ok {
		return Puzzle{}, false, nil
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
// solving the position, and hard finds it. Otherwise it returns none.
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
	if !Alike(v.Rules, found[0].Move, ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move) {
		return nil, nil
	}
	return found, nil
}

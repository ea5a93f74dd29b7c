package ai

import (
	"context"
	"slices"

	"sedmabot/game"
)

// A Way is how [Solve] solves a position. If a move is the best in all of them, it is the best whoever solves the position.
type Way int

// The ways.
const (
	Weighed   Way = iota // worlds are weighed by what the others did, and everybody plays carefully, like the policy: see Part
	Unweighed            // every world counts the same
	Careless             // as unweighed, but each player makes every third move at random
	Exact                // as unweighed, but all cards are open and everybody plays perfectly: see Solvable
)

// Ways are the ways that suit the view.
func Ways(v game.View) []Way {
	all := []Way{Weighed, Unweighed, Careless}
	if Solvable(v) {
		all = append(all, Exact)
	}
	return all
}

// openCards is the largest number of cards in all hands for which open hands are solved.
const openCards = 14

// Solvable reports whether the view can be solved exactly once the hidden cards are dealt: the stock is empty, and few
// cards are left.
func Solvable(v game.View) bool {
	cards := 0
	for _, n := range v.Counts {
		cards += n
	}
	return v.Stock == 0 && cards <= openCards && v.Rules.Teams != game.SoloKing
}

// Solve is Part for one of the ways.
func Solve(ctx context.Context, v game.View, way Way, worlds, part int) ([]Choice, error) {
	return solve(ctx, v, game.Match{}, way, worlds, part)
}

// solve is Solve in a match.
func solve(ctx context.Context, v game.View, in game.Match, way Way, worlds, part int) ([]Choice, error) {
	if way == Weighed {
		return Part(ctx, v, in, worlds, part)
	}
	f := newForm(&v.Rules)
	k, b, m := know(&v, f), policyFor(f), newMatch(f, &in)
	options := k.options()
	play := k.player(b, m)
	random := seed(&v) + chance(part)*0x9e3779b97f4a7c15 + chance(way)
	var w world
	for i := range worlds {
		if i&15 == 15 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k.imagine(&w, &random)
		for j := range options {
			q := k.at
			q.hand, q.stock, q.solo = w.hand, &w.stock, w.solo
			q.play(f, options[j].move)
			worth, score := k.end(play, m, &q, way, &random)
			options[j].worth += worth / float64(worlds)
			options[j].score += score / float64(worlds)
		}
	}
	return k.choices(&v, m, options), nil
}

// exactShare is how many worlds of a search count for one in which all cards are open, which takes as much longer.
const exactShare = 25

// Overall returns the choices with their scores in the mean of all ways: those given, and so many worlds in each
// other way. So a move counts for less that is overrated in one way, by chance or because the others would have to be
// careless.
func Overall(ctx context.Context, v game.View, m game.Match, worlds int, choices []Choice) ([]Choice, error) {
	ways := Ways(v)
	mean := slices.Clone(choices)
	for _, way := range ways {
		n := worlds
		switch way {
		case Weighed:
			continue
		case Exact:
			n = max(1, worlds/exactShare)
		case Unweighed, Careless:
		}
		again, err := solve(ctx, v, m, way, n, 0)
		if err != nil {
			return nil, err
		}
		for i, c := range again {
			mean[i].Score += c.Score
		}
	}
	for i := range mean {
		mean[i].Score /= float64(len(ways))
	}
	return mean, nil
}

// end plays the position to its end in that way. It returns what the deal is worth to the seat's side, and its score.
func (k *knowledge) end(b player, m *match, p *position, way Way, random *chance) (value, score float64) {
	mine := k.f.slot[k.me]
	if way == Exact && b.open == nil {
		e := endgame{f: k.f, b: b.policy, m: m, me: mine}
		return e.value(p, -1e9, 1e9)
	}
	for way != Exact && p.phase != game.Over {
		if way == Careless && random.below(3) == 0 {
			var room [32]uint8
			moves := p.moves(k.f, room[:0])
			p.play(k.f, moves[random.below(len(moves))])
			continue
		}
		p.play(k.f, b.choose(k.f, p))
	}
	var delta [4]int32
	if way == Exact {
		delta = b.open.best(p).delta
	} else {
		delta = p.score(k.f, m)
	}
	return m.worth(k.f, &delta, mine), worth(k.f, &delta, mine)
}

// A Measure is a kind of player by whom positions are judged. Unlike the opponents, they never change, so that puzzles
// which were made earlier stay as difficult as they were.
type Measure int

// The measures. Both err as people do.
const (
	Beginner Measure = iota
	Amateur
)

// Try returns the move of one of many such players. Each number is another player. If worlds isn't 0, the player imagines
// so many.
func (m Measure) Try(ctx context.Context, v game.View, worlds, number int) game.Move {
	t := thinker{worlds: 12, draws: 1, temper: temper{grab: 0.25, noise: 0.1}}
	if m == Amateur {
		t = thinker{worlds: 30, draws: 1, tricks: 5, temper: temper{feed: 0.3, noise: 0.11}}
	}
	t.duel = t.temper
	if t.part = number; worlds > 0 {
		t.worlds = worlds
	}
	f := newForm(&v.Rules)
	return t.choose(ctx, &v, f, policyFor(f), newMatch(f, &game.Match{})).Move
}

package ai

import (
	"context"
	"slices"

	"sedmabot/game"
)

// pondered is how many worlds everybody imagines at each move where a choice is reconsidered.
const pondered = 12

// Reconsider returns what some moves of the view score where everybody thinks at each move of the rest: they search a few worlds
// for what they know themselves, and play the end exactly where all cards are known. Part's quick player makes mistakes of its
// own later in the deal, so some good moves look costly to it. A deal takes some hundred times as long as a world of Part, and
// fewer of them settle it: see FIGURES.md. The match and the parts are as in Part.
func Reconsider(ctx context.Context, v game.View, m game.Match, moves []game.Move, deals, part int) ([]Choice, error) {
	return reconsider(ctx, v, m, moves, deals, part, pondered)
}

// reconsider is Reconsider with that many worlds.
func reconsider(ctx context.Context, v game.View, m game.Match, moves []game.Move, deals, part, worlds int) ([]Choice, error) {
	f := newForm(&v.Rules)
	k, b, of := know(&v, f), policyFor(f), newMatch(f, &m)
	options := slices.DeleteFunc(k.options(), func(o option) bool {
		return !slices.ContainsFunc(moves, func(m game.Move) bool { return f.move(m) == o.move })
	})
	random := ^seed(&v) + chance(part)*0x9e3779b97f4a7c15
	var w world
	for range deals {
		k.imagine(&w, &random)
		for j := range options {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			q := k.at
			q.hand, q.stock, q.solo = w.hand, &w.stock, w.solo
			q.play(f, options[j].move)
			worth, score := q.ponder(f, b, of, f.slot[k.me], worlds, &random)
			options[j].worth += worth / float64(deals)
			options[j].score += score / float64(deals)
		}
	}
	return slices.DeleteFunc(k.choices(&v, of, options), func(c Choice) bool { return !slices.Contains(moves, c.Move) }), nil
}

// Doubt returns the reason, unless everybody who thinks at each move does better with the other move: then the two are about
// equally good, and the other is named. The deals are as in Reconsider.
func Doubt(ctx context.Context, v game.View, m game.Match, why Reason, deals int) (Reason, error) {
	if why.Other == 0 || why.Cause == Burns || why.Cause == Open {
		return why, nil
	}
	again, err := Reconsider(ctx, v, m, []game.Move{why.Better, why.Other}, deals, 0)
	if err == nil && lead(again, why.Other, why.Better) > newForm(&v.Rules).even() {
		why = Reason{Cause: Equal, Better: why.Other, Other: why.Better, Several: why.Several}
	}
	return why, err
}

// ponder plays the position, which has all cards, to its end. Everybody searches that many worlds at each move. It returns what
// the deal is worth to the slot, and its score.
func (p *position) ponder(f *form, b *policy, m *match, slot uint8, worlds int, random *chance) (value, score float64) {
	var w world
	for p.phase != game.Over {
		k := knowAt(p, f)
		if k.known() {
			e := endgame{f: f, b: b, m: m, me: slot}
			return e.value(p, -1e9, 1e9)
		}
		options := k.options()
		for range worlds {
			if len(options) == 1 {
				break
			}
			k.imagine(&w, random)
			k.try(player{policy: b}, m, options, &w, nil)
		}
		best := options[0]
		for _, o := range options {
			if o.above(best) {
				best = o
			}
		}
		p.play(f, best.move)
	}
	delta := p.score(f, m)
	return m.worth(f, &delta, slot), worth(f, &delta, slot)
}

// knowAt returns what the seat whose turn it is knows of the position, which has all cards. It draws no conclusions from what the
// others did.
func knowAt(p *position, f *form) *knowledge {
	k := &knowledge{f: f, me: p.turn, at: *p}
	k.at.hand = [8]uint64{}
	k.at.hand[k.me] = p.hand[k.me]
	k.at.stock, k.at.next, k.at.size = nil, 0, p.left()
	if f.special < maxKinds && held(p.gone+p.hand[k.me], f.special) == 0 {
		k.at.solo = game.Nobody
	}
	k.unseen = f.list(f.pack - p.gone - p.hand[k.me])
	return k
}

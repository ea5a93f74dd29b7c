package ai

import (
	"context"

	"sedmabot/game"
)

// Sampler returns the move of a plain search: the second yardstick. It imagines 400 worlds, like the strongest opponent,
// but doesn't ask which of them explain what the others did.
func Sampler(ctx context.Context, v game.View) game.Move {
	t := thinker{worlds: hard.worlds, draws: 1, tricks: -1}
	f := newForm(&v.Rules)
	return t.choose(ctx, &v, f, policyFor(f), newMatch(f, &game.Match{})).Move
}

// Greedy returns the move of a player by simple rules: the yardstick of the levels. It must not change. It takes valuable
// tricks as cheaply as it can. It gives points to a winning partner and never takes that partner's trick. It saves wild
// cards until they count, and remembers the last trick's points.
func Greedy(v game.View) game.Move {
	if len(v.Legal) == 1 {
		return v.Legal[0]
	}
	g := situation{v: v, own: v.Rules.Side(v.Seat)}
	for _, play := range v.Trick {
		g.pot += v.Rules.CardPoints.Of(play.Card.Rank())
	}
	held := 0
	for _, c := range v.Hand {
		if c != 0 {
			held++
			g.copies[c.Rank()&15]++
		}
	}
	if v.Stock == 0 && held <= 1 {
		g.pot += v.Rules.LastTrick
	}
	best, bestScore := v.Legal[0], -1<<30
	for _, m := range v.Legal {
		if score := g.score(m); score > bestScore {
			best, bestScore = m, score
		}
	}
	return best
}

// situation is a view with the data to judge a move by.
type situation struct {
	v      game.View
	own    int
	pot    int      // points in the trick and those that come with it
	copies [16]int8 // number of cards in hand by rank (hashed, which is enough for a tie-break)
}

// mine reports whether the seat's side is winning the trick.
func (g *situation) mine() bool {
	return g.v.Winner >= 0 && g.v.Rules.Side(g.v.Winner) == g.own
}

// last reports whether no opponent plays after the seat in this round.
func (g *situation) last() bool {
	for seat := g.v.Rules.Next(g.v.Seat); seat != g.v.Leader; seat = g.v.Rules.Next(seat) {
		if g.v.Rules.Side(seat) != g.own && g.v.Counts[seat] > 0 {
			return false
		}
	}
	return true
}

// points returns the points of a card.
func (g *situation) points(c game.Card) int { return g.v.Rules.CardPoints.Of(c.Rank()) }

// strength returns what a card is worth if kept. Wild cards can take any trick later, and a rank held twice can
// continue a trick.
func (g *situation) strength(c game.Card) int {
	s := int(g.copies[c.Rank()&15]) - 1
	if g.wild(c) {
		s += 12
	}
	return s
}

func (g *situation) wild(c game.Card) bool {
	return g.v.Rules.Wild.Has(c.Rank()) || c == g.v.Rules.SpecialSeven
}

// rank returns the rank that the card plays as.
func (g *situation) rank(c game.Card) game.Rank {
	if c == g.v.Rules.SpecialSeven {
		return '7'
	}
	return c.Rank()
}

// takes reports whether the card, played now, would be winning the trick.
func (g *situation) takes(c game.Card) bool {
	lead := g.rank(g.v.Trick[0].Card)
	best := lead
	for _, play := range g.v.Trick {
		if r := g.rank(play.Card); takes(g.v.Rules, lead, best, r) {
			best = r
		}
	}
	return takes(g.v.Rules, lead, best, g.rank(c))
}

// takes is the rule of RULES.md, Taking over.
func takes(r game.Rules, lead, best, c game.Rank) bool {
	if c == lead || !r.Wild.Has(c) {
		return c == lead
	}
	return r.WildOrder != game.EightOverSeven || c != '7' || best != '8'
}

// score rates a move. Only comparisons count.
func (g *situation) score(m game.Move) int {
	c, isCard := m.Card()
	switch {
	case m == game.Stop:
		if g.mine() {
			return 10 // take the points
		}
		return -g.pot
	case m == game.Pass:
		if g.mine() {
			return -5
		}
		return 0
	case !isCard: // from the stock: the card may be good or bad, and the hand stays complete
		return -2
	}
	switch g.v.Phase {
	case game.Lead:
		// Lead low cards, from pairs. A point card that is led without help is a gift.
		return 3*int(g.copies[c.Rank()&15]) - 2*g.points(c) - 2*g.strength(c)
	case game.Decide:
		if g.mine() {
			return 9 - g.strength(c) - g.points(c)
		}
		return g.pot - g.strength(c) - g.points(c)/2
	case game.Follow, game.Over: // handled below
	}
	takes := g.takes(c)
	switch {
	case g.mine() && g.last(): // give points, without taking the trick from the partner
		score := 2*g.points(c) - g.strength(c)
		if takes {
			score -= 8
		}
		return score
	case g.mine(): // an opponent still plays: give points only if the winning card is likely to hold
		score := -g.strength(c)
		if takes {
			score -= 4
		}
		return score
	case takes && g.last():
		return 3 + g.pot + g.points(c) - g.strength(c)
	case takes:
		return (g.pot+g.points(c))/2 - g.strength(c)
	}
	return -2*g.points(c) - g.strength(c)
}

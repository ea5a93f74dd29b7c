package ai

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sedmabot/game"
)

// exchange returns the position in which cards have changed places, pair by pair. It returns false if it can't be
// reached by the same moves, or if the seat's decision would be another one.
func exchange(s game.State, pairs ...[2]game.Card) (game.State, bool) {
	places := map[game.Card]game.Card{}
	for _, p := range pairs {
		places[p[0]], places[p[1]] = p[1], p[0]
	}
	in := func(c game.Card) game.Card {
		if other, ok := places[c]; ok {
			return other
		}
		return c
	}
	deck := s.Deck()
	for i := range deck {
		deck[i] = in(deck[i])
	}
	moves := s.Moves()
	for i := range moves {
		if c, ok := moves[i].Card(); ok {
			moves[i] = game.Move(in(c))
		}
	}
	v := s.View(s.Turn())
	next, err := game.Replay(v.Rules, deck, v.Dealer, moves)
	if err != nil || next.Turn() != s.Turn() || next.Phase() != s.Phase() {
		return s, false
	}
	w := next.View(v.Seat)
	same := len(w.Trick) == len(v.Trick) && len(w.Tricks) == len(v.Tricks) && slices.Equal(w.TricksWon, v.TricksWon) && w.Stock == v.Stock
	for i := range v.Hand {
		same = same && w.Hand[i] == in(v.Hand[i])
	}
	return next, same
}

// without returns a position that differs from the choice's in the fact that its reason states, which isn't true there.
// It returns false if it finds none.
func (c *reasonCase) without(random *rand.Rand) (game.State, bool) {
	v, r := c.v, c.why
	value := func(c game.Card) int { return v.Rules.CardPoints.Of(c.Rank()) }
	hidden, gone := unseen(v), past(v)
	var open []game.Card
	for _, p := range v.Trick {
		if p.Seat != v.Seat {
			open = append(open, p.Card)
		}
	}
	kin := map[game.Rank]bool{}
	for _, m := range []game.Move{r.Better, r.Other} {
		if x, ok := m.Card(); ok {
			kin[effective(v, x)] = true
		}
	}
	if len(v.Trick) > 0 {
		kin[effective(v, v.Trick[0].Card)] = true
	}
	plain := func(c game.Card) bool { return !kin[effective(v, c)] && !v.Rules.Wild.Has(effective(v, c)) }
	in := func(list []game.Card, ok func(game.Card) bool) (found []game.Card) {
		for _, i := range random.Perm(len(list)) {
			if ok(list[i]) {
				found = append(found, list[i])
			}
		}
		return found
	}
	listed := func(c game.Card) bool { return slices.Contains(r.Cards, c) }
	try, replaced := c.try, c.replaced
	any := func(game.Card, game.Card) bool { return true }
	all := func(game.Card) bool { return true }
	switch r.Cause {
	case Empty:
		return try(in(open, plain), in(hidden, func(c game.Card) bool { return plain(c) && value(c) > 0 }), 1, func(x, y game.Card) bool {
			next, ok := exchange(c.s, [2]game.Card{x, y})
			return ok && next.View(v.Seat).Winner == v.Winner
		})
	case Over, Bank, Leave, Feed, Low:
		if r.Lead {
			return replaced(&c.why.Better, in(hidden, func(c game.Card) bool { return plain(c) && value(c) == 0 }))
		}
		at, ok := try(in(open, all), in(hidden, all), 1, func(x, y game.Card) bool {
			next, ok := exchange(c.s, [2]game.Card{x, y})
			return ok && value(x) == value(y) && ours(next.View(v.Seat)) != ours(v)
		})
		if !ok && r.Cause == Low {
			return replaced(&c.why.Other, in(hidden, func(c game.Card) bool { return plain(c) && value(c) == 0 }))
		}
		if ok || r.Cause != Over || v.Phase != game.Follow {
			return at, ok
		}
		fallthrough
	case Spare:
		b, _ := r.Better.Card()
		if r.Own {
			return replaced(&c.why.Other, in(hidden, func(c game.Card) bool { return plain(c) && value(c) == 0 }))
		}
		if r.Cause == Spare && (ours(v) || v.Phase != game.Follow) {
			return replaced(&c.why.Other, in(slices.Concat(hidden, gone), func(c game.Card) bool { return effective(v, c) == effective(v, b) }))
		}
		return replaced(&c.why.Better, in(hidden, func(c game.Card) bool { return plain(c) && value(c) == value(b) }))
	case Risky, Exposed, Unsafe:
		at, ok := try(in(hidden, listed), in(gone, plain), 99, any)
		if !ok && r.Cause == Exposed {
			return replaced(&c.why.Other, in(hidden, func(c game.Card) bool { return plain(c) && value(c) == 0 }))
		}
		return at, ok
	case Gift:
		next, ok := replaced(&c.why.Better, in(hidden, func(x game.Card) bool { b, _ := r.Better.Card(); return plain(x) && value(x) == value(b) }))
		return next, ok
	case Rest, Later:
		led := func(x game.Card) bool {
			return slices.ContainsFunc(c.lasting(), func(kept game.Card) bool { return len(ledBeaters(v, kept, []game.Card{x})) > 0 })
		}
		return try(in(gone, led), in(hidden, plain), 1, any)
	case Back:
		return try(in(hidden, func(x game.Card) bool { return slices.Contains(beaters(v, r.Better, hidden), x) }), in(gone, plain), 99, any)
	case Last:
		return try(in(gone, func(x game.Card) bool { return v.Rules.Wild.Has(effective(v, x)) }), in(hidden, plain), 1, any)
	case Unbeatable:
		return try(in(gone, listed), in(hidden, plain), 1, any)
	case Dead:
		b, _ := r.Better.Card()
		if at, ok := try(in(gone, listed), in(hidden, plain), 1, any); ok {
			return at, true
		}
		return replaced(&c.why.Better, in(hidden, func(x game.Card) bool { return plain(x) && value(x) == value(b) }))
	case Fewer:
		b, _ := r.Better.Card()
		return try(in(gone, func(c game.Card) bool { return effective(v, c) == effective(v, b) }), in(hidden, plain), 1, any)
	case Pair, Split:
		return try(in(r.Cards, func(c game.Card) bool { return game.Move(c) != r.Better && game.Move(c) != r.Other }), in(hidden, plain), 1, any)
	case Final, Open:
		return c.withoutEnd(gone, hidden)
	case Shut, Ends:
		return c.undecided(gone, hidden, random)
	case NoCause, Burns, Expect, Odds, Wins, Equal: // no exchange of cards makes them false
	}
	return c.s, false
}

// try exchanges cards of a, each for one of b that fits, at most so many times.
func (c *reasonCase) try(a, b []game.Card, most int, fits func(a, b game.Card) bool) (game.State, bool) {
	at, done := c.s, 0
	value := func(x game.Card) int { return c.v.Rules.CardPoints.Of(x.Rank()) }
	var pairs [][2]game.Card
	for _, x := range a {
		slices.SortStableFunc(b, func(p, q game.Card) int { // equal points first
			return min(1, max(value(p)-value(x), value(x)-value(p))) - min(1, max(value(q)-value(x), value(x)-value(q)))
		})
		for i, y := range b {
			if done == most || !fits(x, y) {
				continue
			}
			if next, ok := exchange(c.s, append(slices.Clone(pairs), [2]game.Card{x, y})...); ok {
				pairs = append(pairs, [2]game.Card{x, y})
				at, done = next, done+1
				b = slices.Delete(slices.Clone(b), i, i+1)
				break
			}
		}
	}
	return at, done > 0 && !holds(at, c.why)
}

// replaced exchanges the card of one of the reason's two moves for one of b.
func (c *reasonCase) replaced(m *game.Move, b []game.Card) (game.State, bool) {
	x, _ := m.Card()
	for _, y := range b {
		if next, ok := exchange(c.s, [2]game.Card{x, y}); ok {
			*m = game.Move(y)
			return next, !holds(next, c.why)
		}
	}
	return c.s, false
}

// withoutEnd is without for reasons about the last trick, and about open cards.
func (c *reasonCase) withoutEnd(gone, hidden []game.Card) (game.State, bool) {
	v, r := c.v, c.why
	if r.Cause == Final && r.Sure {
		wild := func(x game.Card) bool { return v.Rules.Wild.Has(effective(v, x)) }
		for _, x := range gone {
			for _, y := range hidden {
				if next, ok := exchange(c.s, [2]game.Card{x, y}); ok && wild(x) && !wild(y) && !holds(next, r) {
					return next, true
				}
			}
		}
		return c.s, false
	}
	if r.Cause == Final {
		rules := v.Rules
		rules.LastTrick = 0
		next, err := game.Replay(rules, c.s.Deck(), v.Dealer, c.s.Moves())
		return next, err == nil
	}
	for _, x := range gone {
		for _, y := range hidden {
			if next, ok := exchange(c.s, [2]game.Card{x, y}); ok && certain(worlds(next), v.Seat, r.Better) <= certain(worlds(next), v.Seat, r.Other) {
				return next, true
			}
		}
	}
	return c.s, false
}

// undecided is without for reasons about what decides the deal: a card of a finished trick changes places with another one, or with
// one that is hidden, so that the sides have other points; or all tricks bring no more than all points.
func (c *reasonCase) undecided(gone, hidden []game.Card, random *rand.Rand) (game.State, bool) {
	if c.why.Cause == Shut {
		rules := c.v.Rules
		rules.Stakes[2] = rules.Stakes[1]
		next, err := game.Replay(rules, c.s.Deck(), c.v.Dealer, c.s.Moves())
		return next, err == nil
	}
	all := slices.Concat(gone, hidden)
	for _, i := range random.Perm(len(gone)) {
		for _, j := range random.Perm(len(all)) {
			next, ok := exchange(c.s, [2]game.Card{gone[i], all[j]})
			v, why := next.View(next.Turn()), c.why
			mine := v.Rules.Side(v.Seat)
			more := v.CardPoints[1-mine] - c.v.CardPoints[1-mine] // it mustn't hold with other numbers either
			why.Points, why.Than = why.Points+more, why.Than-more
			if why.Own {
				why.Points, why.Than = c.why.Points+c.v.CardPoints[mine]-v.CardPoints[mine], 0
			}
			if ok && !holds(next, why) && slices.Equal(v.Trick, c.v.Trick) && max(v.CardPoints[0], v.CardPoints[1]) < 50 {
				return next, true
			}
		}
	}
	return c.s, false
}

// lasting returns the cards that the reason says can't be beaten when they are led.
func (c *reasonCase) lasting() []game.Card {
	if c.why.Cause == Rest {
		return c.why.Cards
	}
	card, _ := c.why.Other.Card()
	return []game.Card{card}
}

// preferred returns by how much the better move's score is above the other's, in worlds that the reason wasn't made in.
func preferred(t *testing.T, s game.State, r Reason, worlds int) float64 {
	t.Helper()
	choices, err := Part(t.Context(), s.View(s.Turn()), game.Match{}, worlds, 1)
	if err != nil {
		t.Fatal(err)
	}
	return scoreOf(choices, r.Better) - scoreOf(choices, r.Other)
}

// tally counts reasons of one cause.
type tally struct {
	n, tried, shrinks, turns int
	before, after            float64
}

// matter counts how often the preference for a better card shrinks, and how often it turns, without the fact that the
// reason states.
func matter(t *testing.T, games []string, n, worlds int) map[Cause]*tally {
	count := map[Cause]*tally{}
	random := rand.New(rand.NewPCG(7, 7))
	shown := 0
	reasonCases(t, games, n, 500, 1, func(c reasonCase) {
		if !holds(c.s, c.why) {
			t.Errorf("%s: %+v isn't true: hand %v, trick %v, winner %d, seat %d", c.name, c.why, c.v.Hand, c.v.Trick, c.v.Winner, c.v.Seat)
		}
		if count[c.why.Cause] == nil {
			count[c.why.Cause] = &tally{}
		}
		of := count[c.why.Cause]
		of.n++
		var after float64
		changed := c
		at, ok := changed.without(random)
		if ok {
			before := preferred(t, c.s, c.why, worlds)
			after = preferred(t, at, changed.why, worlds)
			of.tried++
			of.before += before
			of.after += after
			if after < before {
				of.shrinks++
			}
			if after < 0 {
				of.turns++
			}
		}
		if shown < *reasonShow {
			shown++
			t.Logf("%d. %s\n", shown, describe(c))
			if ok {
				t.Logf("   without: %+.2f -> %+.2f", c.gap, after)
			}
		}
	})
	return count
}

// describe returns the choice in words.
func describe(c reasonCase) string {
	v := c.v
	var b strings.Builder
	fmt.Fprintf(&b, "%s, seat %d of %d, leader %d, stock %d, hand %v, legal %v", c.name, v.Seat, v.Rules.Players, v.Leader, v.Stock, v.Hand, v.Legal)
	fmt.Fprintf(&b, "\n   trick")
	for _, p := range v.Trick {
		fmt.Fprintf(&b, " %d:%v", p.Seat, p.Card)
	}
	fmt.Fprintf(&b, " (winner %d) unseen %v points %v", v.Winner, unseen(v), v.CardPoints)
	fmt.Fprintf(&b, "\n   %v better than %v by %.2f: %s %v %d %d", c.why.Better, c.why.Other, c.gap, c.why.Cause, c.why.Cards, c.why.Points, c.why.Than)
	return b.String()
}

// TestReasonsMatter takes choices from self-play. Each reason is true. Without its fact, the preference for the better
// card shrinks in four of five cases, for each cause.
func TestReasonsMatter(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes long under the race detector, and has one goroutine")
	}
	n, worlds := 120, 500
	if *reasons > 0 {
		n, worlds = *reasons, 2000
	}
	count := matter(t, strings.Split(*reasonGames, ","), n, worlds)
	var sum tally
	for _, cause := range append(slices.Sorted(maps.Keys(count)), "all") {
		c := count[cause]
		if cause == "all" {
			c = &sum
		} else if cause != NoCause && cause != Expect && cause != Odds && cause != Wins && cause != Equal {
			sum.n, sum.tried, sum.shrinks, sum.turns = sum.n+c.n, sum.tried+c.tried, sum.shrinks+c.shrinks, sum.turns+c.turns
			sum.before, sum.after = sum.before+c.before, sum.after+c.after
		}
		tried := float64(max(1, c.tried))
		t.Logf("%-10s %5d, tried %5d: shrinks %3.0f %%, turns %3.0f %%, %+.2f -> %+.2f", cause, c.n, c.tried, 100*float64(c.shrinks)/tried, 100*float64(c.turns)/tried, c.before/tried, c.after/tried)
		if c.tried >= 20 && 5*c.shrinks < 4*c.tried {
			t.Errorf("%q matters in %d of %d cases", cause, c.shrinks, c.tried)
		}
	}
}

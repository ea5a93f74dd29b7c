package ai

import (
	"math"
	"slices"

	"sedmabot/game"
)

// Limits of what a seat is said to be certain of: how many cards several others may have, so that a reader can still think it
// through, and how many moves are tried.
const (
	certainCards = 4
	certainMoves = 200_000
)

// fewCards is how many cards a reason names where it would convince nobody with more.
const fewCards = 4

// likely is in how many of 100 worlds at least the seat's side takes a trick that more cards can still take, if it had better add points.
const likely = 50

// open returns the fact that the others' cards are known, if the seat can be certain of more points with the better move. The
// stock is empty, and there is one other player, or the others have few cards together.
func (e *explainer) open() (Reason, bool) {
	f := e.f
	several := f.players > 2
	if f.burn || several && (e.at.size > 0 || len(e.unseen) > certainCards || len(e.unseen) == 0 || f.solo) || !several && !e.known() {
		return Reason{}, false
	}
	worlds := e.arrangements()
	points := [2]int{}
	for i, move := range []uint8{e.x, e.y} {
		search := certainty{e: e, left: certainMoves}
		points[i] = search.points(played(f, worlds, move, nil), 0, math.MaxInt)
		if search.left < 0 {
			return Reason{}, false
		}
	}
	r := Reason{
		Better: e.better, Other: e.other, Cause: Open, Cards: e.cards(e.out, f.all()), Points: points[0], Than: points[1], Several: several,
	}
	return r, points[0] > points[1]
}

// arrangements returns the position with the unseen cards in the others' hands, in every way that they can be there.
func (e *explainer) arrangements() (worlds []position) {
	seen := map[[8]uint64]bool{}
	var room [8]uint8
	for q := range room {
		if uint8(q) != e.me {
			room[q] = e.at.count[q]
		}
	}
	var give func(p position, n int)
	give = func(p position, n int) {
		if n == len(e.unseen) {
			if !seen[p.hand] {
				seen[p.hand] = true
				worlds = append(worlds, p)
			}
			return
		}
		kind := e.unseen[n]
		for q := range room {
			if room[q] == 0 {
				continue
			}
			next := p
			next.hand[q] += unit(kind)
			if kind == e.f.special {
				next.solo = int8(q)
			}
			room[q]--
			give(next, n+1)
			room[q]++
		}
	}
	give(e.at, 0)
	return worlds
}

// certainty looks for what a seat gets whatever the others have and play.
type certainty struct {
	e    *explainer
	left int // moves that may still be tried; below 0 the result means nothing
}

// points returns how many points of the deal the seat is certain of. The worlds are positions that look alike to it: it makes
// the same move in all of them. The result is exact between low and high.
func (c *certainty) points(worlds []position, low, high int) int {
	e, p := c.e, &worlds[0]
	if p.phase == game.Over {
		least := math.MaxInt
		for i := range worlds {
			least = min(least, e.own(&worlds[i]))
		}
		return least
	}
	if c.left -= len(worlds); c.left < 0 {
		return 0
	}
	mine, best := p.turn == e.me, math.MaxInt
	if mine {
		best = -1
	}
	var tried, room [16]uint8
	moves := tried[:0]
	for i := range worlds {
		for _, m := range worlds[i].moves(e.f, room[:0]) {
			if !slices.Contains(moves, m) {
				moves = append(moves, m)
			}
		}
	}
	next := make([]position, 0, len(worlds))
	for _, m := range moves {
		n := c.points(played(e.f, worlds, m, next[:0]), low, high)
		if mine {
			best = max(best, n)
			low = max(low, n)
		} else {
			best = min(best, n)
			high = min(high, n)
		}
		if low >= high {
			break
		}
	}
	return best
}

// played appends the worlds after the move to next, those in which it can be made.
func played(f *form, worlds []position, move uint8, next []position) []position {
	var room [16]uint8
	for i := range worlds {
		if slices.Contains(worlds[i].moves(f, room[:0]), move) {
			q := worlds[i]
			q.play(f, move)
			next = append(next, q)
		}
	}
	return next
}

// plain reports whether cards take a trick over whatever is winning it, if they can take it over at all, and nothing else
// than the cards decides a trick.
func (e *explainer) plain() bool {
	f := e.f
	return f.rules.WildOrder != game.EightOverSeven && !f.dead && !f.burn && !f.solo && !f.afterPlay
}

// finishes reports whether the seat plays last in this round.
func (e *explainer) finishes() bool {
	if e.at.phase != game.Follow {
		return false
	}
	for q := uint8(e.f.next[e.me]); q != e.at.leader; q = uint8(e.f.next[q]) {
		if e.at.count[q] > 0 {
			return false
		}
	}
	return true
}

// ends reports whether the trick ends after the seat's card, with which its side is winning it.
func (e *explainer) ends() bool {
	f, leader := e.f, e.at.leader
	return e.finishes() && (f.noDecide || e.at.count[leader] == 0 || f.opponent && !f.solo && e.at.together(f, e.me, leader))
}

// takers returns the cards that can still take the open trick, whatever takes it until then. If only the seat's side could
// let that happen, by continuing, it returns none.
func (e *explainer) takers() []game.Card {
	if e.at.phase == game.Lead || e.ends() || e.finishes() && e.at.together(e.f, e.me, e.at.leader) {
		return nil
	}
	return e.cards(e.out, e.f.takeSet(e.at.lead))
}

// takesFor reports whether the seat's side takes the trick for certain with a card, whatever the others play: nobody can beat
// the card, nobody is left to do it, or the seat can take the trick back as often as that.
func (e *explainer) takesFor(card uint8) bool {
	f := e.f
	if !e.takesOver(card) {
		return false
	}
	beaters := e.beats(card)
	n := e.countHeld(e.out, beaters)
	if n == 0 || e.ends() {
		return true
	}
	asked := e.at.phase != game.Follow || e.finishes() && !e.at.together(f, e.me, e.at.leader) // each beater is followed by a card of the seat's
	back := e.countHeld(e.at.hand[e.me]-unit(card), beaters)
	return e.plain() && !f.noDecide && asked && back >= n
}

// lastSeven reports whether the other card, as the seat's last one, takes the last trick for certain: nobody else has one that
// takes any trick, and two players have a card each then.
func (e *explainer) lastSeven() bool {
	f := e.f
	even := f.players == 2 && !f.dark && !f.pass && len(f.rules.Pack())%2 == 0 && e.plain() && f.rules.FinalSeven == game.SevenNormal
	return even && spread(e.out)&f.wild == 0 && e.countHeld(e.at.hand[e.me], f.wild) == 1
}

// keeps reports whether the better card, which nobody can beat, could be kept for later: nobody could beat it then either, or the
// seat could stop.
func (e *explainer) keeps() bool {
	if e.y == stop {
		return true
	}
	if e.at.count[e.me] < 2 || e.x >= stop {
		return false
	}
	if e.at.phase == game.Lead {
		return held(e.at.hand[e.me], e.x) == 1
	}
	return e.at.pot == 0 && e.f.roundWorth == 0 && e.f.wild&unit(e.x) != 0
}

// then returns the cards that nobody can beat if the seat takes a trick without points and leads them next.
func (e *explainer) then(r Reason) []game.Card {
	if r.Cause != Over || r.Points > 0 {
		return nil
	}
	return slices.DeleteFunc(e.kept(), func(c game.Card) bool { return spread(e.out)&e.f.ledBeaters(e.f.kind(c)) != 0 })
}

// missing returns the cards that the pack lacks in this game, of the kinds that the reason counts.
func (e *explainer) missing(r Reason) (cards []game.Card) {
	if len(e.f.rules.Removed) == 0 {
		return nil
	}
	set := uint64(0)
	switch r.Cause {
	case Over, Gift, Feed, Leave, Unsafe, Bank:
		switch {
		case r.Lead:
			set = e.beats(e.x)
		case len(r.Cards) > 0:
			set = e.f.takeSet(e.at.lead)
		}
	case Risky, Exposed:
		set = e.beats(e.y)
	case Unbeatable:
		set = e.beats(e.x)
	case Fewer:
		set = e.beats(e.x) | e.beats(e.y)
	case Pair:
		if r.Than > 0 {
			set = e.beats(e.x) | e.beats(e.y)
		}
	case Later:
		set = e.f.ledBeaters(e.y)
	case Dead:
		set = unit(e.x)
	case Rest:
		set, _ = e.restOf(e.x)
	default: // it counts no cards
	}
	for _, c := range []game.Card(e.f.rules.Removed) {
		if kind := e.f.find(c.Rank()); kind >= 0 && set&unit(uint8(kind)) != 0 {
			cards = append(cards, c)
		}
	}
	return cards
}

// takeSet returns the set of kinds that can take a trick over to which that kind was led.
func (f *form) takeSet(lead uint8) (set uint64) {
	for best := range f.kinds {
		set |= f.takes[lead&15][best]
	}
	return set & f.all()
}

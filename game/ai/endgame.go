package ai

import (
	"math"
	"slices"

	"sedmabot/game"
)

// exactCards is the largest number of cards in both hands for which the search is exact.
const exactCards = 10

// known reports whether the seat knows all cards, and few enough are left for an exact search. That takes two players
// and an empty stock.
func (k *knowledge) known() bool {
	p := &k.at
	other := 1 - k.me
	cards := p.count[0] + p.count[1]
	return k.f.players == 2 && p.size == 0 && cards <= exactCards && int(p.count[other]) == len(k.unseen)
}

// solve computes what the best options bring if both sides play perfectly; with every, what each option does. Among
// equal options it sets hope, to prefer those that pay off if the other player goes wrong. It returns the only possible
// world.
func (k *knowledge) solve(b *policy, m *match, options []option, every bool) world {
	p := k.at
	for _, kind := range k.unseen {
		p.hand[1-k.me] += unit(kind)
		if kind == k.f.special {
			p.solo = int8(1 - k.me)
		}
	}
	e := endgame{f: k.f, b: b, m: m, me: k.f.slot[k.me]}
	low := -1e9
	for j := range options {
		q := p
		q.play(k.f, options[j].move)
		options[j].worth, options[j].score = e.value(&q, low, 1e9)
		if !every {
			low = max(low, options[j].worth-1e-6)
		}
	}
	top := -1e9
	for _, o := range options {
		top = max(top, o.worth)
	}
	for j := range options {
		if options[j].worth == top {
			q := p
			q.play(k.f, options[j].move)
			options[j].hope = e.hope(&q)
		}
	}
	return world{hand: p.hand, solo: p.solo}
}

type endgame struct {
	f    *form
	b    *policy
	m    *match
	me   uint8                // slot of the player who searches
	seen map[position]outcome // of three or more sides: what best has found
}

// value returns what the position is worth to me under perfect play, and the score of the deal that comes with it. It
// is exact only between the bounds low and high (alpha-beta search).
func (e *endgame) value(p *position, low, high float64) (value, score float64) {
	for p.phase != game.Over {
		var room [16]uint8
		moves := e.apart(p, p.moves(e.f, room[:0]))
		if len(moves) == 1 {
			p.play(e.f, moves[0])
			continue
		}
		first := e.b.choose(e.f, p)
		if !slices.Contains(moves, first) {
			first = moves[0]
		}
		mine := e.f.slot[p.turn] == e.me
		value = 1e9
		if mine {
			value = -1e9
		}
		for i := -1; i < len(moves); i++ {
			m := first
			if i >= 0 {
				if m = moves[i]; m == first {
					continue
				}
			}
			q := *p
			q.play(e.f, m)
			v, s := e.value(&q, low, high)
			if mine && v > value || !mine && v < value {
				value, score = v, s
			}
			if mine {
				low = max(low, value)
			} else {
				high = min(high, value)
			}
			if low >= high {
				break
			}
		}
		return value, score
	}
	delta := p.score(e.f, e.m)
	return e.m.worth(e.f, &delta, e.me), worth(e.f, &delta, e.me)
}

// hope returns what the position is worth if the other player plays like the policy.
func (e *endgame) hope(p *position) float64 {
	for p.phase != game.Over {
		if e.f.slot[p.turn] != e.me {
			p.play(e.f, e.b.choose(e.f, p))
			continue
		}
		var room [16]uint8
		moves := e.apart(p, p.moves(e.f, room[:0]))
		if len(moves) == 1 {
			p.play(e.f, moves[0])
			continue
		}
		most := -1e9
		for _, m := range moves {
			q := *p
			q.play(e.f, m)
			most = max(most, e.hope(&q))
		}
		return most
	}
	delta := p.score(e.f, e.m)
	return e.m.worth(e.f, &delta, e.me)
}

// apart drops moves that are equivalent to another: cards that no other card can match, with the same points and
// equally often in the hand.
func (e *endgame) apart(p *position, moves []uint8) []uint8 {
	f := e.f
	if len(moves) < 3 || f.ban > 0 || f.burn {
		return moves
	}
	met := f.wild
	for seat := range uint8(f.players) {
		if seat != p.turn {
			met |= spread(p.hand[seat])
		}
	}
	if p.phase != game.Lead {
		met |= f.effective[p.lead]
	}
	var seen [16]int
	n := 0
	kept := moves[:0]
next:
	for _, m := range moves {
		if m < stop && met>>(4*m)&1 == 0 && f.eff[m] == m && m != f.seven {
			like := int(f.points[m])<<4 | int(held(p.hand[p.turn], m))
			for _, s := range seen[:n] {
				if s == like {
					continue next
				}
			}
			seen[n] = like
			n++
		}
		kept = append(kept, m)
	}
	return kept
}

// lateCards is the largest number of cards in all hands for which the end of a deal of three or more sides is searched.
const lateCards = 9

// An outcome is the best move in a position, and what the deal brings each slot after it.
type outcome struct {
	move  uint8
	delta [4]int32
}

// player plays a deal on: like the policy, or, if open isn't nil, as well as one can who sees all cards.
type player struct {
	*policy

	open *endgame
}

// player returns who plays the seat's worlds to their end. Near the end of a deal of three or more sides, when all cards are in
// few hands, every move is searched, because the policy is careless there. Only what people are told is judged so: hard itself
// wins less from players who are careless (against greedy, 0.02 to 0.04 stakes a deal with three players).
func (k *knowledge) player(b *policy, m *match) player {
	cards := 0
	for q := range k.f.players {
		cards += int(k.at.count[q])
	}
	if k.f.slots < 3 || k.f.solo || k.at.size > 0 || cards > lateCards {
		return player{policy: b}
	}
	return player{b, &endgame{f: k.f, b: b, m: m, seen: map[position]outcome{}}}
}

func (b player) choose(f *form, p *position) uint8 {
	if b.open != nil {
		return b.open.best(p).move
	}
	return b.policy.choose(f, p)
}

func (b player) playOut(f *form, p *position) {
	if b.open == nil {
		b.policy.playOut(f, p)
		return
	}
	for p.phase != game.Over {
		p.play(f, b.choose(f, p))
	}
}

// best returns the best move in the position if all cards are open, and each side plays for what is worth most to itself. Of equal moves
// it is the policy's.
func (e *endgame) best(p *position) outcome {
	if p.phase == game.Over {
		return outcome{delta: p.score(e.f, e.m)}
	}
	key := *p
	key.stock = nil // it is empty
	if found, ok := e.seen[key]; ok {
		return found
	}
	var room [16]uint8
	first, top, most := e.b.choose(e.f, p), outcome{}, math.Inf(-1)
	for _, m := range e.apart(p, p.moves(e.f, room[:0])) {
		q := *p
		q.play(e.f, m)
		next := e.best(&q)
		if worth := e.m.worth(e.f, &next.delta, e.f.slot[p.turn]); worth > most || worth == most && m == first {
			top, most = outcome{m, next.delta}, worth
		}
	}
	e.seen[key] = top
	return top
}

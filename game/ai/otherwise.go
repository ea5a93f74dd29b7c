package ai

import (
	"slices"

	"sedmabot/game"
)

// otherwise returns a copy of what the seat knows, to be changed.
func (e *explainer) otherwise() *knowledge {
	k := *e.knowledge
	k.unseen = slices.Clone(k.unseen)
	for seat := range k.acts {
		k.acts[seat] = slices.Clone(k.acts[seat])
	}
	return &k
}

// exchange makes a card of the kind gone unseen, and one of the kind out gone. It is the last card of its kind that was
// played. If another player played it, they played the one out instead, for whatever reason.
func (k *knowledge) exchange(gone, out uint8) {
	all, last := held(k.at.gone, gone), (*act)(nil)
	for seat := range k.acts {
		for i := range k.acts[seat] {
			a := &k.acts[seat][i]
			if a.drew == 0 && a.move == gone && (last == nil || held(a.look.gone, gone) > held(last.look.gone, gone)) {
				last = a
			}
			if a.drew == 0 && held(a.look.gone, gone) == all {
				a.look.gone += unit(out) - unit(gone)
			}
		}
	}
	if last != nil {
		*last = act{move: out}
	}
	k.at.gone += unit(out) - unit(gone)
	k.unseen[slices.Index(k.unseen, out)] = gone
}

// spare returns the kind in the counted set that can be exchanged for one with so many points: neither move plays like
// it, and it isn't wild. It prefers one with as many points. It returns false if there is none.
func (e *explainer) spare(counted, not uint64, points int16) (kind uint8, ok bool) {
	for set := spread(counted) &^ not &^ e.f.wild &^ e.kinds(); set != 0; set &= set - 1 {
		if q := kindOf(set); !ok || e.f.points[q] == points && e.f.points[kind] != points {
			kind, ok = q, true
		}
	}
	return kind, ok
}

// kinds returns the set of the kinds of the two moves and of the card that was led.
func (e *explainer) kinds() (set uint64) {
	for _, move := range []uint8{e.x, e.y} {
		if move < stop {
			set |= e.f.effective[e.f.eff[move]]
		}
	}
	if e.at.phase != game.Lead {
		set |= e.f.effective[e.at.lead]
	}
	return set
}

// outGone returns the knowledge in which the cards of the kinds, which are out, are gone instead, as far as there are
// cards to exchange them for. It returns nil if there are none.
func (e *explainer) outGone(kinds uint64) *knowledge {
	k, past, done := e.otherwise(), e.past, 0
	for set := spread(e.out) & kinds; set != 0; set &= set - 1 {
		kind := kindOf(set)
		for range held(e.out, kind) {
			other, ok := e.spare(past, kinds, e.f.points[kind])
			if !ok {
				break
			}
			k.exchange(other, kind)
			past -= unit(other)
			done++
		}
	}
	if done == 0 {
		return nil
	}
	return k
}

// goneOut returns the knowledge in which one card of the kinds, which is gone, is out instead. It returns nil if there
// is no card to exchange it for.
func (e *explainer) goneOut(kinds uint64) *knowledge {
	for set := spread(e.past) & kinds; set != 0; set &= set - 1 {
		kind := kindOf(set)
		if other, ok := e.spare(e.out, kinds, e.f.points[kind]); ok {
			k := e.otherwise()
			k.exchange(kind, other)
			return k
		}
	}
	return nil
}

// unpaired returns the knowledge in which the seat has one card less of the kind, and another one for it.
func (e *explainer) unpaired(kind uint8) *knowledge {
	other, ok := e.spare(e.out, unit(kind)|e.at.handKinds(e.me), e.f.points[kind])
	if !ok {
		return nil
	}
	return e.swap(e.otherwise(), kind, other)
}

// swap makes the seat hold a card of another kind for one of the given kind, and returns the knowledge.
func (e *explainer) swap(k *knowledge, kind, other uint8) *knowledge {
	k.at.hand[e.me] += unit(other) - unit(kind)
	k.unseen[slices.Index(k.unseen, other)] = kind
	return k
}

// handKinds returns the set of kinds in the seat's hand.
func (p *position) handKinds(seat uint8) uint64 { return spread(p.hand[seat]) }

// cheaper returns the fact that the other move gives points, and what the seat would know and play if that card had none.
func (e *explainer) cheaper(r Reason) []fact {
	other, ok := e.spare(e.out&(e.zero*15), e.at.handKinds(e.me), 0)
	if !ok {
		return nil
	}
	return []fact{{r, e.swap(e.otherwise(), e.y, other), e.x, other}}
}

// traded returns the fact that the better move takes over and the other gives points, and what the seat would know and
// play if it had a card without points for the other, and one that doesn't take over for the better.
func (e *explainer) traded(r Reason) []fact {
	weak := e.weaker(r)
	if weak == nil {
		return nil
	}
	other, ok := e.spare(e.out&(e.zero*15), e.at.handKinds(e.me)|unit(weak[0].x), 0)
	if !ok {
		return nil
	}
	return []fact{{r, e.swap(weak[0].without, e.y, other), weak[0].x, other}}
}

// alive returns the fact that all others of the better card's rank are gone, and what the seat would know and play if it had
// a card of another rank in its place, of which others are out.
func (e *explainer) alive(r Reason) []fact {
	single := uint64(0)
	for kind := range uint8(e.f.kinds) {
		if held(e.out, kind) < 2 {
			single |= unit(kind)
		}
	}
	other, ok := e.spare(e.out, e.at.handKinds(e.me)|single, e.f.points[e.x])
	if !ok {
		return nil
	}
	return []fact{{r, e.swap(e.otherwise(), e.x, other), other, e.y}}
}

// poorer returns the fact that the better move brings points, and what the seat would know and play if that card had none.
func (e *explainer) poorer(r Reason) []fact {
	other, ok := e.spare(e.out&(e.zero*15), e.at.handKinds(e.me), 0)
	if !ok {
		return nil
	}
	k := e.otherwise()
	k.at.hand[e.me] += unit(other) - unit(e.x)
	k.unseen[slices.Index(k.unseen, other)] = e.x
	return []fact{{r, k, other, e.y}}
}

// weaker returns the fact that the better move takes over, and what the seat would know and play if that card didn't.
func (e *explainer) weaker(r Reason) []fact {
	other, ok := e.spare(e.out, e.at.handKinds(e.me), e.f.points[e.x])
	if !ok {
		return nil
	}
	return []fact{{r, e.swap(e.otherwise(), e.x, other), other, e.y}}
}

// unpaid returns the knowledge in which the last trick brings no points of its own.
func (e *explainer) unpaid() *knowledge {
	k, f := e.otherwise(), *e.f
	f.rules.LastTrick = 0
	k.f = &f
	return k
}

// potful returns the knowledge in which one card in the trick has points.
func (e *explainer) potful() *knowledge {
	k := e.otherwise()
	k.at.pot = slices.Max(e.f.points[:])
	return k
}

// turned returns the knowledge in which the other side is winning the trick. It returns nil if nobody else could be.
func (e *explainer) turned() *knowledge {
	k := e.otherwise()
	for i := len(e.v.Trick) - 1; i >= 0; i-- {
		if q := uint8(e.v.Trick[i].Seat); e.at.together(e.f, e.me, q) != e.ours {
			k.at.winner = q
			return k
		}
	}
	return nil
}

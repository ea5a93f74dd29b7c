package ai

import (
	"slices"

	"sedmabot/game"
)

// facts returns all facts that are different for the two moves.
func (e *explainer) facts() (all []fact) {
	x, y := e.x, e.y
	switch {
	case x == pass || x == dark || y == pass || y == dark:
		return nil
	case x < stop && e.burns(x):
		return []fact{{Reason: Reason{Cause: Burns}}}
	}
	add := func(r Reason, without *knowledge) {
		if without != nil {
			all = append(all, fact{r, without, x, y})
		}
	}
	more := func(facts []fact) { all = append(all, facts...) }
	if e.theirs {
		e.againstWinner(add, more)
	}
	if e.ours {
		e.withWinner(add)
	}
	if e.takesOver(x) {
		e.holding(add, more)
	}
	if x < stop && y < stop {
		e.kinFacts(add, more)
	}
	e.laterFacts(add)
	e.stakeFacts(add)
	return all
}

// laterFacts adds the facts about the tricks after this one.
func (e *explainer) laterFacts(add func(Reason, *knowledge)) {
	f, x, y := e.f, e.x, e.y
	wild := func(move uint8) bool { return move < stop && f.wild&unit(move) != 0 }
	if beaters, all := e.restOf(x); all {
		if _, also := e.restOf(y); !also {
			add(Reason{Cause: Rest, Cards: e.kept()}, e.goneOut(beaters))
		}
	}
	left := e.at.count[e.me]
	if x < stop {
		left--
	}
	n := f.rules.LastTrick
	switch {
	case !wild(y) || wild(x): // then the last facts say nothing about the two
	case spread(e.out)&f.wild == 0 && n > 0 && e.lastSeven():
		add(Reason{Cause: Final, Points: n, Sure: true}, e.goneOut(f.wild))
	case spread(e.out)&f.wild == 0:
		add(Reason{Cause: Last}, e.goneOut(f.wild))
	}
	if n > 0 && e.at.size == 0 && left == 1 && wild(y) && !wild(x) {
		add(Reason{Cause: Final, Points: n}, e.unpaid())
	}
	if y >= stop || e.at.phase == game.Lead || wild(y) || e.takesOver(y) {
		return
	}
	mine, theirs := f.ledBeaters(x), f.ledBeaters(y)
	if spread(e.out)&theirs == 0 && x < stop && spread(e.out)&mine != 0 {
		add(Reason{Cause: Later, Cards: e.others(y, theirs)}, e.goneOut(theirs))
	}
}

// ledBeaters returns the set of kinds that beat a led card of the kind. Nothing beats a stop.
func (f *form) ledBeaters(kind uint8) uint64 {
	if kind >= stop {
		return 0
	}
	return f.takes[f.eff[kind]&15][f.eff[kind]&15] & f.all()
}

// restOf reports whether the seat takes this trick with the move and then all others, whatever the others play: the stock
// is empty, and nobody can beat the card or, when they are led, those that are left in the hand. It returns the kinds that
// could beat them.
func (e *explainer) restOf(move uint8) (beaters uint64, all bool) {
	f, p := e.f, &e.at
	if p.size > 0 || f.dead || f.burn || f.solo && f.special < maxKinds || !e.takesOver(move) || move >= stop {
		return 0, false
	}
	beaters = e.beats(move)
	rest := p.hand[e.me] - unit(move)
	for set := spread(rest); set != 0; set &= set - 1 {
		beaters |= f.ledBeaters(kindOf(set))
	}
	return beaters, rest != 0 && spread(e.out)&beaters == 0
}

// kept returns the cards that are left in the hand after the better move.
func (e *explainer) kept() []game.Card {
	card, _ := e.better.Card()
	kept := slices.DeleteFunc(slices.Clone(e.v.Hand), func(c game.Card) bool { return c == card || c == 0 })
	slices.Sort(kept)
	return kept
}

// againstWinner adds the facts about a trick that an opponent is winning.
func (e *explainer) againstWinner(add func(Reason, *knowledge), more func([]fact)) {
	px, py := e.worth(e.x), e.worth(e.y)
	tx, ty := e.takesOver(e.x), e.takesOver(e.y)
	pot, follow := int(e.at.pot), e.at.phase == game.Follow
	if tx && !ty {
		r := Reason{Cause: Over, Points: pot, Sure: e.takesFor(e.x)}
		if !r.Sure {
			r.Cards = e.takers()
		}
		if without := e.turned(); without != nil {
			add(r, without)
		} else if follow {
			more(e.weaker(r))
		}
		if px < py && follow && !r.Sure {
			more(e.traded(Reason{Cause: Gift, Points: int(py), Cards: r.Cards}))
		}
	}
	if ty && !tx {
		if beaters := e.beats(e.y); spread(e.out)&beaters != 0 {
			without := e.outGone(beaters)
			if without != nil && pot == 0 && e.f.roundWorth == 0 && px == 0 { // then the reason says that as well
				without.at.pot = slices.Max(e.f.points[:])
			}
			add(Reason{Cause: Risky, Cards: e.cards(e.out, beaters), Points: max(pot, e.f.roundWorth, int(px))}, without)
		}
		if pot == 0 && e.f.roundWorth == 0 && px == 0 {
			add(Reason{Cause: Empty}, e.potful())
		}
	}
	if !ty && px < py {
		add(Reason{Cause: Low, Points: int(py - px)}, e.turned())
		if follow {
			more(e.cheaper(Reason{Cause: Low, Points: int(py - px)}))
		}
	}
}

// withWinner adds the facts about a trick that the seat's side is winning.
func (e *explainer) withWinner(add func(Reason, *knowledge)) {
	x, y := e.x, e.y
	px, py := e.worth(x), e.worth(y)
	tx, ty := e.takesOver(x), e.takesOver(y)
	if x == stop {
		r := Reason{Cause: Bank, Points: int(e.at.pot)}
		if ty {
			r.Cards = e.cards(e.out, e.beats(y))
		} else {
			r.Cards = e.takers()
		}
		if ty || len(r.Cards) > 0 {
			add(r, e.turned())
		}
	}
	if x < stop && ty && !tx && e.at.winner != e.me {
		r := Reason{Cause: Leave}
		if cards := e.takers(); len(cards) <= fewCards && e.plain() {
			r.Cards = cards
		}
		add(r, e.turned())
	}
	if tx || ty {
		return
	}
	beaters := e.f.takes[e.at.lead&15][e.at.best&15] & e.f.all()
	if px > py && y < stop {
		r := Reason{Cause: Feed, Points: int(px - py), Own: e.at.winner == e.me}
		if r.Sure = spread(e.out)&beaters == 0 || e.ends(); !r.Sure {
			r.Cards = e.takers()
		}
		few := len(r.Cards) <= fewCards
		if !few {
			r.Cards = nil
		}
		if few || e.seen.ours[x] > likely*e.seen.worlds/100 {
			add(r, e.turned())
		}
	}
	if px < py && spread(e.out)&beaters != 0 {
		add(Reason{Cause: Unsafe, Cards: e.cards(e.out, beaters), Points: int(py - px)}, e.outGone(beaters))
	}
}

// kinFacts adds the facts about cards of the same rank as the two.
func (e *explainer) kinFacts(add func(Reason, *knowledge), more func([]fact)) {
	f, x, y := e.f, e.x, e.y
	tx, ty := e.takesOver(x), e.takesOver(y)
	mates := func(kind uint8) uint8 { return held(e.at.hand[e.me], kind) }
	wild := func(kind uint8) bool { return f.wild&unit(kind) != 0 }
	if e.at.phase == game.Lead && mates(x) > 1 && mates(y) == 1 && !f.noDecide {
		r := Reason{Cause: Pair, Cards: e.mine(x), Sure: e.takesFor(x)}
		if n, m := e.countHeld(e.out, e.beats(x)), e.countHeld(e.out, e.beats(y)); 0 < n && n < m && !r.Sure {
			r.Points, r.Than = n, m
		}
		if beaten := spread(e.out) & e.beats(x); beaten != 0 {
			add(r, e.unpaired(x))
		} else if spread(e.out)&e.beats(y) != 0 { // what can't be beaten needn't be taken back
			add(e.unbeatable(), e.unpaired(x))
		}
	}
	if mates(y) > 1 && mates(x) == 1 && !f.noDecide && !wild(y) {
		add(Reason{Cause: Split, Cards: e.mine(y)}, e.unpaired(y))
	}
	if !tx && !ty && !wild(x) && !wild(y) && held(e.out, x) == 0 && held(e.out, y) > 0 && mates(x) == 1 && !e.leadsWell(x) {
		e.deadFact(add, more)
	}
	switch {
	case !wild(y) || wild(x) || !ty:
	case e.at.phase == game.Lead || !tx:
		more(e.cheaper(Reason{Cause: Spare, Own: true}))
	case e.beats(x) == e.beats(y): // without the fact, the other would play like the better
		more([]fact{{Reason{Cause: Spare}, e.knowledge, x, x}})
	case e.at.phase == game.Follow:
		more(e.weaker(Reason{Cause: Spare}))
	}
}

// deadFact adds the fact that the better card can no longer take a trick.
func (e *explainer) deadFact(add func(Reason, *knowledge), more func([]fact)) {
	f, x := e.f, e.x
	r := Reason{Cause: Dead, Cards: e.others(x, unit(x))}
	if e.at.size == 0 && e.at.count[e.me] == 2 && spread(e.out)&f.wild == 0 { // what is kept can only take the last trick
		r.Points, r.Cards = f.rules.LastTrick, e.others(x, unit(x)|f.wild)
		add(r, e.outGone(unit(e.y))) // then neither could take it
	}
	if without := e.goneOut(unit(x)); without != nil {
		add(r, without)
	} else {
		more(e.alive(r))
	}
}

// leadsWell reports whether nobody could beat the card, which doesn't take the trick over, if the seat led it later. That is
// worth nothing if the others win this trick, and lead the last one.
func (e *explainer) leadsWell(x uint8) bool {
	final := e.at.size == 0 && e.at.count[e.me] == 2 && e.at.winner != e.me
	return spread(e.out)&e.f.ledBeaters(x) == 0 && !final
}

// holding adds the facts about whether a card that takes over, or is led, can be beaten.
func (e *explainer) holding(add func(Reason, *knowledge), more func([]fact)) {
	x, y := e.x, e.y
	ty := e.takesOver(y)
	mine := e.beats(x)
	beatX := spread(e.out) & mine
	if beatX == 0 && (!ty || spread(e.out)&e.beats(y) != 0) {
		add(e.unbeatable(), e.goneOut(mine))
	}
	if points := e.worth(x) - e.worth(y); points > 0 && beatX != 0 && e.at.phase == game.Lead && e.countHeld(e.out, mine) <= fewCards {
		more(e.poorer(Reason{Cause: Feed, Points: int(points), Cards: e.cards(e.out, mine), Lead: true}))
	}
	if !ty {
		return
	}
	theirs := e.beats(y)
	if spread(e.out)&theirs == 0 {
		return
	}
	back := func(move, first uint8) uint64 { return spread(e.at.hand[e.me]-unit(first)) & e.beats(move) }
	lead := e.at.phase == game.Lead && !e.f.noDecide && !e.f.opponent
	if lead && beatX != 0 && held(e.at.hand[e.me], x) == 1 && back(x, x) != 0 && back(y, y) == 0 {
		add(Reason{Cause: Back, Cards: e.ofKinds(back(x, x))}, e.outGone(mine))
	}
	guarded := e.at.phase != game.Follow && !e.f.noDecide && back(y, y) != 0 // what y loses can be taken back
	if points := e.worth(y) - e.worth(x); points > 0 && !guarded {
		r := Reason{Cause: Exposed, Cards: e.cards(e.out, theirs), Points: int(points)}
		add(r, e.outGone(theirs))
		more(e.cheaper(r))
	}
	if beatX != 0 && e.countHeld(e.out, mine) < e.countHeld(e.out, theirs) {
		add(Reason{Cause: Fewer, Cards: e.cards(e.out, mine), Points: e.countHeld(e.out, mine), Than: e.countHeld(e.out, theirs)}, e.goneOut(mine&^e.f.wild))
	}
}

// takesOver reports whether the card, played now, would be winning the trick.
func (k *knowledge) takesOver(card uint8) bool {
	if card >= stop {
		return false
	}
	p := k.at
	if p.phase == game.Lead {
		return true
	}
	p.count[k.me]--
	return k.f.takes[p.lead&15][p.best&15]&unit(card) != 0 && !(k.f.dead && p.deadSeven(k.f, k.f.eff[card]))
}

// beats returns the set of kinds that take the trick over after the card, which takes over.
func (k *knowledge) beats(card uint8) uint64 {
	led := k.at.lead
	if k.at.phase == game.Lead {
		led = k.f.eff[card]
	}
	return k.f.takes[led&15][k.f.eff[card]&15] & k.f.all()
}

// all returns the set of all kinds.
func (f *form) all() uint64 { return ones & (1<<(4*f.kinds) - 1) }

// unbeatable returns the reason that nobody can beat the better card.
func (e *explainer) unbeatable() Reason {
	card, _ := e.better.Card()
	all := e.cards(e.f.pack, e.beats(e.x))
	return Reason{Cause: Unbeatable, Cards: slices.DeleteFunc(all, func(c game.Card) bool { return c == card })}
}

// worth returns the points of a card; a stop has none.
func (e *explainer) worth(move uint8) int16 {
	if move >= stop {
		return 0
	}
	return e.f.points[move]
}

// countHeld returns how many cards of the counted set are of the kinds.
func (e *explainer) countHeld(counted, kinds uint64) (n int) {
	for ; kinds != 0; kinds &= kinds - 1 {
		n += int(held(counted, kindOf(kinds)))
	}
	return n
}

// cards returns cards of the pack: those of the kinds that the seat hasn't seen if counted is e.out; else all of them.
func (e *explainer) cards(counted, kinds uint64) (cards []game.Card) {
	seen := map[game.Card]int{}
	if counted == e.out {
		for _, c := range e.v.Hand {
			seen[c]++
		}
		for _, entry := range e.v.Log {
			seen[entry.Card]++
		}
		for _, taken := range e.v.Captured {
			for _, c := range taken {
				seen[c]++
			}
		}
	}
	for _, c := range e.f.rules.Pack() {
		if seen[c] > 0 {
			seen[c]--
		} else if kinds&unit(e.f.kind(c)) != 0 {
			cards = append(cards, c)
		}
	}
	return cards
}

// mine returns the seat's cards of the kind.
func (e *explainer) mine(kind uint8) (cards []game.Card) {
	for _, c := range e.v.Hand {
		if c != 0 && e.f.kind(c) == kind {
			cards = append(cards, c)
		}
	}
	slices.Sort(cards)
	return cards
}

// ofKinds returns the seat's cards of the kinds.
func (e *explainer) ofKinds(kinds uint64) (cards []game.Card) {
	for ; kinds != 0; kinds &= kinds - 1 {
		cards = append(cards, e.mine(kindOf(kinds))...)
	}
	slices.Sort(cards)
	return cards
}

// others returns the cards of the kinds, without the seat's of that kind.
func (e *explainer) others(kind uint8, kinds uint64) []game.Card {
	mine := e.mine(kind)
	return slices.DeleteFunc(e.cards(e.f.pack, kinds), func(c game.Card) bool { return slices.Contains(mine, c) })
}

// burns reports whether the card ends the deal as the fourth of its rank.
func (e *explainer) burns(card uint8) bool {
	p := e.at
	p.cards++
	return e.f.burn && p.phase != game.Lead && p.burns(e.f, card)
}

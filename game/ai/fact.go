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
	return all
}

// againstWinner adds the facts about a trick that an opponent is winning.
func (e *explainer) againstWinner(add func(Reason, *knowledge), more func([]fact)) {
	px, py := e.worth(e.x), e.worth(e.y)
	tx, ty := e.takesOver(e.x), e.takesOver(e.y)
	pot, follow := int(e.at.pot), e.at.phase == game.Follow
	if tx && !ty {
		if without := e.turned(); without != nil {
			add(Reason{Cause: Over, Points: pot}, without)
		} else if follow {
			more(e.weaker(Reason{Cause: Over, Points: pot}))
		}
	}
	if ty && !tx {
		if beaters := e.beats(e.y); spread(e.out)&beaters != 0 {
			add(Reason{Cause: Risky, Cards: e.cards(e.out, beaters)}, e.outGone(beaters))
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
		add(Reason{Cause: Bank, Points: int(e.at.pot)}, e.turned())
	}
	if x < stop && ty && !tx && e.at.winner != e.me {
		add(Reason{Cause: Leave}, e.turned())
	}
	if tx || ty {
		return
	}
	if px > py && y < stop {
		add(Reason{Cause: Feed, Points: int(px - py)}, e.turned())
	}
	if beaters := e.f.takes[e.at.lead&15][e.at.best&15] & e.f.all(); px < py && spread(e.out)&beaters != 0 {
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
		add(Reason{Cause: Pair, Cards: e.mine(x)}, e.unpaired(x))
	}
	if mates(y) > 1 && mates(x) == 1 && !f.noDecide && !wild(y) {
		add(Reason{Cause: Split, Cards: e.mine(y)}, e.unpaired(y))
	}
	if !tx && !ty && !wild(x) && !wild(y) && held(e.out, x) == 0 && held(e.out, y) > 0 && held(e.past, x) > 0 {
		add(Reason{Cause: Dead, Cards: e.others(x)}, e.goneOut(unit(x)))
	}
	if e.at.phase == game.Follow && tx && wild(y) && !wild(x) {
		more(e.weaker(Reason{Cause: Spare}))
	}
}

// holding adds the facts about whether a card that takes over, or is led, can be beaten.
func (e *explainer) holding(add func(Reason, *knowledge), more func([]fact)) {
	x, y := e.x, e.y
	ty := e.takesOver(y)
	mine := e.beats(x)
	beatX := spread(e.out) & mine
	if beatX == 0 && (!ty || spread(e.out)&e.beats(y) != 0) {
		all := e.cards(e.f.pack, mine)
		card, _ := e.better.Card()
		add(Reason{Cause: Unbeatable, Cards: slices.DeleteFunc(all, func(c game.Card) bool { return c == card })}, e.goneOut(mine))
	}
	if !ty {
		return
	}
	theirs := e.beats(y)
	if spread(e.out)&theirs == 0 {
		return
	}
	if points := e.worth(y) - e.worth(x); points > 0 {
		r := Reason{Cause: Exposed, Cards: e.cards(e.out, theirs), Points: int(points)}
		add(r, e.outGone(theirs))
		more(e.cheaper(r))
	}
	if beatX != 0 && e.number(e.out, mine) < e.number(e.out, theirs) {
		add(Reason{Cause: Fewer, Cards: e.cards(e.out, mine), Points: e.number(e.out, mine), Than: e.number(e.out, theirs)}, e.goneOut(mine&^e.f.wild))
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

// worth returns the points of a card; a stop has none.
func (e *explainer) worth(move uint8) int16 {
	if move >= stop {
		return 0
	}
	return e.f.points[move]
}

// number returns how many cards of the counted set are of the kinds.
func (e *explainer) number(counted, kinds uint64) (n int) {
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

// others returns the cards of the kind that the seat doesn't have.
func (e *explainer) others(kind uint8) []game.Card {
	mine := e.mine(kind)
	return slices.DeleteFunc(e.cards(e.f.pack, unit(kind)), func(c game.Card) bool { return slices.Contains(mine, c) })
}

// burns reports whether the card ends the deal as the fourth of its rank.
func (e *explainer) burns(card uint8) bool {
	p := e.at
	p.cards++
	return e.f.burn && p.phase != game.Lead && p.burns(e.f, card)
}

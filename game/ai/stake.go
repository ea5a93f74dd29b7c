package ai

import "sedmabot/game"

// stakeFacts adds the facts about what decides the deal: who has which points, and who has no trick yet.
func (e *explainer) stakeFacts(add func(Reason, *knowledge)) {
	f, p, x, y := e.f, &e.at, e.x, e.y
	mine := f.slot[e.me]
	theirs := 1 - mine
	if !f.halves() {
		return
	}
	gains, fails := e.gains(x), !e.gains(y)
	if gains && fails && p.tricks[theirs] == 0 && p.tricks[mine] > 1 {
		add(Reason{Cause: Shut, Points: f.rules.Stakes[2]}, e.broken(theirs))
	}
	own, others := int(p.points[mine]), int(p.points[theirs])
	if 2*max(own, others) > f.allPoints() {
		return // it is decided who wins
	}
	brings := func(has int, move uint8) int { return has + int(p.pot+e.worth(move)) }
	wins := func(points int) bool { return 2*points > f.allPoints() }
	ahead := func(move uint8) bool { return e.ours || e.takesOver(move) }
	if after := brings(others, y); e.theirs && !ahead(y) && wins(after) && (gains || ahead(x) || !wins(brings(others, x))) {
		add(Reason{Cause: Ends, Points: others, Than: f.enough(others), Sure: gains}, e.moved(mine, after))
	}
	if after := brings(own, x); ahead(x) && wins(after) && (gains && fails || !ahead(y) || !wins(brings(own, y))) {
		add(Reason{Cause: Ends, Points: f.enough(own), Sure: gains, Own: true}, e.moved(theirs, after))
	}
}

// halves reports whether one of two sides wins the deal with more than half of the points of the cards and of the last trick,
// and nothing else decides it.
func (f *form) halves() bool {
	r := &f.rules
	return r.Scoring == game.ByStakes && r.FinalSeven == game.SevenNormal && f.slots == 2 && !f.solo && !f.burn && !f.dead && r.TrickPoints == 0 &&
		r.BurnedGame == 0 && (r.Tie == game.TieNone || !r.CanTie())
}

// makes returns how many points the side has with this trick to which the reason says that one of the two moves adds points, if
// they win it the deal and without them the trick doesn't. Otherwise it returns 0.
func (e *explainer) makes(r Reason) int {
	f, p, slot, more, less := e.f, &e.at, e.f.slot[e.me], e.x, e.y
	switch r.Cause {
	case Feed, Leave:
	case Low, Gift, Unsafe:
		slot, more, less = 1-slot, e.y, e.x
	default:
		return 0
	}
	has := int(p.points[slot&1])
	after := has + int(p.pot+e.worth(more))
	if !f.halves() || 2*int(max(p.points[0], p.points[1])) > f.allPoints() || 2*after <= f.allPoints() || 2*(has+int(p.pot+e.worth(less))) > f.allPoints() {
		return 0
	}
	return after
}

// gains reports whether the seat's side takes the trick for certain after the move.
func (e *explainer) gains(move uint8) bool {
	switch {
	case move == stop:
		return e.ours
	case e.takesOver(move):
		return e.takesFor(move)
	}
	return e.ours && (spread(e.out)&e.f.takes[e.at.lead&15][e.at.best&15]&e.f.all() == 0 || e.ends())
}

// allPoints returns the points of a deal, with the last trick's.
func (f *form) allPoints() int {
	n := f.rules.LastTrick
	for _, c := range f.rules.Pack() {
		n += f.rules.CardPoints.Of(c.Rank())
	}
	return n
}

// least returns the points of the cheapest card that has any.
func (f *form) least() (least int) {
	for kind := range f.kinds {
		if n := int(f.points[kind]); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return max(1, least)
}

// enough returns how many more points a side needs to win the deal.
func (f *form) enough(has int) (n int) {
	for n = f.least(); 2*(has+n) <= f.allPoints(); n += f.least() {
	}
	return n
}

// broken returns the knowledge in which the side has won one of the other side's tricks.
func (e *explainer) broken(slot uint8) *knowledge {
	k := e.otherwise()
	k.at.tricks[slot]++
	k.at.tricks[1-slot]--
	return k
}

// moved returns the knowledge in which the side has got so many of the other side's points that those, which would have so
// many after this trick, wouldn't win the deal with them. It returns nil if it takes more than they have, or than would
// decide the deal.
func (e *explainer) moved(to uint8, after int) *knowledge {
	k, n := e.otherwise(), e.f.least()
	for d := n; ; d += n {
		if int(k.at.points[1-to]) < d || 2*(int(k.at.points[to])+d) > e.f.allPoints() {
			return nil
		}
		if 2*(after-d) <= e.f.allPoints() {
			k.at.points[1-to] -= int16(d)
			k.at.points[to] += int16(d)
			return k
		}
	}
}

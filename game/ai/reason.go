package ai

import (
	"cmp"
	"context"
	"slices"

	"sedmabot/game"
)

// A Cause is what a Reason says about a move. "Opponent" means one who may still
// play to this trick; "likely" is judged in the worlds that the move was chosen by.
type Cause string

// The causes.
const (
	NoCause    Cause = ""           // nothing of the following is known to be true
	Burns      Cause = "burns"      // the card is the fourth of its rank, which wins the deal at once
	LastTrick  Cause = "last"       // this card makes the trick the last, which brings Points more
	Partner    Cause = "partner"    // a partner is winning, and the card adds points
	Own        Cause = "own"        // the seat is winning, and the card adds points
	Leave      Cause = "leave"      // a partner is winning, and the card doesn't take over
	Bank       Cause = "bank"       // the seat's side is winning, and the move ends the trick
	Take       Cause = "take"       // an opponent is winning Points, and the card takes over
	Save       Cause = "save"       // the trick is worth nothing so far, and Card, which would take over, is kept
	Low        Cause = "low"        // an opponent is winning, and the card adds nothing
	Hopeless   Cause = "hopeless"   // an opponent is winning, and no card takes over
	Risky      Cause = "risky"      // an opponent is likely to beat Card, which is kept
	Unbeatable Cause = "unbeatable" // nobody else can beat the card
	Safe       Cause = "safe"       // no opponent is likely to beat the card
	Unlikely   Cause = "unlikely"   // no opponent is likely to have a card of Rank, which was led
	Wins       Cause = "wins"       // the seat's side is likely to win the trick
	Pair       Cause = "pair"       // the seat leads Rank and has another card of it, to continue with
	Cheap      Cause = "cheap"      // the seat leads a card without points, and has cards with points or wild ones
)

// Causes are all causes but NoCause. Their order is part of stored documents: add new ones at the end.
var Causes = []Cause{
	Burns, LastTrick, Partner, Own, Leave, Bank, Take, Save, Low, Hopeless, Risky, Unbeatable, Safe, Unlikely, Wins, Pair, Cheap,
}

// A Reason is why a move is good: one fact about the position.
type Reason struct {
	Cause  Cause     `json:"cause"`
	Card   game.Card `json:"card,omitempty"`
	Rank   game.Rank `json:"rank,omitzero"`
	Points int       `json:"points,omitempty"`
}

// Explain returns the same as Values, the index of the choice with the best score,
// and the reason for it. The same view gives the same reason.
func Explain(ctx context.Context, v game.View, m game.Match, worlds int) (choices []Choice, best int, why Reason, err error) {
	var seen witness
	choices, k, err := values(ctx, &v, m, worlds, &seen)
	if err != nil {
		return nil, 0, Reason{}, err
	}
	for i, c := range choices {
		if c.Score > choices[best].Score {
			best = i
		}
	}
	return choices, best, k.reason(&v, &seen, choices, choices[best].Move), nil
}

// witness counts worlds in which a fact is true, by move.
type witness struct {
	worlds  int
	ours    [32]int // the seat's side wins the trick
	beaten  [32]int // an opponent has a card that beats the one played
	matched [32]int // an opponent has a card of the rank led
}

// likely reports whether count is at least two thirds of the worlds: then a fact that is true in so many is likely.
func (o *witness) likely(count int) bool { return 3*count >= 2*o.worlds }

// unlikely reports whether a fact is true in at most one of three worlds.
func (o *witness) unlikely(count int) bool { return 3*count <= o.worlds }

// mostly reports whether a fact is true in at least half of the worlds.
func (o *witness) mostly(count int) bool { return 2*count >= o.worlds }

// see adds a world, in which p is the position.
func (o *witness) see(k *knowledge, options []option, p *position) {
	o.worlds++
	against := k.against(p)
	for _, option := range options {
		if option.move >= stop {
			continue
		}
		led, beats := k.after(option.move)
		if against&beats != 0 {
			o.beaten[option.move]++
		}
		if against&k.f.effective[led] != 0 {
			o.matched[option.move]++
		}
	}
}

// against returns the kinds that the opponents who may still play to the trick have.
func (k *knowledge) against(p *position) (hands uint64) {
	after := true
	for q := uint8(k.f.next[k.me]); q != k.me; q = uint8(k.f.next[q]) {
		after = after && (p.phase != game.Follow || q != p.leader)
		if (after || !k.f.noDecide) && !p.together(k.f, k.me, q) {
			hands |= spread(p.hand[q])
		}
	}
	return hands
}

// after returns the kind that is led once the card is played, and the kinds that beat
// what is winning then.
func (k *knowledge) after(card uint8) (led uint8, beats uint64) {
	p, f := &k.at, k.f
	led, best := p.lead, p.best
	if p.phase == game.Lead {
		led = f.eff[card]
	}
	if k.takesOver(card) {
		best = f.eff[card]
	}
	return led, f.takes[led&15][best&15]
}

// takesOver reports whether the card, played now, would be winning the trick.
func (k *knowledge) takesOver(card uint8) bool {
	p := k.at
	if p.phase == game.Lead {
		return true
	}
	p.count[k.me]--
	return k.f.takes[p.lead&15][p.best&15]&unit(card) != 0 && !(k.f.dead && p.deadSeven(k.f, k.f.eff[card]))
}

// playTrick makes the move and plays the trick to its end. It returns who wins it, or
// who wins the deal where the trick burns.
func (p *position) playTrick(f *form, b *policy, m uint8) uint8 {
	before := p.taken()
	p.play(f, m)
	for p.phase != game.Over && p.taken() == before {
		p.play(f, b.choose(f, p))
	}
	if p.taken() == before {
		return p.winner
	}
	return uint8(p.lastTrick)
}

// taken returns the number of finished tricks.
func (p *position) taken() (n int) {
	for _, tricks := range p.tricks {
		n += int(tricks)
	}
	return n
}

// reason returns the first fact that is true of the move, in the order of what helps
// most to understand it.
func (k *knowledge) reason(v *game.View, seen *witness, choices []Choice, move game.Move) Reason {
	e := &explainer{knowledge: k, v: v, seen: seen, choices: choices, m: k.f.move(move)}
	if v.Phase != game.Lead && (!k.f.solo || v.Solo >= 0 || v.Winner == v.Seat) {
		e.ours = k.at.together(k.f, k.me, uint8(v.Winner))
		e.theirs = !e.ours
	}
	switch {
	case e.m == stop:
		return e.stopping()
	case e.m > stop:
		return Reason{}
	case v.Phase == game.Lead:
		return e.leading()
	case v.Phase == game.Follow && !k.takesOver(e.m):
		return e.giving()
	}
	return e.taking()
}

// explainer looks for the reason for one move.
type explainer struct {
	*knowledge
	v            *game.View
	seen         *witness
	choices      []Choice
	m            uint8 // the move
	ours, theirs bool  // which side is winning the trick; both false if the seat can't know
}

// points returns what the card adds to the trick.
func (e *explainer) points() int16 { return e.f.points[e.m] }

// other returns the legal card with the best score that the test accepts.
func (e *explainer) other(accepts func(kind uint8) bool) (game.Card, uint8) {
	var found []Choice
	for _, c := range e.choices {
		card, isCard := c.Move.Card()
		if kind := e.f.move(c.Move); isCard && kind != e.m && accepts(e.f.kind(card)) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return 0, 0
	}
	most := slices.MaxFunc(found, func(a, b Choice) int { return cmp.Compare(a.Score, b.Score) })
	card, _ := most.Move.Card()
	return card, e.f.kind(card)
}

// pointed reports whether another legal card has more points.
func (e *explainer) pointed() bool {
	c, _ := e.other(func(kind uint8) bool { return e.f.points[kind] > e.points() })
	return c != 0
}

// savesWild reports whether another legal card is wild, and the card is not.
func (e *explainer) savesWild() bool {
	wild := func(kind uint8) bool { return e.f.wild&unit(kind) != 0 }
	c, _ := e.other(wild)
	return c != 0 && !wild(e.m)
}

// plainer reports whether another legal card has fewer points.
func (e *explainer) plainer() bool {
	c, _ := e.other(func(kind uint8) bool { return e.f.points[kind] < e.points() })
	return c != 0
}

// worthless reports whether the trick is worth nothing so far.
func (e *explainer) worthless() bool { return e.at.pot == 0 && e.f.roundWorth == 0 }

// stopping is for a leader who stops.
func (e *explainer) stopping() Reason {
	keep, kind := e.other(e.takesOver)
	switch {
	case e.ours:
		return Reason{Cause: Bank}
	case keep != 0 && e.worthless():
		return Reason{Cause: Save, Card: keep}
	case keep != 0 && e.seen.likely(e.seen.beaten[kind]):
		return Reason{Cause: Risky, Card: keep}
	}
	return Reason{}
}

// leading is for the first card of a trick.
func (e *explainer) leading() Reason {
	if why := e.holding(); why.Cause != NoCause {
		return why
	}
	rank := e.f.rank[e.m]
	switch {
	case held(e.at.hand[e.me], e.m) > 1 && !e.f.noDecide:
		return Reason{Cause: Pair, Rank: rank}
	case e.points() == 0 && (e.pointed() || e.savesWild()):
		return Reason{Cause: Cheap}
	case e.seen.likely(e.seen.ours[e.m]):
		return Reason{Cause: Wins}
	}
	return Reason{}
}

// holding returns the reason that the card can't be beaten, or is unlikely to be.
func (e *explainer) holding() Reason {
	led, beats := e.after(e.m)
	unseen := uint64(0)
	for _, kind := range e.unseen {
		unseen |= unit(kind)
	}
	switch {
	case unseen&beats == 0:
		return Reason{Cause: Unbeatable}
	case e.seen.unlikely(e.seen.beaten[e.m]):
		return Reason{Cause: Safe}
	case e.seen.unlikely(e.seen.matched[e.m]):
		return Reason{Cause: Unlikely, Rank: e.f.rank[led]}
	}
	return Reason{}
}

// giving is for a follower's card that does not take over.
func (e *explainer) giving() Reason {
	mostlyOurs := e.seen.mostly(e.seen.ours[e.m])
	keep, kind := e.other(e.takesOver)
	switch {
	case e.burns():
		return Reason{Cause: Burns}
	case e.ours && mostlyOurs && e.points() > 0 && e.plainer():
		if e.v.Winner == e.v.Seat {
			return Reason{Cause: Own}
		}
		return Reason{Cause: Partner}
	case e.ours && mostlyOurs && e.v.Winner != e.v.Seat:
		return Reason{Cause: Leave}
	case keep != 0 && e.points() == 0 && e.worthless():
		return Reason{Cause: Save, Card: keep}
	case e.theirs && !mostlyOurs && e.points() == 0 && e.pointed():
		return Reason{Cause: Low}
	case e.theirs && keep == 0 && !e.plainer():
		return Reason{Cause: Hopeless}
	case keep != 0 && e.seen.likely(e.seen.beaten[kind]):
		return Reason{Cause: Risky, Card: keep}
	case e.seen.likely(e.seen.ours[e.m]):
		return Reason{Cause: Wins}
	}
	return Reason{}
}

// taking returns the reason for playing a card that takes the trick over or continues it.
func (e *explainer) taking() Reason {
	mostlyOurs := e.seen.mostly(e.seen.ours[e.m])
	switch {
	case e.burns():
		return Reason{Cause: Burns}
	case mostlyOurs && e.last():
		return Reason{Cause: LastTrick, Points: e.f.rules.LastTrick}
	case e.theirs && e.at.pot > 0 && e.takesOver(e.m) && !e.seen.unlikely(e.seen.ours[e.m]):
		return Reason{Cause: Take, Points: int(e.at.pot)}
	case mostlyOurs && e.v.Winner == e.v.Seat && e.points() > 0:
		return Reason{Cause: Own}
	}
	if e.takesOver(e.m) {
		if why := e.holding(); why.Cause != NoCause {
			return why
		}
	}
	if e.seen.likely(e.seen.ours[e.m]) {
		return Reason{Cause: Wins}
	}
	return Reason{}
}

// burns reports whether the card ends the deal as the fourth of its rank.
func (e *explainer) burns() bool {
	p := e.at
	p.cards++
	return e.f.burn && p.burns(e.f, e.m)
}

// last reports whether nobody has a card left once this round is over.
func (e *explainer) last() bool {
	if e.f.rules.LastTrick == 0 || e.at.left() > 0 || e.v.Phase != game.Decide {
		return false
	}
	return slices.Max(e.v.Counts) <= 1
}

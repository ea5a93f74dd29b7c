package ai

import (
	"context"
	"math"
	"slices"

	"sedmabot/game"
)

// A Cause is the kind of fact that a Reason states about two moves. "The better" and "the other" are these moves.
// "Out" is a card that the seat hasn't seen: another player has it, or the stock.
type Cause string

// The causes.
const (
	NoCause    Cause = ""           // nothing of the following is known
	Burns      Cause = "burns"      // the better is the fourth of its rank, which wins the deal at once
	Over       Cause = "over"       // an opponent is winning a trick with Points; the better takes over, the other doesn't
	Empty      Cause = "empty"      // an opponent is winning a trick without points; the other would take over
	Risky      Cause = "risky"      // an opponent is winning; the other would take over, but Cards are out, which beat it
	Bank       Cause = "bank"       // the seat's side is winning Points, the better stops and the other continues; Cards are out, which could take the next round
	Leave      Cause = "leave"      // a partner is winning; the other would take over, the better doesn't
	Feed       Cause = "feed"       // the seat's side is winning, and is likely to; the better adds Points more than the other; few Cards are out, which could take the trick, or more, which aren't named
	Low        Cause = "low"        // an opponent is winning; the other gives Points more than the better
	Unsafe     Cause = "unsafe"     // a partner or the seat is winning, but Cards are out, which beat that; the other has Points more
	Unbeatable Cause = "unbeatable" // Cards, which could beat the better, are all gone or in the seat's hand; see Points of Expect
	Exposed    Cause = "exposed"    // led, the other has Points more than the better, and Cards are out, which beat it
	Fewer      Cause = "fewer"      // Cards are out, which beat the better; more are out which beat the other
	Pair       Cause = "pair"       // the seat has Cards of the better's rank, and none of the other's
	Split      Cause = "split"      // the seat has Cards of the other's rank, and none of the better's
	Dead       Cause = "dead"       // neither takes over; all Cards of the better's rank are gone, and some of the other's are out; with Points: of the last trick, Cards are also all that take any trick
	Spare      Cause = "spare"      // the other could take any trick; both take over, or see Own
	Gift       Cause = "gift"       // an opponent is winning; the better takes over, the other doesn't and gives Points more
	Rest       Cause = "rest"       // the better takes the trick for certain, and the seat's remaining Cards all the others
	Back       Cause = "back"       // led, both can be beaten; Cards of the seat take the trick back then, but none after the other
	Last       Cause = "last"       // the other takes any trick; no such card is out
	Later      Cause = "later"      // the other, led later, can't be beaten: Cards, which could, are gone or in the seat's hand
	Final      Cause = "final"      // the other takes any trick, and is left for the last one, which brings Points; the better isn't wild
	Open       Cause = "open"       // the others' cards are known: Cards; the better brings at least Points of the deal, the other Than
	Shut       Cause = "shut"       // the others have no trick yet; the better takes this one for certain, the other doesn't; a win brings Points then
	Ends       Cause = "ends"       // an opponent is winning, and the others have Points; Than more win them the deal, which the other leaves or gives them; see Own
	Expect     Cause = "expect"     // the seat's side can expect Points of the deal with the better, Than with the other
	Odds       Cause = "odds"       // the seat's side takes the trick in Points of 100 cases with the better, in Than with the other
	Wins       Cause = "wins"       // the seat's side wins the deal in Points of 100 cases with the better, in Than with the other
	Equal      Cause = "equal"      // the moves are about equally good; see Advice
)

// Causes are all causes but NoCause.
var Causes = []Cause{
	Burns, Over, Empty, Risky, Bank, Leave, Feed, Low, Unsafe, Unbeatable, Exposed, Fewer, Pair, Split, Dead, Spare,
	Gift, Rest, Back, Last, Later, Final, Open, Shut, Ends, Expect, Odds, Wins, Equal,
}

// A Reason is why one move is better than another: a fact that is different for the two, and that the reader can check.
type Reason struct {
	Cause        Cause
	Better       game.Move
	Other        game.Move
	Cards        []game.Card // in the order of the pack
	Points, Than int         // Than of Feed, Leave, Low, Gift and Unsafe: what the side has with this trick, if the points added win it the deal; or 0
	Missing      []game.Card // cards of the ranks that the reason counts, which the pack lacks in this game
	Then         []game.Card // of Over, in a trick without points: cards of the seat that nobody can beat if it leads them next
	Sure         bool        // of Over, Feed, Pair and Ends: the seat's side takes the trick for certain; of Final: the other takes the last one for certain
	Own          bool        // of Feed: the seat itself is winning the trick; of Spare: the better is led, or doesn't take over; of Ends: the seat's side needs Points, which the trick brings with the better
	Lead         bool        // of Feed: the seat leads the better; only Cards beat it
	Several      bool        // there is more than one other player
	Advice       Advice      // of Equal: what is generally good there
}

// An Advice is what is generally good, and what the better of two moves does that are about equally good.
type Advice string

// The advice. It is about games in which aces, tens and sevens are the cards worth keeping.
const (
	NoAdvice Advice = ""
	LeadLow  Advice = "lead.low" // lead a card worth nothing
	ThrowLow Advice = "throw"    // throw a card worth nothing away
	LeaveIt  Advice = "leave"    // let the partner have the trick
)

// Fact reports whether the reason is a fact about the cards, and not only what the search expects of the two moves.
func (r Reason) Fact() bool {
	switch r.Cause {
	case NoCause, Expect, Odds, Wins, Equal:
		return false
	default:
		return true
	}
}

// Explain returns the same as Part, the index of the choice with the best score, and why it is better than the other
// move. If the other move is 0 or plays like the best, Explain compares with the best of those that play differently.
// If those two are about equally good, the choice is the one with the lowest [Price] of all that are as good.
// The same view gives the same reason.
func Explain(ctx context.Context, v game.View, m game.Match, worlds int, other game.Move) (choices []Choice, best int, why Reason, err error) {
	var seen census
	choices, k, err := values(ctx, &v, m, worlds, &seen)
	if err != nil {
		return nil, 0, Reason{}, err
	}
	for i, c := range choices {
		if c.Score > choices[best].Score {
			best = i
		}
	}
	why, err = k.compare(ctx, &v, m, &seen, choices, choices[best].Move, other)
	if err != nil || why.Cause != Equal || other != 0 {
		return choices, best, why, err
	}
	named := best
	for i, c := range choices {
		if choices[best].Score-c.Score < k.f.even() && Price(&v.Rules, c.Move) < Price(&v.Rules, choices[named].Move) {
			named = i
		}
	}
	why, err = k.compare(ctx, &v, m, &seen, choices, choices[named].Move, 0)
	return choices, named, why, err
}

// Price says how much a player would rather keep the card of the move: its points, and more if it takes any trick. To stop
// takes no card, and is cheaper than all.
func Price(r *game.Rules, m game.Move) int {
	c, isCard := m.Card()
	if !isCard {
		return -1
	}
	n := r.CardPoints.Of(c.Rank())
	if r.Wild.Has(c.Rank()) || c == r.SpecialSeven {
		n += 100
	}
	return n
}

// Compare returns why one move of the view is better than another. It searches that many worlds.
func Compare(ctx context.Context, v game.View, m game.Match, worlds int, better, other game.Move) (Reason, error) {
	var seen census
	choices, k, err := values(ctx, &v, m, worlds, &seen)
	if err != nil {
		return Reason{}, err
	}
	return k.compare(ctx, &v, m, &seen, choices, better, other)
}

// lead returns by how much one of the choices is better than the other.
func lead(choices []Choice, better, other game.Move) (gap float64) {
	for _, c := range choices {
		if c.Move == better {
			gap += c.Score
		}
		if c.Move == other {
			gap -= c.Score
		}
	}
	return gap
}

// Even is by how many stakes a move must be better than another. Below it, they are about equally good: other worlds often say
// the opposite. EvenPoints is the same in games that count points.
const (
	Even       = 0.1
	EvenPoints = 2.0
)

// Limits of reasons.
const (
	trialWorlds = 200  // worlds in which a fact is tried
	leastShare  = 0.25 // share of the preference that depends on a fact which is a reason
	weakShare   = 0.5  // share below which facts that depend on much else come after all others
	lastResort  = 1e-3 // how often their shares count then
	sevenFactor = 5    // by how much the share of a certain last trick counts
	leastScore  = 0.02 // difference of the score that a fact makes at least
)

// factors are how often the shares of facts count that leave nothing to chance, or say what decides the deal. Readers believe
// these first.
var factors = map[Cause]float64{Rest: 3, Unbeatable: 2, Last: 2, Shut: 3, Ends: 2}

// census counts over worlds, by move.
type census struct {
	worlds int
	ours   [32]int // the seat's side wins the trick
	points [32]int // what the seat's side gets in the deal
	won    [32]int // the seat's side wins the deal
}

// own returns the points that the seat's side has got so far, with the last trick's if the deal is over.
func (k *knowledge) own(p *position) (n int) {
	f, counted := k.f, 0
	for q := range uint8(f.players) {
		if slot := f.slot[q]; p.together(f, k.me, q) && counted>>slot&1 == 0 {
			counted |= 1 << slot
			n += int(p.points[slot]) + f.rules.TrickPoints*int(p.roundsWon[slot])
		}
	}
	if p.phase == game.Over && p.lastTrick >= 0 && p.together(f, k.me, uint8(p.lastTrick)) {
		n += f.rules.LastTrick
	}
	return n
}

// playTrick makes the move and plays the trick to its end. It returns who wins it, or
// who wins the deal where the trick burns.
func (p *position) playTrick(f *form, b player, m uint8) uint8 {
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

// compare returns the reason why the better move is better than the other. It tries every fact that is different for
// the two: without the fact, how much less is the better move preferred? The reason is the fact on which most of the
// preference depends. If the others' cards are known, the points that are certain come before all facts.
func (k *knowledge) compare(ctx context.Context, v *game.View, m game.Match, seen *census, choices []Choice, better, other game.Move) (Reason, error) {
	f := k.f
	e := &explainer{knowledge: k, v: v, b: policyFor(f), m: newMatch(f, &m), random: seed(v), seen: seen, better: better, x: f.move(better)}
	if other == 0 || f.move(other) == e.x {
		if other = e.second(choices); other == 0 { // all moves play alike
			for _, c := range choices {
				if c.Move != better {
					return Reason{Cause: Equal, Better: better, Other: c.Move, Several: f.players > 2}, nil
				}
			}
			return Reason{}, nil
		}
	}
	e.other, e.y = other, f.move(other)
	e.look()
	facts, found := e.facts(), Reason{Better: better, Other: other, Several: f.players > 2}
	switch {
	case len(facts) == 1 && facts[0].Cause == Burns:
		found.Cause = Burns
		return found, nil
	case lead(choices, better, other) < f.even():
		if r, ok := e.open(); ok && lead(choices, better, other) > leastScore { // the cards are known, so it is no chance
			return r, nil
		}
		found.Cause, found.Advice = Equal, e.advice()
		return found, nil
	}
	all, err := e.preference(ctx, k, e.x, e.y)
	if err != nil {
		return Reason{}, err
	}
	most, least := 0.0, max(leastShare*all, leastScore)
	weak := []Cause{Empty, Split}
	if all > leastScore {
		if r, ok := e.open(); ok {
			return r, nil
		}
	}
	for _, fact := range facts {
		rest, err := e.preference(ctx, fact.without, fact.x, fact.y)
		if err != nil {
			return Reason{}, err
		}
		share := all - rest
		if share <= least {
			continue
		}
		if share <= weakShare*all && slices.Contains(weak, fact.Cause) || fact.Cause == Spare && fact.Own {
			share *= lastResort
		}
		if share *= max(1, factors[fact.Cause]); fact.Cause == Final && fact.Sure {
			share *= sevenFactor
		}
		if share > most {
			most, found = share, fact.Reason
			found.Better, found.Other, found.Several = better, other, f.players > 2
		}
	}
	switch {
	case found.Cause == NoCause:
		return e.general(), nil
	case found.Cause == Unbeatable && e.keeps():
		if r := e.general(); r.Cause == Expect {
			found.Points, found.Than = r.Points, r.Than
		}
	}
	found.Missing, found.Than, found.Then = e.missing(found), max(found.Than, e.makes(found)), e.then(found)
	return found, nil
}

// general returns what the search expects of the two moves.
func (e *explainer) general() Reason {
	r, seen := Reason{Better: e.better, Other: e.other}, e.seen
	n := float64(max(1, seen.worlds))
	x, y := math.Round(float64(seen.points[e.x])/n), math.Round(float64(seen.points[e.y])/n)
	share := func(count int) int { return int(math.Round(100 * float64(count) / n)) }
	switch {
	case x-y >= EvenPoints:
		r.Cause, r.Points, r.Than = Expect, int(x), int(y)
	case share(seen.ours[e.x]) > share(seen.ours[e.y]):
		r.Cause, r.Points, r.Than = Odds, share(seen.ours[e.x]), share(seen.ours[e.y])
	case share(seen.won[e.x]) > share(seen.won[e.y]):
		r.Cause, r.Points, r.Than = Wins, share(seen.won[e.x]), share(seen.won[e.y])
	case x > y:
		r.Cause, r.Points, r.Than = Expect, int(x), int(y)
	}
	return r
}

// advice returns what is generally good, if the better move does it.
func (e *explainer) advice() Advice {
	f, x := e.f, e.x
	if x >= stop || f.wild&unit(x) != 0 || e.takesOver(x) && e.at.phase != game.Lead || f.points[x] > 0 || f.wild == 0 || f.wild != f.effective[f.seven&15] || f.roundWorth > 0 {
		return NoAdvice
	}
	for kind := range f.kinds {
		if f.points[kind] > 0 != (f.rank[kind] == 'A' || f.rank[kind] == 'T') {
			return NoAdvice
		}
	}
	switch low := e.worth(e.y) == 0; { // else the advice would contradict that the other is as good
	case low && e.at.phase == game.Lead:
		return LeadLow
	case low && e.theirs:
		return ThrowLow
	case e.ours && e.at.phase == game.Follow && e.at.winner != e.me:
		return LeaveIt
	}
	return NoAdvice
}

// explainer looks for the reason why one move is better than another.
type explainer struct {
	*knowledge

	v      *game.View
	b      *policy
	m      *match
	random chance
	seen   *census
	better game.Move
	other  game.Move
	x, y   uint8 // the better and the other move

	out          uint64 // counted set of kinds that the seat hasn't seen
	past         uint64 // counted set of kinds in finished tricks
	zero         uint64 // set of kinds without points that aren't wild
	ours, theirs bool   // which side is winning the trick; both false if the seat can't know
}

// A fact is something that is different for the two moves, and what the seat would know if it weren't so.
type fact struct {
	Reason

	without *knowledge
	x, y    uint8 // the moves that are compared without the fact
}

// second returns the best of the moves that play differently from the better one.
func (e *explainer) second(choices []Choice) (second game.Move) {
	most := math.Inf(-1)
	for _, c := range choices {
		if e.f.move(c.Move) != e.x && c.Score > most {
			second, most = c.Move, c.Score
		}
	}
	return second
}

// look fills in what the facts are about.
func (e *explainer) look() {
	f := e.f
	for _, kind := range e.unseen {
		e.out += unit(kind)
	}
	e.past = e.at.gone
	for _, play := range e.v.Trick {
		e.past -= unit(f.kind(play.Card))
	}
	for kind := range uint8(f.kinds) {
		if f.points[kind] == 0 && f.wild&unit(kind) == 0 {
			e.zero |= unit(kind)
		}
	}
	if e.v.Phase != game.Lead && (!f.solo || e.v.Solo >= 0 || e.v.Winner == e.v.Seat) {
		e.ours = e.at.together(f, e.me, uint8(e.v.Winner))
		e.theirs = !e.ours
	}
}

// preference returns by how much the score of move x is above that of y for a seat that knows k.
func (e *explainer) preference(ctx context.Context, k *knowledge, x, y uint8) (float64, error) {
	options := []option{{move: x}, {move: y}}
	t := judge
	t.worlds = trialWorlds
	if err := t.rate(ctx, k, e.b, e.m, options, e.random, nil, true); err != nil {
		return 0, err
	}
	slot := k.f.slot[k.me]
	return e.m.gain(k.f, &options[0], slot) - e.m.gain(k.f, &options[1], slot), nil
}

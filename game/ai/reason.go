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
	Bank       Cause = "bank"       // the seat's side is winning Points, the better stops and the other continues
	Leave      Cause = "leave"      // a partner is winning; the other would take over, the better doesn't
	Feed       Cause = "feed"       // the seat's side is winning; the better adds Points more than the other
	Low        Cause = "low"        // an opponent is winning; the other gives Points more than the better
	Unsafe     Cause = "unsafe"     // a partner or the seat is winning, but Cards are out, which beat that; the other has Points more
	Unbeatable Cause = "unbeatable" // Cards, which could beat the better, are all gone or in the seat's hand
	Exposed    Cause = "exposed"    // led, the other has Points more than the better, and Cards are out, which beat it
	Fewer      Cause = "fewer"      // Cards are out, which beat the better; more are out which beat the other
	Pair       Cause = "pair"       // the seat has Cards of the better's rank, and none of the other's
	Split      Cause = "split"      // the seat has Cards of the other's rank, and none of the better's
	Dead       Cause = "dead"       // neither takes over; all Cards of the better's rank are gone, and some of the other's are out
	Spare      Cause = "spare"      // both take over, and the other could take any trick
	Expect     Cause = "expect"     // the seat's side can expect Points of the deal with the better, Than with the other
	Odds       Cause = "odds"       // the seat's side takes the trick in Points of 100 cases with the better, in Than with the other
	Wins       Cause = "wins"       // the seat's side wins the deal in Points of 100 cases with the better, in Than with the other
	Equal      Cause = "equal"      // the moves are about equally good
)

// Causes are all causes but NoCause.
var Causes = []Cause{
	Burns, Over, Empty, Risky, Bank, Leave, Feed, Low, Unsafe, Unbeatable, Exposed, Fewer, Pair, Split, Dead, Spare, Expect, Odds, Wins, Equal,
}

// A Reason is why one move is better than another: a fact that is different for the two, and that the reader can check.
type Reason struct {
	Cause        Cause
	Better       game.Move
	Other        game.Move
	Cards        []game.Card // in the order of the pack
	Points, Than int
}

// Explain returns the same as Part, the index of the choice with the best score, and why it is better than the other
// move. If the other move is 0 or plays like the best, Explain compares with the best of those that play differently.
// The same view gives the same reason.
func Explain(ctx context.Context, v game.View, m game.Match, worlds int, other game.Move) (choices []Choice, best int, why Reason, err error) {
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
	why, err = k.compare(ctx, &v, m, &seen, choices, choices[best].Move, other)
	return choices, best, why, err
}

// Compare returns why one move of the view is better than another. It searches that many worlds.
func Compare(ctx context.Context, v game.View, m game.Match, worlds int, better, other game.Move) (Reason, error) {
	var seen witness
	choices, k, err := values(ctx, &v, m, worlds, &seen)
	if err != nil {
		return Reason{}, err
	}
	return k.compare(ctx, &v, m, &seen, choices, better, other)
}

// Limits of reasons.
const (
	trialWorlds = 200  // worlds in which a fact is tried
	leastShare  = 0.25 // share of the preference that depends on a fact which is a reason
	weakShare   = 0.5  // the same for facts that depend on much else
	leastScore  = 0.02 // difference of the score below which two moves are about equally good
)

// witness counts over worlds, by move.
type witness struct {
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

// compare returns the reason why the better move is better than the other. It tries every fact that is different for
// the two: without the fact, how much less is the better move preferred? The reason is the fact on which most of the
// preference depends.
func (k *knowledge) compare(ctx context.Context, v *game.View, m game.Match, seen *witness, choices []Choice, better, other game.Move) (Reason, error) {
	f := k.f
	e := &explainer{knowledge: k, v: v, b: policyFor(f), m: newMatch(f, &m), random: seed(v), better: better, x: f.move(better)}
	if other == 0 || f.move(other) == e.x {
		if other = e.second(choices); other == 0 {
			return Reason{}, nil
		}
	}
	e.y = f.move(other)
	e.look()
	all, err := e.preference(ctx, k, e.x, e.y)
	if err != nil {
		return Reason{}, err
	}
	found, most := Reason{Better: better, Other: other}, max(leastShare*all, leastScore)
	weak := []Cause{Empty, Split}
	for _, fact := range e.facts() {
		if fact.Cause == Burns {
			found.Cause = Burns
			return found, nil
		}
		rest, err := e.preference(ctx, fact.without, fact.x, fact.y)
		if err != nil {
			return Reason{}, err
		}
		if all-rest > most && (all-rest > weakShare*all || !slices.Contains(weak, fact.Cause)) {
			most = all - rest
			found = fact.Reason
			found.Better, found.Other = better, other
		}
	}
	if found.Cause != NoCause {
		return found, nil
	}
	return e.general(seen, choices, better, other), nil
}

// general returns what the search expects of the two moves.
func (e *explainer) general(seen *witness, choices []Choice, better, other game.Move) Reason {
	r := Reason{Better: better, Other: other}
	n := float64(max(1, seen.worlds))
	x, y := math.Round(float64(seen.points[e.x])/n), math.Round(float64(seen.points[e.y])/n)
	share := func(count int) int { return int(math.Round(100 * float64(count) / n)) }
	gap := 0.0
	for _, c := range choices {
		if c.Move == better {
			gap += c.Score
		} else if c.Move == other {
			gap -= c.Score
		}
	}
	switch {
	case gap < leastScore:
		r.Cause = Equal
	case x > y:
		r.Cause, r.Points, r.Than = Expect, int(x), int(y)
	case share(seen.ours[e.x]) > share(seen.ours[e.y]):
		r.Cause, r.Points, r.Than = Odds, share(seen.ours[e.x]), share(seen.ours[e.y])
	case share(seen.won[e.x]) > share(seen.won[e.y]):
		r.Cause, r.Points, r.Than = Wins, share(seen.won[e.x]), share(seen.won[e.y])
	}
	return r
}

// explainer looks for the reason why one move is better than another.
type explainer struct {
	*knowledge

	v      *game.View
	b      *policy
	m      *match
	random chance
	better game.Move
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
	t := hard
	t.worlds = trialWorlds
	if err := t.rate(ctx, k, e.b, e.m, options, e.random, nil, true); err != nil {
		return 0, err
	}
	return options[0].score - options[1].score, nil
}

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
	k := e.otherwise()
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
	k := e.otherwise()
	k.at.hand[e.me] += unit(other) - unit(e.y)
	k.unseen[slices.Index(k.unseen, other)] = e.y
	return []fact{{r, k, e.x, other}}
}

// weaker returns the fact that the better move takes over, and what the seat would know and play if that card didn't.
func (e *explainer) weaker(r Reason) []fact {
	other, ok := e.spare(e.out, e.at.handKinds(e.me), e.f.points[e.x])
	if !ok {
		return nil
	}
	k := e.otherwise()
	k.at.hand[e.me] += unit(other) - unit(e.x)
	k.unseen[slices.Index(k.unseen, other)] = e.x
	return []fact{{r, k, other, e.y}}
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

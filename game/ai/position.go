package ai

import (
	"math/bits"

	"sedmabot/game"
)

// A position is the search's version of game.State. It has kinds instead of cards, in one value whose only pointer is
// the stock. The rules are in a form, which every method takes as an argument.
type position struct {
	hand  [8]uint64 // by seat: counted set of kinds
	count [8]uint8
	gone  uint64 // counted set of kinds that were played

	stock      *[maxPack]uint8 // kinds of the stock, from next to size
	next, size uint8

	phase  game.Phase
	end    game.End
	turn   uint8
	leader uint8
	winner uint8
	lead   uint8 // the kinds as which the first card and the winning card play
	best   uint8

	rounds, cards, run uint8
	runRank            game.Rank
	pot                int16 // card points in the trick

	points    [4]int16 // points and the like are by slot
	tricks    [4]uint8
	roundsWon [4]uint8
	lastTrick int8 // seat that won it
	price     int16

	banSeat, solo   int8
	banKind, banRun uint8
	passed          bool
	lastSeat        int8
	lastKind        uint8
}

func spread(x uint64) uint64 { return (x | x>>1 | x>>2 | x>>3) & ones }

func unit(kind uint8) uint64 { return 1 << (4 * kind & 63) }

func held(hand uint64, kind uint8) uint8 { return uint8(hand>>(4*kind&63)) & 15 }

// kindOf returns the first kind of a set that is not empty.
func kindOf(set uint64) uint8 { return uint8(bits.TrailingZeros64(set)) >> 2 }

func (p *position) left() uint8 { return p.size - p.next }

// legal returns the kinds that the current seat may play, and whether it may stop, pass, or play in the dark.
func (p *position) legal(f *form) (kinds uint64, mayStop, mayPass, mayDark bool) {
	kinds = spread(p.hand[p.turn&7])
	switch p.phase {
	case game.Decide:
		return kinds & f.continues[p.lead&15], true, false, false
	case game.Follow:
		stock := p.left() > 0
		return kinds, false, f.pass && !p.passed && stock, f.dark && stock
	default: // it leads: below
	}
	if f.ban == 0 {
		return kinds, false, false, f.dark && p.left() > 0
	}
	banned := p.banSeat == int8(p.turn) && p.banRun >= f.ban
	mayDark = f.dark && p.left() > 0 && !(f.banDark && banned)
	if banned {
		if others := kinds &^ f.effective[p.banKind&15]; others != 0 || mayDark {
			kinds = others
		}
	}
	return kinds, false, false, mayDark
}

// play makes a move, which must be legal.
func (p *position) play(f *form, m uint8) {
	switch m {
	case stop:
		p.endTrick(f)
	case pass:
		p.passed = true
		p.advance(f)
	case dark:
		kind := p.stock[p.next]
		p.next++
		p.put(f, kind, true)
	default:
		p.hand[p.turn&7] -= unit(m)
		p.count[p.turn&7]--
		p.put(f, m, false)
	}
}

// put plays a card, which has already left the hand or the stock, to the trick.
func (p *position) put(f *form, kind uint8, inDark bool) {
	seat, eff := p.turn, f.eff[kind&15]
	if kind == f.special {
		p.solo = int8(seat)
	}
	p.lastSeat, p.lastKind = int8(seat), kind
	p.gone += unit(kind)
	if p.phase == game.Lead {
		p.leader, p.winner, p.lead, p.best = seat, seat, eff, eff
		p.rounds, p.cards, p.run, p.pot = 1, 0, 0, 0
		if f.ban > 0 {
			if p.banSeat != int8(seat) || p.banKind != eff {
				p.banSeat, p.banKind, p.banRun = int8(seat), eff, 0
			}
			p.banRun++
		}
	} else {
		if p.phase == game.Decide {
			p.rounds++
		}
		if f.takes[p.lead&15][p.best&15]&unit(kind) != 0 && !(f.dead && p.deadSeven(f, eff)) {
			p.winner, p.best = seat, eff
		}
	}
	p.pot += f.points[kind&15]
	p.cards++
	if f.burn && p.burns(f, kind) {
		return
	}
	if f.afterPlay && !inDark && p.left() > 0 {
		p.draw(f, seat)
		if f.burnHand && p.burnedGame(f, seat) {
			return
		}
	}
	p.advance(f)
}

func (p *position) draw(f *form, seat uint8) {
	kind := p.stock[p.next]
	p.next++
	p.hand[seat&7] += unit(kind)
	p.count[seat&7]++
	if kind == f.special {
		p.solo = int8(seat)
	}
}

// burns ends the deal if the card just played completes four of one rank. It reports whether it did.
func (p *position) burns(f *form, kind uint8) bool {
	rank := f.rank[kind&15]
	if p.runRank != rank || p.run == 0 {
		p.runRank, p.run = rank, 0
	}
	p.run++
	if p.run < 4 || !f.burnRun && p.cards != 4 || f.price[kind&15] == 0 {
		return false
	}
	p.phase, p.end, p.winner, p.price = game.Over, game.EndBurn, p.turn, f.price[kind&15]
	return true
}

// deadSeven reports whether the seven is the very last card of the deal, played by a side without a trick.
func (p *position) deadSeven(f *form, eff uint8) bool {
	if eff != f.seven || p.left() > 0 {
		return false
	}
	for q := range uint8(f.players) {
		if p.count[q] > 0 || p.tricks[f.slot[q]] > 0 && p.together(f, p.turn, q) {
			return false
		}
	}
	return true
}

// together reports whether two seats are on one side.
func (p *position) together(f *form, a, b uint8) bool {
	if f.solo {
		return a == b || int8(a) != p.solo && int8(b) != p.solo
	}
	return f.slot[a&7] == f.slot[b&7]
}

func (p *position) advance(f *form) {
	q := uint8(f.next[p.turn&7])
	for q != p.leader && p.count[q&7] == 0 {
		q = uint8(f.next[q&7])
	}
	switch {
	case q != p.leader:
		p.turn, p.phase = q, game.Follow
	case p.count[q&7] > 0 && !f.noDecide && !(f.opponent && p.together(f, p.winner, q)):
		p.turn, p.phase = q, game.Decide
	default:
		p.endTrick(f)
	}
}

func (p *position) endTrick(f *form) {
	w := p.winner
	slot := f.slot[w&7] & 3
	p.points[slot] += p.pot
	p.tricks[slot]++
	p.roundsWon[slot] += p.rounds
	p.lastTrick = int8(w)
	if !f.afterPlay && p.next < p.size {
		first := w
		if f.fromLead {
			first = p.leader
		}
		p.replenish(f, first)
		if f.burnHand && p.burnedGame(f, first) {
			return
		}
	}
	for range f.players {
		if p.count[w&7] > 0 {
			p.turn, p.phase = w, game.Lead
			return
		}
		w = uint8(f.next[w&7])
	}
	p.phase, p.end = game.Over, game.EndPlayed
}

// replenish fills the hands, shortest first; or each at once if the rules draw in bulk and enough cards are left.
func (p *position) replenish(f *form, first uint8) {
	q := first
	if f.bulk && int(p.left()) >= p.missing(f) {
		for range f.players {
			for p.count[q&7] < f.handSize {
				p.draw(f, q)
			}
			q = uint8(f.next[q&7])
		}
		return
	}
	size := f.handSize
	for s := range uint8(f.players) {
		size = min(size, p.count[s&7])
	}
	for ; size < f.handSize; size++ {
		for range f.players {
			if p.count[q&7] == size && p.next < p.size {
				p.draw(f, q)
			}
			q = uint8(f.next[q&7])
		}
	}
}

func (p *position) missing(f *form) (n int) {
	for s := range f.players {
		n += int(f.handSize - p.count[s])
	}
	return n
}

// burnedGame ends the deal if a hand is four cards of one rank. It reports whether it did.
func (p *position) burnedGame(f *form, first uint8) bool {
	q := first
	for range f.players {
		if f.fourEqual(p.hand[q], p.count[q]) {
			p.phase, p.end, p.winner, p.price = game.Over, game.EndBurnedGame, q, int16(f.rules.BurnedGame)
			return true
		}
		q = uint8(f.next[q])
	}
	return false
}

// fourEqual reports whether the hand is four cards of one printed rank. Blanks have no rank.
func (f *form) fourEqual(hand uint64, count uint8) bool {
	if count != 4 {
		return false
	}
	set := spread(hand)
	rank := f.rank[kindOf(set)]
	for ; set != 0; set &= set - 1 {
		if f.rank[kindOf(set)] != rank {
			return false
		}
	}
	return rank != 0
}

// moves appends the legal moves.
func (p *position) moves(f *form, to []uint8) []uint8 {
	kinds, mayStop, mayPass, mayDark := p.legal(f)
	for ; kinds != 0; kinds &= kinds - 1 {
		to = append(to, kindOf(kinds))
	}
	if mayStop {
		to = append(to, stop)
	}
	if mayPass {
		to = append(to, pass)
	}
	if mayDark {
		to = append(to, dark)
	}
	return to
}

// move returns the search's form of a move of package game.
func (f *form) move(m game.Move) uint8 {
	switch m {
	case game.Stop:
		return stop
	case game.Pass:
		return pass
	case game.Dark:
		return dark
	}
	return f.kind(game.Card(m))
}

// dealt returns a deal at its beginning; the first hands come from the top of the stock.
func dealt(f *form, stock *[maxPack]uint8, size, dealer int) position {
	p := position{
		stock: stock, size: uint8(size),
		banSeat: game.Nobody, solo: game.Nobody, lastTrick: game.Nobody, lastSeat: game.Nobody,
	}
	p.leader = uint8(f.next[dealer])
	p.turn = p.leader
	for seat := range f.players {
		for range f.handSize {
			p.draw(f, uint8(seat))
		}
	}
	if f.burnHand {
		p.burnedGame(f, p.leader)
	}
	return p
}

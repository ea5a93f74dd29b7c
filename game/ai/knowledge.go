package ai

import "sedmabot/game"

// knowledge is what a seat knows of a deal, in the form that the search needs. It has a position in which the others'
// hands and the stock are empty, the kinds that are hidden there, and what the others did.
type knowledge struct {
	f      *form
	me     uint8
	at     position
	unseen []uint8
	acts   [8][]act // by seat, latest first; empty for me
}

// An act is something that another seat was seen to do: it drew cards or made a move.
type act struct {
	drew    uint8
	move    uint8
	look    outlook
	allowed uint64  // kinds that the rules allowed it to play
	banned  bool    // the lead ban applied; without an allowed kind it could play any
	others  []uint8 // moves that it could make without a card of its hand
}

// blank is a placeholder kind for an unknown card.
const blank = maxKinds

// know reads the view. The seat remembers every card.
func know(v *game.View, f *form) *knowledge {
	k := &knowledge{f: f, me: uint8(v.Seat)}
	p := &k.at
	p.size, p.phase, p.turn, p.leader = uint8(v.Stock), v.Phase, uint8(v.Turn), uint8(v.Leader)
	p.banSeat, p.banRun, p.solo = int8(v.LeadSeat), uint8(v.LeadCount), int8(v.Solo)
	p.lastTrick, p.lastSeat, p.passed = int8(v.LastTrick), game.Nobody, v.PassUsed
	if v.LeadSeat >= 0 {
		p.banKind = uint8(f.find(v.LeadRank))
	}
	for i := range v.CardPoints {
		p.points[i], p.tricks[i], p.roundsWon[i] = int16(v.CardPoints[i]), uint8(v.TricksWon[i]), uint8(v.RoundsWon[i])
	}
	for seat, n := range v.Counts {
		p.count[seat] = uint8(n)
	}
	for _, c := range v.Hand {
		if c != 0 {
			p.hand[v.Seat] += unit(f.kind(c))
		}
	}
	for _, t := range v.Tricks {
		for _, play := range t.Plays {
			p.gone += unit(f.kind(play.Card))
		}
	}
	for _, cards := range v.Captured {
		for _, c := range cards {
			p.gone += unit(f.kind(c))
		}
	}
	p.lay(f, v)
	k.unseen = f.list(f.pack - p.gone - p.hand[v.Seat])
	if v.Captured == nil && !k.known() {
		k.replay(v)
	}
	return k
}

// lay sets the open trick of the position.
func (p *position) lay(f *form, v *game.View) {
	if len(v.Trick) == 0 {
		return
	}
	p.winner, p.rounds, p.cards = uint8(v.Winner), uint8(v.Rounds), uint8(len(v.Trick))
	p.lead = f.eff[f.kind(v.Trick[0].Card)]
	p.best = p.lead
	for _, play := range v.Trick {
		kind := f.kind(play.Card)
		p.gone += unit(kind)
		p.pot += f.points[kind]
		if f.takes[p.lead][p.best]&unit(kind) != 0 {
			p.best = f.eff[kind]
		}
		if p.runRank != f.rank[kind] {
			p.runRank, p.run = f.rank[kind], 0
		}
		p.run++
	}
}

// replay makes the moves of the deal again, with blanks for unknown cards. It records what the others did and in which
// situation.
func (k *knowledge) replay(v *game.View) {
	f := k.f
	var stock [maxPack]uint8
	for i := range stock {
		stock[i] = blank
	}
	p := dealt(f, &stock, f.cards(), v.Dealer)
	for _, e := range v.Log {
		m := f.move(e.Move)
		seat := p.turn
		before := p.count
		if m < stop {
			p.hand[seat] += unit(m) - unit(blank)
			before[seat]--
		}
		if m == dark {
			stock[p.next] = f.kind(e.Card)
		}
		if seat != k.me {
			k.acts[seat] = append(k.acts[seat], p.act(f, m))
		}
		p.play(f, m)
		for q := range uint8(f.players) {
			if n := p.count[q] - before[q]; n > 0 && q != k.me {
				k.acts[q] = append(k.acts[q], act{drew: n})
			}
		}
	}
	for _, acts := range k.acts {
		for i, j := 0, len(acts)-1; i < j; i, j = i+1, j-1 {
			acts[i], acts[j] = acts[j], acts[i]
		}
	}
}

// act returns the move as the others saw it.
func (p *position) act(f *form, m uint8) act {
	a := act{move: m, look: p.outlook(f), allowed: ones}
	switch {
	case p.phase == game.Decide:
		a.allowed = f.continues[p.lead]
		a.others = []uint8{stop}
	case p.phase == game.Follow && f.pass && !p.passed && p.left() > 0:
		a.others = append(a.others, pass)
	}
	banned := p.phase == game.Lead && f.ban > 0 && p.banSeat == int8(p.turn) && p.banRun >= f.ban
	if f.dark && p.left() > 0 && p.phase != game.Decide && !(f.banDark && banned) {
		a.others = append(a.others, dark)
	}
	if banned {
		a.allowed, a.banned = ^f.effective[p.banKind], true
	}
	return a
}

// A world is one possible arrangement of the hidden cards.
type world struct {
	hand  [8]uint64
	stock [maxPack]uint8
	solo  int8
}

// imagine deals the hidden cards at random, consistent with all that the seat knows.
func (k *knowledge) imagine(w *world, random *chance) {
	f := k.f
	for try := 0; ; try++ {
		var cards [maxPack]uint8
		n := copy(cards[:], k.unseen)
		random.shuffle(cards[:n])
		next, good := 0, true
		w.solo = k.at.solo
		for seat := range uint8(f.players) {
			if seat == k.me {
				w.hand[seat] = k.at.hand[seat]
				continue
			}
			hand := uint64(0)
			for range k.at.count[seat] {
				kind := cards[next]
				next++
				hand += unit(kind)
				if kind == f.special {
					w.solo = int8(seat)
				}
			}
			w.hand[seat] = hand
			good = good && !(f.burnHand && f.handSize == 4 && f.fourEqual(hand, k.at.count[seat]))
		}
		copy(w.stock[:k.at.size], cards[next:n])
		if good || try == 20 {
			return
		}
	}
}

// weigh returns how likely the others' moves would have been if they had held the cards of this world. It guesses at
// random which cards they drew when.
func (k *knowledge) weigh(b *policy, w *world, doubt float32, random *chance) float64 {
	likely := float64(1)
	for seat := range uint8(k.f.players) {
		hand, n := w.hand[seat], int(k.at.count[seat])
		for i := range k.acts[seat] {
			a := &k.acts[seat][i]
			if a.drew > 0 {
				for range a.drew {
					hand = without(hand, random.below(n))
					n--
				}
				continue
			}
			if a.move < stop {
				hand += unit(a.move)
				n++
			}
			likely *= float64(a.likely(k.f, b, hand, doubt))
		}
	}
	return likely
}

// without returns the hand without its n-th card.
func without(hand uint64, n int) uint64 {
	for kinds := spread(hand); ; kinds &= kinds - 1 {
		kind := kindOf(kinds)
		c := int(held(hand, kind))
		if n < c {
			return hand - unit(kind)
		}
		n -= c
	}
}

// likely returns how likely the policy, mixed with some doubt, makes this move with the hand.
func (a *act) likely(f *form, b *policy, hand uint64, doubt float32) float32 {
	row := b.cells(&a.look)
	kinds := spread(hand)
	if allowed := kinds & a.allowed; allowed != 0 || !a.banned {
		kinds = allowed
	}
	if kinds&(kinds-1) == 0 && (kinds == 0 || len(a.others) == 0) {
		return 1
	}
	sum, options := float32(0), float32(len(a.others))
	for ; kinds != 0; kinds &= kinds - 1 {
		sum += row[a.look.column(f, hand, kindOf(kinds))]
		options++
	}
	for _, m := range a.others {
		sum += row[a.look.column(f, hand, m)]
	}
	made := row[a.look.column(f, hand, a.move)]
	return (1-doubt)*made/sum + doubt/options
}

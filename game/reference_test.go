package game_test

import (
	"slices"

	"sedmabot/game"
)

// plain is a second, simple implementation of the game: slices, a new copy for every move, and tricks judged from their
// first card to their last. The engine must agree with it in every deal.
type plain struct {
	r         *game.Rules
	hands     [][]game.Card
	stock     []game.Card
	won       [][]game.Card // by seat
	tricks    []int         // by seat
	rounds    []int         // by seat
	trick     []play
	inRound   []int // seats that have yet to play in this round
	round     int
	turn      int
	phase     string
	leads     []play // every lead so far
	passed    bool
	lastTrick int
	end       string
	burner    int
	price     int
	king      int
}

type play struct {
	seat int
	card game.Card
}

func newPlain(r game.Rules, deck []game.Card, dealer int) *plain {
	p := &plain{
		r: &r, hands: make([][]game.Card, r.Players), won: make([][]game.Card, r.Players),
		tricks: make([]int, r.Players), rounds: make([]int, r.Players), lastTrick: -1, king: -1,
	}
	order := p.from(r.Next(dealer))
	for len(p.hands[order[len(order)-1]]) < r.HandSize {
		for _, seat := range order {
			n := min(r.DealPacket, r.HandSize-len(p.hands[seat]))
			p.hands[seat] = append(p.hands[seat], deck[:n]...)
			deck = deck[n:]
		}
	}
	p.stock = deck
	p.turn, p.phase = order[0], "lead"
	p.checkHands(order)
	return p
}

// from returns every seat in the direction of play, beginning with this one.
func (p *plain) from(seat int) []int {
	order := make([]int, 0, p.r.Players)
	for range p.r.Players {
		order = append(order, seat)
		seat = p.r.Next(seat)
	}
	return order
}

func (p *plain) clone() *plain {
	q := *p
	q.hands = make([][]game.Card, len(p.hands))
	for i, h := range p.hands {
		q.hands[i] = slices.Clone(h)
	}
	q.trick = slices.Clip(p.trick)
	q.leads = slices.Clip(p.leads)
	return &q
}

func (p *plain) rank(c game.Card) game.Rank {
	if c == p.r.SpecialSeven {
		return '7'
	}
	return c.Rank()
}

func (p *plain) wild(c game.Card) bool {
	return p.r.Wild.Has(p.rank(c))
}

func (p *plain) side(seat int) int {
	if p.r.Teams == game.SoloKing {
		if seat == p.king {
			return 0
		}
		return 1
	}
	if p.r.Players == 3 {
		return seat
	}
	return seat % 2
}

// winner judges the trick from its first card to its last.
func (p *plain) winner() int {
	lead := p.rank(p.trick[0].card)
	best := p.trick[0]
	for i, x := range p.trick[1:] {
		takes := p.rank(x.card) == lead || p.wild(x.card)
		if p.r.WildOrder == game.EightOverSeven && p.rank(x.card) == '7' && p.rank(best.card) == '8' {
			takes = lead == '7' && p.r.SevenLedBeatsEight
		}
		veryLast := i == len(p.trick)-2 && len(p.stock) == 0 && p.noCards()
		if p.r.FinalSeven == game.SevenDead && p.rank(x.card) == '7' && veryLast {
			none := true
			for seat, n := range p.tricks {
				none = none && (n == 0 || p.side(seat) != p.side(x.seat))
			}
			takes = takes && !none
		}
		if takes {
			best = x
		}
	}
	return best.seat
}

func (p *plain) noCards() bool {
	for _, h := range p.hands {
		if len(h) > 0 {
			return false
		}
	}
	return true
}

func (p *plain) legal() []game.Move {
	var moves []game.Move
	if p.end != "" {
		return moves
	}
	hand := p.hands[p.turn]
	banned := func(c game.Card) bool { return false }
	dark := p.r.Dark && len(p.stock) > 0 && p.phase != "decide"
	if n := len(p.leads); p.phase == "lead" && p.r.LeadBan == 3 && n >= 3 {
		last := p.leads[n-3:]
		same := true
		for _, x := range last {
			same = same && x.seat == p.turn && p.rank(x.card) == p.rank(last[0].card)
		}
		if same {
			if p.r.BanDark == game.ForbidDarkLead {
				dark = false
			}
			other := dark
			for _, c := range hand {
				other = other || p.rank(c) != p.rank(last[0].card)
			}
			banned = func(c game.Card) bool { return other && p.rank(c) == p.rank(last[0].card) }
		}
	}
	for _, c := range hand {
		ok := !banned(c)
		if p.phase == "decide" {
			ok = p.r.Continue == game.AnyCard || p.rank(c) == p.rank(p.trick[0].card) || p.wild(c)
		}
		if ok && !slices.Contains(moves, game.PlayCard(c)) {
			moves = append(moves, game.PlayCard(c))
		}
	}
	if dark {
		moves = append(moves, game.Dark)
	}
	if p.phase == "follow" && p.r.PassOnce && !p.passed && len(p.stock) > 0 {
		moves = append(moves, game.Pass)
	}
	if p.phase == "decide" {
		moves = append(moves, game.Stop)
	}
	return moves
}

// apply returns the next state. The move must be legal.
func (p *plain) apply(m game.Move) *plain {
	p = p.clone()
	if m == game.Stop {
		p.endTrick()
		return p
	}
	if p.phase != "follow" {
		if p.phase == "lead" {
			p.trick, p.round = nil, 0
		}
		p.round++
		p.inRound = p.from(p.turn)
	}
	p.inRound = p.inRound[1:]
	c, fromHand := m.Card()
	switch {
	case m == game.Pass:
		p.passed = true
	case m == game.Dark:
		c, p.stock = p.stock[0], p.stock[1:]
	default:
		i := slices.Index(p.hands[p.turn], c)
		p.hands[p.turn] = slices.Delete(p.hands[p.turn], i, i+1)
	}
	if m != game.Pass {
		if p.phase == "lead" {
			p.leads = append(p.leads, play{p.turn, c})
		}
		if c == p.r.SpecialSeven {
			p.king = p.turn
		}
		p.trick = append(p.trick, play{p.turn, c})
		if p.burned() {
			p.end, p.burner, p.price = "burn", p.turn, p.r.Burn.Of(c.Rank())
			return p
		}
		if p.r.DrawTiming == game.AfterPlay && fromHand && len(p.stock) > 0 {
			p.draw(p.turn)
			if p.checkHands([]int{p.turn}); p.end != "" {
				return p
			}
		}
	}
	for len(p.inRound) > 0 && len(p.hands[p.inRound[0]]) == 0 {
		p.inRound = p.inRound[1:]
	}
	if len(p.inRound) > 0 {
		p.turn, p.phase = p.inRound[0], "follow"
		return p
	}
	leader := p.trick[0].seat
	own := p.side(p.winner()) == p.side(leader)
	if len(p.hands[leader]) == 0 || p.r.Continue == game.NoContinue || p.r.ContinueWhen == game.OpponentWinning && own {
		p.endTrick()
		return p
	}
	p.turn, p.phase = leader, "decide"
	return p
}

func (p *plain) burned() bool {
	n := len(p.trick)
	if !p.r.Burn.On() || n < 4 || p.r.BurnAlign == game.FirstFour && n != 4 {
		return false
	}
	for _, x := range p.trick[n-4:] {
		if x.card.Rank() != p.trick[n-1].card.Rank() {
			return false
		}
	}
	return p.r.Burn.Of(p.trick[n-1].card.Rank()) > 0
}

func (p *plain) draw(seat int) {
	p.hands[seat] = append(p.hands[seat], p.stock[0])
	p.stock = p.stock[1:]
}

func (p *plain) endTrick() {
	w, leader := p.winner(), p.trick[0].seat
	won := slices.Clone(p.won)
	for _, x := range p.trick {
		won[w] = append(slices.Clip(won[w]), x.card)
	}
	p.won = won
	p.tricks, p.rounds = slices.Clone(p.tricks), slices.Clone(p.rounds)
	p.tricks[w]++
	p.rounds[w] += p.round
	p.lastTrick = w
	p.trick, p.phase = nil, "lead"
	first := w
	if p.r.DrawFrom == game.LeaderDraws {
		first = leader
	}
	if p.r.DrawTiming == game.AfterTrick && len(p.stock) > 0 {
		p.fill(p.from(first))
		if p.checkHands(p.from(first)); p.end != "" {
			return
		}
	}
	for _, seat := range p.from(w) {
		if len(p.hands[seat]) > 0 {
			p.turn = seat
			return
		}
	}
	p.end = "played"
}

func (p *plain) fill(order []int) {
	missing := 0
	for _, h := range p.hands {
		missing += p.r.HandSize - len(h)
	}
	if p.r.DrawUnit == game.Bulk && len(p.stock) >= missing {
		for _, seat := range order {
			for len(p.hands[seat]) < p.r.HandSize {
				p.draw(seat)
			}
		}
		return
	}
	for size := 0; size < p.r.HandSize; size++ { // shortest hands first
		for _, seat := range order {
			if len(p.hands[seat]) == size && len(p.stock) > 0 {
				p.draw(seat)
			}
		}
	}
}

func (p *plain) checkHands(order []int) {
	for _, seat := range order {
		h := p.hands[seat]
		same := p.r.BurnedGame > 0 && len(h) == 4
		for _, c := range h {
			same = same && c.Rank() == h[0].Rank()
		}
		if same && p.end == "" {
			p.end, p.burner, p.price = "burned_game", seat, p.r.BurnedGame
		}
	}
}

package game

// Apply returns the State after the seat's move. It accepts exactly the moves that Legal lists, from the seat whose
// turn it is. For any other move it returns the given State and a Rule as the error.
func Apply(s State, seat int, m Move) (State, error) {
	if err := s.apply(seat, m); err != "" {
		return s, err
	}
	return s, nil
}

// apply makes the move. If the move breaks a rule, it returns that rule and changes nothing.
func (s *State) apply(seat int, m Move) Rule {
	switch {
	case s.phase == Over || s.d == nil:
		return DealOver
	case seat != int(s.turn):
		return NotOnTurn
	}
	switch m {
	case Stop:
		if s.phase != Decide {
			return NoStop
		}
		s.note(noteStop)
		s.endTrick()
	case Pass:
		if !mayPass(s) {
			return NoPass
		}
		s.note(notePass)
		s.passed = true
		s.advance()
	case Dark:
		if !mayDark(s) {
			return NoDark
		}
		c := s.d.deck[s.next]
		s.next++
		s.note(noteDark)
		s.put(c, true)
	default:
		if m == 0 || m > Stop {
			return NoMove
		}
		c := Card(m)
		i := s.place(c)
		switch {
		case i < 0:
			return NotInHand
		case s.phase == Decide && !s.continues(c):
			return NotContinuation
		case s.phase == Lead && banned(s) && s.rank(c) == s.banRank && otherLead(s):
			return LeadBanned
		}
		s.hand[s.turn][i] = 0
		s.count[s.turn]--
		s.note(uint8(i))
		s.put(c, false)
	}
	return ""
}

// The log stores a move in half a byte: the card's place in the hand, or one of these values. The cards follow from
// playing the deal again.
const (
	noteDark = MaxHand + iota
	notePass
	noteStop
)

func (s *State) note(b uint8) {
	s.log[s.n>>1] |= b << (s.n & 1 << 2)
	s.n++
	s.made[s.turn]++
}

// noted returns the i-th move and its card, if it has one. at is the state before that move.
func (s *State) noted(i uint8, at *State) (Move, Card) {
	switch b := s.log[i>>1] >> (i & 1 << 2) & 15; b {
	case noteDark:
		return Dark, at.d.deck[at.next]
	case notePass:
		return Pass, 0
	case noteStop:
		return Stop, 0
	default:
		c := at.hand[at.turn][b]
		return PlayCard(c), c
	}
}

// place returns the card's place in the hand of the seat whose turn it is, or -1.
func (s *State) place(c Card) int {
	for i, h := range s.hand[s.turn][:s.d.handSize] {
		if h == c {
			return i
		}
	}
	return -1
}

// rank returns the card's effective rank (RULES.md, Trick): the special seven counts as a seven.
func (s *State) rank(c Card) uint8 {
	if c == s.d.special {
		return seven
	}
	return uint8(c >> 3)
}

// continues reports whether the leader may continue the trick with the card.
func (s *State) continues(c Card) bool { return s.extends(s.rank(c)) }

// extends reports whether the leader may continue the trick with a card of that effective rank.
func (s *State) extends(r uint8) bool {
	return s.d.anyCard || r == s.lead || s.d.wild>>r&1 != 0
}

// banned reports whether the current seat has led one rank so often in a row that it may not lead it again.
func banned(s *State) bool {
	return s.d.ban > 0 && s.banSeat == s.turn && s.banRun >= s.d.ban
}

// otherLead reports whether a banned leader has any other lead.
func otherLead(s *State) bool {
	for _, c := range s.hand[s.turn] {
		if c != 0 && s.rank(c) != s.banRank {
			return true
		}
	}
	return mayDark(s)
}

func mayDark(s *State) bool {
	return s.d.dark && s.stock() > 0 &&
		(s.phase == Follow || s.phase == Lead && !(s.d.banDark && banned(s)))
}

func mayPass(s *State) bool {
	return s.d.pass && !s.passed && s.phase == Follow && s.stock() > 0
}

// put plays a card, which has already left the hand or the stock, to the trick.
func (s *State) put(c Card, dark bool) {
	d, p, r, printed := s.d, s.turn, s.rank(c), uint8(c>>3)
	if c == d.special {
		s.solo, s.kingSeen = p, true
	}
	s.lastSeat, s.lastCard = p, c
	switch s.phase {
	case Lead:
		s.leader, s.winner, s.lead, s.best = p, p, r, r
		s.rounds, s.cards, s.run, s.trickPoints = 1, 0, 0, 0
		if s.banSeat != p || s.banRank != r {
			s.banSeat, s.banRank, s.banRun = p, r, 0
		}
		s.banRun++
	case Decide:
		s.rounds++
		fallthrough
	default:
		if takes(s, r) && !deadSeven(s, p, r) {
			s.winner, s.best = p, r
		}
	}
	s.trickPoints += d.points[printed]
	s.cards++
	if s.runRank != printed || s.run == 0 {
		s.runRank, s.run = printed, 0
	}
	s.run++
	if d.burn && burns(s) {
		s.finish(EndBurn)
		s.winner, s.price = p, int16(d.rules.Burn.Of(c.Rank()))
		return
	}
	if d.afterPlay && !dark && s.stock() > 0 {
		s.draw(p)
		if d.burnHand && burnedGame(s, p) {
			return
		}
	}
	s.advance()
}

// takes reports whether a card of that rank, played now, becomes the winning card (RULES.md, Taking over).
func takes(s *State, r uint8) bool {
	if !s.d.osmova {
		return r == s.lead || s.d.wild>>r&1 != 0
	}
	switch {
	case r == s.lead:
		return r != seven || s.best != eight || s.d.sevenLed
	case r == eight:
		return true
	}
	return r == seven && s.best != eight
}

// deadSeven reports whether the seat's seven can't win. That is so if it is the very last card of the deal and the
// seat's side has won no trick (Kováč).
func deadSeven(s *State, p int8, r uint8) bool {
	if !s.d.dead || r != seven || s.stock() > 0 {
		return false
	}
	for q := range s.d.players {
		if s.count[q] > 0 || s.tricksWon[q] > 0 && together(s, p, q) {
			return false
		}
	}
	return true
}

// together reports whether two seats are on one side.
func together(s *State, p, q int8) bool {
	switch {
	case p == q:
		return true
	case s.d.rules.Teams == SoloKing:
		return p != s.solo && q != s.solo
	case s.d.players == 3:
		return false
	}
	return (p-q)%2 == 0
}

// burns reports whether the card just played completes a spálená kaše.
func burns(s *State) bool {
	if s.run < 4 || !s.d.burnRun && s.cards != 4 {
		return false
	}
	return s.d.rules.Burn.Of(s.lastCard.Rank()) > 0
}

// advance gives the turn to the next follower, or ends the round.
func (s *State) advance() {
	p := s.after(s.turn)
	for p != s.leader && s.count[p] == 0 {
		p = s.after(p)
	}
	switch {
	case p != s.leader:
		s.turn, s.phase = p, Follow
	case s.count[p] > 0 && !s.d.noDecide && !(s.d.opponent && together(s, s.winner, p)):
		s.turn, s.phase = p, Decide
	default:
		s.endTrick()
	}
}

// endTrick gives the trick to its winner and fills the hands. The winner leads next, or else the next seat that has a
// card.
func (s *State) endTrick() {
	w := s.winner
	s.points[w] += s.trickPoints
	s.tricksWon[w]++
	s.roundsWon[w] += s.rounds
	s.tricks++
	s.lastTrick = w
	if !s.d.afterPlay && s.stock() > 0 {
		first := w
		if s.d.fromLead {
			first = s.leader
		}
		s.replenish(first)
		if burnedGame(s, first) {
			return
		}
	}
	for range s.d.players {
		if s.count[w] > 0 {
			s.turn, s.phase = w, Lead
			return
		}
		w = s.after(w)
	}
	s.finish(EndPlayed)
}

// Legal returns the moves of the seat whose turn it is: its cards in the order of their places, each once, then dark,
// pass and stop. It returns none if the deal is over.
func (s State) Legal() []Move { return s.appendLegal(nil) }

func (s *State) appendLegal(dst []Move) []Move {
	if s.phase == Over || s.d == nil {
		return dst
	}
	from := len(dst)
	ban := s.phase == Lead && banned(s) && otherLead(s)
	for _, c := range s.hand[s.turn][:s.d.handSize] {
		switch {
		case c == 0,
			s.phase == Decide && !s.continues(c),
			ban && s.rank(c) == s.banRank,
			s.d.double && contains(dst[from:], PlayCard(c)):
			continue
		}
		dst = append(dst, PlayCard(c))
	}
	if mayDark(s) {
		dst = append(dst, Dark)
	}
	if mayPass(s) {
		dst = append(dst, Pass)
	}
	if s.phase == Decide {
		dst = append(dst, Stop)
	}
	return dst
}

func contains(moves []Move, m Move) bool {
	for _, x := range moves {
		if x == m {
			return true
		}
	}
	return false
}

// Forced reports whether stop is the leader's only legal move (RULES.md, Forced stop). The table then stops for the leader after a
// pause.
func (s State) Forced() bool {
	if s.phase != Decide {
		return false
	}
	for _, c := range s.hand[s.turn] {
		if c != 0 && s.continues(c) {
			return false
		}
	}
	return true
}

// Turn returns the seat whose turn it is, or Nobody when the deal is over.
func (s State) Turn() int {
	if s.d == nil {
		return Nobody
	}
	return int(s.turn)
}

// Phase returns what the deal waits for.
func (s State) Phase() Phase { return s.phase }

// Over reports whether the deal is over.
func (s State) Over() bool { return s.phase == Over }

// Rules returns the rules of the deal.
func (s State) Rules() Rules { return s.d.rules }

// Decisions returns how many moves the seat has made in this deal, including forced stops.
func (s State) Decisions(seat int) int { return int(s.made[seat]) }

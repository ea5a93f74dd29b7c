package game

import "fmt"

// A Position is a deal in progress, at the beginning of a trick. Lists by seat may be empty if all their values are
// zero.
type Position struct {
	Dealer, Leader int
	Hands          [][]Card // by seat, at most the hand size each
	Stock          []Card   // next card first
	Captured       [][]Card // by seat: the cards of the tricks it has won
	TricksWon      []int    // tricks won, by seat
	RoundsWon      []int    // rounds won, by seat; empty means the same numbers as TricksWon
	Passed         bool     // the only pass of the deal has been used
	LeadSeat       int      // seat that led the latest tricks, all with LeadRank
	LeadRank       Rank     // rank of those leads; 0 for none
	LeadCount      int      // number of those leads
	Solo           int      // seat of the solo player if the king has been played, else Nobody
}

// maxWon is the highest number of won tricks that a position may have.
const maxWon = 104

// Start returns the deal that continues from the position. If the leader has no card, the next seat that has one leads.
// Cards that the position does not mention are out of the game.
func Start(r Rules, p Position) (State, error) {
	d, err := newDeal(&r, p.Dealer)
	if err != nil {
		return State{}, err
	}
	if p.Leader < 0 || p.Leader >= r.Players {
		return State{}, fmt.Errorf("leader %d: %w", p.Leader, ErrSeat)
	}
	d.position = true
	if err := d.lay(p); err != nil {
		return State{}, err
	}
	s := &d.first
	if err := setWon(s, p); err != nil {
		return State{}, err
	}
	if err := setAlone(s, p); err != nil {
		return State{}, err
	}
	s.passed = p.Passed
	if p.LeadRank != 0 {
		if p.LeadSeat < 0 || p.LeadSeat >= r.Players || p.LeadCount < 0 || p.LeadCount > maxWon || rankIndex(p.LeadRank) == 0 {
			return State{}, fmt.Errorf("%w: no such run of leads", ErrDeck)
		}
		s.banSeat, s.banRank, s.banRun = int8(p.LeadSeat), uint8(rankIndex(p.LeadRank)), uint8(p.LeadCount)
	}
	lead := int8(p.Leader)
	for range r.Players {
		if s.count[lead] > 0 {
			break
		}
		lead = s.after(lead)
	}
	if s.count[lead] == 0 {
		return State{}, fmt.Errorf("%w: nobody has a card", ErrDeck)
	}
	s.leader, s.turn = lead, lead
	burnedGame(s, lead)
	return *s, nil
}

// lay puts the position's cards into hands, stock and won tricks. It refuses a card that appears more often than in the
// pack.
func (d *deal) lay(p Position) error {
	used := counts([]Card(d.rules.Removed))
	take := func(cards []Card) error { return d.rules.take(&used, cards) }
	if len(p.Hands) != d.rules.Players {
		return fmt.Errorf("%w: hands for %d seats, not for %d", ErrDeck, d.rules.Players, len(p.Hands))
	}
	if len(p.Captured) != 0 && len(p.Captured) != d.rules.Players {
		return fmt.Errorf("%w: captured cards for %d seats, not for %d", ErrDeck, d.rules.Players, len(p.Captured))
	}
	s := &d.first
	for i, hand := range p.Hands {
		if len(hand) > d.rules.HandSize {
			return fmt.Errorf("%w: a hand has at most %d cards, not %d", ErrDeck, d.rules.HandSize, len(hand))
		}
		if err := take(hand); err != nil {
			return err
		}
		s.count[i] = uint8(copy(s.hand[i][:], hand))
	}
	if err := take(p.Stock); err != nil {
		return err
	}
	d.size = copy(d.deck[:], p.Stock)
	for i, cards := range p.Captured {
		if err := take(cards); err != nil {
			return err
		}
		d.captured[i] = Cards(cards)
		for _, c := range cards {
			s.points[i] += d.points[c>>3]
		}
	}
	return nil
}

// setWon sets the tricks and rounds that each seat has won.
func setWon(s *State, p Position) error {
	rounds := p.RoundsWon
	if len(rounds) == 0 {
		rounds = p.TricksWon
	}
	for _, list := range []struct {
		from []int
		to   *[MaxSeats]uint8
	}{{p.TricksWon, &s.tricksWon}, {rounds, &s.roundsWon}} {
		if len(list.from) != 0 && len(list.from) != int(s.d.players) {
			return fmt.Errorf("%w: tricks and rounds won by %d seats, not by %d", ErrDeck, s.d.players, len(list.from))
		}
		for i, n := range list.from {
			if n < 0 || n > maxWon {
				return fmt.Errorf("%w: nobody can have won %d tricks", ErrDeck, n)
			}
			list.to[i] = uint8(n)
		}
	}
	return nil
}

// setAlone sets the solo player: the seat that has the special seven, or if it was played, the position's Solo.
func setAlone(s *State, p Position) error {
	special := s.d.special
	if special == 0 {
		return nil
	}
	inStock := false
	for _, c := range p.Stock {
		inStock = inStock || c == special
	}
	for seat, hand := range p.Hands {
		for _, c := range hand {
			if c == special {
				s.solo = int8(seat)
			}
		}
	}
	if s.d.rules.Teams != SoloKing {
		return nil
	}
	switch {
	case p.Solo >= s.d.rules.Players || p.Solo < Nobody:
		return fmt.Errorf("solo %d: %w", p.Solo, ErrSeat)
	case inStock || s.solo >= 0:
		if p.Solo != Nobody && p.Solo != int(s.solo) {
			return fmt.Errorf("%w: seat %d can't be alone: %s is elsewhere", ErrDeck, p.Solo, special)
		}
	case p.Solo == Nobody:
		return fmt.Errorf("%w: %s has been played, and the position does not say by whom (solo)", ErrDeck, special)
	default:
		s.solo, s.kingSeen = int8(p.Solo), true
	}
	return nil
}

package game

import (
	"errors"
	"fmt"
)

// ErrDeck is wrapped by every refusal of cards that a deal can't begin with.
var ErrDeck = errors.New("cards refused")

// ErrSeat is a seat that the game does not have.
var ErrSeat = errors.New("no such seat")

// A State is one deal at one moment. It is a value: assigning it copies it, and
// Apply never changes its argument. What it points to is common to the whole
// deal and never changes. The zero State is no deal.
type State struct {
	d *deal

	hand  [MaxSeats][MaxHand]Card // places of each seat; no card: free
	count [MaxSeats]uint8         // cards in each hand
	next  uint8                   // the stock begins here in the deck

	phase  Phase
	end    End
	turn   int8
	leader int8

	// The open trick, or while a trick is led the one before.
	winner      int8
	lead, best  uint8 // effective ranks, as indexes
	rounds      uint8
	cards       uint8
	runRank     uint8 // printed rank of the latest card, and how many of it in a row
	run         uint8
	trickPoints int16

	// What the seats have won.
	points    [MaxSeats]int16
	tricksWon [MaxSeats]uint8
	roundsWon [MaxSeats]uint8
	tricks    uint8 // finished since the beginning
	lastTrick int8  // seat that won the last trick; Nobody before the first
	price     int16 // stakes of a burning

	banSeat, solo    int8 // who led the run of leads; who has or had the king
	banRank, banRun  uint8
	passed, kingSeen bool
	lastSeat         int8
	lastCard         Card

	made [MaxSeats]uint8 // moves of each seat
	n    uint8
	log  [(maxMoves + 1) / 2]uint8 // moves, see note
}

// maxMoves is room for every card of a double pack, a stop after every trick of
// two players, the stops of one who plays on alone, and the pass.
const maxMoves = maxCards + maxCards/2 + MaxHand + 1

// An End is how a deal was finished.
type End uint8

// The ends of a deal; 0 while it goes on.
const (
	EndPlayed     End = iota + 1 // stock and hands are empty
	EndBurn                      // spálená kaše: four equal cards in a trick
	EndBurnedGame                // spálená hra: four equal cards in a hand
)

var ends = [...]string{"", "played", "burn", "burned_game"}

// String is the end's name, empty while the deal goes on.
func (e End) String() string { return ends[e] }

// MarshalText is the end's name.
func (e End) MarshalText() ([]byte, error) { return []byte(ends[e]), nil }

// UnmarshalText reads an end's name.
func (e *End) UnmarshalText(b []byte) error {
	for i, name := range ends {
		if name == string(b) {
			*e = End(i)
			return nil
		}
	}
	return fmt.Errorf("%.60q: no such end of a deal", b)
}

// deal is what all states of one deal share. Nothing changes it after it is made.
type deal struct {
	rules    Rules
	dealer   int
	size     int             // cards in deck
	deck     [maxCards]Card  // the whole pack, or of a position the stock
	position bool            // begun by Start
	captured [MaxSeats]Cards // of a position

	first State // the beginning; its d is this

	// The options as play asks for them.
	wild      Ranks
	points    RankValues
	special   Card
	players   int8
	handSize  uint8
	ban       uint8
	back      bool // anticlockwise
	osmova    bool
	sevenLed  bool // a led seven beats eights
	anyCard   bool // every card continues a trick
	noDecide  bool
	opponent  bool // continue only while an opponent is winning
	fromLead  bool // the leader draws first
	bulk      bool
	afterPlay bool
	dark      bool
	banDark   bool
	pass      bool
	burn      bool
	burnRun   bool
	burnHand  bool
	dead      bool
	double    bool
}

// The ranks that the rules name, as indexes.
const (
	seven = 6
	eight = 7
)

func (d *deal) prepare(r *Rules) {
	d.rules = *r
	d.wild, d.points, d.special = r.Wild, r.CardPoints, r.SpecialSeven
	d.players, d.handSize, d.ban = int8(r.Players), uint8(r.HandSize), uint8(r.LeadBan)
	d.back = r.Direction == Anticlockwise
	d.osmova, d.sevenLed = r.WildOrder == EightOverSeven, r.SevenLedBeatsEight
	d.anyCard, d.noDecide = r.Continue == AnyCard, r.Continue == NoContinue
	d.opponent = r.ContinueWhen == OpponentWinning
	d.fromLead, d.bulk, d.afterPlay = r.DrawFrom == LeaderDraws, r.DrawUnit == Bulk, r.DrawTiming == AfterPlay
	d.dark, d.banDark, d.pass = r.Dark, r.BanDark == ForbidDarkLead, r.PassOnce
	d.burn, d.burnRun, d.burnHand = r.Burn.On(), r.BurnAlign == AnyRunning, r.BurnedGame > 0
	d.dead, d.double = r.FinalSeven == SevenDead, r.Deck == French104
}

// Deal deals the deck, which is the whole pack of the rules with its first card
// for the seat after the dealer (section 1). That seat leads, in soccer too. A
// deal may be over at once, by a burned game.
func Deal(r Rules, deck []Card, dealer int) (State, error) {
	d, err := newDeal(&r, dealer)
	if err != nil {
		return State{}, err
	}
	if err := r.checkDeck(deck); err != nil {
		return State{}, err
	}
	d.size = copy(d.deck[:], deck)
	s := &d.first
	lead := s.after(int8(dealer))
	for full := false; !full; {
		full = true
		p := lead
		for range r.Players {
			for i := 0; i < r.DealPacket && s.count[p] < d.handSize; i++ {
				s.draw(p)
			}
			full = full && s.count[p] == d.handSize
			p = s.after(p)
		}
	}
	s.leader, s.turn = lead, lead
	s.burnedGame(lead)
	return *s, nil
}

func newDeal(r *Rules, dealer int) (*deal, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if dealer < 0 || dealer >= r.Players {
		return nil, fmt.Errorf("dealer %d: %w", dealer, ErrSeat)
	}
	d := &deal{dealer: dealer}
	d.prepare(r)
	s := &d.first
	s.d = d
	s.winner, s.lastTrick, s.solo, s.banSeat, s.lastSeat = Nobody, Nobody, Nobody, Nobody, Nobody
	return d, nil
}

// checkDeck refuses cards that are not exactly the pack.
func (r *Rules) checkDeck(deck []Card) error {
	if size := r.packSize(); len(deck) != size {
		return fmt.Errorf("%w: the pack has %d cards, not %d", ErrDeck, size, len(deck))
	}
	used := counts([]Card(r.Removed))
	return r.take(&used, deck)
}

// take counts the cards as used, and refuses one that is not left in the pack.
func (r *Rules) take(used *[128]uint8, cards []Card) error {
	copies := uint8(r.Deck.copies())
	for _, c := range cards {
		if !r.Deck.has(c) || used[c] == copies {
			return fmt.Errorf("%w: %s is not in the pack, or there more than once", ErrDeck, c)
		}
		used[c]++
	}
	return nil
}

// Replay is the state after these moves, each by the seat whose turn it is.
func Replay(r Rules, deck []Card, dealer int, moves []Move) (State, error) {
	s, err := Deal(r, deck, dealer)
	if err != nil {
		return s, err
	}
	return s.play(moves)
}

// play applies the moves, each by the seat whose turn it is.
func (s State) play(moves []Move) (State, error) {
	for i, m := range moves {
		if err := s.apply(s.Turn(), m); err != "" {
			return s, fmt.Errorf("move %d, %s: %w", i+1, m, err)
		}
	}
	return s, nil
}

// after is the seat after p in the direction of play.
func (s *State) after(p int8) int8 {
	if s.d.back {
		if p == 0 {
			return s.d.players - 1
		}
		return p - 1
	}
	if p++; p == s.d.players {
		return 0
	}
	return p
}

// draw gives the seat the top card of the stock, in its first free place.
func (s *State) draw(p int8) {
	c := s.d.deck[s.next]
	s.next++
	for i := range s.hand[p] {
		if s.hand[p][i] == 0 {
			s.hand[p][i] = c
			break
		}
	}
	s.count[p]++
	if c == s.d.special {
		s.solo = p
	}
}

// stock is how many cards are left in it.
func (s *State) stock() int { return s.d.size - int(s.next) }

// replenish fills the hands after a trick (section 1, Replenishing).
func (s *State) replenish(first int8) {
	d := s.d
	if d.bulk && s.stock() >= s.missing() {
		p := first
		for range d.players {
			for s.count[p] < d.handSize {
				s.draw(p)
			}
			p = s.after(p)
		}
		return
	}
	for size := range d.handSize { // the shortest hands first
		p := first
		for range d.players {
			if s.count[p] == size && s.stock() > 0 {
				s.draw(p)
			}
			p = s.after(p)
		}
	}
}

// missing is how many cards all hands together are short of.
func (s *State) missing() int {
	n := 0
	for p := range s.d.players {
		n += int(s.d.handSize - s.count[p])
	}
	return n
}

// burnedGame ends the deal if a hand is four cards of one printed rank; the
// first in the order from the given seat wins.
func (s *State) burnedGame(first int8) bool {
	if !s.d.burnHand {
		return false
	}
	p := first
	for range s.d.players {
		if s.fourEqual(p) {
			s.finish(EndBurnedGame)
			s.winner, s.price = p, int16(s.d.rules.BurnedGame)
			return true
		}
		p = s.after(p)
	}
	return false
}

func (s *State) fourEqual(p int8) bool {
	if s.count[p] != 4 {
		return false
	}
	rank := uint8(0)
	for _, c := range s.hand[p] {
		switch r := uint8(c >> 3); {
		case c == 0:
		case rank == 0:
			rank = r
		case r != rank:
			return false
		}
	}
	return true
}

func (s *State) finish(e End) { s.phase, s.end, s.turn = Over, e, Nobody }

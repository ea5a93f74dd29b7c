package game

import (
	"errors"
	"fmt"
)

// ErrDeck reports cards that can't begin a deal.
var ErrDeck = errors.New("cards refused")

// ErrSeat reports a seat that the game does not have.
var ErrSeat = errors.New("no such seat")

// A State is one deal at one moment. It is a value: assigning it copies it, and Apply never changes its argument. Its
// pointer leads to data that the whole deal shares and that never changes. The zero State is no deal.
type State struct {
	d *deal

	hand  [MaxSeats][MaxHand]Card // cards by seat and place; 0 is a free place
	count [MaxSeats]uint8         // number of cards in each hand
	next  uint8                   // index in the deck of the next card of the stock

	phase  Phase
	end    End
	turn   int8
	leader int8

	// The open trick. While the leader has yet to lead, this is still the trick before.
	winner      int8
	lead, best  uint8 // Ranks of the led card and of the winning card, as indexes
	rounds      uint8
	cards       uint8
	runRank     uint8 // printed rank of the latest card; run is how many cards in a row had it
	run         uint8
	trickPoints int16

	// Totals of each seat so far.
	points    [MaxSeats]int16
	tricksWon [MaxSeats]uint8
	roundsWon [MaxSeats]uint8
	tricks    uint8 // finished tricks
	lastTrick int8  // seat that won the last trick; Nobody before the first
	price     int16 // stakes that a burning is worth

	banSeat, solo    int8 // banSeat led the latest tricks with one rank; solo has or had the special seven
	banRank, banRun  uint8
	passed, kingSeen bool
	lastSeat         int8
	lastCard         Card

	made [MaxSeats]uint8 // number of moves by seat
	n    uint8
	log  [(maxMoves + 1) / 2]uint8 // all moves, half a byte each; see note
}

// maxMoves is an upper bound for the moves of a deal. It counts every card of a double pack and a stop after every
// trick of two players. The rest is for the pass and for the stops of a player who plays on alone.
const maxMoves = maxCards + maxCards/2 + MaxHand + 1

// An End is the way in which a deal ended.
type End uint8

// The ends of a deal. A deal that is still being played has End 0.
const (
	EndPlayed     End = iota + 1 // stock and hands are empty
	EndBurn                      // spálená kaše: four cards of one rank in a trick
	EndBurnedGame                // spálená hra: four cards of one rank in a hand
)

var ends = [...]string{"", "played", "burn", "burned_game"}

// String returns the end's name, or "" while the deal is being played.
func (e End) String() string { return ends[e] }

// MarshalText returns the end's name.
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

// deal is the data that all states of one deal share. It never changes after it is made.
type deal struct {
	rules    Rules
	dealer   int
	size     int             // cards in deck
	deck     [maxCards]Card  // the whole pack, or the stock if the deal began from a Position
	position bool            // the deal began with Start
	captured [MaxSeats]Cards // by seat: cards won before the Position

	first State // first State of the deal; its d is this deal

	// The options in the form that the play functions need.
	wild      Ranks
	points    RankValues
	special   Card
	players   int8
	handSize  uint8
	ban       uint8
	back      bool // the game is anticlockwise
	osmova    bool
	sevenLed  bool // if a seven was led, sevens also beat eights
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

// Indexes of the ranks that the rules mention by name.
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

// Deal deals the deck and returns the first State. The deck is the whole pack of the rules. Its first card goes to the
// seat after the dealer (RULES.md, Deal), which also leads, in soccer too. A burned game can end the deal at once.
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
	burnedGame(s, lead)
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

// checkDeck returns an error unless the cards are exactly the pack.
func (r *Rules) checkDeck(deck []Card) error {
	if size := r.packSize(); len(deck) != size {
		return fmt.Errorf("%w: the pack has %d cards, not %d", ErrDeck, size, len(deck))
	}
	used := counts([]Card(r.Removed))
	return r.take(&used, deck)
}

// take marks the cards as used. It returns an error if the pack doesn't have enough copies of one.
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

// Replay deals the deck and plays the moves, each by the seat whose turn it is. It returns the State after the last
// move.
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

// after returns the next seat after p in the direction of play.
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

// draw moves the top card of the stock to the seat's first free place.
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

// stock returns the number of cards left in the stock.
func (s *State) stock() int { return s.d.size - int(s.next) }

// replenish fills the hands after a trick, beginning with the given seat (RULES.md, Replenishing).
func (s *State) replenish(first int8) {
	d := s.d
	if d.bulk && s.stock() >= missing(s) {
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

// missing returns how many cards it takes to fill all hands.
func missing(s *State) int {
	n := 0
	for p := range s.d.players {
		n += int(s.d.handSize - s.count[p])
	}
	return n
}

// burnedGame ends the deal if a hand is four cards of one printed rank. If several are, the first one wins, counting
// from the given seat in the direction of play.
func burnedGame(s *State, first int8) bool {
	if !s.d.burnHand {
		return false
	}
	p := first
	for range s.d.players {
		if fourEqual(s, p) {
			s.finish(EndBurnedGame)
			s.winner, s.price = p, int16(s.d.rules.BurnedGame)
			return true
		}
		p = s.after(p)
	}
	return false
}

func fourEqual(s *State, p int8) bool {
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

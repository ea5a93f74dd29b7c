package game

// A View is all that one seat may know of a deal; it holds nothing else. Nobody's
// view is a spectator's. Lists by side are by seat where three play: who plays
// with whom against a king is not known until the end.
type View struct {
	Rules  Rules
	Seat   int // Nobody: a spectator
	Dealer int
	Leader int // of the open trick, or of the next
	Turn   int // Nobody when the deal is over
	Phase  Phase
	End    End

	Hand   []Card // the seat's places, no card where one is free; empty for Nobody
	Legal  []Move // only if Seat is on turn
	Forced bool   // stop is all that Seat, which is on turn, can do
	Counts []int  // cards in each hand
	Stock  int    // cards in it

	Trick  []Play // the open trick
	Rounds int    // its rounds so far
	Winner int    // who is winning it; Nobody without one
	Tricks []Trick

	CardPoints, TricksWon, RoundsWon []int // by side
	LastTrick                        int   // seat that won the last trick, or Nobody

	Solo      int // who has the king: Nobody until he has shown it, or Seat has it
	PassUsed  bool
	LeadSeat  int  // who led the last tricks in a row with one rank, or Nobody,
	LeadRank  Rank // which (effective) rank,
	LeadCount int  // and how many: what the ban on a fourth lead looks at

	Log       []Entry  // every move so far, as everybody saw it
	Decisions []int    // moves made, by seat
	Captured  [][]Card // by seat, of a deal that began in the middle: cards won before
}

// A Play is a card in a trick.
type Play struct {
	Seat int
	Card Card
	Dark bool // it came from the top of the stock
}

// A Trick is a finished trick.
type Trick struct {
	Leader int
	Plays  []Play
	Rounds int
	Winner int
}

// An Entry is a move as everybody saw it: Card is what was played, also in the
// dark, and no card for a pass or a stop.
type Entry struct {
	Seat int
	Move Move
	Card Card
}

// View is what the seat may know; of Nobody, what everybody may.
func (s State) View(seat int) View {
	r := s.d.rules
	n := r.Players
	v := View{
		Rules: r, Seat: seat, Dealer: s.d.dealer, Leader: int(s.leader), Turn: int(s.turn),
		Phase: s.phase, End: s.end, Stock: s.stock(), Winner: Nobody, LastTrick: int(s.lastTrick),
		Counts: make([]int, n), Decisions: make([]int, n),
		Solo: Nobody, PassUsed: s.passed, LeadSeat: int(s.banSeat), LeadCount: int(s.banRun),
	}
	for p := range n {
		v.Counts[p], v.Decisions[p] = int(s.count[p]), int(s.made[p])
	}
	if s.phase == Lead {
		v.Leader = int(s.turn)
	}
	if s.banSeat >= 0 {
		v.LeadRank = Rank(rankLetters[s.banRank])
	}
	v.CardPoints = bySide(r, &s.points)
	v.TricksWon, v.RoundsWon = bySide(r, &s.tricksWon), bySide(r, &s.roundsWon)
	if r.Teams == SoloKing && (s.kingSeen || seat != Nobody && int(s.solo) == seat) {
		v.Solo = int(s.solo)
	}
	if seat != Nobody {
		v.Hand = s.Hand(seat)
		if seat == int(s.turn) {
			v.Legal, v.Forced = s.Legal(), s.Forced()
		}
	}
	if s.d.position {
		v.Captured = make([][]Card, n)
		for p := range n {
			v.Captured[p] = []Card(s.d.captured[p])
		}
	}
	s.tell(&v)
	return v
}

// bySide adds up what seats have won.
func bySide[T uint8 | int16](r Rules, seats *[MaxSeats]T) []int {
	sums := make([]int, r.Sides())
	for p := range r.Players {
		sums[r.Side(p)] += int(seats[p])
	}
	return sums
}

// tell plays the deal again from its beginning and writes down what was seen.
func (s *State) tell(v *View) {
	at := s.d.first
	v.Log = make([]Entry, 0, s.n)
	plays := make([]Play, 0, s.n)
	v.Tricks = make([]Trick, 0, s.tricks)
	from, rounds := 0, 0
	for i := range s.n {
		m, c := s.noted(i, &at)
		seat, phase, tricks := at.Turn(), at.phase, at.tricks
		v.Log = append(v.Log, Entry{seat, m, c})
		if c != 0 {
			plays = append(plays, Play{seat, c, m == Dark})
			if phase == Lead {
				rounds = 0
			}
			if phase != Follow {
				rounds++
			}
		}
		_ = at.apply(seat, m) // the move was legal when it was made
		if at.tricks > tricks {
			v.Tricks = append(v.Tricks, Trick{plays[from].Seat, plays[from:len(plays):len(plays)], rounds, int(at.lastTrick)})
			from = len(plays)
		}
	}
	if from < len(plays) {
		v.Trick, v.Rounds, v.Winner = plays[from:], rounds, int(s.winner)
	}
}

// Moves are the moves of the deal so far: what Replay takes.
func (s State) Moves() []Move {
	moves := make([]Move, s.n)
	at := s.d.first
	for i := range s.n {
		moves[i], _ = s.noted(i, &at)
		_ = at.apply(at.Turn(), moves[i]) // the move was legal when it was made
	}
	return moves
}

// Before returns the deal as it was before its move number ply, counted from 0.
func (s State) Before(ply int) State {
	at := s.d.first
	for i := range uint8(ply) {
		m, _ := s.noted(i, &at)
		_ = at.apply(at.Turn(), m) // the move was legal when it was made
	}
	return at
}

// Dealer is the seat that dealt.
func (s State) Dealer() int { return s.d.dealer }

// Deck is the pack in the order of the deal; of a position, the stock that it
// began with.
func (s State) Deck() []Card { return append([]Card(nil), s.d.deck[:s.d.size]...) }

// Equal says whether both are the same deal at the same moment.
func (s State) Equal(t State) bool {
	a, b := s.d, t.d
	s.d, t.d = nil, nil
	if s != t || a == nil || b == nil {
		return s == t && a == b
	}
	x, y := *a, *b
	x.first.d, y.first.d = nil, nil
	return x == y
}

// Hand is the seat's places, no card where one is free. It is the seat's alone
// to see.
func (s State) Hand(seat int) []Card {
	return append([]Card(nil), s.hand[seat][:s.d.handSize]...)
}

// Solo is who has or had the special seven, wherever it is seen from; Nobody
// while it is in the stock.
func (s State) Solo() int { return int(s.solo) }

// Won is what each seat has won so far: card points, tricks and rounds.
func (s State) Won() (points, tricks, rounds []int) {
	n := s.d.rules.Players
	all := make([]int, 3*n)
	points, tricks, rounds = all[:n:n], all[n:2*n:2*n], all[2*n:]
	for p := range n {
		points[p], tricks[p], rounds[p] = int(s.points[p]), int(s.tricksWon[p]), int(s.roundsWon[p])
	}
	return points, tricks, rounds
}

package game

// A View is everything that one seat may know of a deal, and nothing else. The view of Nobody is a spectator's. Lists
// by side are by seat in a game for three, because the sides of a solo game are known only at the end.
type View struct {
	Rules  Rules
	Seat   int // Nobody for a spectator
	Dealer int
	Leader int // leader of the open trick, or of the next one
	Turn   int // Nobody when the deal is over
	Phase  Phase
	End    End

	Hand   []Card // by place, 0 for a free place; empty for a spectator
	Legal  []Move // the seat's legal moves, if it is its turn
	Forced bool   // it is Seat's turn and stop is the only legal move
	Counts []int  // cards in each hand
	Stock  int    // number of cards left in the stock

	Trick  []Play // the open trick
	Rounds int    // number of rounds of the open trick so far
	Winner int    // seat that is winning the open trick; Nobody if there is none
	Taking Taking // what takes the open trick
	Tricks []Trick

	CardPoints, TricksWon, RoundsWon []int // by side
	LastTrick                        int   // seat that won the last trick, or Nobody

	Solo      int // seat that has the king; Nobody until it is played, unless it is Seat
	PassUsed  bool
	LeadSeat  int  // seat that led the latest tricks, all with LeadRank; or Nobody
	LeadRank  Rank // effective rank of those leads
	LeadCount int  // number of those leads; the lead ban depends on it

	Log       []Entry  // all moves so far, as everybody saw them
	Decisions []int    // number of moves by seat
	Captured  [][]Card // by seat: cards won before the Position that the deal began with
}

// A Play is a card in a trick.
type Play struct {
	Seat int
	Card Card
	Dark bool // whether it was played in the dark, from the top of the stock
}

// A Trick is a finished trick.
type Trick struct {
	Leader int
	Plays  []Play
	Rounds int
	Winner int
}

// An Entry is a move as everybody saw it. Card is the card that was played, even in the dark; it is 0 for a pass or a
// stop.
type Entry struct {
	Seat int
	Move Move
	Card Card
}

// View returns what the seat may know. For Nobody, it returns what a spectator may know.
func (s State) View(seat int) View { return s.ViewWith(s.spectator(), seat) }

// ViewWith is View for a caller that has the spectator's view of the same state already. The result shares the lists of
// that view, so neither may be changed in place.
func (s State) ViewWith(spectator View, seat int) View {
	v := spectator
	v.Seat = seat
	if seat == Nobody {
		return v
	}
	if s.d.rules.Teams == SoloKing && int(s.solo) == seat {
		v.Solo = int(s.solo)
	}
	v.Hand = s.Hand(seat)
	if seat == int(s.turn) {
		v.Legal, v.Forced = s.Legal(), s.Forced()
	}
	return v
}

// spectator returns what everybody may know.
func (s State) spectator() View {
	r := s.d.rules
	n, sides := r.Players, r.Sides()
	numbers := make([]int, 2*n+3*sides)
	take := func(n int) []int {
		list := numbers[:n:n]
		numbers = numbers[n:]
		return list
	}
	v := View{
		Rules: r, Seat: Nobody, Dealer: s.d.dealer, Leader: int(s.leader), Turn: int(s.turn),
		Phase: s.phase, End: s.end, Stock: s.stock(), Winner: Nobody, Taking: s.Taking(), LastTrick: int(s.lastTrick),
		Counts: take(n), Decisions: take(n), CardPoints: take(sides), TricksWon: take(sides), RoundsWon: take(sides),
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
	for p := range n {
		side := r.Side(p)
		v.CardPoints[side] += int(s.points[p])
		v.TricksWon[side] += int(s.tricksWon[p])
		v.RoundsWon[side] += int(s.roundsWon[p])
	}
	if r.Teams == SoloKing && s.kingSeen {
		v.Solo = int(s.solo)
	}
	if s.d.position {
		v.Captured = make([][]Card, n)
		for p := range n {
			v.Captured[p] = []Card(s.d.captured[p])
		}
	}
	s.addHistory(&v)
	return v
}

// addHistory replays the deal from the beginning and fills in the view's log and tricks.
func (s *State) addHistory(v *View) {
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

// Moves returns all moves of the deal so far, as Replay takes them.
func (s State) Moves() []Move {
	moves := make([]Move, s.n)
	at := s.d.first
	for i := range s.n {
		moves[i], _ = s.noted(i, &at)
		_ = at.apply(at.Turn(), moves[i]) // the move was legal when it was made
	}
	return moves
}

// Plies returns the number of moves so far.
func (s State) Plies() int { return int(s.n) }

// Before returns the deal as it was before its move number ply, counted from 0.
func (s State) Before(ply int) State {
	at := s.d.first
	for i := range uint8(ply) {
		m, _ := s.noted(i, &at)
		_ = at.apply(at.Turn(), m) // the move was legal when it was made
	}
	return at
}

// Dealer returns the seat that dealt.
func (s State) Dealer() int { return s.d.dealer }

// Deck returns the pack in the order in which it is dealt. If the deal began from a Position, it returns that stock.
func (s State) Deck() []Card { return append([]Card(nil), s.d.deck[:s.d.size]...) }

// Equal reports whether both are the same deal at the same moment.
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

// Hand returns the seat's cards by place, 0 for a free place. Only that seat may see them.
func (s State) Hand(seat int) []Card {
	return append([]Card(nil), s.hand[seat][:s.d.handSize]...)
}

// Solo returns the seat that has or had the special seven, or Nobody while it is in the stock. It is not limited to
// what a seat may know.
func (s State) Solo() int { return int(s.solo) }

// Won returns what each seat has won so far: card points, tricks and rounds.
func (s State) Won() (points, tricks, rounds []int) {
	n := s.d.rules.Players
	all := make([]int, 3*n)
	points, tricks, rounds = all[:n:n], all[n:2*n:2*n], all[2*n:]
	for p := range n {
		points[p], tricks[p], rounds[p] = int(s.points[p]), int(s.tricksWon[p]), int(s.roundsWon[p])
	}
	return points, tricks, rounds
}

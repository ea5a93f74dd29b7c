package game

// A Result is the totals of a finished deal, before scoring. Lists are by side. If a king plays solo, side 0 is the
// solo player and side 1 the others.
type Result struct {
	End          End
	Dealer       int
	Leader       int // leader of the first trick
	Solo         int // seat that played solo, or Nobody
	CardPoints   []int
	TricksWon    []int
	RoundsWon    []int
	LastTrick    int  // side that won the last trick; Nobody after a burning
	LastCard     Card // very last card played
	LastCardSide int  // side that played LastCard; Nobody if no card was played
	Burner       int  // side that won by burning, or Nobody
	Price        int  // stakes that the burning is worth
}

// Result returns the totals of the deal. It returns false if the deal isn't finished.
func (s State) Result() (Result, bool) {
	if s.phase != Over || s.d == nil {
		return Result{}, false
	}
	r := s.d.rules
	res := Result{
		End: s.end, Dealer: s.d.dealer, Leader: int(s.d.first.leader), Solo: Nobody,
		LastTrick: Nobody, LastCard: s.lastCard, LastCardSide: Nobody, Burner: Nobody,
	}
	n := r.Sides()
	if r.Teams == SoloKing {
		res.Solo, n = int(s.solo), 2
	}
	sums := make([]int, 3*n)
	res.CardPoints, res.TricksWon, res.RoundsWon = sums[:n:n], sums[n:2*n:2*n], sums[2*n:]
	for p := range r.Players {
		side := r.sideOf(p, res.Solo)
		res.CardPoints[side] += int(s.points[p])
		res.TricksWon[side] += int(s.tricksWon[p])
		res.RoundsWon[side] += int(s.roundsWon[p])
	}
	if s.lastSeat >= 0 {
		res.LastCardSide = r.sideOf(int(s.lastSeat), res.Solo)
	}
	if s.end == EndPlayed {
		res.LastTrick = r.sideOf(int(s.lastTrick), res.Solo)
	} else {
		res.Burner, res.Price = r.sideOf(int(s.winner), res.Solo), int(s.price)
	}
	return res, true
}

// sideOf returns the seat's side; solo is the solo player, or Nobody.
func (r *Rules) sideOf(seat, solo int) int {
	switch {
	case solo == Nobody:
		return r.Side(seat)
	case seat == solo:
		return 0
	}
	return 1
}

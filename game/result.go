package game

// A Result is the count of a finished deal, before it is scored. Lists are by
// side: the soloist's and the others' where a king plays alone.
type Result struct {
	End          End
	Dealer       int
	Leader       int // of the first trick
	Solo         int // who played alone, or Nobody
	CardPoints   []int
	TricksWon    []int
	RoundsWon    []int
	LastTrick    int  // side that won the last trick; Nobody after a burning
	LastCard     Card // the very last card played,
	LastCardSide int  // and whose it was; Nobody before any
	Burner       int  // side that won by burning, or Nobody
	Price        int  // its stakes
}

// Result is the count of the deal, if it is finished.
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

// sideOf is the seat's side when the soloist is known.
func (r *Rules) sideOf(seat, solo int) int {
	switch {
	case solo == Nobody:
		return r.Side(seat)
	case seat == solo:
		return 0
	}
	return 1
}

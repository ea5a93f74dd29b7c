package game

// A Settlement is the outcome of one deal. Lists by side begin with the solo player's side if a king plays solo.
// ScoreDelta is by side too, but by seat in a game for three.
type Settlement struct {
	Sides      [][]int // the seats of each side
	Points     []int   // by side: card points, last trick and trick points together
	Winners    []int   // winning sides; none after a tie
	Stake      int     // stake of the deal, in scorings that have stakes
	ScoreDelta []int
	Payments   []int // by seat; the sum is 0
	NextDealer int
	NextLeader int
	HalfTime   bool // the match has reached half-time
}

// Settle returns the match after a deal with this result, and the outcome of the deal (sections 2 to 4).
func (m Match) Settle(res Result) (Match, Settlement) {
	r := &m.Rules
	t := Settlement{
		Sides:      r.sides(res.Solo),
		Points:     r.points(res),
		ScoreDelta: make([]int, r.Sides()),
		Payments:   make([]int, r.Players),
	}
	m.score(res, &t)
	t.NextDealer = r.nextDealer(m.Dealer, res, &t)
	t.NextLeader = r.Next(t.NextDealer)

	m.Dealer = t.NextDealer
	m.Deals++
	scores := make([]int, len(m.Scores))
	for i := range scores {
		scores[i] = m.Scores[i] + t.ScoreDelta[i]
	}
	m.Scores = scores
	t.HalfTime = m.Deals == r.HalfTime
	top, alone := first(scores)
	switch {
	case r.Target > 0 && alone && scores[top] >= r.Target:
		m.Over, m.Winner = true, top
	case r.Deals > 0 && m.Deals >= r.Deals:
		m = m.Finish()
	}
	return m, t
}

// points returns the points of each side.
func (r *Rules) points(res Result) []int {
	points := make([]int, len(res.CardPoints))
	for i := range points {
		tricks := res.RoundsWon[i]
		if r.TrickUnit == ByTrick {
			tricks = res.TricksWon[i]
		}
		points[i] = res.CardPoints[i] + r.TrickPoints*tricks
		if i == res.LastTrick {
			points[i] += r.LastTrick
		}
	}
	return points
}

// score sets winners, stake, score changes and payments, and updates pool and abeyance.
func (m *Match) score(res Result, t *Settlement) {
	r := &m.Rules
	best, alone := first(t.Points)
	switch {
	case res.Burner != Nobody:
		t.Winners, t.Stake = []int{res.Burner}, res.Price
	case r.Scoring == ByStakes:
		r.stakes(res, t)
	case r.Scoring == ByKovac:
		kovacStakes(res, t)
	case alone:
		t.Winners = []int{best}
	default:
		t.Winners = tops(t.Points)
	}
	switch r.Scoring {
	case ByStakes, ByKovac:
		r.pay(t)
	case ByDifference:
		if alone {
			t.ScoreDelta[best] = t.Points[best] - t.Points[1-best]
		}
	case ByPool:
		m.scorePool(res, t)
	case ByRistikontra:
		if !alone {
			m.Abeyance++
			return
		}
		t.Stake = 1
		if t.Points[1-best] == 0 {
			t.Stake = 2
		}
		t.ScoreDelta[best] = t.Stake + m.Abeyance
		m.Abeyance = 0
	default:
		copy(t.ScoreDelta, t.Points)
		for i := range t.Points {
			switch {
			case r.Scoring == ByHola && allTricks(res.TricksWon, i):
				t.ScoreDelta[i] = r.SweepScore
			case r.Scoring == ByPointsZero && t.Points[i] == 0:
				t.ScoreDelta[i] = -m.Scores[i]
			}
		}
	}
}

// first returns the index of the greatest number, and whether it is the only one that great.
func first(numbers []int) (best int, alone bool) {
	alone = true
	for i := 1; i < len(numbers); i++ {
		switch {
		case numbers[i] > numbers[best]:
			best, alone = i, true
		case numbers[i] == numbers[best]:
			alone = false
		}
	}
	return best, alone
}

// tops returns the sides with the most points, or none if all sides have the same.
func tops(points []int) []int {
	best, _ := first(points)
	var out []int
	for i, p := range points {
		if p == points[best] {
			out = append(out, i)
		}
	}
	if len(out) == len(points) {
		return nil
	}
	return out
}

// allTricks reports whether that side has won every trick.
func allTricks(tricks []int, side int) bool {
	for i, n := range tricks {
		if (n > 0) != (i == side) {
			return false
		}
	}
	return true
}

// stakes sets winners and stake when scoring by stakes.
func (r *Rules) stakes(res Result, t *Settlement) {
	best, alone := first(t.Points)
	switch {
	case r.FinalSeven == SevenLoses && res.LastCardSide != Nobody &&
		(res.LastCard == r.SpecialSeven || res.LastCard.Rank() == '7'):
		t.Winners = []int{1 - res.LastCardSide}
	case alone:
		t.Winners = []int{best}
	case r.Tie == TieLastTrick && res.LastTrick != Nobody && t.Points[res.LastTrick] == t.Points[best]:
		t.Winners = []int{res.LastTrick}
	default:
		t.Winners = tops(t.Points) // of three players, two may win together against the third
	}
	switch len(t.Winners) {
	case 0:
	case 1:
		t.Stake = r.stake(res, t, t.Winners[0])
	default:
		t.Stake = r.Stakes[0]
	}
}

// stake returns the winner's stake: for all tricks, for all points, or for most points.
func (r *Rules) stake(res Result, t *Settlement, winner int) int {
	tricks, points := 0, 0
	for i := range t.Points {
		if i != winner {
			tricks += res.TricksWon[i]
			points += t.Points[i]
		}
	}
	switch {
	case tricks == 0:
		return r.Stakes[2]
	case points == 0:
		return r.Stakes[1]
	}
	return r.Stakes[0]
}

// kovacStakes sets winner and stake of Kováč's game.
func kovacStakes(res Result, t *Settlement) {
	for i := range 2 {
		switch {
		case allTricks(res.TricksWon, i):
			t.Winners, t.Stake = []int{i}, 2
		case t.Points[i] == 60 && t.Points[1-i] == 20:
			t.Winners, t.Stake = []int{i}, 1
		}
	}
}

// scorePool scores a deal of the 100-point game.
func (m *Match) scorePool(res Result, t *Settlement) {
	copy(t.ScoreDelta, t.Points)
	for i := range t.Points {
		sweep := res.LastTrick == i && res.CardPoints[i] > 0
		for j, p := range res.CardPoints {
			sweep = sweep && (j == i || p == 0)
		}
		if sweep {
			clear(t.ScoreDelta)
			t.ScoreDelta[i] = 100 + m.Pool
			m.Pool = 0
			return
		}
	}
	m.Pool += 10
}

// pay turns the stake into score and payments (RULES.md, Payments).
func (r *Rules) pay(t *Settlement) {
	won := make([]bool, r.Players)
	winners := 0
	for _, side := range t.Winners {
		for _, p := range t.Sides[side] {
			won[p] = true
			winners++
			t.ScoreDelta[r.Side(p)] = t.Stake
		}
	}
	if winners == 0 {
		return
	}
	gain, loss := t.Stake, t.Stake
	if r.Players == 3 { // every loser pays every winner
		gain, loss = t.Stake*(3-winners), t.Stake*winners
	}
	for p := range won {
		if won[p] {
			t.Payments[p] = gain
		} else {
			t.Payments[p] = -loss
		}
	}
}

// nextDealer returns the dealer of the next deal (RULES.md, Next dealer).
func (r *Rules) nextDealer(dealer int, res Result, t *Settlement) int {
	mine := r.sideOf(dealer, res.Solo)
	opponents, beaten := 0, false // the opponents' points together; whether an opponent won
	for i, p := range t.Points {
		if i != mine {
			opponents += p
		}
	}
	for _, w := range t.Winners {
		beaten = beaten || w != mine
	}
	pass := false
	switch r.NextDeal {
	case LoserDeals:
		return r.loser(dealer, mine, res.Solo, t)
	case Rotate, SoccerNeutral:
		pass = true
	case SoccerHome:
	case Slovak60, HolaDeal:
		pass = opponents >= r.PassThreshold
	case KovacDeal:
		pass = beaten
	case KovacAnyDeal:
		pass = len(t.Winners) > 0
	}
	if pass {
		return r.Next(dealer)
	}
	return dealer
}

// loser returns the losing seat that deals next, so that a winner leads. mine is the dealer's side.
func (r *Rules) loser(dealer, mine, solo int, t *Settlement) int {
	switch {
	case len(t.Winners) == 0 && r.TieDealer == LeftDealer:
		return r.Next(dealer)
	case len(t.Winners) == 0:
		return dealer
	case len(t.Winners) == 2: // of three sides; their numbers add up to 3
		return 3 - t.Winners[0] - t.Winners[1]
	case solo != Nobody && t.Winners[0] == 1:
		return solo
	case r.Players == 3:
		return r.prev(t.Sides[t.Winners[0]][0])
	case t.Winners[0] == mine:
		return r.Next(dealer)
	}
	return r.Next(r.Next(dealer))
}

package game

// A Settlement is what one deal brought. Lists by side have the soloist's side
// first where a king plays alone; ScoreDelta is by what keeps a score: sides, or
// three seats.
type Settlement struct {
	Sides      [][]int // the seats of each side
	Points     []int   // by side: card points, last trick, tricks
	Winners    []int   // the sides on top; none when all are level
	Stake      int     // in the scorings that have stakes
	ScoreDelta []int
	Payments   []int // by seat; they add up to 0
	NextDealer int
	NextLeader int
	HalfTime   bool // the match has reached its half
}

// Settle is the match after a deal with that result, and what the deal brought
// (sections 2 to 4).
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
	m.Hands++
	scores := make([]int, len(m.Scores))
	for i := range scores {
		scores[i] = m.Scores[i] + t.ScoreDelta[i]
	}
	m.Scores = scores
	t.HalfTime = m.Hands == r.HalfTime
	top, alone := first(scores)
	switch {
	case r.Target > 0 && alone && scores[top] >= r.Target:
		m.Over, m.Winner = true, top
	case r.Hands > 0 && m.Hands >= r.Hands:
		m = m.Finish()
	}
	return m, t
}

// points are the points of each side.
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

// score finds winners and stake, fills in what is scored and paid, and changes
// pool and abeyance.
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

// first is the greatest of the numbers, and whether no other equals it.
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

// tops are the sides with the most points, none when all are level.
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

// allTricks says whether only that side has won tricks.
func allTricks(tricks []int, side int) bool {
	for i, n := range tricks {
		if (n > 0) != (i == side) {
			return false
		}
	}
	return true
}

// stakes finds winners and stake of the stakes game.
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
		t.Winners = tops(t.Points) // three players: two may win from the third
	}
	switch len(t.Winners) {
	case 0:
	case 1:
		t.Stake = r.stake(res, t, t.Winners[0])
	default:
		t.Stake = r.Stakes[0]
	}
}

// stake is what the one winner gets: by tricks, by points, or by having more.
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

// kovacStakes finds winner and stake of Kováč's game.
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

// scorePool scores a hand of the 100-point game.
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

// pay writes stakes as score and as payments (section 2, Payments).
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
	if r.Players == 3 { // everybody who loses pays everybody who wins
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

// nextDealer is section 3.
func (r *Rules) nextDealer(dealer int, res Result, t *Settlement) int {
	mine := r.sideOf(dealer, res.Solo)
	opponents, beaten := 0, false // points of the dealer's opponents; whether one is on top
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

// loser is the loser who deals, so that a winner leads.
func (r *Rules) loser(dealer, mine, solo int, t *Settlement) int {
	switch {
	case len(t.Winners) == 0 && r.TieDealer == LeftDealer:
		return r.Next(dealer)
	case len(t.Winners) == 0:
		return dealer
	case len(t.Winners) == 2: // of three; the sides' numbers add up to 3
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

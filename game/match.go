package game

// A Match is the score between deals (RULES.md, Match). It is a value: Settle and Finish return a new one.
type Match struct {
	Rules    Rules `json:"rules"`
	Dealer   int   `json:"dealer"`   // dealer of the next deal; the next seat leads
	Home     int   `json:"home"`     // soccer: seat that leads the first game
	Scores   []int `json:"scores"`   // by side; in a game for three by seat
	Pool     int   `json:"pool"`     // points in the pool
	Abeyance int   `json:"abeyance"` // points held back after tied deals
	Deals    int   `json:"hands"`    // number of settled deals
	Over     bool  `json:"over"`
	Winner   int   `json:"winner"` // index into Scores; Nobody while the match is open, or after a draw
}

// NewMatch returns a match before its first deal, which the given seat deals. In soccer the other player is at home, or
// on neutral ground has the first lead.
func NewMatch(r Rules, dealer int) Match {
	m := Match{Rules: r, Dealer: dealer, Scores: make([]int, r.Sides()), Winner: Nobody}
	if r.Soccer() {
		m.Home = r.Next(dealer)
	}
	return m
}

// Finish ends the match with the current score. If the top score is shared, the match is a draw.
func (m Match) Finish() Match {
	m.Over, m.Winner = true, Nobody
	if top, alone := first(m.Scores); alone {
		m.Winner = top
	}
	return m
}

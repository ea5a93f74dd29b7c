package game

// A Match is the score between deals (section 4). It is a value: Settle and
// Finish return a new one.
type Match struct {
	Rules    Rules `json:"rules"`
	Dealer   int   `json:"dealer"`   // of the next deal; its leader is Rules.Next of it
	Home     int   `json:"home"`     // soccer: who leads the first game
	Scores   []int `json:"scores"`   // by side; three players by seat
	Pool     int   `json:"pool"`     // points in the pool
	Abeyance int   `json:"abeyance"` // points held back after level deals
	Hands    int   `json:"hands"`    // deals settled
	Over     bool  `json:"over"`
	Winner   int   `json:"winner"` // index into Scores; Nobody while it is open, or after a draw
}

// NewMatch is a match before its first deal, which the dealer deals. In soccer
// the other one is at home, or has the first lead on neutral ground.
func NewMatch(r Rules, dealer int) Match {
	m := Match{Rules: r, Dealer: dealer, Scores: make([]int, r.Sides()), Winner: Nobody}
	if r.Soccer() {
		m.Home = r.Next(dealer)
	}
	return m
}

// Finish ends the match: the score counts as it stands, and level is a draw.
func (m Match) Finish() Match {
	m.Over, m.Winner = true, Nobody
	if top, alone := first(m.Scores); alone {
		m.Winner = top
	}
	return m
}

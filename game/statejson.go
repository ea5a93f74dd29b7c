package game

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// stateJSON is the stored form of a deal: its beginning and its moves. Reading it plays the moves again, so a stored
// deal that breaks the rules is refused.
type stateJSON struct {
	Rules    Rules         `json:"rules"`
	Dealer   int           `json:"dealer"`
	Deck     Cards         `json:"deck"`
	Position *positionJSON `json:"position,omitempty"` // if set, Deck is the stock of the position
	Moves    string        `json:"moves"`
}

type positionJSON struct {
	Leader    int     `json:"leader"`
	Hands     []Cards `json:"hands"`
	Captured  []Cards `json:"captured"`
	TricksWon []int   `json:"tricks_won"`
	RoundsWon []int   `json:"rounds_won"`
	Passed    bool    `json:"passed"`
	LeadSeat  int     `json:"lead_seat"`
	LeadRank  Rank    `json:"lead_rank,omitempty"`
	LeadCount int     `json:"lead_count"`
	Solo      int     `json:"solo"`
}

// MarshalJSON writes rules, dealer, deck and moves, from which the whole State follows. The zero State is null.
func (s State) MarshalJSON() ([]byte, error) {
	if s.d == nil {
		return []byte("null"), nil
	}
	b, err := s.d.rules.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b = append(append(make([]byte, 0, 512+len(b)), `{"rules":`...), b...)
	b = strconv.AppendInt(append(b, `,"dealer":`...), int64(s.d.dealer), 10)
	b = append(b, `,"deck":"`...)
	for _, c := range s.d.deck[:s.d.size] {
		b, _ = c.AppendText(b)
	}
	b = append(b, '"')
	if s.d.position {
		p, err := json.Marshal(s.d.first.positionJSON())
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"position":`...), p...)
	}
	b = append(b, `,"moves":"`...)
	for i, m := range s.Moves() {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, m.String()...)
	}
	return append(b, `"}`...), nil
}

func (s *State) positionJSON() *positionJSON {
	j := &positionJSON{
		Leader: int(s.leader), Passed: s.passed, Captured: s.d.captured[:s.d.players],
		LeadSeat: int(s.banSeat), LeadCount: int(s.banRun), Solo: Nobody,
	}
	if s.banSeat >= 0 {
		j.LeadRank = Rank(rankLetters[s.banRank])
	}
	if s.kingSeen {
		j.Solo = int(s.solo)
	}
	for p := range s.d.players {
		j.Hands = append(j.Hands, Cards(s.hand[p][:s.count[p]]))
		j.TricksWon = append(j.TricksWon, int(s.tricksWon[p]))
		j.RoundsWon = append(j.RoundsWon, int(s.roundsWon[p]))
	}
	return j
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *State) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*s = State{}
		return nil
	}
	var j stateJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	start, err := j.start()
	if err != nil {
		return err
	}
	var moves []Move
	for _, text := range strings.Fields(j.Moves) {
		m, err := ParseMove(text)
		if err != nil {
			return fmt.Errorf("move %d: %w", len(moves)+1, err)
		}
		moves = append(moves, m)
	}
	*s, err = start.play(moves)
	return err
}

func (j *stateJSON) start() (State, error) {
	if j.Position == nil {
		return Deal(j.Rules, []Card(j.Deck), j.Dealer)
	}
	p := j.Position
	pos := Position{
		Dealer: j.Dealer, Leader: p.Leader, Stock: []Card(j.Deck),
		TricksWon: p.TricksWon, RoundsWon: p.RoundsWon, Passed: p.Passed,
		LeadSeat: p.LeadSeat, LeadRank: p.LeadRank, LeadCount: p.LeadCount, Solo: p.Solo,
	}
	for _, hand := range p.Hands {
		pos.Hands = append(pos.Hands, []Card(hand))
	}
	for _, cards := range p.Captured {
		pos.Captured = append(pos.Captured, []Card(cards))
	}
	return Start(j.Rules, pos)
}

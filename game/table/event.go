package table

import "sedmabot/game"

// Event is something that happened at a table and that must be known outside
// it: records, boards and ratings are made from events.
type Event interface{ event() }

// DealStarted is the start of a deal.
type DealStarted struct {
	No   int
	Hash [32]byte // SHA-256 of its seed
}

// DealOver is the end of a deal, with all that a record of it needs.
type DealOver struct {
	Past
	MatchNo int
	Match   game.Match   // as it stood before the deal: rules, dealer, home, scores, pool, abeyance
	Deck    []game.Card  // in dealing order
	Log     []game.Entry // its moves, forced stops among them
	Seats   []Seat       // as they were at its end
}

// MatchOver is the end of a match.
type MatchOver struct{ Outcome }

// TableClosed is the end of the table.
type TableClosed struct{}

func (DealStarted) event() {}
func (DealOver) event()    {}
func (MatchOver) event()   {}
func (TableClosed) event() {}

// Outcome is how a match ended.
type Outcome struct {
	MatchNo  int        `json:"match_no"`
	Match    game.Match `json:"match"`
	Seats    []Seat     `json:"seats"`
	Payments []int      `json:"payments,omitempty"` // by seat, in stakes, summed over the match; all 0 in games without stakes
	Winners  []int      `json:"winners,omitempty"`  // seats; none when it is a draw
	Lesson   bool       `json:"lesson,omitempty"`   // it counts nowhere
	Firsts   []First    `json:"firsts,omitempty"`   // once its home has counted it
	Story    Story      `json:"story,omitzero"`     // none in a lesson, and in matches that ended before there were stories
	Curve    [][]int    `json:"curve,omitempty"`    // by side: the score after each deal
	Decisive *Decisive  `json:"decisive,omitempty"` // the trick that decided the match; nil: none alone did
}

// First is something worth learning that the player of a seat did for the first
// time in the table's home. Whoever counts matches says so: see Table.Firsts.
type First struct {
	Seat int    `json:"seat"`
	Feat string `json:"feat"`
}

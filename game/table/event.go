package table

import "sedmabot/game"

// Event is something that happened at a table and matters outside it. Records, boards and ratings are made from events.
type Event interface{ event() }

// DealStarted reports the start of a deal.
type DealStarted struct {
	No   int
	Hash [32]byte // SHA-256 of the deal's seed
}

// DealOver reports the end of a deal, with everything that a record of it needs.
type DealOver struct {
	Past
	MatchNo int
	Match   game.Match   // match before the deal: rules, dealer, home, scores, pool, abeyance
	Deck    []game.Card  // in dealing order
	Log     []game.Entry // moves of the deal, including forced stops
	Seats   []Seat       // seats at the end of the deal
}

// MatchOver reports the end of a match.
type MatchOver struct{ Outcome }

// TableClosed reports that the table was closed.
type TableClosed struct{}

func (DealStarted) event() {}
func (DealOver) event()    {}
func (MatchOver) event()   {}
func (TableClosed) event() {}

// Outcome is the result of a match.
type Outcome struct {
	MatchNo  int        `json:"match_no"`
	Match    game.Match `json:"match"`
	Seats    []Seat     `json:"seats"`
	Payments []int      `json:"payments,omitempty"` // by seat, in stakes, summed over the match; all 0 in games without stakes
	Winners  []int      `json:"winners,omitempty"`  // seats; none after a draw
	Lesson   bool       `json:"lesson,omitempty"`   // the match was a lesson and counts nowhere
	Firsts   []First    `json:"firsts,omitempty"`   // set after the home has counted the match
	Story    Story      `json:"story,omitzero"`     // none in a lesson, and in matches that ended before there were stories
	Curve    [][]int    `json:"curve,omitempty"`    // by side: the score after each deal
	Decisive *Decisive  `json:"decisive,omitempty"` // the trick that decided the match; nil: none alone did
	Gains    []Gain     `json:"gains,omitempty"`    // set after the home has counted the match
	Hauls    []Haul     `json:"hauls,omitempty"`    // each player's best trick, in the order of seats
	Choices  []Choices  `json:"choices,omitempty"`  // by seat; none in matches that ended before they were counted
	Series   *Series    `json:"series,omitempty"`   // the series that the match belongs to, after it
	Single   *Past      `json:"single,omitempty"`   // the only deal of a match of one deal, without its seed and tricks
	Final    *Past      `json:"final,omitempty"`    // the last deal of a match of several, likewise; nil in matches that ended before this was stored
}

// Gain is what a match changed for the player of a seat in the table's home. The code that counts matches sets it.
type Gain struct {
	Seat   int `json:"seat"`
	Rating int `json:"rating,omitempty"` // displayed rating after the match, in the game's family; 0: the match changed none
	By     int `json:"by,omitempty"`     // how much the match changed it
	Run    int `json:"run,omitempty"`    // matches between people that the player has won in a row

	Scores []Score `json:"scores,omitempty"` // the player's matches in this home against others of this match
}

// Score is how often people won against others, and lost to them.
type Score struct {
	Ours   []int `json:"ours"`   // seats
	Theirs []int `json:"theirs"` // seats
	Won    int   `json:"won"`
	Lost   int   `json:"lost"`
}

// First is an achievement that the player of a seat reached for the first time in the table's home. The code that
// counts matches sets it; see Table.Firsts.
type First struct {
	Seat int    `json:"seat"`
	Feat string `json:"feat"`
}

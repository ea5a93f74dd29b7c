package review

import (
	"strconv"

	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// The first words of presses about finished matches.
const (
	actReplay = view.ActReplay // show a step of the match
	actDeals  = view.ActDeals  // the same, from the buttons that move by deals
	actCheck  = "check"        // show the seed of a deal
	actRecord = "record"       // send the match's record as a file
	actSend   = view.ActSend   // show the result as a text to paste elsewhere
	actFilm   = view.ActFilm   // show the last deal as an animation
	actCoach  = view.ActCoach  // show the AI's opinion of the presser's choices
)

// press is a press about a finished match.
type press struct {
	word   string // one of those above
	table  string
	match  int    // its number at the table
	deal   int    // number of the deal in the match, from 1
	step   int    // step of the deal
	ticket string // a pass to the match from another chat; "": none
}

// String returns the data of the press's button.
func (p press) String() string {
	return screen.PressOf(p.word, p.table, strconv.Itoa(p.match), strconv.Itoa(p.deal), strconv.Itoa(p.step), p.ticket)
}

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	word, f := screen.FieldsOf(data)
	return press{word: word, table: f.Name(), match: f.Number(), deal: f.Number(), step: f.Number(), ticket: f.Ticket()}, f.End()
}

package review

import (
	"strconv"
	"strings"

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
	actFilm   = view.ActFilm   // show a deal as an animation; deal 0 is the last one
	actCoach  = view.ActCoach  // show the AI's opinion of the presser's choices; deal is then the moment, and step the page
	actRetry  = "retry"        // play on from a choice that the presser made
)

// The pages of the coach.
const (
	pageMoment  = iota // a moment of the match, with its picture
	pageNumbers        // accuracy, and what the costly choices cost
	pageHabits         // what the player does well, and what costs them most
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

// retry is a press on a position that is played on from a choice of the presser. Nothing about it is stored, so the
// press has all that was played since.
type retry struct {
	table  string
	match  int
	deal   int    // number of the deal in the match, from 1
	action int    // number of the action in the deal at which the presser chooses, from 0
	moves  string // the presser's choices since, each as its place in the legal moves: a digit from 0 to maxPlace
}

// retryMoves are the letters for two choices in a button, each 1 to 7, or 0 for none.
const retryMoves = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"

// maxPlace is the highest place among the legal moves that a press can have.
const maxPlace = 6

// String returns the data of the press's button.
func (r retry) String() string {
	text := []byte{'x'} // because Fields.Words reads no empty field
	for i := 0; i < len(r.moves); i += 2 {
		n := 8 * (r.moves[i] - '0' + 1)
		if i+1 < len(r.moves) {
			n += r.moves[i+1] - '0' + 1
		}
		text = append(text, retryMoves[n])
	}
	return screen.PressOf(actRetry, r.table, strconv.Itoa(r.match), strconv.Itoa(r.deal), strconv.Itoa(r.action), string(text))
}

// parseRetry parses what String returned.
func parseRetry(data string) (retry, error) {
	_, f := screen.FieldsOf(data)
	r := retry{table: f.Name(), match: f.Number(), deal: f.Number(), action: f.Number()}
	text := f.Words()
	if err := f.End(); err != nil {
		return r, err
	}
	if text[0] != 'x' {
		return r, screen.ErrPress
	}
	for i := 1; i < len(text); i++ {
		n := strings.IndexByte(retryMoves, text[i])
		if n < 8 || n%8 == 0 && i < len(text)-1 {
			return r, screen.ErrPress
		}
		if r.moves += strconv.Itoa(n/8 - 1); n%8 > 0 {
			r.moves += strconv.Itoa(n%8 - 1)
		}
	}
	return r, nil
}

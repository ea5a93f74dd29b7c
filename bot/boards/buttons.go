package boards

import (
	"strconv"

	"sedmabot/bot/screen"
)

// The first words of presses that show a board, and of those about them.
const (
	actLadder = "ladder" // a page of a leaderboard
	actHall   = "hall"   // the hall of fame
	actSeen   = "seen"   // let people of other chats see the presser's name; then show a page of a leaderboard
	actUnseen = "unseen" // keep the name from people of other chats; then show that page
)

// Press is a press that shows a board.
type Press struct {
	word   string // one of those above
	Period string
	Family string // the family of games
	From   int    // the first row, from 0
	Where  int    // 1: the boards across all homes; 0: those of one home
}

// String returns the data of the press's button. Without a word it shows a leaderboard.
func (p Press) String() string {
	if p.word == "" {
		p.word = actLadder
	}
	return screen.PressOf(p.word, p.Period, p.Family, strconv.Itoa(p.From), strconv.Itoa(p.Where))
}

// parsePress parses what String returned.
func parsePress(data string) (Press, error) {
	word, f := screen.FieldsOf(data)
	return Press{word: word, Period: f.Name(), Family: f.Word(), From: f.Number(), Where: f.Number()}, f.End()
}

// featsOf parses the press that explains achievements, whose names are joined by hyphens.
func featsOf(data string) (string, error) {
	_, f := screen.FieldsOf(data)
	return f.Words(), f.End()
}

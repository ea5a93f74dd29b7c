package puzzle

import (
	"strconv"

	"sedmabot/bot/screen"
)

// actPuzzle is the first word of the room's presses.
const actPuzzle = "puzzle"

// press asks for a puzzle, or answers one.
type press struct {
	what  string // askDay, askNext, or the name of a puzzle
	value string // askDay: the day, or askToday. askNext: "now". For a puzzle: the number of the choice, from 1
	home  string // the home whose matches puzzles come from; "": none
}

// These are the values of press.what that are no puzzle's name.
const (
	askDay  = "day"  // the puzzle of a day
	askNext = "next" // another puzzle
)

// askToday is the press.value of askDay that means the day of the press: see view.PuzzleNow.
const askToday = "today"

// choose returns the press that answers a puzzle with a choice, which counts from 1.
func choose(name string, choice int, home string) press {
	return press{what: name, value: strconv.Itoa(choice), home: home}
}

// String returns the data of the press's button.
func (p press) String() string { return screen.PressOf(actPuzzle, p.what, p.value, p.home) }

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	_, f := screen.FieldsOf(data)
	return press{what: f.Word(), value: f.Word(), home: f.HomeOrNone()}, f.End()
}

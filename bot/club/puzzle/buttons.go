package puzzle

import "sedmabot/bot/screen"

// actPuzzle is the first word of the room's presses.
const actPuzzle = "puzzle"

// press asks for a puzzle, or answers one.
type press struct {
	what string // askDay, askNext, askLesson, or the name of a puzzle
	// For askDay: the day, or askToday. For askNext: "now". For a puzzle: a digit for each of the choices that were made,
	// from 1; after showTricks, those that led to the position whose earlier tricks are shown. For askLesson: the number of
	// the lesson, or nextLesson; after an underscore, the same as for a puzzle, but with letters from a.
	value string
	home  string // on old buttons: the home where it was asked, which means nothing any more
}

// These are the values of press.what that are no puzzle's name.
const (
	askDay    = "day"    // the puzzle of a day
	askNext   = "next"   // another puzzle
	askLesson = "lesson" // a lesson
)

// showTricks is the beginning of a press.value that shows earlier tricks, and nextLesson the value of askLesson that
// means the first lesson that the person hasn't done.
const (
	showTricks = "t"
	nextLesson = "next"
)

// askToday is the press.value of askDay that means the day of the press: see view.PuzzleNow.
const askToday = "today"

// String returns the data of the press's button.
func (p press) String() string { return screen.PressOf(actPuzzle, p.what, p.value, p.home) }

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	_, f := screen.FieldsOf(data)
	return press{what: f.Word(), value: f.Word(), home: f.HomeOrNone()}, f.End()
}

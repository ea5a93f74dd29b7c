package chat

import (
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// ErrNoMatch reports that there is no such finished match, that its record has
// expired, or that this reader may not see it.
var ErrNoMatch = NewRefusal("no_match")

// Step is one step of a finished match.
type Step struct {
	Deal, No int // number of the deal, from 1, and of the step in the deal, from 0
	Screen   screen.Screen
	// Choices are the coach's opinions about the reader's choices in the step, if known.
	Choices []StepChoice
}

// StepChoice is the coach's opinion about one choice of the reader.
type StepChoice struct {
	Expects float64 // what the match's AI expects of the deal for the reader's side after the choice, in stakes or points
	Cost    float64 // how much more it expects of the best choice
	Retry   string  // the press that plays on from there
}

// Position is a position of a puzzle or of another try, for a page that shows it on its felt.
type Position struct {
	Name   string               // of the puzzle
	Table  table.Public         // its view is that of the reader's seat, so it has the reader's hand and no other
	Moves  map[game.Move]string // the press of each move that the reader may choose; nil: they have answered
	Best   []game.Move          // once they have answered: the best move, and those that play alike
	Wrong  game.Move            // the move that they chose, if it isn't one of Best; 0: none
	Beside screen.Screen        // what is said beside the felt
	Lang   string               // the language of Beside
}

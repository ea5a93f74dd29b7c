package chat

import (
	"sedmabot/bot/view"
)

// ErrNoMatch: no such match is over, or its record is gone, or it is not for this reader.
var ErrNoMatch = NewRefusal("no_match")

// Step is one step of a finished match.
type Step struct {
	Deal, No int // its deal, from 1, and its number in the deal, from 0
	Screen   view.Screen
}

package chat

import (
	"sedmabot/bot/screen"
)

// ErrNoMatch reports that there is no such finished match, that its record has
// expired, or that this reader may not see it.
var ErrNoMatch = NewRefusal("no_match")

// Step is one step of a finished match.
type Step struct {
	Deal, No int // number of the deal, from 1, and of the step in the deal, from 0
	Screen   screen.Screen
}

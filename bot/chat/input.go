package chat

import (
	"strings"
	"time"
)

// Outcome is the result of an input, for metrics.
type Outcome uint8

// The outcomes of an input.
const (
	Done    Outcome = iota
	Refused         // the rules forbid it, or it is out of date
	Limited         // the person exceeded the rate limit
	Failed          // an error in the bot or one of its services
)

// ErrForged reports that a button's data was not made by this bot.
var ErrForged = NewRefusal("forged")

// CleanName returns a name without line breaks and other control characters, of 64 characters at most.
func CleanName(name string) string {
	clean := []rune(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }), " "))
	if len(clean) > 64 {
		clean = clean[:64]
	}
	return string(clean)
}

// If a home removes the bot, its data is deleted some time later, unless the bot is
// added again first. The time of the removal is in a document (purge:<home>), whose
// job is due when that period ends. Any sign that the bot is back, a report of the
// platform or a command, deletes the document and so cancels the deletion.

// Presence is a platform's report on whether the bot is in a home.
type Presence uint8

// The values of Presence.
const (
	Removed Presence = iota + 1 // the bot was removed, or the user of the private chat blocked it
	Back                        // the bot is in the home
	Added                       // somebody has just added the bot to the home
)

// MissedFor is how long after an addition the bot still welcomes the home, if no process
// was there to hear of the addition.
const MissedFor = 24 * time.Hour

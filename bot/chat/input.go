package chat

import (
	"strings"
	"time"
	"unicode"

	"sedmabot/bot/screen"
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

// CleanName returns the first of the names that shows anything to other people, or "" if none does. The name is on one
// line, without invisible characters, and has 64 characters at most.
func CleanName(names ...string) string {
	for _, name := range names {
		name = strings.Join(strings.Fields(screen.Line(name)), " ")
		if strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && unicode.IsGraphic(r) && !unicode.IsMark(r) }) {
			return screen.Cut(name, 64)
		}
	}
	return ""
}

// If a home removes the bot, its data is deleted some time later, unless the bot is
// added again first. The time of the removal is in a document (purge:<home>), whose
// job is due when that period ends. Any sign that the bot is back, a report of the
// platform or a command, deletes the document and so cancels the deletion.

// A home may remove the bot while no process is there to hear of it. So an adapter says when reports arrive (see Reported). The
// shell then names the homes whose removals may have got lost, and the adapter looks at each and reports the removals.

// Presence is a platform's report on whether the bot is in a home.
type Presence uint8

// The values of Presence.
const (
	Removed  Presence = iota + 1 // the bot was removed, or the user of the private chat blocked it
	Back                         // the bot is in the home
	Added                        // somebody has just added the bot to the home
	Reported                     // the platform's reports have arrived until now, unless it has dropped some
)

// MissedFor is how long after an addition the bot still welcomes the home, if no process
// was there to hear of the addition.
const MissedFor = 24 * time.Hour

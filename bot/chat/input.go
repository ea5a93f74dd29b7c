package chat

import (
	"strings"
)

// Outcome says how an input ended, for those who count.
type Outcome uint8

// The outcomes of an input.
const (
	Done    Outcome = iota
	Refused         // by the rules, or because it makes no sense any more
	Limited         // it was one of too many
	Failed          // for a reason that is ours
)

// ErrForged refuses the data of a button that this bot never made.
var ErrForged = NewRefusal("forged")

// CleanName is a name without line breaks and other control characters, of 64 characters at most.
func CleanName(name string) string {
	clean := []rune(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }), " "))
	if len(clean) > 64 {
		clean = clean[:64]
	}
	return string(clean)
}

// A home that removes the bot is deleted some time later, unless it takes the bot
// back before. When it was removed is a document of its own (purge:<home>), and
// its job is due when the time is over. Whatever shows that the bot is back, the
// platform's word or a command, deletes the document, and so ends it.

// Presence is what a platform tells of the bot in a home.
type Presence uint8

// What it may tell.
const (
	Removed Presence = iota + 1 // the bot was removed, or its user has blocked it
	Back                        // it is there
)

package doc

import (
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// Attempts is the maximum number of attempts to commit a change. An attempt fails with
// a conflict only because another change was committed first.
const Attempts = 8

// ErrBusy reports that a change was given up after too many conflicts.
var ErrBusy = &chat.Refusal{Key: "reply.busy", Outcome: chat.Failed}

// ErrNoTable reports that a table doesn't exist, or no longer does.
var ErrNoTable = chat.NewRefusal("gone")

// ErrErasing reports that a person's data is being deleted, so nothing new may be stored about them.
var ErrErasing = chat.NewRefusal("erasing")

// ErrNewer reports that a later version of this program wrote the document. It must not be changed.
var ErrNewer = chat.NewRefusal("newer")

// ErrUnreadable reports that a document can't be decoded. It must not be changed.
var ErrUnreadable = errors.New("read document")

// Unreadable reports whether err means that a document can't be read, so that a retry soon won't help.
func Unreadable(err error) bool {
	return errors.Is(err, ErrUnreadable) || errors.Is(err, store.ErrDamaged)
}

// Outcome returns the outcome of an input that failed with err: Failed if it may succeed later.
func Outcome(err error) chat.Outcome {
	if Unreadable(err) {
		return chat.Refused
	}
	return chat.Failed
}

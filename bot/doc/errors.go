package doc

import (
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// Attempts is how often a change is made again after somebody else's commit
// came first. Each attempt that fails means that another one succeeded.
const Attempts = 8

// ErrBusy refuses a change that lost to the changes of others too often.
var ErrBusy = &chat.Refusal{Key: "reply.busy", Outcome: chat.Failed}

// ErrNoTable refuses a table that doesn't exist, or no longer does.
var ErrNoTable = chat.NewRefusal("gone")

// ErrErasing refuses to keep anything new of a person whose data is being deleted.
var ErrErasing = chat.NewRefusal("erasing")

// ErrNewer refuses a document that a later version of this program wrote: it is left alone.
var ErrNewer = chat.NewRefusal("gone")

// ErrUnreadable: the document is none of ours, and stays as it is.
var ErrUnreadable = errors.New("read document")

// Unreadable reports whether an error is about a document that can't be read, and that trying again soon won't help.
func Unreadable(err error) bool {
	return errors.Is(err, ErrUnreadable) || errors.Is(err, store.ErrDamaged)
}

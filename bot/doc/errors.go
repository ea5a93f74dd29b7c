package doc

import (
	"strings"

	"sedmabot/bot/chat"
)

// Attempts is how often a change is computed anew after somebody else's commit
// came first. Each attempt that fails means that another one succeeded.
const Attempts = 8

// ErrBusy refuses a change that lost to the changes of others too often.
var ErrBusy = &chat.Refusal{Key: "reply.busy", Outcome: chat.Failed}

// ErrNoTable refuses a table that doesn't exist, or no longer does.
var ErrNoTable = chat.NewRefusal("gone")

// ErrErasing refuses to keep anything new of a person whose data is being deleted.
var ErrErasing = chat.NewRefusal("erasing")

// KindAndRest cuts a document's name behind its kind.
func KindAndRest(name string) (kind, rest string) {
	kind, rest, _ = strings.Cut(name, ":")
	return kind, rest
}

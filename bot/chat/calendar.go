package chat

import (
	"context"
	"time"
)

// Calendar is the ability to enter events in the calendar of a home.
type Calendar interface {
	// PutEvent enters an event in a home's calendar, unless the bot has already entered it,
	// and returns its id. Its errors are those of Platform.Send: Unreachable says that the bot
	// may not write in the calendar.
	PutEvent(ctx context.Context, e Event) (id string, err error)
	// DropEvent removes an event from a home's calendar. It is no error if it is missing.
	DropEvent(ctx context.Context, home, id string) error
}

// Event is an entry in a calendar.
type Event struct {
	Home, Chat string // where it takes place
	Name       string // at most 100 characters
	About      string // at most 1,000 characters
	Start, End time.Time
}

package discord

import (
	"context"
	"time"
)

// Patient makes the adapter wait for every reply, so that nobody is told to wait. The first
// answers in a test then don't depend on the speed of the machine.
func (a *Adapter) Patient() { a.replyWait = time.Hour }

// SessionsApart sets the wait between the starts of two sessions of a group, for a Discord that allows that.
func (a *Adapter) SessionsApart(gap time.Duration) { a.gap = gap }

// FindEmojis returns once the adapter shows cards as emojis.
func (a *Adapter) FindEmojis(ctx context.Context) error {
	app, err := a.client.application(ctx)
	if err == nil {
		a.findEmojis(ctx, app)
	}
	return err
}

package discord

import "time"

// Patient makes the adapter wait for every reply, so that nobody is told to wait. The first
// answers in a test then don't depend on the speed of the machine.
func (a *Adapter) Patient() { a.patience = time.Hour }

// SessionsApart sets the wait between the starts of two sessions of a group, for a Discord that allows that.
func (a *Adapter) SessionsApart(gap time.Duration) { a.gap = gap }

package discord

import "time"

// Patient makes the adapter wait for every reply, so that nobody is told to wait. The first
// answers in a test then don't depend on the speed of the machine.
func (a *Adapter) Patient() { a.patience = time.Hour }

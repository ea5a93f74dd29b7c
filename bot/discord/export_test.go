package discord

import "time"

// Patient has no interaction told to wait: where a test says what a first answer
// is, that is not to depend on how fast the machine is.
func (a *Adapter) Patient() { a.patience = time.Hour }

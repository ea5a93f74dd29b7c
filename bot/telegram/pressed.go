package telegram

import (
	"context"
	"sync"

	"sedmabot/bot/chat"
)

// presses counts the presses on each ephemeral message whose answers aren't delivered yet. An
// answer may replace the ephemeral message. So the shell's edits wait for it, or the answer could
// overwrite a newer hand with an older one.
type presses struct {
	mu    sync.Mutex
	at    map[chat.Address]int
	freed chan struct{} // closed when an ephemeral message has no more open presses
}

// begin counts a press until the caller calls end.
func (p *presses) begin(at chat.Address) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		p.at, p.freed = map[chat.Address]int{}, make(chan struct{})
	}
	p.at[at]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.at[at]--; p.at[at] == 0 {
			delete(p.at, at)
			close(p.freed)
			p.freed = make(chan struct{})
		}
	}
}

// wait waits until every press on an ephemeral message has its answer. It returns ctx's error if
// ctx ends first.
func (p *presses) wait(ctx context.Context, at chat.Address) error {
	for {
		p.mu.Lock()
		n, freed := p.at[at], p.freed
		p.mu.Unlock()
		if n == 0 {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

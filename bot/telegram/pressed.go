package telegram

import (
	"context"
	"sync"

	"sedmabot/bot/chat"
)

// pressed are the asides on which somebody pressed whose answer is on its way and
// may replace them: what the shell wants to show there comes after it, or an
// older hand would stand for a newer one.
type pressed struct {
	mu    sync.Mutex
	at    map[chat.Address]int
	freed chan struct{} // closed when one of them is free
}

// begin notes a press; the caller must end it.
func (p *pressed) begin(at chat.Address) (end func()) {
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

// wait returns when nobody's press there is without its answer, or with ctx's error.
func (p *pressed) wait(ctx context.Context, at chat.Address) error {
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

package playground

import (
	"errors"
	"time"

	"sedmabot/bot"
)

// errLost is what a sender knows whose delivery arrived but whose confirmation
// did not.
var errLost = &bot.DeliveryError{Fault: bot.Retry, Err: errors.New("the answer was lost")}

// faults is what goes wrong on purpose. Playground.mu guards it.
type faults struct {
	closed map[string]bool // people who take no direct messages
	fail   []*bot.DeliveryError
	lose   int
	limits map[string]*limit
}

// limit is a chat's budget.
type limit struct {
	n      int
	window time.Duration
	sent   []time.Time // within the window, oldest first
}

// CloseDM lets new direct messages to the person end Unreachable, until it is
// called with false. Those that stand can still be edited.
func (p *Playground) CloseDM(person string, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults.closed == nil {
		p.faults.closed = map[string]bool{}
	}
	p.faults.closed[person] = closed
}

// Limit lets the chat (the channel, or a person's direct messages) take n
// sends and edits in any window; more of them are told to Retry when the
// window has room again. 0 takes the limit away.
func (p *Playground) Limit(chat string, n int, window time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n == 0 {
		delete(p.faults.limits, chat)
		return
	}
	if p.faults.limits == nil {
		p.faults.limits = map[string]*limit{}
	}
	p.faults.limits[chat] = &limit{n: n, window: window}
}

// Fail lets the next n sends or edits do nothing and end with err.
func (p *Playground) Fail(n int, err *bot.DeliveryError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range n {
		p.faults.fail = append(p.faults.fail, err)
	}
}

// Lose lets the next n sends or edits arrive, but end with Retry all the same,
// as when the connection breaks before the platform's confirmation.
func (p *Playground) Lose(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults.lose += n
}

// send says whether a send to chat fails, or arrives and is lost.
func (f *faults) send(chat string) (lost bool, err error) {
	if f.closed[chat] {
		return false, &bot.DeliveryError{Fault: bot.Unreachable, Err: errors.New("takes no direct messages")}
	}
	return f.edit(chat)
}

// edit says the same of an edit in chat.
func (f *faults) edit(chat string) (lost bool, err error) {
	if len(f.fail) > 0 {
		err := f.fail[0]
		f.fail = f.fail[1:]
		return false, err
	}
	if l := f.limits[chat]; l != nil {
		now := time.Now()
		for len(l.sent) > 0 && now.Sub(l.sent[0]) >= l.window {
			l.sent = l.sent[1:]
		}
		if len(l.sent) >= l.n {
			return false, &bot.DeliveryError{Fault: bot.Retry, After: l.window - now.Sub(l.sent[0]), Err: errors.New("too many messages")}
		}
		l.sent = append(l.sent, now)
	}
	if f.lose > 0 {
		f.lose--
		return true, nil
	}
	return false, nil
}

package discord

import (
	"context"
	"slices"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// A press needs an answer, and usually the message with the button has to change, too. One
// request can do both: an answer that replaces the message. So the answer to a press that
// otherwise shows nothing waits a moment for the edit that the shell has announced (see
// chat.Reply.Edits), and the edit is sent as the answer. If no edit comes in that time, for
// example because another process delivers it, the press gets an answer that shows nothing.
//
// Either way it is the shell that edits, one edit of a message after another. So an old
// screen never replaces a newer one, and a killed process loses nothing.

// lingering is how long after a press its answer waits for the edit. The person sees that
// the button is busy.
const lingering = time.Second

// presses holds the presses that may be answered with an edit, by the address of the
// message with the button.
type presses struct {
	mu sync.Mutex
	at map[chat.Address][]*press
}

// press is a press that has no answer yet. Its fields are guarded by presses.mu.
type press struct {
	it      interaction
	started time.Time
	decided chan struct{} // closed when waits is final
	waits   bool          // the answer waits for an edit
	over    chan struct{} // closed when the answer waits no longer
	gone    bool          // over has been closed, or an edit has taken the press
	shown   bool          // an edit was the answer
}

// begin adds a press that the shell is about to handle.
func (p *presses) begin(at chat.Address, it interaction, started time.Time) *press {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		p.at = map[chat.Address][]*press{}
	}
	mine := &press{it: it, started: started, decided: make(chan struct{}), over: make(chan struct{})}
	p.at[at] = append(p.at[at], mine)
	return mine
}

// remove removes a press. The caller holds the lock.
func (p *presses) remove(at chat.Address, mine *press) {
	rest := slices.DeleteFunc(p.at[at], func(other *press) bool { return other == mine })
	if p.at[at] = rest; len(rest) == 0 {
		delete(p.at, at)
	}
}

// end ends a press whose answer doesn't wait for an edit.
func (p *presses) end(at chat.Address, mine *press) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(at, mine)
	close(mine.decided)
}

// linger waits until an edit was the answer to the press, or it is time for another answer.
// It reports whether an edit was the answer.
func (p *presses) linger(at chat.Address, mine *press) bool {
	p.mu.Lock()
	mine.waits = true
	close(mine.decided)
	p.mu.Unlock()
	timer := time.AfterFunc(time.Until(mine.started.Add(lingering)), func() { p.let(at, mine) })
	defer timer.Stop()
	<-mine.over
	return mine.shown
}

// let ends the waiting of a press, unless an edit has taken it.
func (p *presses) let(at chat.Address, mine *press) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !mine.gone {
		mine.gone = true
		p.remove(at, mine)
		close(mine.over)
	}
}

// take returns a press that an edit of its message should answer, or nil. It waits until
// presses that are being handled are decided. All other waiting presses on the message get
// answers that show nothing, because the edit shows their changes, too.
func (p *presses) take(ctx context.Context, at chat.Address) *press {
	p.mu.Lock()
	all := slices.Clone(p.at[at])
	p.mu.Unlock()
	for _, each := range all {
		wait, cancel := context.WithDeadline(ctx, each.started.Add(lingering))
		select {
		case <-each.decided:
		case <-wait.Done():
		}
		cancel()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var first *press
	for _, each := range slices.Clone(p.at[at]) {
		if !each.waits {
			continue
		}
		each.gone = true
		p.remove(at, each)
		if first == nil {
			first = each
		} else {
			close(each.over)
		}
	}
	return first
}

// answerWith sends an edit as the answer to a press on the message. It reports whether that
// worked; if not, the edit has to be sent as a request of its own.
func (a *Adapter) answerWith(ctx context.Context, mine *press, s view.Screen, m message) bool {
	defer close(mine.over)
	if s.Picture != nil && s.Picture.Kept {
		return false // only an edit is sure to find the attachment that the message has
	}
	ctx, cancel := context.WithDeadline(ctx, mine.started.Add(firstAnswer))
	defer cancel()
	mine.shown = a.first(ctx, mine.started, mine.it, callback{Type: answerUpdateMessage, Data: m}) == nil
	return mine.shown
}

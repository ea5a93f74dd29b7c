package discord

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/screen"
)

// A press needs an answer, and usually the message with the button has to change, too. One
// request can do both: an answer that replaces the message. So the answer to a press that
// otherwise shows nothing waits a moment until the edit begins that the shell has announced
// (see chat.Reply.Edits), and the edit is sent as the answer. Such an edit needn't wait for
// the channel's other deliveries (see chat.Abilities.Pressed), because answers don't count as edits.
// If no edit begins in that time, for example because another process delivers it, the press
// gets an answer that shows nothing.
//
// Either way it is the shell that edits, one edit of a message after another. So an old
// screen never replaces a newer one, and a killed process loses nothing.

const (
	// editWait is how long the answer to a press that was handled waits for the edit to
	// begin. The person sees that the button is busy.
	editWait = 50 * time.Millisecond
	// decideWait is how long after a press an edit of its message waits until the press is
	// handled.
	decideWait = time.Second
)

// presses holds the presses that may be answered with an edit, by the message with the
// button.
type presses struct {
	mu sync.Mutex
	at map[chat.Address][]*press
}

// press is a press that has no answer yet. Its fields are guarded by presses.mu.
type press struct {
	at      chat.Address // the message, see buttonOf
	it      interaction
	started time.Time
	decided chan struct{} // closed when waits is final
	waits   bool          // the answer waits for an edit
	over    chan struct{} // closed when the answer no longer waits
	gone    bool          // over has been closed, or an edit has taken the press
	edit    *callback     // the edit that is to be the answer, or nil; final when over is closed
	sent    chan struct{} // closed when the attempt to answer with edit has ended
	taken   bool          // Discord took edit as the answer; final when sent is closed
}

// begin adds a press on a message, which the shell is about to handle.
func (p *presses) begin(at chat.Address, it interaction, started time.Time) *press {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		p.at = map[chat.Address][]*press{}
	}
	mine := &press{at: at, it: it, started: started, decided: make(chan struct{}), over: make(chan struct{}), sent: make(chan struct{})}
	if at != "" { // a command has no message
		p.at[at] = append(p.at[at], mine)
	}
	return mine
}

// remove removes a press. The caller holds the lock.
func (p *presses) remove(mine *press) {
	rest := slices.DeleteFunc(p.at[mine.at], func(other *press) bool { return other == mine })
	if p.at[mine.at] = rest; len(rest) == 0 {
		delete(p.at, mine.at)
	}
}

// end ends a press whose answer doesn't wait for an edit.
func (p *presses) end(mine *press) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(mine)
	close(mine.decided)
}

// waitForEdit waits until an edit can be the answer to the press, or none has begun in time. It returns that edit or nil. The caller sends the edit and then calls attempted.
func (p *presses) waitForEdit(mine *press) *callback {
	p.mu.Lock()
	mine.waits = true
	close(mine.decided)
	p.mu.Unlock()
	timer := time.AfterFunc(editWait, func() { p.release(mine) })
	defer timer.Stop()
	<-mine.over
	return mine.edit
}

// attempted tells the edit's sender whether Discord took the edit as the answer.
func (p *press) attempted(taken bool) {
	p.taken = taken
	close(p.sent)
}

// release ends the waiting of a press, unless an edit has taken it.
func (p *presses) release(mine *press) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !mine.gone {
		mine.gone = true
		p.remove(mine)
		close(mine.over)
	}
}

// deleted ends the waiting of all presses on a message, because it won't be edited.
func (p *presses) deleted(at chat.Address) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, each := range p.at[at] {
		each.gone = true
		close(each.over)
	}
	delete(p.at, at)
}

// waitDecided waits until the presses on a message that are being handled are decided.
func (p *presses) waitDecided(ctx context.Context, at chat.Address) {
	p.mu.Lock()
	all := slices.Clone(p.at[at])
	p.mu.Unlock()
	for _, each := range all {
		wait, cancel := context.WithDeadline(ctx, each.started.Add(decideWait))
		select {
		case <-each.decided:
		case <-wait.Done():
		}
		cancel()
	}
}

// waiting reports whether an edit of the message would be the answer to a press on it.
func (p *presses) waiting(ctx context.Context, at chat.Address) bool {
	p.waitDecided(ctx, at)
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.at[at], func(each *press) bool { return each.waits })
}

// take returns a press that an edit of its message should answer, or nil. All other waiting
// presses on the message get answers that show nothing, because the edit shows their changes,
// too.
func (p *presses) take(ctx context.Context, at chat.Address) *press {
	p.waitDecided(ctx, at)
	p.mu.Lock()
	defer p.mu.Unlock()
	var first *press
	for _, each := range slices.Clone(p.at[at]) {
		if !each.waits {
			continue
		}
		each.gone = true
		p.remove(each)
		if first == nil {
			first = each
		} else {
			close(each.over)
		}
	}
	return first
}

// answerWith makes an edit the answer to a press on the message. It reports whether that
// worked; if not, the edit has to be sent as a request of its own. The press's own goroutine
// sends the answer, so the end of ctx, which is the error, doesn't cancel it: Discord would
// refuse a second answer.
func answerWith(ctx context.Context, mine *press, s screen.Screen, m message.Body) (taken bool, err error) {
	if s.Picture != nil && s.Picture.Kept {
		close(mine.over)
		return false, nil // only an edit is sure to find the attachment that the message has
	}
	mine.edit = &callback{Type: answerUpdateMessage, Data: m}
	close(mine.over)
	select {
	case <-mine.sent:
		return mine.taken, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// answersPress reports whether an edit of the message at an address would be the answer to a press
// on it. It waits while a press on the message is being handled.
func (o *outbox) answersPress(ctx context.Context, at chat.Address) bool {
	return o.presses.waiting(ctx, o.replies.message(at))
}

// buttonOf returns the message with the pressed button, as [replies.message] does.
func buttonOf(in chat.Input) chat.Address {
	if in.OnAnswer {
		return original(in.Origin)
	}
	return in.Message
}

// original names the message that was the answer to an interaction with that id. The message
// has several addresses: each press on it leads to another one.
func original(origin string) chat.Address { return chat.Address(prefix + "o/" + origin) }

// replies knows what the latest answers to interactions have shown. The shell records such
// an answer only after it was sent, and then edits it to be sure. If the edit changes
// nothing, no request is needed.
type replies struct {
	origins cache.Cache[chat.Address, chat.Address] // from an answer's address to its message, which original names
	screens cache.Cache[chat.Address, answered]     // by message
}

// answered is what an answer has shown.
type answered struct {
	at   time.Time
	body [sha256.Size]byte
}

const (
	// maxAnswers is the size of the caches of answers.
	maxAnswers = 5_000
	// answerKnown is how long it is known what an answer has shown. Later, another process
	// may have edited the message.
	answerKnown = 5 * time.Second
)

// note remembers that m was the answer to an input.
func (r *replies) note(in chat.Input, m message.Body) {
	r.origins.Put(in.Answer, original(in.Origin), maxAnswers)
	r.screens.Put(original(in.Origin), answered{time.Now(), digest(m)}, maxAnswers)
}

// message returns the message at an address.
func (r *replies) message(at chat.Address) chat.Address {
	if original, ok := r.origins.Get(at); ok {
		return original
	}
	return at
}

// shows reports whether an answer has just made a message look like m.
func (r *replies) shows(at chat.Address, m message.Body) bool {
	now, ok := r.screens.Get(at)
	return ok && time.Since(now.at) < answerKnown && now.body == digest(m)
}

// forget is called before a message changes.
func (r *replies) forget(at chat.Address) { r.screens.Take(at) }

// digest returns a hash of what a message shows.
func digest(m message.Body) [sha256.Size]byte {
	m.Flags = 0
	data, err := json.Marshal(m)
	if err != nil {
		return sha256.Sum256([]byte(err.Error())) // can't happen: it holds only texts and numbers
	}
	return sha256.Sum256(data)
}

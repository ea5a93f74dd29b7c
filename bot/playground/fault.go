package playground

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"sedmabot/bot/chat"
)

// errLost is what a sender knows whose delivery arrived but whose confirmation
// did not.
var errLost = &chat.DeliveryError{Fault: chat.Retry, Err: errors.New("the answer was lost")}

// faults is what goes wrong on purpose. Playground.mu guards it.
type faults struct {
	closed map[string]bool // people who take no direct messages
	asides bool            // the channel takes messages that one person sees
	fail   []*chat.DeliveryError
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

// Asides lets the channel take messages that one person alone sees, of which
// nobody asked for. At first it doesn't: few platforms have them.
func (p *Playground) Asides(taken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults.asides = taken
}

// Limit lets the chat (the channel, or a person's direct messages) take n
// sends and edits in any window; more of them are told to Retry when the
// window has room again. 0 takes the limit away.
func (p *Playground) Limit(chatID string, n int, window time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n == 0 {
		delete(p.faults.limits, chatID)
		return
	}
	if p.faults.limits == nil {
		p.faults.limits = map[string]*limit{}
	}
	p.faults.limits[chatID] = &limit{n: n, window: window}
}

// Fail lets the next n sends or edits do nothing and end with err.
func (p *Playground) Fail(n int, err *chat.DeliveryError) {
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

// slow is the limit of a chat that the page makes slow.
const (
	slowSends  = 2
	slowWindow = 10 * time.Second
)

// faultState is what the page shows of the faults.
type faultState struct {
	Closed []string `json:"closed"` // people who take no direct messages
	Slow   bool     `json:"slow"`   // the channel is
	Crash  bool     `json:"crash"`  // can be asked for
}

func (p site) faultState() faultState {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := faultState{Closed: []string{}, Slow: p.faults.limits[Channel] != nil, Crash: p.config.Crash != nil}
	for _, id := range people {
		if p.faults.closed[id] {
			state.Closed = append(state.Closed, id)
		}
	}
	return state
}

// postFault lets something go wrong, or right again, and tells what is wrong now.
func (p site) postFault(w http.ResponseWriter, r *http.Request, who reader) {
	var in struct {
		Closed string `json:"closed"` // a person
		On     bool   `json:"on"`
		Slow   *bool  `json:"slow"`
		Crash  bool   `json:"crash"`
	}
	if !readJSON(w, r, &in) || !may(w, who, "") {
		return
	}
	switch {
	case slices.Contains(people, in.Closed):
		p.CloseDM(in.Closed, in.On)
	case in.Slow != nil && *in.Slow:
		p.Limit(Channel, slowSends, slowWindow)
	case in.Slow != nil:
		p.Limit(Channel, 0, 0)
	case in.Crash && p.config.Crash != nil:
		p.config.Crash()
	default:
		http.Error(w, "no such fault", http.StatusBadRequest)
		return
	}
	writeJSON(w, p.faultState())
}

// reach says whether anything can be sent to chat, or to one person alone there.
func (f *faults) reach(chatID, only string) error {
	switch {
	case f.closed[chatID]:
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("takes no direct messages")}
	case only != "" && !f.asides:
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("takes no asides")}
	}
	return nil
}

// send says whether a send to chat, or to one person alone there, fails, or arrives and is lost.
func (f *faults) send(chatID, only string) (lost bool, err error) {
	if err := f.reach(chatID, only); err != nil {
		return false, err
	}
	return f.edit(chatID)
}

// edit says the same of an edit in chat.
func (f *faults) edit(chatID string) (lost bool, err error) {
	if len(f.fail) > 0 {
		err := f.fail[0]
		f.fail = f.fail[1:]
		return false, err
	}
	if l := f.limits[chatID]; l != nil {
		now := time.Now()
		for len(l.sent) > 0 && now.Sub(l.sent[0]) >= l.window {
			l.sent = l.sent[1:]
		}
		if len(l.sent) >= l.n {
			return false, &chat.DeliveryError{Fault: chat.Retry, After: l.window - now.Sub(l.sent[0]), Err: errors.New("too many messages")}
		}
		l.sent = append(l.sent, now)
	}
	if f.lose > 0 {
		f.lose--
		return true, nil
	}
	return false, nil
}

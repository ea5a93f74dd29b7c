package playground

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"sedmabot/bot/chat"
)

// errLost reports that the confirmation of a delivery was lost, although the
// delivery arrived.
var errLost = &chat.DeliveryError{Fault: chat.Retry, Err: errors.New("the answer was lost")}

// faults holds the simulated faults. Playground.mu guards it.
type faults struct {
	closed map[string]bool // people with closed direct messages
	asides bool            // the channel takes messages for one person only
	lose   int
	limits map[string]*limit
}

// limit is a chat's rate limit.
type limit struct {
	n      int
	window time.Duration
	sent   []time.Time // times of sends within the window, oldest first
}

// CloseDM makes new direct messages to the person fail with Unreachable, until it is
// called with false. Existing messages can still be edited.
func (p *Playground) CloseDM(person string, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults.closed == nil {
		p.faults.closed = map[string]bool{}
	}
	p.faults.closed[person] = closed
}

// Asides sets whether the channel takes unrequested messages that only one person
// sees. The default is false, since few platforms have them.
func (p *Playground) Asides(taken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults.asides = taken
}

// Limit sets how many sends and edits a chat takes in any window: the channel, or a
// person's direct messages. Any more fail with Retry, for when the window has room
// again. 0 removes the limit.
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

// Lose makes the next n sends or edits arrive, but return Retry. This simulates a
// connection that breaks before the platform's confirmation.
func (p *Playground) Lose(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults.lose += n
}

// Rate limit of a chat that the page makes slow.
const (
	slowSends  = 2
	slowWindow = 10 * time.Second
)

// faultState is the state of the faults, as the page shows it.
type faultState struct {
	Closed []string `json:"closed"` // people with closed direct messages
	Slow   bool     `json:"slow"`   // the channel is slow
	Crash  bool     `json:"crash"`  // the page has a button for a crash
}

func (p *Playground) faultState() faultState {
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

// postFault switches a fault on or off, and answers with the state of the faults.
func (p *Playground) postFault(w http.ResponseWriter, r *http.Request, who reader) {
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

// reach returns an error if nothing can be sent to a chat, or to one person there.
func (f *faults) reach(chatID, only string) error {
	switch {
	case f.closed[chatID]:
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("takes no direct messages")}
	case only != "" && !f.asides:
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("takes no asides")}
	}
	return nil
}

// send returns the fault of a send to a chat, or to one person there. lost means that
// the send arrives, but its confirmation doesn't.
func (f *faults) send(chatID, only string) (lost bool, err error) {
	if err := f.reach(chatID, only); err != nil {
		return false, err
	}
	return f.edit(chatID)
}

// edit returns the fault of an edit in a chat, in the same form.
func (f *faults) edit(chatID string) (lost bool, err error) {
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

package bottest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// stateNames are rare states that runs must reach: a simulation that doesn't reach them proves nothing. storm.state counts one.
var stateNames = []string{
	"a button of an earlier deal was pressed",
	"a button was pressed on an answer",
	"a button was pressed twice at once",
	"a card was played on a page",
	"a chain of deals",
	"a chat refused a change of a message, and took the next one",
	"a claim failed",
	"a claim took jobs, and its answer was lost",
	"a clock was wrong",
	"a commit took a job, and its answer was lost",
	"a commit took effect, and its answer was lost",
	"a connection went dead",
	"a deal ended",
	"a deal ended while its hand was sent",
	"a delivery took too long",
	"a hand came after others were refused",
	"a hand that was opened was deleted",
	"a hand was refused after others had come",
	"a job failed",
	"a job of a process that died was taken over",
	"a lease was taken by another process",
	"a lease was taken from a process that was sending",
	"a lease was taken while a picture was drawn",
	"a match ended",
	"a message was gone",
	"a move was made while a hand was sent",
	"a page slept through a change and woke",
	"a page's process died",
	"a person blocked the bot",
	"a person was renamed",
	"a place couldn't be written to",
	"a player came back",
	"a player left a match",
	"a player's time ran out",
	"a poll failed",
	"a press changed a table that another process was showing",
	"a press got no answer",
	"a process died after a commit",
	"a process was killed",
	"a rematch",
	"a rematch took a seat back from the AI",
	"a rematch was pressed while a newcomer waited",
	"a repeated update did nothing",
	"a seat was taken over",
	"a stop cut off a job",
	"a table was closed",
	"a table was closed while another process was showing it",
	"a token had expired",
	"a topic was closed",
	"all processes were down",
	"an anonymous administrator typed",
	"an edit answered a press",
	"an interaction was answered late",
	"an outage began a turn again",
	"an update came to another process",
	"an update came twice",
	"another process polls",
	"discord did it, and its answer was lost",
	"it was lost when a turn began again",
	"one clock was wrong",
	"somebody deleted a message",
	"the bot might not send pictures",
	"the gateway asked to reconnect",
	"the gateway closed connections",
	"the gateway refused to resume a session",
	"the gateway resumed a session",
	"the gateway sent what was missed",
	"the gateway went silent",
	"the platform couldn't be reached at the start",
	"the platform said when to try again",
	"the process that polls lost its turn",
	"the release before wrote a table",
	"the store lost its last writes",
	"two changes met",
}

// states counts the states of a run, or of all.
type states struct {
	mu       sync.Mutex
	counts   map[string]int
	counters counts
}

// add adds the states of a run.
func (s *states) add(o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	for name, n := range o.States {
		s.counts[name] += n
	}
	s.counters.Runs++
	s.counters.Pressed += o.Counts.Pressed
	s.counters.Answered += o.Counts.Answered
	s.counters.Matches += o.Counts.Matches
	s.counters.Deals += o.Counts.Deals
}

func (s *states) missing() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range stateNames {
		if s.counts[name] == 0 {
			names = append(names, name)
		}
	}
	return names
}

func (s *states) String() string {
	missing := s.missing()
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%+v; %d of %d states reached, and never %q; %v",
		s.counters, len(stateNames)-len(missing), len(stateNames), missing, s.counts)
}

// state counts a state that the run has reached.
func (w *storm) state(name string) {
	if !slices.Contains(stateNames, name) {
		w.fail("no such state: %s", name)
	}
	w.states.mu.Lock()
	defer w.states.mu.Unlock()
	if w.states.counts == nil {
		w.states.counts = map[string]int{}
	}
	if w.states.counts[name]++; w.states.counts[name] == often {
		w.fail("%d times: %s", often, name)
	}
}

// often is more often than any state is reached in a run.
const often = 2000

func (w *storm) count(n *int) {
	w.states.mu.Lock()
	defer w.states.mu.Unlock()
	*n++
}

// logStates are states that the program tells in its log.
var logStates = map[string]string{
	`msg="claim work"`:                        "a claim failed",
	`msg="a stop cut off work on what is due`: "a stop cut off a job",
	`msg="work on what is due"`:               "a job failed",
	`msg="poll telegram"`:                     "a poll failed",
	`cannot be reached, trying again"`:        "the platform couldn't be reached at the start",
	`it stands by"`:                           "the process that polls lost its turn",
	`msg="it is this process's turn"`:         "another process polls",
	`msg="begin a turn again"`:                "it was lost when a turn began again",
}

// observe reads a line of the log. Some lines mean that something is wrong.
func (w *storm) observe(line string) {
	for part, name := range logStates {
		if strings.Contains(line, part) {
			w.state(name)
		}
	}
	if strings.Contains(line, `msg="work on what is due"`) && strings.Contains(line, "context canceled") {
		w.fail("a stop isn't an error of a job: %s", line)
	}
	for _, part := range append([]string{"panic", "delivery refused"}, secrets...) {
		if strings.Contains(line, part) {
			w.fail("in the log: %s", line)
		}
	}
}

// secrets are parts of all tokens, which must not be in a log.
var secrets = []string{"AAtest-Token", "that-nobody-may-see"}

// past is what happened before, as far as states and oracles ask for it. storm.mu guards it.
type past struct {
	handled  map[string]bool          // by Input.Once: the updates that have changed something
	heard    map[string]*machine      // by Input.Once: the process that got it last
	opened   map[chat.Address]bool    // answers with screens that are edited later
	hands    map[string]bool          // by player: whether their last hand came
	claimers map[string]sender        // by job that isn't completed: the process that took it last
	sending  map[*machine]time.Time   // when it last sent or edited something
	holders  map[dealt][]string       // by card: the players who have held it
	played   map[dealt]bool           // by card: everybody has seen it
	shownBy  map[chat.Address]sender  // by message: who showed its screen
	took     map[string]time.Time     // by chat: when it last took a message or a change of one
	marked   map[string]time.Time     // by job that somebody has to take: since when
	edits    map[chat.Address]editRun // the latest edits of each message
}

// editRun counts edits of a message in a row with the same screen, and the same outcome.
type editRun struct {
	screen string
	gone   bool
	n      int
}

// hears counts the states in an input that a process gets.
func (w *storm) hears(m *machine, in chat.Input) {
	w.hearer.Store(m)
	if press, err := view.ParsePress(in.Press); err == nil && press.Action == view.ActPlay && press.Deal < w.kept.at(press.Table).DealNo {
		w.state("a button of an earlier deal was pressed")
	}
	if in.Once == "" {
		return
	}
	w.mu.Lock()
	first := w.heard[in.Once]
	w.heard[in.Once] = m
	w.mu.Unlock()
	if first != nil && first != m {
		w.state("an update came to another process")
	}
}

// tableOf returns the table of a hand, as it is now.
func (w *storm) tableOf(s screen.Screen) (t table.Table) {
	for _, b := range buttons(s) {
		if press, err := view.ParsePress(b.Press); err == nil && press.Action == view.ActPlay {
			return w.kept.at(press.Table)
		}
	}
	return t
}

// delivers counts the states in a hand that was sent or edited, or refused. before is its table before that. An edit has no target.
func (w *storm) delivers(to chat.Target, s screen.Screen, before table.Table, err error) {
	if before.ID == "" {
		return
	}
	now := w.tableOf(s)
	if now.DealNo > before.DealNo || now.Deal.Plies() > before.Deal.Plies() {
		w.state("a move was made while a hand was sent")
	}
	if now.DealNo > before.DealNo || before.Phase == table.Playing && now.Phase != table.Playing {
		w.state("a deal ended while its hand was sent")
	}
	if to.Player == "" || to.Chat != "" {
		return
	}
	refused := isRefused(err)
	if err != nil && !refused {
		return
	}
	w.mu.Lock()
	came, known := w.hands[to.Player]
	w.hands[to.Player] = err == nil
	w.mu.Unlock()
	switch {
	case known && came && refused:
		w.state("a hand was refused after others had come")
	case known && !came && !refused:
		w.state("a hand came after others were refused")
	}
}

// isRefused reports whether a place refuses the bot, and isGone whether a message is gone.
func isRefused(err error) bool { return isFault(err, chat.Unreachable) }
func isGone(err error) bool    { return isFault(err, chat.Gone) }

func isFault(err error, fault chat.Fault) bool {
	var d *chat.DeliveryError
	return errors.As(err, &d) && d.Fault == fault
}

// changes counts the states in an edit or a deletion that a chat took or refused.
func (w *storm) changes(m *machine, a chat.Address, err error) {
	w.mu.Lock()
	w.touched[a] = sender{m, time.Now()}
	w.mu.Unlock()
	where := strings.Replace(string(a[:max(0, strings.LastIndexAny(string(a), ":/"))]), ":m/", ":", 1)
	if isRefused(err) {
		w.refuses(where)
	}
	if err == nil && w.takesAgain(m, where) < 5*time.Second {
		w.state("a chat refused a change of a message, and took the next one")
	}
}

// takesAgain notes that a place took a message or a change of one. If it has refused the bot since it last took one, that is a
// moment, and takesAgain returns how long ago it was.
func (w *storm) takesAgain(m *machine, where string) time.Duration {
	w.mu.Lock()
	at, again := w.refused[where], w.refused[where].After(w.took[where])
	w.took[where] = time.Now()
	w.mu.Unlock()
	if !again {
		return math.MaxInt64
	}
	w.moment(m, "a chat took messages again")
	return time.Since(at)
}

// storeless reports whether no process could do anything just now, because all of them had trouble with the store.
func (w *storm) storeless() bool {
	return !slices.ContainsFunc(w.running(), func(m *machine) bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return time.Since(m.troubled) > 5*time.Second
	})
}

// unclaimed notes that a process couldn't take jobs. If none could, they are due from now on.
func (w *storm) unclaimed() {
	if !w.storeless() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for job := range w.marked {
		w.marked[job] = time.Now()
	}
}

// claimed notes the process that takes a job.
func (w *storm) claimed(m *machine, job string) {
	w.mu.Lock()
	before := w.claimers[job]
	w.claimers[job] = sender{m, time.Now()}
	since, waited := w.marked[job]
	delete(w.marked, job)
	if before.by != nil { // it may have sent what it can't record any more
		w.doubted = append(w.doubted, doubt{before.by, before.at.Add(-time.Second), time.Now().Add(15 * time.Second)})
	}
	w.mu.Unlock()
	if before.by != nil && before.by != m && before.by.drawing.Load() > 0 {
		w.state("a lease was taken while a picture was drawn")
	}
	if late := time.Since(since); waited && late > dueTime {
		w.fail("%s was due since %v when %s took it", job, late, m.name)
	}
	if before.by != nil && before.by != m && before.by.dead.Load() {
		w.state("a job of a process that died was taken over")
	}
}

// met counts the states in a press of which another process has to show what it changed.
func (w *storm) met(m *machine, job string) {
	if !w.shows(m, job) {
		return
	}
	w.state("a press changed a table that another process was showing")
	w.moment(m, "a press met another's work")
	if w.kept.at(strings.TrimPrefix(job, "table:")).Phase == table.Closed {
		w.state("a table was closed while another process was showing it")
	}
}

// shows reports whether another process than m does a job.
func (w *storm) shows(m *machine, job string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	by := w.claimers[job].by
	return by != nil && by != m
}

// reached counts the states in a change of a table.
func (w *storm) reached(old, now table.Table) {
	w.mu.Lock()
	if now.DealNo > old.DealNo {
		w.brought = append(w.brought, "a deal began")
	}
	if old.Phase != table.Over && now.Phase == table.Over {
		w.brought = append(w.brought, "a match ended")
	}
	if old.Phase != table.Closed && now.Phase == table.Closed {
		w.brought = append(w.brought, "a table was closed")
	}
	w.mu.Unlock()
	if old.Phase == table.Playing && (now.Phase == table.Pause || now.Phase == table.Over) {
		w.count(&w.states.counters.Deals)
		w.state("a deal ended")
	}
	if now.DealNo > old.DealNo && now.DealNo > 3 {
		w.state("a chain of deals")
	}
	if old.Phase != table.Over && now.Phase == table.Over {
		w.count(&w.states.counters.Matches)
		w.state("a match ended")
	}
	if old.Phase == table.Over && now.MatchNo > old.MatchNo {
		w.state("a rematch")
		if len(old.Coming) > 0 {
			w.state("a rematch was pressed while a newcomer waited")
		}
	}
	if old.Phase != table.Closed && now.Phase == table.Closed {
		w.state("a table was closed")
	}
	for i, s := range now.Seats {
		if i < len(old.Seats) && old.Phase == table.Playing && old.Seats[i].Player.ID == "" && s.Player.ID != "" {
			w.state("a seat was taken over")
			if now.Last != nil && now.Last.MatchNo+1 == now.MatchNo && slices.ContainsFunc(now.Last.Seats, func(was table.Seat) bool { return was.Player.ID == s.Player.ID }) {
				w.state("a rematch took a seat back from the AI")
			}
		}
		if i >= len(old.Seats) || old.Seats[i].Player.ID != s.Player.ID || s.Player.ID == "" {
			continue
		}
		if !old.Seats[i].Away && s.Away {
			w.state("a player's time ran out")
		}
		if old.Seats[i].Away && !s.Away {
			w.state("a player came back")
		}
		if !old.Seats[i].Left && s.Left {
			w.state("a player left a match")
		}
	}
	if old.Phase == table.Playing && now.Phase == table.Playing && now.DealNo == old.DealNo && now.Deal.Plies() == old.Deal.Plies() &&
		now.Since.Sub(old.Since) > 10*time.Second {
		w.state("an outage began a turn again")
	}
}

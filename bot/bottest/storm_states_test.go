package bottest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/game/table"
)

// stateNames are rare states that runs must reach: a simulation that doesn't reach them proves nothing. storm.state counts one.
var stateNames = []string{
	"a button was pressed on an answer",
	"a button was pressed twice at once",
	"a chain of deals",
	"a claim failed",
	"a claim took jobs, and its answer was lost",
	"a clock was wrong",
	"a commit took a job, and its answer was lost",
	"a commit took effect, and its answer was lost",
	"a connection went dead",
	"a deal ended",
	"a delivery took too long",
	"a job failed",
	"a lease was taken by another process",
	"a match ended",
	"a message was gone",
	"a person blocked the bot",
	"a place couldn't be written to",
	"a player came back",
	"a player's time ran out",
	"a poll failed",
	"a press got no answer",
	"a process died after a commit",
	"a process was killed",
	"a rematch",
	"a stop cut off a job",
	"a table was closed",
	"a token had expired",
	"an outage began a turn again",
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

// reached counts the states in a change of a table.
func (w *storm) reached(old, now table.Table) {
	if now.DealNo > old.DealNo && old.DealNo > 0 {
		w.count(&w.states.counters.Deals)
		w.state("a deal ended")
		if now.DealNo > 3 {
			w.state("a chain of deals")
		}
	}
	if old.Phase != table.Over && now.Phase == table.Over {
		w.count(&w.states.counters.Matches)
		w.state("a match ended")
	}
	if old.Phase == table.Over && now.MatchNo > old.MatchNo {
		w.state("a rematch")
	}
	if old.Phase != table.Closed && now.Phase == table.Closed {
		w.state("a table was closed")
	}
	for i, s := range now.Seats {
		if i >= len(old.Seats) || old.Seats[i].Player.ID != s.Player.ID || s.Player.ID == "" {
			continue
		}
		if !old.Seats[i].Away && s.Away {
			w.state("a player's time ran out")
		}
		if old.Seats[i].Away && !s.Away {
			w.state("a player came back")
		}
	}
	if old.Phase == table.Playing && now.Phase == table.Playing && now.DealNo == old.DealNo && now.Deal.Plies() == old.Deal.Plies() &&
		now.Since.Sub(old.Since) > 10*time.Second {
		w.state("an outage began a turn again")
	}
}

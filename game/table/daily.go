package table

import (
	"slices"
	"time"

	"sedmabot/game"
)

// Daily is what a table knows of the deal of the day that is played at it: one
// deal, the same for everybody of a home, on the same seat against the same AI.
// Nobody gets a hint in it or plays it twice, and its seed is not told here.
type Daily struct {
	Date string    `json:"date"`           // the day, by the calendar of the home
	Zone string    `json:"zone"`           // of that calendar
	Ends time.Time `json:"ends"`           // when the day is over
	Late bool      `json:"late,omitempty"` // it was, when the deal ended: that counts no more
	AI   *Tally    `json:"ai,omitempty"`   // what the AI came to on the player's seat; nil: not known yet
}

// Tally is what somebody came to in a deal.
type Tally struct {
	Score  float64 `json:"score"`  // of his side, more than the others in the mean, in the units of the rules' score
	Points int     `json:"points"` // in the tricks of his side
}

// TallyOf is what a seat came to in a deal that was settled so.
func TallyOf(r game.Rules, seat int, s game.Settlement) Tally {
	var t Tally
	own, others := 0, 0
	for side, n := range s.ScoreDelta {
		if side == r.Side(seat) {
			own = n
		} else {
			others += n
		}
	}
	t.Score = float64(own) - float64(others)/float64(len(s.ScoreDelta)-1)
	for side, seats := range s.Sides {
		if slices.Contains(seats, seat) {
			t.Points = s.Points[side]
		}
	}
	return t
}

// Compare tells a table with the deal of the day what the AI came to. It is no
// person's command: whoever works on the table gives it.
type Compare struct{ AI Tally }

func (Compare) command() {}

// StartDaily begins a match of the one deal of that seed, which Env has, at a table
// in its lobby whose host alone has a seat.
func StartDaily(t Table, d Daily, env Env) (Table, []Event, error) {
	s := newStep(t, env)
	s.Daily, s.LastDeal = &d, true
	err := s.startMatch()
	return s.Table, s.events, err
}

// daily refuses what the deal of the day has not.
func (s *step) daily(cmd Command) error {
	if s.Daily == nil {
		return nil
	}
	switch cmd.(type) {
	case Rematch, Share, LastDeal:
		return ErrDaily
	}
	return nil
}

// tell changes what the table knows of its deal of the day.
func (s *step) tell(change func(*Daily)) {
	d := *s.Daily
	change(&d)
	s.Daily = &d
}

package table

import (
	"cmp"
	"slices"
	"time"

	"sedmabot/game"
)

// Daily is the deal of the day, played at a table. Everybody in a home gets the same deal on the same seat against the
// same AI. It has no hints, and nobody plays it twice. Daily is in the table's public view, so it
// doesn't contain the deal's seed.
type Daily struct {
	Date   string    `json:"date"`             // the day in the home's calendar
	Zone   string    `json:"zone"`             // time zone of that calendar
	Ends   time.Time `json:"ends"`             // end of the day
	Late   bool      `json:"late,omitempty"`   // the deal ended after the day, so it doesn't count
	AI     *Tally    `json:"ai,omitempty"`     // result of the AI on the player's seat; nil if not yet known
	Marks  string    `json:"marks,omitempty"`  // who took each trick of the AI's own game: see the function Marks; "": not known
	Others []Rival   `json:"others,omitempty"` // the best of the others in the home who had finished it when the AI's result came
	Again  bool      `json:"again,omitempty"`  // the player has finished a deal of the day before
	Streak int       `json:"streak,omitempty"` // the player's days in a row, with this one once the deal is finished
}

// Tally is one player's result in a deal.
type Tally struct {
	Score  float64 `json:"score"`  // score of the player's side less the mean of the others, in units of the rules' score
	Points int     `json:"points"` // card points of the player's side
}

// A Rival is somebody else who has finished the same deal of the day.
type Rival struct {
	ID    string `json:"id,omitempty"` // "" if an earlier version stored the table
	Name  string `json:"name"`
	Tally Tally  `json:"tally"`
	Marks string `json:"marks,omitempty"` // who took each trick: see the function Marks
}

// TallyOf returns the result of a seat in a deal with that settlement.
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

// Marks returns who took each trick of a finished deal, in order: x for the side of the seat, - for another one.
func Marks(r game.Rules, seat int, past Past) string {
	marks := make([]byte, len(past.Tricks))
	for i, trick := range past.Tricks {
		marks[i] = '-'
		if r.Side(trick.Winner) == r.Side(seat) {
			marks[i] = 'x'
		}
	}
	return string(marks)
}

// Compare sets the AI's and other players' results at a table with the deal of the day. It comes from the program that serves the table,
// not from a player.
type Compare struct {
	AI     Tally
	Marks  string // who took each trick of the AI's game: see Marks
	Others []Rival
}

func (Compare) command() {}

// ofDaily returns the policy of a table with the deal of the day.
func ofDaily(d Daily) Policy {
	return Policy{
		Owner: "daily", Refusal: ErrDaily, Once: true, NoLate: true, NoHints: true, OneTry: true,
		OneDeal: true, SecretSeeds: true, Unlisted: true, Uncounted: true, Sealed: d.Ends, Zone: cmp.Or(d.Zone, "UTC"), Even: true,
	}
}

// StartDaily begins a match of one deal, with the seed in env. The table must be in its lobby, with only the host
// seated.
func StartDaily(t Table, d Daily, env Env) (Table, []Event, error) {
	s := newStep(t, env)
	s.Daily, s.Policy, s.LastDeal = &d, ofDaily(d), true
	err := s.startMatch()
	return s.Table, s.events, err
}

// compare carries out Compare.
func (s *step) compare(c Compare) error {
	if s.Daily == nil {
		return ErrNoChoice
	}
	s.changeDaily(func(d *Daily) { d.AI, d.Marks, d.Others = &c.AI, c.Marks, c.Others })
	return nil
}

// forgetDaily removes a person from the results of others. An earlier version stored these without their ids, so any of
// them may be the person.
func (s *step) forgetDaily(player string) {
	if s.Daily == nil {
		return
	}
	s.changeDaily(func(d *Daily) {
		d.Others = without(d.Others, func(r Rival) bool { return r.ID == player || r.ID == "" })
	})
}

// changeDaily changes a copy of the table's Daily.
func (s *step) changeDaily(change func(*Daily)) {
	d := *s.Daily
	change(&d)
	s.Daily = &d
}

package table

import (
	"slices"
	"time"

	"sedmabot/game"
)

// RematchWait is how long after the last press a rematch starts, with the AI on the seats of those who haven't pressed.
const RematchWait = 20 * time.Second

// Series is several matches of the same people, who are won by the side that first wins more than half of Best.
type Series struct {
	Best  int      `json:"best"`  // the most matches that it can take: see SeriesLengths
	Seats []string `json:"seats"` // ids of the players by seat; "" for an AI
	Wins  []int    `json:"wins"`  // matches won so far, by side
}

// SeriesLengths are the lengths of a series that people can choose.
var SeriesLengths = []int{3, 5}

// Winner returns the side that has won the series, or -1.
func (s Series) Winner() int {
	return slices.IndexFunc(s.Wins, func(n int) bool { return 2*n > s.Best })
}

// Fits reports whether the series is one of those who sit at a table with these rules. A seat that nobody has yet, or that
// the AI has, fits anybody.
func (s Series) Fits(r game.Rules, seats []Seat) bool { return s.fits(r, seats, false) }

// fits is Fits. With all, everybody of the series has to sit there.
func (s Series) fits(r game.Rules, seats []Seat, all bool) bool {
	if len(s.Seats) != r.Players || len(seats) != r.Players || len(s.Wins) != r.Sides() {
		return false
	}
	sits := map[string]int{} // side by player
	for seat, other := range seats {
		if id := other.Player.ID; id != "" {
			sits[id] = r.Side(seat)
		}
	}
	people := 0
	for seat, id := range s.Seats {
		if id == "" {
			continue
		}
		side, ok := sits[id]
		if ok && side != r.Side(seat) || all && !ok {
			return false
		}
		if ok {
			people++
		}
	}
	return people == len(sits)
}

// CanSeries reports whether a series can begin with this match as its first one: it doesn't belong to a series that isn't won
// yet, people played on several sides, and all of them to the end.
func (o Outcome) CanSeries() bool {
	sides := map[int]bool{}
	for seat, s := range o.Seats {
		switch {
		case s.Left:
			return false
		case s.Player.ID != "":
			sides[o.Match.Rules.Side(seat)] = true
		}
	}
	return len(sides) > 1 && !o.Lesson && (o.Series == nil || o.Series.Winner() >= 0)
}

// beginSeries begins a series with the match that is over. After a series, a new one begins with the next match.
func (s *step) beginSeries(best int) error {
	switch {
	case best == 0:
		return nil
	case !slices.Contains(SeriesLengths, best) || !s.outcome().CanSeries():
		return ErrNoChoice
	}
	next := &Series{Best: best, Wins: make([]int, s.Rules.Sides())}
	for _, seat := range s.Seats {
		next.Seats = append(next.Seats, seat.Player.ID)
	}
	if s.Series == nil {
		next.count(s.Match.Winner)
	}
	s.Series = next
	return nil
}

// count counts a match that a side won, or nobody (-1).
func (s *Series) count(winner int) {
	s.Wins = slices.Clone(s.Wins)
	if winner >= 0 && winner < len(s.Wins) {
		s.Wins[winner]++
	}
}

// countSeries counts the match that is over in the series. If others than before played it, the series ends.
func (s *step) countSeries() {
	switch {
	case s.Series == nil:
	case s.Series.Winner() >= 0 || !s.Series.fits(s.Rules, s.Seats, true):
		s.Series = nil
	default:
		next := *s.Series
		next.count(s.Match.Winner)
		s.Series = &next
	}
}

// rematch returns from the end of a match to the lobby of the next one. The presser sits there, and the AI on its own
// seats. The others who were there have RematchWait to press.
func (s *step) rematch(seat int, c Rematch) error {
	if s.Phase != Over {
		return ErrNotOver
	}
	if c.Shorter {
		rules, ok := game.Shorter(s.Rules)
		if !ok {
			return ErrNoChoice
		}
		s.Rules = rules
	}
	last := s.outcome()
	if err := s.beginSeries(c.Best); err != nil {
		return err
	}
	if s.Series != nil && c.Best == 0 && s.Series.Winner() >= 0 {
		s.Series = nil
	}
	s.Last = &last
	s.back(seat)
	s.Awaited = nil
	for i, old := range s.Seats {
		switch {
		case i == seat:
			s.Seats[i] = Seat{Player: old.Player}
		case old.Left || old.AI != "":
			s.Seats[i] = s.filled()
		default:
			s.Seats[i] = Seat{}
			if old.present() {
				s.Awaited = append(s.Awaited, old.Player.ID)
			}
		}
	}
	s.MatchNo++
	s.Began = time.Time{}
	s.Past, s.Firsts, s.Gains, s.Hauls, s.Choices = nil, nil, nil, nil, nil
	s.Deal, s.LastDeal = game.State{}, false
	if s.Lesson {
		s.Lesson, s.Policy = false, Policy{}
	}
	s.Host = s.Seats[seat].Player.ID
	s.reseated()
	s.Phase, s.Since = Lobby, s.env.Now
	if len(s.Awaited) == 0 {
		return s.startMatch()
	}
	s.Begins = s.env.Now.Add(RematchWait)
	return nil
}

// pressed gives a player a seat in the lobby of a rematch: their own one, if it is free.
func (s *step) pressed(p Player, seat int) error {
	if seat >= 0 {
		return ErrSeated
	}
	at := -1
	if own := s.seatBefore(p.ID); own < len(s.Seats) && own >= 0 && !s.Seats[own].person() {
		at = own
	}
	waited := len(s.Awaited) > 0
	if err := s.join(p, seat, at, false); err != nil {
		return err
	}
	if waited && len(s.Awaited) == 0 {
		return s.startMatch()
	}
	return nil
}

// arrived reports to a rematch that a player isn't awaited any more: they have a seat, or have given it up. It starts the
// wait again.
func (s *step) arrived(player string) {
	waited := len(s.Awaited) > 0
	s.Awaited = without(s.Awaited, func(id string) bool { return id == player })
	switch {
	case s.Phase != Lobby || !waited:
	case !slices.ContainsFunc(s.Seats, Seat.person):
		s.Begins = time.Time{} // nobody is there to play: wait for those who are awaited
	default:
		s.Begins = s.env.Now.Add(RematchWait)
	}
}

// seatBefore returns the player's seat in the match before this one, or -1.
func (t *Table) seatBefore(player string) int {
	if player == "" || t.Last == nil {
		return -1
	}
	return slices.IndexFunc(t.Last.Seats, func(s Seat) bool { return s.Player.ID == player })
}

// beginning reports whether a rematch runs whose second deal hasn't begun.
func (t *Table) beginning() bool {
	return t.Last != nil && t.Last.MatchNo+1 == t.MatchNo && len(t.Past) < 2 &&
		(t.Phase == Playing && len(t.Past) == 0 || t.Phase == Pause && len(t.Past) == 1)
}

// ownSeat returns the seat of a player of the last match if the AI has it, or else -1.
func (t *Table) ownSeat(player string) int {
	if own := t.seatBefore(player); own >= 0 && own < len(t.Seats) && t.Seats[own].AI != "" {
		return own
	}
	return -1
}

// open reports whether people of the match before may still press Rematch: someone is awaited, or the AI plays on the seat
// of one of them and the second deal hasn't begun.
func (t *Table) open() bool {
	switch {
	case t.Last == nil || t.Last.MatchNo+1 != t.MatchNo:
		return false
	case t.Phase == Lobby:
		return len(t.Awaited) > 0
	}
	return t.beginning() && len(t.free(nil)) > 0 && slices.ContainsFunc(t.Last.Seats, func(s Seat) bool { return s.person() && t.SeatOf(s.Player.ID) < 0 })
}

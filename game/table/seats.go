package table

import (
	"cmp"
	"slices"

	"sedmabot/game"
)

// DefaultLevel is the AI that plays for the absent, beside a person, and on seats
// that nobody chose another one for.
const DefaultLevel = "hard"

// Levels are those that a table's AI may have, the weakest first.
var Levels = []string{"easy", "medium", DefaultLevel}

// levelOf is the level at which the AI plays the seat: that of the seat, but
// always DefaultLevel for somebody who is away and for a person's partner. solo
// is who plays alone, as far as that counts.
func levelOf(seats []Seat, r game.Rules, solo, seat int) string {
	level := seats[seat].AI
	for other, s := range seats {
		together := r.Side(other) == r.Side(seat)
		if r.Teams == game.SoloKing && solo != game.Nobody {
			together = (other == solo) == (seat == solo)
		}
		if together && s.Player.ID != "" {
			level = DefaultLevel
		}
	}
	return level
}

// level is the level of the AI that takes a seat of the table for good.
func (t *Table) level() string { return cmp.Or(t.Level, DefaultLevel) }

// setLevel gives the table's AI another level, also where it sits already.
func (s *step) setLevel(level string) error {
	if !slices.Contains(Levels, level) {
		return ErrNoChoice
	}
	s.Level = level
	for i := range s.Seats {
		if s.Seats[i].AI != "" {
			s.Seats[i].AI = level
		}
	}
	if s.Page != SeatsPage {
		s.Page = HousePage
	}
	return nil
}

// auto says that the AI plays the seat.
func (s Seat) auto() bool { return s.AI != "" || s.Away || s.Left }

// person says that a person sits there, be he away.
func (s Seat) person() bool { return s.Player.ID != "" && !s.Left }

// present says that a person sits there and plays himself.
func (s Seat) present() bool { return s.person() && !s.Away }

func (s Seat) empty() bool { return s.AI == "" && s.Player.ID == "" }

// seatOf is the player's seat, or -1.
func (t *Table) seatOf(player string) int {
	if player == "" {
		return -1
	}
	return slices.IndexFunc(t.Seats, func(s Seat) bool { return s.Player.ID == player })
}

func (s *step) join(p Player, seat, at int) error {
	switch {
	case p.ID == "":
		return ErrStranger
	case s.Phase != Lobby && seat < 0:
		return ErrNotLobby
	case s.Phase != Lobby && s.Seats[seat].auto():
		s.Seats[seat].Player = p
		s.back(seat)
		return nil
	case s.Phase != Lobby, seat >= 0 && (at < 0 || at == seat):
		return ErrSeated
	}
	if at == -1 {
		at = slices.IndexFunc(s.Seats, Seat.empty)
		if at < 0 {
			at = slices.IndexFunc(s.Seats, func(s Seat) bool { return s.AI != "" })
		}
		if at < 0 {
			return ErrFull
		}
	}
	switch {
	case at < 0 || at >= len(s.Seats):
		return ErrNoSuchSeat
	case s.Seats[at].person():
		return ErrTaken
	}
	if seat >= 0 {
		s.Seats[seat] = s.Seats[at]
	}
	s.Seats[at] = Seat{Player: p}
	s.reseated()
	return nil
}

func (s *step) leave(seat int) error {
	if s.Seats[seat].Left {
		return ErrStranger
	}
	gone := s.Seats[seat].Player.ID
	if s.Phase == Lobby {
		s.Seats[seat] = Seat{}
		s.reseated()
	} else {
		s.Seats[seat] = Seat{Player: s.Seats[seat].Player, Left: true}
		s.renewTurn(seat)
	}
	switch {
	case s.Contest != nil:
	case !slices.ContainsFunc(s.Seats, Seat.person):
		s.close()
	case gone == s.Host:
		s.passHost(seat)
	}
	return nil
}

// passHost makes the next person after the seat the host: one who is there,
// or else anyone who sits.
func (s *step) passHost(after int) {
	for _, fits := range []func(Seat) bool{Seat.present, Seat.person} {
		for i := range s.Seats {
			if next := s.Seats[(after+1+i)%len(s.Seats)]; fits(next) {
				s.Host = next.Player.ID
				return
			}
		}
	}
}

// back gives a seat back to its player. A table whose host is not there gets
// him for its host.
func (s *step) back(seat int) {
	if !s.Seats[seat].auto() {
		return
	}
	s.Seats[seat] = Seat{Player: s.Seats[seat].Player}
	s.renewTurn(seat)
	if host := s.seatOf(s.Host); s.Contest == nil && (host < 0 || !s.Seats[host].present()) {
		s.Host = s.Seats[seat].Player.ID
	}
}

// setAway hands the seat of a person who let his time pass to the AI.
func (s *step) setAway(seat int) {
	s.Seats[seat] = Seat{Player: s.Seats[seat].Player, Away: true}
	s.Touched = s.env.Now
	s.renewTurn(seat)
	if s.Host == s.Seats[seat].Player.ID {
		s.passHost(seat)
	}
}

// renewTurn begins the seat's turn anew, if it is on turn: somebody else plays
// it from now on.
func (s *step) renewTurn(seat int) {
	if s.turn() == seat {
		s.Since, s.Called = s.env.Now, false
	}
}

func (s *step) addAI(level string) error {
	if s.Phase != Lobby {
		return ErrNotLobby
	}
	at := slices.IndexFunc(s.Seats, Seat.empty)
	if at < 0 {
		return ErrFull
	}
	s.Seats[at].AI = cmp.Or(level, s.level())
	return nil
}

func (s *step) removeAI() error {
	if s.Phase != Lobby {
		return ErrNotLobby
	}
	for at := len(s.Seats) - 1; at >= 0; at-- {
		if s.Seats[at].AI != "" {
			s.Seats[at] = Seat{}
			s.reseated()
			return nil
		}
	}
	return ErrNoAI
}

func (s *step) setRules(rules game.Rules) error {
	if s.Phase != Lobby {
		return ErrNotLobby
	}
	if err := rules.Validate(); err != nil {
		return err
	}
	seats := make([]Seat, rules.Players)
	copy(seats, s.Seats)
	for _, seat := range s.Seats[min(len(s.Seats), len(seats)):] {
		if !seat.person() {
			continue
		}
		at := slices.IndexFunc(seats, func(s Seat) bool { return !s.person() })
		if at < 0 {
			return ErrFull
		}
		seats[at] = seat
	}
	s.Rules, s.Seats = ending(rules), seats
	if !rules.Soccer() {
		s.Venue = 0
	}
	s.reseated()
	return nil
}

// kick hands the seat of somebody else to the AI, or frees it in the lobby.
func (s *step) kick(by string, c Kick) error {
	switch {
	case c.Seat < 0 || c.Seat >= len(s.Seats):
		return ErrNoSuchSeat
	case !s.Seats[c.Seat].present() || s.Seats[c.Seat].Player.ID == by:
		return ErrNobody
	case s.Phase != Lobby && s.Phase != Playing && s.Phase != Pause:
		return ErrNotPlaying
	}
	seat := &s.Seats[c.Seat]
	if !c.Admin && s.Host != by {
		if slices.Contains(seat.Against, by) {
			return ErrWanted
		}
		seat.Against = append(slices.Clip(seat.Against), by)
		if need, votes := s.against(c.Seat); votes < need {
			return nil
		}
	}
	if s.Phase == Lobby {
		return s.leave(c.Seat)
	}
	s.setAway(c.Seat)
	return nil
}

// against is how many votes against a seat are needed, and how many of those
// who are there have voted.
func (t *Table) against(seat int) (need, votes int) {
	others := 0
	for i, s := range t.Seats {
		if i != seat && s.present() {
			others++
			if slices.Contains(t.Seats[seat].Against, s.Player.ID) {
				votes++
			}
		}
	}
	return max(2, others/2+1), votes
}

// rest notes that a player wants the game to be halted, and halts it when
// everybody who is there does.
func (s *step) rest(seat int) error {
	player := s.Seats[seat].Player.ID
	switch {
	case s.Phase != Playing:
		return ErrNotPlaying
	case s.Resting || slices.Contains(s.Break, player):
		return ErrWanted
	}
	s.back(seat)
	s.Break = append(slices.Clip(s.Break), player)
	for _, other := range s.Seats {
		if other.present() && !slices.Contains(s.Break, other.Player.ID) {
			return nil
		}
	}
	s.Resting, s.Called = true, false
	for i := range s.Seats {
		s.Seats[i].Warned = false
	}
	return nil
}

// resume begins the turn anew, in a game that is not halted.
func (s *step) resume() {
	if s.Resting {
		s.Resting, s.Break = false, nil
	}
	s.Since, s.Called = s.env.Now, false
}

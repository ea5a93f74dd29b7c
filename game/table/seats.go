package table

import (
	"cmp"
	"slices"

	"sedmabot/game"
)

// DefaultPreset is the game of a new table, unless its chat or the person chooses another.
const DefaultPreset = "sedma-4p"

// StandInLevel is the level of an AI that stands in for a player, and mostly of a person's partner: the strongest.
const StandInLevel = "hard"

// DefaultLevel is the level of an AI that has a seat of its own, unless the table has another. It errs as people do.
const DefaultLevel = "medium"

// FirstLength is the length of a chat's first match: to 3, which takes a few minutes. It is one of game.Lengths.
const FirstLength = "t3"

// Levels are the levels that a table's AI can have, weakest first. Each is an opponent with a name: see package ai.
var Levels = []string{"easiest", "easy", "fair", DefaultLevel, "strong", StandInLevel}

// LevelOf returns the level at which the AI plays the seat. It is the seat's own level, but StandInLevel when the AI
// stands in for a player or, unless the policy has equals, is a person's partner. solo is the solo player, if that may be taken
// into account.
func (p Policy) LevelOf(seats []Seat, r game.Rules, solo, seat int) string {
	level := seats[seat].AI
	for other, s := range seats {
		together := r.Side(other) == r.Side(seat)
		if r.Teams == game.SoloKing && solo != game.Nobody {
			together = (other == solo) == (seat == solo)
		}
		if together && s.Player.ID != "" && (other == seat || !p.Equals) {
			level = StandInLevel
		}
	}
	return level
}

// level returns the level of an AI that takes a seat of the table permanently.
func (t *Table) level() string { return cmp.Or(t.Level, DefaultLevel) }

// setLevel changes the level of the table's AI, including on seats that it has already.
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
		s.Page = SettingsPage
	}
	return nil
}

// auto reports whether the AI plays the seat.
func (s Seat) auto() bool { return s.AI != "" || s.Away || s.Left }

// person reports whether the seat belongs to a person, even if that person is away.
func (s Seat) person() bool { return s.Player.ID != "" && !s.Left }

// present reports whether a person has the seat and plays it in person.
func (s Seat) present() bool { return s.person() && !s.Away }

// Missed reports whether the AI played for the person at the end of the match, once it is over.
func (s Seat) Missed() bool { return s.Player.ID != "" && (s.Away || s.Left && !s.After) }

func (s Seat) empty() bool { return s.AI == "" && s.Player.ID == "" }

// SeatOf returns the player's seat, or -1.
func (t *Table) SeatOf(player string) int { return seatOf(t.Seats, player) }

func seatOf(seats []Seat, player string) int {
	if player == "" {
		return -1
	}
	return slices.IndexFunc(seats, func(s Seat) bool { return s.Player.ID == player })
}

// join gives a player a seat, or the one back that they have. seen is Join.Seen.
func (s *step) join(p Player, seat, at int, seen bool) error {
	switch {
	case p.ID == "":
		return ErrStranger
	case s.Phase != Lobby && seat < 0 && !s.joins():
		return ErrNotLobby
	case s.Phase != Lobby && seat < 0:
		return s.come(p, at, seen)
	case s.Phase != Lobby && s.Seats[seat].auto():
		s.Seats[seat].Player = p
		s.back(seat)
		return nil
	case s.Phase != Lobby, seat >= 0 && (at < 0 || at == seat):
		return ErrSeated
	}
	if at == -1 {
		at = s.seatToJoin()
		if at < 0 {
			return ErrFull
		}
	}
	switch {
	case at < 0 || at >= len(s.Seats):
		return ErrNoSuchSeat
	case s.Seats[at].person() || seat < 0 && !s.satLast(p.ID) && s.expected(at):
		return ErrTaken
	}
	if seat >= 0 {
		s.Seats[seat] = s.Seats[at]
	}
	s.Seats[at] = Seat{Player: p}
	arrive(s, p)
	hurry(s)
	s.reseated()
	if s.MatchNo > 1 && s.SeatOf(s.Host) < 0 {
		s.Host = p.ID // everybody had left the rematch
	}
	s.arrived(p.ID)
	return nil
}

// expected reports whether the seat waits for its player of the last match.
func (s *step) expected(seat int) bool {
	return s.Last != nil && seat < len(s.Last.Seats) && slices.Contains(s.Awaited, s.Last.Seats[seat].Player.ID)
}

// seatToJoin returns the seat for a player who chooses none: an empty one, or else one of the AI, but none of somebody who
// is awaited. It returns -1 if there is none.
func (s *step) seatToJoin() int {
	for i, seat := range s.Seats {
		if seat.empty() && !s.expected(i) {
			return i
		}
	}
	return slices.IndexFunc(s.Seats, func(s Seat) bool { return s.AI != "" })
}

func (s *step) leave(seat int) error {
	if s.Seats[seat].Left {
		return ErrStranger
	}
	gone := s.Seats[seat].Player.ID
	if s.Phase == Lobby {
		s.Seats[seat] = Seat{}
		depart(s, gone)
		s.reseated()
		s.arrived(gone)
	} else {
		over := s.Phase == Over
		s.Seats[seat] = Seat{Player: s.Seats[seat].Player, Late: s.Seats[seat].Late, Was: s.Seats[seat].Was, Left: true, After: over, Away: over && s.Seats[seat].Away}
		s.renewTurn(seat)
	}
	switch {
	case s.Policy.Runs:
	case s.Phase == Lobby && len(s.Awaited) > 0 && !slices.ContainsFunc(s.Seats, Seat.person): // others may still press
	case !slices.ContainsFunc(s.Seats, Seat.person):
		s.close()
	case gone == s.Host:
		s.passHost(seat)
	}
	return nil
}

// passHost makes another person the host: the next one after the seat who is there, or else the next one who has a
// seat.
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

// back gives a seat back to its player.
func (s *step) back(seat int) {
	if !s.Seats[seat].auto() {
		return
	}
	s.Seats[seat] = Seat{Player: s.Seats[seat].Player, Late: s.Seats[seat].Late, Was: s.Seats[seat].Was}
	s.renewTurn(seat)
	s.lead(seat)
}

// lead makes the player of a seat the host if the host is not there.
func (s *step) lead(seat int) {
	if host := s.SeatOf(s.Host); !s.Policy.Hostless && (host < 0 || !s.Seats[host].present()) {
		s.Host = s.Seats[seat].Player.ID
	}
}

// setAway lets the AI play the seat of a person whose time ran out.
func (s *step) setAway(seat int) {
	s.Seats[seat] = Seat{Player: s.Seats[seat].Player, Late: s.Seats[seat].Late, Was: s.Seats[seat].Was, Away: true}
	s.Touched = s.env.Now
	s.renewTurn(seat)
	if s.Host == s.Seats[seat].Player.ID {
		s.passHost(seat)
	}
	s.agree()
}

// renewTurn restarts the turn if it is the seat's, because somebody else plays the seat from now on.
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

// kick lets the AI play somebody else's seat, or in the lobby frees it.
func (s *step) kick(by string, c Kick) error {
	switch {
	case c.Seat < 0 || c.Seat >= len(s.Seats):
		return ErrNoSuchSeat
	case !s.Seats[c.Seat].present() || s.Seats[c.Seat].Player.ID == by:
		return ErrNobody
	case s.Phase != Lobby && s.Phase != Playing && s.Phase != Pause:
		return ErrNotPlaying
	case c.Mark != "" && c.Mark != s.PublicTo(by).Mark(c.Seat):
		return ErrTaken
	}
	if s.Policy.NoVotes && !c.Admin {
		return s.Policy.Refusal // opponents would decide
	}
	seat := &s.Seats[c.Seat]
	if !c.Admin && (s.Host != by || s.Policy.Hostless) {
		if slices.Contains(seat.Against, by) {
			return ErrWanted
		}
		seat.Against = append(slices.Clip(seat.Against), by)
		switch need, votes, others := against(s.Seats, c.Seat); {
		case others < need:
			return ErrNoVote
		case votes < need:
			return nil
		}
	}
	if s.Phase == Lobby {
		return s.leave(c.Seat)
	}
	s.setAway(c.Seat)
	return nil
}

// against returns how many votes against a seat are needed, and how many of the others who are there have voted.
func against(seats []Seat, seat int) (need, votes, others int) {
	for i, s := range seats {
		if i != seat && s.present() {
			others++
			if slices.Contains(seats[seat].Against, s.Player.ID) {
				votes++
			}
		}
	}
	return max(2, others/2+1), votes, others
}

// Votable reports whether enough other players are there for a vote against the seat.
func (p Public) Votable(seat int) bool {
	need, _, others := against(p.Seats, seat)
	return others >= need
}

// rest records that a player wants to halt the game. It halts the game when everybody who is there wants it. Between two
// deals, the next one is dealt first.
func (s *step) rest(seat int) error {
	player := s.Seats[seat].Player.ID
	switch {
	case s.Phase != Playing && s.Phase != Pause:
		return ErrNotPlaying
	case s.Resting || slices.Contains(s.Break, player):
		return ErrWanted
	}
	s.back(seat)
	s.Break = append(slices.Clip(s.Break), player)
	s.agree()
	return nil
}

// agree carries out what the people who are there have agreed on: a halt that all of them want, and votes against a seat. It
// counts again after each change, because someone may have left.
func (s *step) agree() {
	for i, seat := range s.Seats {
		need, votes, _ := against(s.Seats, i)
		if votes >= need && seat.present() && (s.Phase == Playing || s.Phase == Pause) {
			s.setAway(i)
		}
	}
	missing := func(seat Seat) bool { return seat.present() && !slices.Contains(s.Break, seat.Player.ID) }
	if s.Resting || !slices.ContainsFunc(s.Seats, Seat.present) || slices.ContainsFunc(s.Seats, missing) {
		return
	}
	if s.Phase == Pause && s.startDeal() != nil {
		return // never happens: these rules have been dealt before
	}
	if s.Phase != Playing { // in 1 of 1,000 deals of some games, a deal is over when it is dealt
		return
	}
	s.Resting, s.Called = true, false
	for i := range s.Seats {
		s.Seats[i].Warned = false
	}
}

// resume ends the halt, if there is one, and restarts the turn.
func (s *step) resume() {
	if s.Resting {
		s.Resting, s.Lapsed, s.Break = false, false, nil
	}
	s.Since, s.Called = s.env.Now, false
}

package table

import (
	"slices"

	"sedmabot/game"
)

// Newcomer is a person who waits for an AI's seat.
type Newcomer struct {
	Player Player `json:"player"`
	Seat   int    `json:"seat"` // seat that they want; -1: any
	From   int    `json:"from"` // number of the first deal that they may play in
}

// maxComing is the largest number of people who wait at a table.
const maxComing = 10

// Wait says what somebody who came late waits for.
type Wait string

// The waits.
const (
	NoWait    Wait = ""
	NextTrick Wait = "trick"
	NextDeal  Wait = "deal"
	NextMatch Wait = "match"
)

// Waits returns what the player waits for, as long as they have no seat.
func (t *Table) Waits(player string) Wait {
	at := slices.IndexFunc(t.Coming, func(n Newcomer) bool { return n.Player.ID == player })
	switch {
	case at < 0 || t.SeatOf(player) >= 0:
		return NoWait
	case len(t.free(t.Coming[:at])) == 0:
		return NextMatch
	case t.Coming[at].From > t.DealNo:
		return NextDeal
	}
	return NextTrick
}

// joins reports whether people may take the AI's seats of the match that is running.
func (t *Table) joins() bool {
	running := t.Phase == Playing || t.Phase == Pause
	if !running || t.Shut || t.Policy.NoLate {
		return false
	}
	return len(t.Chats) > 1 || t.SeatOf(t.Chats[0].ID) < 0 // nobody else sees a table in a player's private chat
}

// come gives a player without a seat an AI's seat of the running match: the one that they want, or any for -1. If that
// can't be now, they wait. seen says that they may have seen a hand of this deal.
func (s *step) come(p Player, want int, seen bool) error {
	switch {
	case s.Waits(p.ID) != NoWait:
		return ErrWanted
	case want < -1 || want >= len(s.Seats):
		return ErrNoSuchSeat
	case want >= 0 && s.Seats[want].AI == "":
		return ErrTaken
	}
	n := Newcomer{Player: p, Seat: want, From: s.DealNo}
	if seen || slices.ContainsFunc(s.Seats, func(seat Seat) bool { return seat.AI != "" && seat.Late == s.DealNo }) {
		n.From++
	}
	if seat := s.seatFor(n, s.Coming); seat >= 0 {
		s.give(seat, p)
		return nil
	}
	if len(s.Coming) >= maxComing {
		return ErrFull
	}
	s.Coming = append(slices.Clip(s.Coming), n)
	return nil
}

// free returns the AI's seats that are left after people who came before have got theirs, or none.
func (t *Table) free(before []Newcomer) []int {
	var seats []int
	for i, s := range t.Seats {
		if s.AI != "" {
			seats = append(seats, i)
		}
	}
	others := 0 // how many of them take any seat
	for _, n := range before {
		if at := slices.Index(seats, n.Seat); at >= 0 {
			seats = slices.Delete(seats, at, at+1)
		} else {
			others++
		}
	}
	if others >= len(seats) {
		return nil
	}
	return seats
}

// seatFor returns the seat that a newcomer can have now, or -1. It isn't one whose turn it is within a trick.
func (s *step) seatFor(n Newcomer, before []Newcomer) int {
	seats := s.free(before)
	if slices.Contains(seats, n.Seat) {
		seats = []int{n.Seat}
	}
	turn := -1
	if s.Phase == Playing {
		if n.From > s.DealNo {
			return -1
		}
		if s.inTrick() {
			turn = s.turn()
		}
	}
	at := slices.IndexFunc(seats, func(seat int) bool { return seat != turn })
	if at < 0 {
		return -1
	}
	return seats[at]
}

// inTrick reports whether a card lies on the table.
func (t *Table) inTrick() bool { return len(t.Deal.View(game.Nobody).Trick) > 0 }

// admit gives seats to those who wait for them. It does so between tricks and between deals.
func (s *step) admit() {
	if len(s.Coming) == 0 || s.Phase != Pause && (s.Phase != Playing || s.inTrick()) {
		return
	}
	var rest []Newcomer
	for _, n := range s.Coming {
		if s.SeatOf(n.Player.ID) >= 0 {
			continue
		}
		if seat := s.seatFor(n, rest); seat >= 0 {
			s.give(seat, n.Player)
		} else {
			rest = append(rest, n)
		}
	}
	s.Coming = rest
}

// give gives an AI's seat of the running match to a player. The AI's moves there in this deal count as those for an absent
// player.
func (s *step) give(seat int, p Player) {
	late, auto := s.DealNo, &s.Auto
	if s.Phase == Pause {
		s.Past = slices.Clone(s.Past)
		late, auto = s.DealNo+1, &s.Past[len(s.Past)-1].Auto
	}
	s.Seats[seat] = Seat{Player: p, Late: late, Was: s.Policy.LevelOf(s.Seats, s.Rules, game.Nobody, seat)}
	for i, e := range s.Deal.View(game.Nobody).Log {
		if e.Seat == seat {
			*auto = append(slices.Clip(*auto), i)
		}
	}
	slices.Sort(*auto)
	s.Hauls = without(s.Hauls, func(h Haul) bool { return h.Seat == seat })
	s.renewTurn(seat)
	s.lead(seat)
}

// filled returns the seat in the next match of the person who waits longest, or else of the AI.
func (s *step) filled() Seat {
	for len(s.Coming) > 0 {
		p := s.Coming[0].Player
		if s.Coming = s.Coming[1:]; s.SeatOf(p.ID) < 0 {
			return Seat{Player: p}
		}
	}
	return Seat{AI: s.level()}
}

// AsBefore returns the table as if the AI still had the seats that were taken since the player of that seat came late.
func (p Public) AsBefore(seat int) Public {
	since := p.Seats[seat].Late
	p.Seats = slices.Clone(p.Seats)
	for i, s := range p.Seats {
		if s.Player.ID != "" && s.Late >= since {
			p.Seats[i] = Seat{AI: p.Level}
		}
	}
	return p
}

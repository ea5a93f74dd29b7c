package table

import (
	"fmt"
	"slices"
	"time"

	"sedmabot/game"
)

// New is a table in its lobby, with the host on seat 0. pace is the pause of an
// AI's move, 0 for no waits at all; limit is how long a player may think, 0 for
// ever. Rules without an end get [DefaultHands].
func New(id, home string, chat Chat, host Player, rules game.Rules, pace, limit time.Duration, now time.Time) Table {
	rules = ending(rules)
	t := Table{
		ID: id, Home: home, Chats: []Chat{chat}, Host: host.ID,
		Rules: rules, Seats: make([]Seat, rules.Players), Phase: Lobby,
		MatchNo: 1, Pace: pace, Limit: limit, Since: now, Touched: now,
	}
	t.Seats[0].Player = host
	return t
}

// Apply is the table after what the player wants, and what happened by it. The
// table that it is given stays as it was; with an error it is also the one that
// comes back. Errors are a [Refusal], a game.Rule behind "play", or what
// game.Rules.Validate says of new rules.
//
// A move of a player whose seat the AI plays brings him back, whatever the AI
// has done meanwhile: where his press is too late, that is all it does.
func Apply(t Table, player Player, cmd Command, env Env) (Table, []Event, error) {
	if t.Phase == Closed {
		return t, nil, ErrClosed
	}
	s := newStep(t, env)
	if err := s.do(player, cmd); err != nil {
		return t, nil, err
	}
	s.Touched = env.Now
	return s.Table, s.events, nil
}

// step is a table on its way from one state to the next. Nothing that it holds
// is shared with the table that it began with, but for what never changes.
type step struct {
	Table
	env    Env
	events []Event
}

func newStep(t Table, env Env) *step {
	t.Chats = slices.Clone(t.Chats)
	t.Seats = slices.Clone(t.Seats)
	t.Past = slices.Clone(t.Past)
	return &step{Table: t, env: env}
}

func (s *step) do(p Player, cmd Command) error {
	seat := s.seatOf(p.ID)
	switch c := cmd.(type) { // these need no seat
	case Join:
		return s.join(p, seat, c.Seat)
	case Bump:
		i := slices.IndexFunc(s.Chats, func(chat Chat) bool { return chat.ID == c.Chat })
		if i < 0 {
			return ErrNoSuchChat
		}
		s.Chats[i].Bump++
		return nil
	case Close:
		if c.Admin {
			return s.close()
		}
	}
	if seat < 0 {
		return ErrStranger
	}
	switch c := cmd.(type) {
	case Play:
		return s.play(seat, c)
	case PlayPlace:
		return s.playPlace(seat, c)
	case Back:
		s.Seats[seat].Player = p
		s.back(seat)
		return nil
	case Leave:
		return s.leave(seat)
	case Rematch:
		return s.rematch(seat)
	}
	switch c := cmd.(type) {
	case AddAI:
		return s.addAI(c.Level)
	case RemoveAI:
		return s.removeAI()
	}
	if s.Host != p.ID {
		return ErrNotHost
	}
	switch c := cmd.(type) { // these are the host's
	case SetRules:
		return s.setRules(c.Rules)
	case Start:
		if s.Phase != Lobby {
			return ErrNotLobby
		}
		return s.startMatch()
	case LastDeal:
		if s.Phase != Playing && s.Phase != Pause {
			return ErrNotPlaying
		}
		s.LastDeal = true
		return nil
	case Close:
		return s.close()
	}
	panic(fmt.Sprintf("table: unknown command %T", cmd))
}

// play makes the move that was offered with the seat's decision number.
func (s *step) play(seat int, c Play) error {
	if err := s.running(c.Deal); err != nil {
		return err
	}
	return s.press(seat, c.Decision != s.Deal.Decisions(seat), c.Move)
}

// playPlace makes the move that a button means for the presser's own hand.
func (s *step) playPlace(seat int, c PlayPlace) error {
	if err := s.running(c.Deal); err != nil {
		return err
	}
	v := s.Deal.View(seat)
	late := c.Ply < 0 || c.Ply > len(v.Log) ||
		slices.ContainsFunc(v.Log[c.Ply:], func(e game.Entry) bool { return e.Seat == seat })
	move := c.Move
	if c.Place != 0 {
		if c.Place < 0 || c.Place > len(v.Hand) || v.Hand[c.Place-1] == 0 {
			return ErrNoSuchPlace
		}
		move = game.PlayCard(v.Hand[c.Place-1])
	} else if _, card := move.Card(); card {
		return ErrNoSuchPlace
	}
	return s.press(seat, late, move)
}

// running refuses what was offered in another deal than the running one.
func (s *step) running(deal int) error {
	switch {
	case s.DealNo == 0:
		return ErrNotPlaying
	case s.DealNo != deal || s.Phase != Playing:
		return ErrOldDeal
	}
	return nil
}

// press makes a person's move, if it is not too late for it.
func (s *step) press(seat int, late bool, m game.Move) error {
	var refusal error
	switch {
	case late:
		refusal = ErrAlready
	case s.Deal.Turn() != seat:
		refusal = ErrNotTurn
	}
	if away := s.Seats[seat].auto(); away {
		s.back(seat)
		if refusal != nil {
			return nil
		}
	}
	if refusal != nil {
		return refusal
	}
	return s.move(seat, m)
}

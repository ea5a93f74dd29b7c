package table

import (
	"slices"
	"time"

	"sedmabot/game"
)

// New returns a table in its lobby, with the host on seat 0. pace is the typical pause before an AI's move; 0 means no
// waits. limit is how long a player may think; 0 means no limit. If the rules never end a match, it ends after
// [DefaultDeals] deals.
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

// Apply carries out a player's command and returns the new table and its events. The given table stays unchanged; if
// there is an error, Apply returns it. The error is a [Refusal], a game.Rule for an illegal move, or an error of
// game.Rules.Validate for new rules.
//
// If the AI plays for a player, a move of that player takes the seat back. If the AI has moved in the meantime, that is
// all it does.
func Apply(t Table, player Player, cmd Command, env Env) (Table, []Event, error) {
	if t.Phase == Closed {
		return t, nil, ErrClosed
	}
	s := newStep(t, env)
	if err := s.do(player, cmd); err != nil {
		return t, nil, err
	}
	s.agree()
	s.admit()
	s.Touched = env.Now
	s.came(player.ID, cmd)
	if s.Phase == Lobby && len(s.Awaited) > 0 && !s.Begins.IsZero() {
		switch cmd.(type) {
		case Choose, SetRules, AddAI, RemoveAI:
			s.Begins = env.Now.Add(RematchWait)
		}
	}
	return s.Table, s.events, nil
}

// step is a table while it changes. Apart from immutable data, it shares nothing with the original table.
type step struct {
	Table
	env    Env
	events []Event
}

func newStep(t Table, env Env) *step {
	t.Chats = slices.Clone(t.Chats)
	t.Seats = slices.Clone(t.Seats)
	if t.Doubted(env.Now) {
		t.Since, t.Touched = earlier(t.Since, env.Now), earlier(t.Touched, env.Now)
		t.Begins = earlier(t.Begins, env.Now.Add(CountDown))
		for i := range t.Seats {
			t.Seats[i].Warned = false
		}
	}
	return &step{Table: t, env: env}
}

// allowed returns an error if the player may not give the command at all.
func (s *step) allowed(p Player, seat int, cmd Command) error {
	host, left := false, false // left: those who left for good may not give the command
	if err := s.Policy.refuses(cmd); err != nil {
		return err
	}
	switch c := cmd.(type) {
	case Join, Bump, SetChat, Share, Unshare, Compare, Void:
		return nil
	case Rematch:
		if s.satLast(p.ID) {
			return nil
		}
	case Leave:
		if s.Waits(p.ID) != NoWait {
			return nil
		}
	case Close:
		if c.Admin {
			return nil
		}
		host = !s.Stale(s.env.Now)
	case Kick:
		if c.Admin {
			return nil
		}
		left = true
	case Rest, Resume:
		left = true
	case Start:
		host = s.MatchNo == 1 && s.Begins.IsZero() // everyone who sits at a rematch, or where a match starts on its own, has agreed to play
	case Choose:
		host = c.What != "with" || s.Public().People() != 2
	case SetRules, LastDeal, ChooseHouse:
		host = true
	}
	switch {
	case seat < 0 || left && s.Seats[seat].Left:
		return ErrStranger
	case host && s.Host != p.ID:
		return ErrNotHost
	}
	return nil
}

func (s *step) do(p Player, cmd Command) error {
	seat := s.SeatOf(p.ID)
	if err := s.allowed(p, seat, cmd); err != nil {
		return err
	}
	switch c := cmd.(type) {
	case Join:
		return s.sit(p, seat, c)
	case Leave:
		if seat < 0 {
			s.Coming = without(s.Coming, func(n Newcomer) bool { return n.Player.ID == p.ID })
			return nil
		}
		return s.leave(seat)
	case AddAI:
		return s.addAI(c.Level)
	case RemoveAI:
		return s.removeAI()
	case SetRules:
		return s.setRules(c.Rules)
	case Choose:
		return s.choose(c)
	case ChooseHouse:
		return s.chooseHouse(c)
	case Start:
		if s.Phase != Lobby {
			return ErrNotLobby
		}
		return s.startMatch()
	case Play:
		return s.play(seat, c)
	case PlayPlace:
		return s.playPlace(seat, c)
	case Back:
		s.Seats[seat].Player = p
		s.back(seat)
	case Kick:
		return s.kick(p.ID, c)
	case Say:
		return say(s, seat, c.Phrase)
	case Rest:
		return s.rest(seat)
	case Resume:
		if s.Public().Hurries() {
			return s.startDeal()
		}
		if !s.Resting {
			return ErrNotResting
		}
		s.resume()
	case Know:
		s.know(seat, p)
	case SetChat, Share, Unshare, Bump:
		return s.place(c)
	case LastDeal:
		if s.Phase != Playing && s.Phase != Pause {
			return ErrNotPlaying
		}
		s.LastDeal = true
	case Close, Void:
		s.close()
	case Compare:
		return s.compare(c)
	case Rematch:
		return s.again(p, seat, c)
	}
	return nil
}

// again handles a person's press for a rematch.
func (s *step) again(p Player, seat int, c Rematch) error {
	switch {
	case s.Phase == Lobby && s.satLast(p.ID): // somebody else asked first
		return s.pressed(p, seat)
	case seat < 0 && s.beginning():
		return s.come(p, s.ownSeat(p.ID), false)
	case seat < 0:
		return ErrStranger
	}
	return s.rematch(seat, c)
}

// sit gives a person a free seat: in a rematch's lobby, the one of the last match.
func (s *step) sit(p Player, seat int, c Join) error {
	if s.Phase == Lobby && seat < 0 && c.Seat == -1 && s.satLast(p.ID) {
		return s.pressed(p, seat)
	}
	rematch := s.Phase == Lobby && s.MatchNo > 1 && !s.Begins.IsZero()
	if err := s.join(p, seat, c.Seat, c.Seen); err != nil {
		return err
	}
	if rematch && !slices.ContainsFunc(s.Seats, func(s Seat) bool { return !s.person() }) {
		return s.startMatch()
	}
	return nil
}

// know stores the player's changed settings.
func (s *step) know(seat int, p Player) {
	s.Seats[seat].Player = p
	own := s.chat(p.ID)
	if own < 0 {
		return
	}
	settings := p.InPrivate() // the player's private chat shows the table
	if !s.Policy.Private {
		settings.Quiet = s.Chats[own].Quiet
	}
	s.Chats[own].ChatSettings = settings
}

// place changes in which chats the table is shown, or how.
func (s *step) place(cmd Command) error {
	switch c := cmd.(type) {
	case SetChat:
		i := s.chat(c.Chat)
		if i < 0 {
			return ErrNoSuchChat
		}
		s.Chats[i].ChatSettings = c.Settings
	case Share:
		if s.chat(c.Chat.ID) >= 0 || len(s.Chats) >= MaxChats {
			return ErrShared
		}
		s.Chats = append(s.Chats, c.Chat)
	case Unshare:
		i := s.chat(c.Chat)
		if i < 1 {
			return ErrNoSuchChat
		}
		s.Chats = slices.Delete(s.Chats, i, i+1)
	case Bump:
		i := s.chat(c.Chat)
		if i < 0 {
			return ErrNoSuchChat
		}
		s.Chats[i].Bump++
	}
	return nil
}

// chat returns the index of the table's chat with that id, or -1.
func (t *Table) chat(id string) int {
	return slices.IndexFunc(t.Chats, func(chat Chat) bool { return chat.ID == id })
}

// play makes a move that was offered with the seat's decision number.
func (s *step) play(seat int, c Play) error {
	if err := s.running(c.Deal); err != nil {
		return err
	}
	var late error
	if c.Decision != s.Deal.Decisions(seat) {
		late = ErrAlready
	}
	return s.press(seat, late, c.Move)
}

// playPlace makes the move that a button means for the presser's own hand.
func (s *step) playPlace(seat int, c PlayPlace) error {
	if err := s.running(c.Deal); err != nil {
		return err
	}
	turn, hand := s.Deal.Turn(), s.Deal.Hand(seat)
	var late error
	switch {
	case c.Ply < 0 || c.Ply > s.Deal.Plies():
		late = ErrAlready
	case s.Deal.Before(c.Ply).Decisions(seat) == s.Deal.Decisions(seat):
	case turn == seat:
		late = ErrMoved
	default:
		late = ErrAlready
	}
	move := c.Move
	switch _, card := move.Card(); {
	case late != nil || turn != seat:
	case c.Place == 0 && !card:
	case c.Place < 1 || c.Place > len(hand) || hand[c.Place-1] == 0:
		return ErrNoSuchPlace
	default:
		move = game.PlayCard(hand[c.Place-1])
	}
	return s.press(seat, late, move)
}

// running returns an error unless that deal is the running one.
func (s *step) running(deal int) error {
	switch {
	case s.DealNo == 0:
		return ErrNotPlaying
	case s.DealNo != deal || s.Phase != Playing:
		return ErrOldDeal
	}
	return nil
}

// press makes a person's move, unless it is late.
func (s *step) press(seat int, late error, m game.Move) error {
	refusal := late
	if late == nil && s.Deal.Turn() != seat {
		refusal = ErrNotTurn
	}
	if s.Seats[seat].auto() {
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

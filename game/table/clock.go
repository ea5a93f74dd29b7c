package table

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"sedmabot/game"
)

// The times of a table.
const (
	DefaultLimit = 2 * time.Minute    // how long a player may think, unless set otherwise
	CallAfter    = 20 * time.Second   // time until the player whose turn it is gets called by name; never at a table without pace
	LobbyLife    = 30 * time.Minute   // how long a lobby stays open after the last action
	AwayLife     = 30 * time.Minute   // how long a match continues with nobody there; longer if the turn limit is longer
	OverLife     = 24 * time.Hour     // how long a finished match waits for a rematch
	RestLife     = 7 * 24 * time.Hour // how long a halted game waits
	StaleAfter   = 7 * 24 * time.Hour // how long after the last action anyone who sits at a match may close it
	Overdue      = 4 * time.Minute    // how late a step may be until the table counts as untended
	pausePaces   = 6                  // number of paces between two deals
	thinkPaces   = 0.1                // how many paces of a pause the AI may think
	skew         = 2 * time.Second    // how far the clocks of two processes may differ
)

// Advance does everything that is due at env.Now and returns the new table and its events. That includes moves of the
// AI and for absent players, forced stops, calls, warnings, turn limits, the next deal, and closing an abandoned table.
// It stops when a person must act or nothing more is due. It also stops after it starts a deal, because env has the
// seed of only one. So the caller calls it again while [Table.Due] is not after its clock.
//
// If a clock that was ahead of env.Now set the table's times (see [Table.Doubted]), they begin again: whoever has the turn
// has all their time again.
//
// If the AI must choose a move, Advance stops early and returns a Wanted. The caller chooses the move and continues
// with [Answer] on the returned table. Otherwise the Wanted is nil.
//
// A forced stop comes after the same pause as an AI's move, whoever must make it. It causes no call and no warning
// (RULES.md, Forced stop).
func Advance(t Table, env Env) (Table, []Event, *Wanted) {
	return newStep(t, env).advance(nil)
}

// Answer makes the move that Advance or Answer asked for, and then continues like Advance, with the same env. An
// illegal move is replaced by the first legal one. If no move is wanted, Answer ignores it.
func Answer(t Table, env Env, move game.Move) (Table, []Event, *Wanted) {
	return newStep(t, env).advance(&move)
}

// advance does what is due. If there is an answer, it is the first move that is wanted.
func (s *step) advance(answer *game.Move) (Table, []Event, *Wanted) {
	for due := s.Due(); !due.IsZero() && !due.After(s.env.Now); due = s.Due() {
		switch {
		case s.Phase == Playing && !s.Resting && !s.abandoned():
			if wanted := s.wanted(); wanted != nil {
				if answer == nil {
					return s.Table, s.events, wanted
				}
				s.moveAI(wanted.View, *answer)
				answer = nil
			} else {
				s.tick()
			}
			if s.Phase != Playing {
				return s.Table, s.events, nil
			}
		case s.Phase == Pause && !s.abandoned():
			if err := s.startDeal(); err != nil { // never fails: these rules have been dealt before
				s.close()
			}
			if s.Phase != Playing {
				return s.Table, s.events, nil
			}
		case s.Phase == Lobby && !s.Begins.IsZero():
			if err := s.startMatch(); err != nil {
				s.close()
			}
			return s.Table, s.events, nil
		default:
			s.close()
		}
	}
	return s.Table, s.events, nil
}

// Untended is called before Advance. If the step that is due is late by [Overdue], nobody tended the table: the program
// didn't run, or the table was restored. Nobody loses by that: whoever plays has all their time again, the game of several
// people halts until one of them continues it, and a countdown ends. A halted game waits for as long again. Otherwise it returns false.
func Untended(t Table, env Env) (Table, []Event, bool) {
	s := newStep(t, env)
	changed := s.untended()
	return s.Table, s.events, changed
}

func (s *step) untended() bool {
	switch {
	case !s.Late(s.env.Now):
		return false
	case s.Phase == Lobby && s.Begins.IsZero() || s.Phase == Over:
		return false
	case s.Phase == Lobby && s.Policy.Hostless: // nobody could begin it
		s.close()
	case s.Phase == Lobby: // whoever comes back may begin it
		s.Begins, s.Touched = time.Time{}, s.env.Now
	case !slices.ContainsFunc(s.Seats, Seat.present):
		return false
	case s.Resting: // it waits for as long again
		s.Touched = s.env.Now
	case s.Phase == Pause:
		if err := s.startDeal(); err != nil {
			return false
		}
		s.halt()
	default:
		if !s.halt() && s.byItself() {
			return false // the AI makes its move now, and then the people's time begins
		}
		s.restart()
	}
	return true
}

// Late reports whether the step that is due is late by [Overdue].
func (t Table) Late(now time.Time) bool {
	due := t.Due()
	return !due.IsZero() && now.Sub(due) >= Overdue
}

// Restart begins the turn again: whoever has it has all their time, and wasn't called or warned.
func Restart(t Table, env Env) Table {
	s := newStep(t, env)
	s.restart()
	return s.Table
}

func (s *step) restart() {
	s.Since, s.Called = s.env.Now, false
	for i := range s.Seats {
		s.Seats[i].Warned = false
	}
}

// Awaits returns the id of the player whose decision the table waits for, or "" if it waits for none.
func (t Table) Awaits() string {
	if t.Phase != Playing || t.Resting || t.byItself() {
		return ""
	}
	return t.Seats[t.turn()].Player.ID
}

// halt halts the game of several people, or one that always continues, and reports whether it did. A game against the AI continues.
func (s *step) halt() bool {
	people := 0
	for _, seat := range s.Seats {
		if seat.present() {
			people++
		}
	}
	if s.Phase != Playing || people < 2 && !s.Policy.Runs {
		return false
	}
	s.Resting, s.Lapsed, s.Called, s.Touched = true, true, false, s.env.Now
	return true
}

// Due returns the next time at which Advance has something to do. The zero time means never.
func (t Table) Due() time.Time {
	switch t.Phase {
	case Lobby:
		if !t.Begins.IsZero() {
			return t.Begins
		}
		return t.Touched.Add(LobbyLife)
	case Over:
		return t.Since.Add(OverLife)
	case Closed:
		return time.Time{}
	default: // a match is running; see below
	}
	if t.Resting {
		return t.Touched.Add(RestLife)
	}
	var due time.Time
	soonest := func(at time.Time) {
		if due.IsZero() || at.Before(due) {
			due = at
		}
	}
	if !t.attended() {
		soonest(t.Touched.Add(t.awayLife()))
	}
	switch {
	case t.Phase == Pause:
		soonest(t.Since.Add(pausePaces * t.Pace))
	case t.byItself():
		soonest(t.Since.Add(t.pause()))
	default:
		if !t.Called && t.Pace > 0 {
			soonest(t.Since.Add(CallAfter))
		}
		switch {
		case t.Limit <= 0:
		case t.Seats[t.turn()].Warned:
			soonest(t.Since.Add(t.Limit))
		default:
			soonest(t.Since.Add(t.warnAfter()))
		}
	}
	return due
}

// Thinking returns how long before [Table.Due] the work on an automatic move begins, so that it is ready when it is due. A
// forced stop is prepared like a move that the AI thinks about. Otherwise the time of the stop would tell that it was
// forced.
func (t Table) Thinking() time.Duration {
	if t.Phase != Playing || t.Resting || !t.byItself() {
		return 0
	}
	return time.Duration(thinkPaces * float64(t.Pace))
}

// Doubted reports whether a clock that was ahead of now set the table's times. Nothing has happened later than now, and
// a lobby counts down for a limited time. Then Advance has something to do, whatever Due returns.
func (t Table) Doubted(now time.Time) bool {
	now = now.Add(skew)
	return t.Since.After(now) || t.Touched.After(now) || t.Begins.After(now.Add(CountDown))
}

// Stale reports whether nothing has happened at the match for so long that anyone who sits there may close it.
func (t Table) Stale(now time.Time) bool {
	return (t.Phase == Playing || t.Phase == Pause) && !t.Policy.Hostless && !t.Touched.Add(StaleAfter).After(now)
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// tick does the one thing that is due in a deal, other than a move of the AI.
func (s *step) tick() {
	seat, now := s.turn(), s.env.Now
	if s.Deal.Forced() {
		_ = s.move(seat, s.Deal.View(seat).Legal[0])
		return
	}
	if move, ok := s.lessonMove(); ok {
		s.moveAI(s.Deal.View(seat), move)
		return
	}
	spent := now.Sub(s.Since)
	if s.Pace > 0 && spent >= CallAfter {
		s.Called = true
	}
	switch player := &s.Seats[seat]; {
	case s.Limit <= 0:
	case !player.Warned && spent >= s.warnAfter():
		player.Warned = true
		s.Since = now.Add(-s.warnAfter())
	case player.Warned && spent >= s.Limit:
		s.setAway(seat)
	}
}

// Before returns the match before the running deal, for the AI to take into account. If this deal is the last one, the
// match's rules say so.
func (t Table) Before() game.Match {
	if t.LastDeal {
		return LastOf(t.Match)
	}
	return t.Match
}

// LastOf returns the match changed so that it ends with its next deal.
func LastOf(m game.Match) game.Match {
	m.Rules.Target, m.Rules.Deals = 0, m.Deals+1
	return m
}

// turn returns the seat whose turn it is, or -1 if no deal is running.
func (t *Table) turn() int {
	if t.Phase != Playing {
		return -1
	}
	return t.Deal.Turn()
}

// byItself reports whether the next move is not a person's: the AI makes it, or it is a forced stop.
func (t *Table) byItself() bool { return t.Deal.Forced() || t.Seats[t.turn()].auto() }

// abandoned reports whether nobody has been there for too long.
func (s *step) abandoned() bool {
	return !s.attended() && !s.Touched.Add(s.awayLife()).After(s.env.Now)
}

// attended reports whether somebody is there, or nobody needs to be.
func (t *Table) attended() bool {
	return t.Policy.Runs || slices.ContainsFunc(t.Seats, Seat.present)
}

// awayLife returns how long the match continues with nobody there. In a player's private chat that is 0, because nobody
// could watch.
func (t *Table) awayLife() time.Duration {
	if !t.Policy.Private && t.SeatOf(t.Chats[0].ID) >= 0 {
		return 0
	}
	return max(AwayLife, t.Limit)
}

// warnAfter returns how long a turn lasts before its player is warned.
func (t *Table) warnAfter() time.Duration { return t.Limit - t.Limit/4 }

// beats are, for each speed, how many paces a pause takes on average while only one person plays.
var beats = map[Speed]float64{Slow: 1.5, Normal: 0.75, Fast: 0.4, AtOnce: 0}

// pause returns how long the table waits before its next move: 0.6 to 1.6 times its pace. While only one person plays,
// it is 0.9 to 1.1 times the beat of their speed, so that cards come at equal distances. At a coached table, it is coachedPaces
// times as long. It is the same for every kind of move, so it reveals nothing about the hand. The first eight bytes of
// SHA-256(seed || "pause" || ply) choose the point in between; they and the ply are big-endian.
func (t *Table) pause() time.Duration {
	in := append(t.Seed[:], "pause"...)
	in = binary.BigEndian.AppendUint64(in, uint64(t.Deal.Plies()))
	sum := sha256.Sum256(in)
	share := float64(binary.BigEndian.Uint64(sum[:])) / (1 << 64)
	paces := 0.6 + share
	if speed, one := t.speed(); one {
		paces = beats[speed] * (0.9 + 0.2*share)
	}
	if t.Policy.Coached {
		paces *= coachedPaces
	}
	return time.Duration(float64(t.Pace) * paces)
}

// speed returns the speed of the person who plays, if only one does.
func (t *Table) speed() (speed Speed, one bool) {
	for _, s := range t.Seats {
		if !s.present() {
			continue
		}
		if one {
			return Normal, false
		}
		speed, one = s.Player.Speed, true
	}
	return speed, one
}

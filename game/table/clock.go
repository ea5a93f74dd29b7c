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
	CallAfter    = 20 * time.Second   // how long a turn lasts before its player is called by name; never at a table without pace
	LobbyLife    = 30 * time.Minute   // how long an untouched lobby stays open
	AwayLife     = 30 * time.Minute   // how long a match goes on with nobody there, or as long as they may think if that is longer
	OverLife     = 24 * time.Hour     // how long a finished match waits for a rematch
	RestLife     = 7 * 24 * time.Hour // how long a halted game waits
	pausePaces   = 6                  // how many paces lie between two deals
)

// Advance is the table after what time demands at env.Now: the moves of the AI
// and of those who are away, forced stops, calls and warnings, turn limits, the
// next deal, the end of an abandoned table. It ends where a person must act,
// where something is due later, or with a deal; it starts at most one deal,
// since env holds the seed of one. So the caller calls again while
// [Table.Due] is not after its clock.
//
// Where the AI must choose a move, Advance ends early and says for whom: the
// caller chooses it and goes on from the table it got with [Answer]. All else
// gives nil.
//
// A forced stop is made after a pause like that of an AI's move, whoever's it
// is, and brings no call and no warning (rules.md, section 1).
func Advance(t Table, env Env) (Table, []Event, *Wanted) {
	return newStep(t, env).advance(nil)
}

// Answer makes the move that Advance or Answer wanted at this table, and goes on
// as Advance does, with the same env. An illegal move is replaced by the first
// legal one; where no move is wanted, it is left out.
func Answer(t Table, env Env, move game.Move) (Table, []Event, *Wanted) {
	return newStep(t, env).advance(&move)
}

// Wanted is a move that the AI must choose. All that it may know for that is the
// view of the seat, and the match as it stood before the deal.
type Wanted struct {
	Level string
	View  game.View
	Match game.Match // [Table.Before]
}

// advance does what is due. The first move that is wanted is the answer, if there is one.
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
			if err := s.startDeal(); err != nil { // these rules were dealt before
				s.close()
			}
			if s.Phase != Playing {
				return s.Table, s.events, nil
			}
		default:
			s.close()
		}
	}
	return s.Table, s.events, nil
}

// Due is when Advance has something to do next. The zero time is never.
func (t Table) Due() time.Time {
	switch t.Phase {
	case Lobby:
		return t.Touched.Add(LobbyLife)
	case Over:
		return t.Since.Add(OverLife)
	case Closed:
		return time.Time{}
	default: // a match runs: below
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

// wanted is the move that the AI must choose in a deal, or nil.
func (t *Table) wanted() *Wanted {
	if !t.byItself() || t.Deal.Forced() {
		return nil
	}
	if _, ok := t.lessonMove(); ok {
		return nil
	}
	seat := t.turn()
	return &Wanted{
		Level: levelOf(t.Seats, t.Rules, t.Deal.Solo(), seat),
		View:  t.Deal.View(seat),
		Match: t.Before(),
	}
}

// moveAI makes the AI's move for the seat with that view.
func (s *step) moveAI(v game.View, move game.Move) {
	if s.Seats[v.Seat].Player.ID != "" {
		s.Auto = append(slices.Clip(s.Auto), len(v.Log))
	}
	if err := s.move(v.Seat, move); err != nil {
		_ = s.move(v.Seat, v.Legal[0])
	}
}

// tick does the one thing that is due in a deal where no move of the AI is.
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

// Before is the match before the running deal as the AI is to think of it: where
// this deal is the last one, its rules say so.
func (t Table) Before() game.Match {
	if t.LastDeal {
		return LastOf(t.Match)
	}
	return t.Match
}

// LastOf is a match that ends with its next deal, whatever its rules said.
func LastOf(m game.Match) game.Match {
	m.Rules.Target, m.Rules.Hands = 0, m.Hands+1
	return m
}

// turn is the seat on turn, or -1 where no deal runs.
func (t *Table) turn() int {
	if t.Phase != Playing {
		return -1
	}
	return t.Deal.Turn()
}

// byItself says that no person makes the next move: it is the AI's, or a stop
// that the rules force.
func (t *Table) byItself() bool { return t.Deal.Forced() || t.Seats[t.turn()].auto() }

// abandoned says that nobody has been there for too long.
func (s *step) abandoned() bool {
	return !s.attended() && !s.Touched.Add(s.awayLife()).After(s.env.Now)
}

// attended says that somebody is there, or that it is played to its end without.
func (t *Table) attended() bool {
	return t.Contest != nil || slices.ContainsFunc(t.Seats, Seat.present)
}

// awayLife is how long the match goes on with nobody there: not at all in a chat
// that is a player's private one, where nobody could look on.
func (t *Table) awayLife() time.Duration {
	if t.seatOf(t.Chats[0].ID) >= 0 {
		return 0
	}
	return max(AwayLife, t.Limit)
}

// warnAfter is how long a turn lasts before its player is warned.
func (t *Table) warnAfter() time.Duration { return t.Limit - t.Limit/4 }

// pause is how long the table waits before it makes the next move: between 0.6
// and 1.6 times its pace, in a lesson [lessonPaces] times that, the same for every
// kind of move, so that it tells nothing about the hand. The first eight bytes of SHA-256(seed || "pause" ||
// ply), big-endian as is the ply, are the place between the two.
func (t *Table) pause() time.Duration {
	in := append(t.Seed[:], "pause"...)
	in = binary.BigEndian.AppendUint64(in, uint64(len(t.Deal.Moves())))
	sum := sha256.Sum256(in)
	share := float64(binary.BigEndian.Uint64(sum[:])) / (1 << 64)
	pace := t.Pace
	if t.Lesson {
		pace *= lessonPaces
	}
	return time.Duration(float64(pace) * (0.6 + share))
}

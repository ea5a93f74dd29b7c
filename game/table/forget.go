package table

import (
	"fmt"
	"slices"
)

// Forget is the table without a trace of one of its people, and what happened by
// it; Events are those of his leaving. A match that runs goes on with the AI on
// his seat, as if it had sat there from the start; where a match is over his seat
// is gone's, who is nobody: a [Tombstone].
func Forget(t Table, player, gone string, env Env) (Table, []Event) {
	s := newStep(t, env)
	if seat := s.seatOf(player); seat >= 0 && s.Phase != Closed && !s.Seats[seat].Left {
		_ = s.leave(seat) // refused only to who has left
	}
	running := s.Phase == Playing || s.Phase == Pause
	is := func(id string) bool { return id == player }
	for i := range s.Seats {
		s.Seats[i].Against = without(s.Seats[i].Against, is)
		switch {
		case s.Seats[i].Player.ID != player:
		case running:
			s.Seats[i] = Seat{AI: s.level()}
		default:
			s.Seats[i] = Seat{Player: Tombstone(gone, i), Left: true}
		}
	}
	if s.Contest != nil { // it stood in his private chat
		s.Chats = without(s.Chats, func(c Chat) bool { return c.ID == player })
	}
	if s.Host == player {
		s.Host = gone
	}
	s.Break = without(s.Break, is)
	s.Tell = without(s.Tell, func(p Player) bool { return p.ID == player })
	if s.Last != nil {
		last := *s.Last
		last.Seats = slices.Clone(last.Seats)
		for i := range last.Seats {
			last.Seats[i].Against = without(last.Seats[i].Against, is)
			if last.Seats[i].Player.ID == player {
				last.Seats[i] = Seat{Player: Tombstone(gone, i), Away: last.Seats[i].Away, Left: last.Seats[i].Left}
			}
		}
		s.Last = &last
	}
	return s.Table, s.events
}

// Gone begins the id of a tombstone.
const Gone = "gone:"

// Tombstone stands on a seat for somebody whose data was deleted.
func Tombstone(gone string, seat int) Player {
	return Player{ID: gone, Name: fmt.Sprintf("Player %d", seat+1)}
}

// without is a list without those; what it was made of stays as it was.
func without[E any](all []E, those func(E) bool) []E {
	if !slices.ContainsFunc(all, those) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), those)
}

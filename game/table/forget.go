package table

import (
	"fmt"
	"slices"
)

// Forget removes all data of one person from the table and returns the events of their leaving. If a match is running,
// the AI continues on their seat as if it had always had it. If a match is over, a [Tombstone] with the id gone takes
// the seat.
func Forget(t Table, player, gone string, env Env) (Table, []Event) {
	s := newStep(t, env)
	was := s.SeatOf(player)
	if was >= 0 && s.Phase != Closed && !s.Seats[was].Left {
		_ = s.leave(was) // fails only if the player has left already
	}
	running := s.Phase == Playing || s.Phase == Pause
	is := func(id string) bool { return id == player }
	for i := range s.Seats {
		s.Seats[i].Against = without(s.Seats[i].Against, is)
		switch {
		case s.Seats[i].Player.ID != player:
		case running:
			s.Seats[i] = Seat{AI: s.level(), Late: s.DealNo} // they have seen its hand, and nobody knows them any more
		default:
			s.Seats[i] = Seat{Player: Tombstone(gone, i), Left: true, After: s.Seats[i].After, Away: s.Seats[i].Away, Late: s.Seats[i].Late, Was: s.Seats[i].Was}
		}
	}
	s.forgetTournament(player)
	if s.Policy.Private { // the table was shown in the player's private chat
		s.Chats = without(s.Chats, func(c Chat) bool { return c.ID == player })
	}
	if s.Host == player {
		s.Host = gone
	}
	s.Gains = without(s.Gains, func(g Gain) bool { return was == g.Seat })
	s.Break, s.Awaited = without(s.Break, is), without(s.Awaited, is)
	if s.Series != nil && slices.Contains(s.Series.Seats, player) {
		s.Series = nil
	}
	s.forgetDaily(player)
	s.Coming = without(s.Coming, func(n Newcomer) bool { return n.Player.ID == player })
	s.Tell = without(s.Tell, func(p Player) bool { return p.ID == player })
	if s.Last != nil {
		last := *s.Last
		last.Seats = slices.Clone(last.Seats)
		if last.Series != nil && slices.Contains(last.Series.Seats, player) {
			last.Series = nil
		}
		for i := range last.Seats {
			last.Seats[i].Against = without(last.Seats[i].Against, is)
			if last.Seats[i].Player.ID == player {
				last.Seats[i] = Seat{Player: Tombstone(gone, i), Away: last.Seats[i].Away, Left: last.Seats[i].Left, After: last.Seats[i].After, Late: last.Seats[i].Late, Was: last.Seats[i].Was}
				last.Gains = without(last.Gains, func(g Gain) bool { return g.Seat == i })
			}
		}
		s.Last = &last
	}
	return s.Table, s.events
}

// Gone is the prefix of a tombstone's id.
const Gone = "gone:"

// Tombstone returns a placeholder for a player whose data was deleted.
func Tombstone(gone string, seat int) Player {
	return Player{ID: gone, Name: fmt.Sprintf("Player %d", seat+1)}
}

// without returns a list without the matching elements. The given list stays unchanged.
func without[E any](all []E, those func(E) bool) []E {
	if !slices.ContainsFunc(all, those) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), those)
}

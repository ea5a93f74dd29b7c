package table

import "sedmabot/game"

// Refusal is why a command was refused, a reason that a person can be told:
// catalogues have it under "refusal." and its value.
type Refusal string

func (r Refusal) Error() string { return "refused: " + string(r) }

// The refusals. A move against the rules is a game.Rule instead, and rules
// that do not go together are what game.Rules.Validate says of them.
const (
	ErrStranger    Refusal = "stranger"      // no seat at this table
	ErrNotTurn     Refusal = "not_turn"      // another seat is on turn
	ErrAlready     Refusal = "already"       // that decision was made before
	ErrMoved       Refusal = "moved"         // the button is of an earlier turn, and it is the player's turn again
	ErrOldDeal     Refusal = "old_deal"      // that deal is over
	ErrNotHost     Refusal = "not_host"      // the host's alone
	ErrFull        Refusal = "full"          // no seat is free, or too few for those who sit
	ErrSeated      Refusal = "seated"        // sits here already
	ErrTaken       Refusal = "taken"         // another person has that seat
	ErrNotLobby    Refusal = "not_lobby"     // only before the start
	ErrNotPlaying  Refusal = "not_playing"   // only during a match
	ErrNotOver     Refusal = "not_over"      // only after a match
	ErrNoSuchSeat  Refusal = "no_such_seat"  // the table has no such seat
	ErrNoSuchPlace Refusal = "no_such_place" // no card lies at that place of the hand
	ErrNoSuchChat  Refusal = "no_such_chat"  // the table is not shown there
	ErrNoAI        Refusal = "no_ai"         // no seat is held by the AI
	ErrNoChoice    Refusal = "no_choice"     // that is not offered here
	ErrNotFull     Refusal = "not_full"      // a seat is free
	ErrDrawn       Refusal = "drawn"         // the partners were drawn already
	ErrNotResting  Refusal = "not_resting"   // the game is not halted
	ErrWanted      Refusal = "wanted"        // wants that already
	ErrNobody      Refusal = "nobody"        // no person plays that seat
	ErrShared      Refusal = "shared"        // it is shown in another chat already
	ErrDaily       Refusal = "daily"         // not in the deal of the day
	ErrClosed      Refusal = "closed"        // the table is closed for good
	ErrContest     Refusal = "contest"       // not at a table of a tournament
)

// Command is what a person wants of a table; [Apply] does it. Of the player
// only his id counts, except with Join, Back and Know, which keep all of him.
type Command interface{ command() }

// Join sits down in the lobby: at Seat, or with -1 at the first free one.
// Empty seats are free, and after them those of the AI. Who sits already moves
// to a free Seat. During and after a match it takes back the seat that the
// player had left.
type Join struct{ Seat int }

// Leave gets up. In the lobby the seat is free again; later the AI plays it to
// the end of the match. The host's role passes on; a table that nobody is left
// at is closed.
type Leave struct{}

// AddAI gives the first empty seat to the AI. An empty Level is the table's.
type AddAI struct{ Level string }

// RemoveAI empties the last seat that the AI holds.
type RemoveAI struct{}

// SetRules changes the game in the lobby; the host alone may. Seats come and
// go with its number of players, and people keep theirs where they can. An
// endless game gets [DefaultHands].
type SetRules struct{ Rules game.Rules }

// Start begins the match; the host alone may. The AI takes the empty seats.
type Start struct{}

// Play makes a move. Deal is the table's DealNo, and Decision how many moves
// the seat had made in it when the hand was shown (game.State.Decisions): the
// same press twice is [ErrAlready].
type Play struct {
	Deal, Decision int
	Move           game.Move
}

// PlayPlace plays the card at Place of the presser's own hand, from 1. With
// Place 0 it makes Move, which is no card: stop, dark or pass. Ply is how many
// moves the deal had seen when the buttons were shown. If the presser has moved
// since, it is [ErrAlready], or [ErrMoved] when it is their turn again.
type PlayPlace struct {
	Deal, Ply, Place int
	Move             game.Move
}

// Back takes the seat back from the AI that plays it for its player.
type Back struct{}

// Know brings the player's changed language, face and wishes to his seat.
type Know struct{}

// Dress changes how a chat shows the table. It is no person's command: the
// settings of the chat's home give it.
type Dress struct {
	Chat     string
	Settings ChatSettings
}

// Kick has the AI play the seat of somebody else, until he comes back; in the
// lobby it frees the seat. The host may, and an administrator of the chat
// (Admin). Others at the table vote by it: with two votes, and more than half
// of those who are there, it is done.
type Kick struct {
	Seat  int
	Admin bool
}

// Rest halts the running game as soon as everybody who is there has asked for
// it: no limit runs, and the AI does not move.
type Rest struct{}

// Resume lets a halted game go on. So does a move.
type Resume struct{}

// Share shows the table in one more chat, of another home. It is no person's
// command: the host's code gives it.
type Share struct{ Chat Chat }

// Unshare ends that. It is no person's command either.
type Unshare struct{ Chat string }

// MostChats is in how many chats a table is shown at most.
const MostChats = 2

// LastDeal ends the match with the running deal, or with the next one in a
// pause; the host alone may.
type LastDeal struct{}

// Bump brings the table to the bottom of a chat that shows it.
type Bump struct{ Chat string }

// Close closes the table for good. The host may, and an administrator of the
// chat (Admin), who need not sit here.
type Close struct{ Admin bool }

// Rematch opens the next match at a table whose match is over, with the same
// rules and seats; the AI keeps the seats of those who left. Anyone who sat
// may; in the lobby of that next match it is Join, also for those who had left. It
// goes to the lobby, so that people can leave, and to the first deal at once if
// nobody but the presser is there. With Shorter, the next match is shorter, by
// [game.Shorter]. If the lobby is already open, its length stays.
type Rematch struct{ Shorter bool }

func (Join) command()      {}
func (Leave) command()     {}
func (AddAI) command()     {}
func (RemoveAI) command()  {}
func (SetRules) command()  {}
func (Start) command()     {}
func (Play) command()      {}
func (PlayPlace) command() {}
func (Back) command()      {}
func (Kick) command()      {}
func (Rest) command()      {}
func (Resume) command()    {}
func (Share) command()     {}
func (Unshare) command()   {}
func (Know) command()      {}
func (Dress) command()     {}
func (LastDeal) command()  {}
func (Bump) command()      {}
func (Close) command()     {}
func (Rematch) command()   {}

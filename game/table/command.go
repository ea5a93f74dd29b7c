package table

import "sedmabot/game"

// Refusal is the reason why a command was refused. Catalogues have a text for it under "refusal." and its value.
type Refusal string

func (r Refusal) Error() string { return "refused: " + string(r) }

// The refusals. Illegal moves are a game.Rule instead, and invalid rules an error of game.Rules.Validate.
const (
	ErrStranger    Refusal = "stranger"      // the player has no seat at this table
	ErrNotTurn     Refusal = "not_turn"      // it is another seat's turn
	ErrAlready     Refusal = "already"       // that decision was made before
	ErrMoved       Refusal = "moved"         // the button is from an earlier turn of the player, whose turn it is again
	ErrOldDeal     Refusal = "old_deal"      // that deal is over
	ErrNotHost     Refusal = "not_host"      // only the host may do this
	ErrFull        Refusal = "full"          // no free seat, or too few seats for the players
	ErrSeated      Refusal = "seated"        // the player has a seat here already
	ErrTaken       Refusal = "taken"         // another person has that seat
	ErrNotLobby    Refusal = "not_lobby"     // only before the start
	ErrNotPlaying  Refusal = "not_playing"   // only during a match
	ErrNotOver     Refusal = "not_over"      // only after a match
	ErrNoSuchSeat  Refusal = "no_such_seat"  // the table has no such seat
	ErrNoSuchPlace Refusal = "no_such_place" // no card lies at that place of the hand
	ErrNoSuchChat  Refusal = "no_such_chat"  // the table is not shown in that chat
	ErrNoAI        Refusal = "no_ai"         // no seat has an AI
	ErrNoChoice    Refusal = "no_choice"     // that choice is not offered here
	ErrDrawn       Refusal = "drawn"         // the partners have been drawn already
	ErrNotResting  Refusal = "not_resting"   // the game is not halted
	ErrWanted      Refusal = "wanted"        // the player has asked for that already
	ErrNobody      Refusal = "nobody"        // no person plays that seat
	ErrNoVote      Refusal = "no_vote"       // too few other players are there for a vote
	ErrShared      Refusal = "shared"        // the table is shown in another chat already
	ErrDaily       Refusal = "daily"         // not allowed in the deal of the day
	ErrClosed      Refusal = "closed"        // the table is closed for good
	ErrTournament  Refusal = "contest"       // not allowed at a table of a tournament
)

// Command is an action that a person wants at a table; [Apply] carries it out. Most commands use only the player's id.
// Join, Back and Know store the whole Player.
type Command interface{ command() }

// Join takes a seat in the lobby: Seat, or the first free one for -1. Empty seats count as free, and if there are none,
// seats of the AI. A player who has a seat moves to Seat. During and after a match, Join takes back the seat that the
// player left. Somebody else gets an AI's seat of a running match, unless it is [Table.Shut]: at once, or if it is that seat's
// turn within a trick, after the trick. With Seen, they may have seen a hand of this deal, and get the seat with the next one.
// Without a seat of the AI, they get one of the next match.
type Join struct {
	Seat int
	Seen bool
}

// Leave gives up the seat, or the wait for one. In the lobby the seat becomes free; later the AI plays it for the rest of the match. If the
// player was the host, another one becomes host. If nobody is left, the table closes.
type Leave struct{}

// AddAI gives the first empty seat to the AI. If Level is empty, the AI has the table's level.
type AddAI struct{ Level string }

// RemoveAI empties the last seat that has an AI.
type RemoveAI struct{}

// SetRules changes the game in the lobby. Only the host may do this. The number of seats changes with the game, and
// people keep theirs if possible. A game without an end gets [DefaultDeals].
type SetRules struct{ Rules game.Rules }

// Start begins the match. Only the host may do this, but in the lobby of a rematch everyone who has a seat. The AI fills
// empty seats.
type Start struct{}

// Play makes a move. Deal is the table's DealNo. Decision is the number of moves that the seat had made when the hand
// was shown (game.State.Decisions). So a second press of the same button returns [ErrAlready].
type Play struct {
	Deal, Decision int
	Move           game.Move
}

// PlayPlace plays the card at Place of the presser's own hand, counted from 1. If Place is 0, it makes Move: stop, dark
// or pass. Ply is the number of moves in the deal when the buttons were shown. If the presser has moved since, the
// result is [ErrAlready], or [ErrMoved] if it is their turn again.
type PlayPlace struct {
	Deal, Ply, Place int
	Move             game.Move
}

// Back takes the seat back from the AI that plays for the player.
type Back struct{}

// Know updates the player's settings at the table.
type Know struct{}

// SetChat changes how a chat shows the table. It comes from the settings of the chat's home, not from a player.
type SetChat struct {
	Chat     string
	Settings ChatSettings
}

// Kick lets the AI play somebody else's seat until that player is back. In the lobby it frees the seat. The host and an
// administrator of the chat (Admin) can do this alone. For others it is a vote: it takes two votes, and more than half
// of the other players who are there. With too few of them, the result is [ErrNoVote]. Mark is the [Lasting.Mark] of the
// player who is meant: if somebody else has the seat by now, the result is [ErrTaken]. Without it, whoever has the seat is.
type Kick struct {
	Seat  int
	Mark  string
	Admin bool
}

// Rest asks to halt the game. When everybody who is there has asked, the game halts: no turn limit runs, and the AI
// doesn't move.
type Rest struct{}

// Resume continues a halted game, as a move does. Between deals, the only person begins the next one with it: see Public.Hurries.
type Resume struct{}

// Share shows the table in one more chat, of another home. It comes from entering the host's code, not from a player.
type Share struct{ Chat Chat }

// Unshare undoes a Share. It does not come from a player either.
type Unshare struct{ Chat string }

// MaxChats is the largest number of chats that show one table.
const MaxChats = 2

// LastDeal makes the running deal the last of the match; in a pause, the next one. Only the host may do this.
type LastDeal struct{}

// Bump moves the table to the bottom of a chat that shows it.
type Bump struct{ Chat string }

// Close closes the table for good. The host may do this, and an administrator of the chat (Admin), who needs no seat.
type Close struct{ Admin bool }

// Rematch asks for the next match after one that is over, with the same rules. Anyone who played may ask for it, even
// players who had left. Whoever presses gets their seat. The match starts when everyone who was there at the end has
// pressed, or [RematchWait] after the last press, with the AI on the other seats. Until its second deal, whoever presses
// gets an AI's seat as with Join. With Shorter, the next match is shorter: see [game.Shorter]. With Best, it continues a series of at
// most that many matches, of which the last match was the first. Only the first press decides on these two.
type Rematch struct {
	Shorter bool
	Best    int // one of SeriesLengths, or 0
}

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
func (SetChat) command()   {}
func (LastDeal) command()  {}
func (Bump) command()      {}
func (Close) command()     {}
func (Rematch) command()   {}

package game

import (
	"encoding/json"
	"fmt"
)

// A Move is an action of the seat whose turn it is. It plays a card of the hand (the move is the card's number), or it
// is Dark, Pass or Stop. Moves sort like their texts.
type Move uint8

// Moves that don't play a card of the hand.
const (
	Dark Move = 0x80 + iota // turn up the top card of the stock and play it (Ristikontra)
	Pass                    // play no card to this round (Hartmann)
	Stop                    // end the trick
)

// PlayCard returns the move that plays c from the hand.
func PlayCard(c Card) Move { return Move(c) }

// Card returns the card that the move plays from the hand. It returns false for other moves.
func (m Move) Card() (Card, bool) { return Card(m), m != 0 && m < Dark }

// String returns the move's text: a card, or "dark", "pass" or "stop".
func (m Move) String() string {
	switch m {
	case Dark:
		return "dark"
	case Pass:
		return "pass"
	case Stop:
		return "stop"
	}
	return Card(m & 0x7f).String()
}

// ParseMove reads a move's text.
func ParseMove(s string) (Move, error) {
	switch s {
	case "dark":
		return Dark, nil
	case "pass":
		return Pass, nil
	case "stop":
		return Stop, nil
	}
	c, err := ParseCard(s)
	if err != nil {
		return 0, fmt.Errorf("no move: %w", err)
	}
	return PlayCard(c), nil
}

// MarshalText returns the move's text.
func (m Move) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads a move's text. It refuses null, which would leave the move empty.
func (m *Move) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	move, err := ParseMove(text)
	if err != nil {
		return err
	}
	*m = move
	return nil
}

// A Phase is the kind of move that the deal waits for.
type Phase uint8

// The phases of a deal (RULES.md, Trick).
const (
	Lead   Phase = iota // the leader begins a trick
	Follow              // a follower plays to the round
	Decide              // the leader stops or continues
	Over                // the deal is finished
)

var phases = [...]string{"lead", "follow", "decide", "over"}

// String returns the phase's name.
func (p Phase) String() string { return phases[p] }

// MarshalText returns the phase's name.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a phase's name.
func (p *Phase) UnmarshalText(b []byte) error {
	for i, name := range phases {
		if name == string(b) {
			*p = Phase(i)
			return nil
		}
	}
	return fmt.Errorf("%.60q: no such phase", b)
}

// A Rule is the rule of play that a move breaks. Apply returns it as an error.
type Rule string

// Error returns the reason in a few words.
func (r Rule) Error() string { return string(r) }

// The rules that a move can break.
const (
	DealOver        Rule = "the deal is over"
	NotOnTurn       Rule = "it is another seat's turn"
	NotInHand       Rule = "the card is not in the hand"
	NotContinuation Rule = "the card can't continue the trick"
	LeadBanned      Rule = "this rank was led three times in a row"
	NoDark          Rule = "no card may be played in the dark now"
	NoPass          Rule = "nobody may pass now"
	NoStop          Rule = "the trick can't be stopped now"
	NoMove          Rule = "no such move"
)

package game

import (
	"errors"
	"fmt"
	"strings"
)

// A Card is one card of a pack. The zero Card means "no card". Cards sort like their texts: by rank letter, then by
// suit letter.
type Card uint8

// A Rank is the letter of a card's rank: '2' to '9', 'T', 'J' or 'U', 'Q' or
// 'O', 'K', 'A'.
type Rank byte

// A Suit is the letter of a card's suit: 'a', 'l', 'h', 'b' (acorns, leaves,
// hearts, balls) or 'c', 's', 'h', 'd'.
type Suit byte

// A Card's number is the index of its rank times eight plus the index of its suit. Both alphabets are in byte order, so
// cards sort like their texts.
const (
	rankLetters = "\x0023456789AJKOQTU"
	suitLetters = "abcdhls"
)

// ErrCard reports that a text is not a card.
var ErrCard = errors.New("no such card")

// NewCard returns the card of the rank and suit, or 0 if there is no such card.
func NewCard(r Rank, s Suit) Card {
	ri, si := strings.IndexByte(rankLetters, byte(r)), strings.IndexByte(suitLetters, byte(s))
	if ri < 1 || si < 0 {
		return 0
	}
	return Card(ri<<3 | si)
}

// ParseCard reads a card's text: two letters, rank and suit.
func ParseCard(s string) (Card, error) {
	if len(s) == 2 {
		if c := NewCard(Rank(s[0]), Suit(s[1])); c != 0 {
			return c, nil
		}
	}
	return 0, fmt.Errorf("%.60q: %w", s, ErrCard)
}

// Rank returns the printed rank, or 0 for no card.
func (c Card) Rank() Rank { return Rank(rankLetters[c>>3&15]) }

// Suit returns the suit, or 0 for no card.
func (c Card) Suit() Suit {
	if c == 0 || int(c&7) >= len(suitLetters) {
		return 0
	}
	return Suit(suitLetters[c&7])
}

// String returns the card's text, or "" for no card.
func (c Card) String() string {
	if c == 0 {
		return ""
	}
	return string([]byte{byte(c.Rank()), byte(c.Suit())})
}

// AppendText appends the card's text.
func (c Card) AppendText(b []byte) ([]byte, error) {
	if c == 0 {
		return b, nil
	}
	return append(b, byte(c.Rank()), byte(c.Suit())), nil
}

// MarshalText returns the card's text, or an empty text for no card.
func (c Card) MarshalText() ([]byte, error) { return c.AppendText(nil) }

// UnmarshalText reads a card's text. An empty text is no card.
func (c *Card) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*c = 0
		return nil
	}
	*c, err = ParseCard(string(b))
	return err
}

// String returns the rank's letter.
func (r Rank) String() string { return string([]byte{byte(r)}) }

// MarshalText returns the rank's letter.
func (r Rank) MarshalText() ([]byte, error) { return []byte{byte(r)}, nil }

// UnmarshalText reads a rank's letter.
func (r *Rank) UnmarshalText(b []byte) error {
	if len(b) != 1 || rankIndex(Rank(b[0])) == 0 {
		return fmt.Errorf("%.60q: no such rank", b)
	}
	*r = Rank(b[0])
	return nil
}

// String returns the suit's letter.
func (s Suit) String() string { return string([]byte{byte(s)}) }

// rankIndex returns the rank's index in rankLetters, or 0 for an unknown rank.
func rankIndex(r Rank) int { return max(0, strings.IndexByte(rankLetters, byte(r))) }

// Height returns the rank's place in the natural order: 2 is the lowest, the ace the highest. In play, only the draw for
// partners compares ranks by height (RULES.md, Draw for partners). Lists of cards are in this order.
func (r Rank) Height() int {
	return strings.IndexByte("23456789TJQKA", byte(frenchRank(r)))
}

// frenchRank returns the French rank of the same height: the jack for U, the queen for O.
func frenchRank(r Rank) Rank {
	switch r {
	case 'U':
		return 'J'
	case 'O':
		return 'Q'
	}
	return r
}

// Cards is an immutable list of cards, one byte each. It can be compared and shared. Convert with []Card(x) and
// Cards(slice).
type Cards string

// MarshalText returns the texts of the cards, joined without separators.
func (cs Cards) MarshalText() ([]byte, error) {
	b := make([]byte, 0, 2*len(cs))
	for _, c := range []Card(cs) {
		b = append(b, byte(c.Rank()), byte(c.Suit()))
	}
	return b, nil
}

// UnmarshalText reads what MarshalText writes.
func (cs *Cards) UnmarshalText(b []byte) error {
	if len(b)%2 != 0 {
		return fmt.Errorf("%q: %w", b[len(b)-1:], ErrCard)
	}
	out := make([]Card, 0, len(b)/2)
	for ; len(b) > 0; b = b[2:] {
		c, err := ParseCard(string(b[:2]))
		if err != nil {
			return err
		}
		out = append(out, c)
	}
	*cs = Cards(out)
	return nil
}

// Package face draws cards: as text, as emojis, and in pictures of hands, tables and
// results. It depends on the cards of package game, and not on chats or screens. Start
// with [Face], then picture.go.
package face

import (
	"strings"

	"sedmabot/game"
)

// Face is a style of cards, identified by its name in the settings.
type Face string

// The styles of cards. The zero Face is drawn as French.
const (
	French Face = "french" // ♠ ♥ ♦ ♣, the suits of most card games on screens
	German Face = "german" // acorns, leaves, hearts, bells
	Plain  Face = "plain"  // rank and a letter for the suit, French

	// These replace Plain for readers whose own cards are others.
	PlainGerman    Face = "plain-german"    // Letters of German suits
	PlainCzech     Face = "plain-czech"     // the same with Sp, Sv, K, E
	PlainSlovak    Face = "plain-slovak"    // the same with D, H, K, E
	PlainHungarian Face = "plain-hungarian" // the same with Al, Fe, K, A
	PlainSkat      Face = "plain-skat"      // Letters of French suits, and B, D, K, A

	// These replace French or German for readers whose own cards have other letters.
	Czech     Face = "czech"     // German suits with Sp, Sv, K, E
	Slovak    Face = "slovak"    // German suits with D, H, K, E
	Hungarian Face = "hungarian" // German suits with Al, Fe, K, A
	Skat      Face = "skat"      // French suits with B, D, K, A, for readers of German
)

// style is how the cards of a face look.
type style struct {
	like             Face // the face with the same look: French, German or Plain
	suits            Face // whose suits it has: French or German
	jack, queen, ace string
}

// styles has all faces.
var styles = map[Face]style{
	French:    {French, French, "J", "Q", "A"},
	Skat:      {French, French, "B", "D", "A"},
	German:    {German, German, "U", "O", "A"},
	Czech:     {German, German, "Sp", "Sv", "E"},
	Slovak:    {German, German, "D", "H", "E"},
	Hungarian: {German, German, "Al", "Fe", "A"},

	Plain:          {Plain, French, "J", "Q", "A"},
	PlainSkat:      {Plain, French, "B", "D", "A"},
	PlainGerman:    {Plain, German, "U", "O", "A"},
	PlainCzech:     {Plain, German, "Sp", "Sv", "E"},
	PlainSlovak:    {Plain, German, "D", "H", "E"},
	PlainHungarian: {Plain, German, "Al", "Fe", "A"},
}

// look returns the style of a face.
func (f Face) look() style {
	if s, ok := styles[f]; ok {
		return s
	}
	return styles[French]
}

// Like returns the face that has the same look, and perhaps other letters: French, German
// or Plain.
func (f Face) Like() Face { return f.look().like }

// Suits returns the face with the same suits: French or German.
func (f Face) Suits() Face { return f.look().suits }

// plain returns the face with the same suits and letters as f that shows only letters.
func (f Face) plain() Face {
	if f == French {
		return Plain
	}
	return Plain + "-" + f
}

// For returns the face in which a reader of a language sees the cards of a deck. It is
// choice, the setting of the reader or the chat. If choice is empty, it is the style
// of real cards in the reader's country. The letters are those of the reader's language.
func For(choice Face, language string, deck game.Deck) Face {
	if choice == Plain {
		return For("", language, deck).plain()
	}
	if choice == "" {
		choice = French
		switch language {
		case "cs", "sk", "hu", "de":
			if deck == game.German32 {
				choice = German
			}
		}
	}
	switch {
	case choice == German && language == "cs":
		return Czech
	case choice == German && language == "sk":
		return Slovak
	case choice == German && language == "hu":
		return Hungarian
	case choice == French && language == "de":
		return Skat
	}
	return choice
}

// ShownRank returns the rank as the face shows it: a face with German suits shows a jack as
// an unter and a queen as an ober, and a face with French suits the reverse.
func ShownRank(f Face, r game.Rank) game.Rank {
	german, french := f.Suits() == German, f.Suits() == French
	switch {
	case german && r == 'J':
		return 'U'
	case german && r == 'Q':
		return 'O'
	case french && r == 'U':
		return 'J'
	case french && r == 'O':
		return 'Q'
	}
	return r
}

// Text returns a card's short label in a face, such as "10♥". It has rank and suit for
// cards of any pack: acorns are clubs, leaves are spades, bells are diamonds. The
// label of no card is "".
func Text(f Face, c game.Card) string {
	if c == 0 {
		return ""
	}
	switch f.Like() {
	case German:
		return index(f, c) + germanSuit(c)
	case Plain:
		return index(f, c) + SuitLetter(f, c)
	default:
		return index(f, c) + frenchSuit(c)
	}
}

// SuitLetter returns the letter of a card's suit in a plain face: c, s, h or d, or with German
// suits a, l, h or b.
func SuitLetter(f Face, c game.Card) string {
	i := strings.IndexByte("cshd", byte(c.Suit()))
	if i < 0 {
		i = strings.IndexByte("alhb", byte(c.Suit()))
	}
	if f.Suits() == German {
		return "alhb"[i : i+1]
	}
	return "cshd"[i : i+1]
}

// index returns the name of a card's rank, as it is printed in the corner of the card.
func index(f Face, c game.Card) string {
	s, r := f.look(), c.Rank()
	switch {
	case r == 'T':
		return "10"
	case r == 'A':
		return s.ace
	case r == 'U' || r == 'J':
		return s.jack
	case r == 'O' || r == 'Q':
		return s.queen
	}
	return r.String()
}

func frenchSuit(c game.Card) string {
	switch c.Suit() {
	case 'a', 'c':
		return "♣"
	case 'l', 's':
		return "♠"
	case 'h':
		return "♥"
	default:
		return "♦"
	}
}

func germanSuit(c game.Card) string {
	switch c.Suit() {
	case 'a', 'c':
		return "🌰"
	case 'l', 's':
		return "🍃"
	case 'h':
		return "❤️"
	default:
		return "🔔"
	}
}

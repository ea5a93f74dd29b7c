// Package face draws cards: as text, as emojis, and in pictures of hands, tables and
// results. It depends on the cards of package game, and not on chats or screens. Start
// with [Face], then picture.go.
package face

import "sedmabot/game"

// Face is a style of cards, identified by its name in the settings.
type Face string

// The styles of cards. The zero Face is drawn as French.
const (
	French Face = "french" // ♠ ♥ ♦ ♣, the suits of most card games on screens
	German Face = "german" // acorns, leaves, hearts, bells
	Plain  Face = "plain"  // rank and a letter for the suit

	// These replace French or German for readers whose own cards have other letters.
	Czech     Face = "czech"     // German suits with Sp, Sv, K, E
	Slovak    Face = "slovak"    // German suits with D, H, K, E
	Hungarian Face = "hungarian" // German suits with Al, Fe, K, A
	Skat      Face = "skat"      // French suits with B, D, K, A, for readers of German
)

// style is how the cards of a face look.
type style struct {
	like             Face // the face with the same suits: French, German or Plain
	jack, queen, ace string
}

// styles has all faces. Plain has the letters of the card's own pack.
var styles = map[Face]style{
	French:    {French, "J", "Q", "A"},
	Skat:      {French, "B", "D", "A"},
	German:    {German, "U", "O", "A"},
	Czech:     {German, "Sp", "Sv", "E"},
	Slovak:    {German, "D", "H", "E"},
	Hungarian: {German, "Al", "Fe", "A"},
	Plain:     {Plain, "", "", "A"},
}

// look returns the style of a face.
func (f Face) look() style {
	if s, ok := styles[f]; ok {
		return s
	}
	return styles[French]
}

// Like returns the face that has the same suits and pictures, and perhaps other
// letters: French, German or Plain.
func (f Face) Like() Face { return f.look().like }

// For returns the face in which a reader of a language sees the cards of a deck. It is
// choice, the setting of the reader or the chat. If choice is empty, it is the style
// of real cards in the reader's country. The letters are those of the reader's language.
func For(choice Face, language string, deck game.Deck) Face {
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
	german, french := f.Like() == German, f.Like() == French
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
		return index(f, c) + c.Suit().String()
	default:
		return index(f, c) + frenchSuit(c)
	}
}

// index returns the name of a card's rank, as it stands in the corner of the card.
func index(f Face, c game.Card) string {
	s, r := f.look(), c.Rank()
	switch {
	case r == 'T':
		return "10"
	case r == 'A':
		return s.ace
	case s.like == Plain:
		return r.String()
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

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
	Czech  Face = "czech"  // German suits with ranks Sp, Sv, K, E, for Czech and Slovak readers; replaces German there
	Plain  Face = "plain"  // rank and a letter for the suit
)

// For returns the face in which a reader of a language sees the cards of a deck. It is
// choice, the setting of the reader or the chat. If choice is empty, it is the style
// of real cards in the reader's country. Czech and Slovak readers get Czech instead of
// German.
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
	if choice == German && (language == "cs" || language == "sk") {
		return Czech
	}
	return choice
}

// Text returns a card's short label in a face, such as "10♥". It has rank and suit for
// cards of any pack: acorns are clubs, leaves are spades, bells are diamonds. The
// label of no card is "".
func Text(f Face, c game.Card) string {
	if c == 0 {
		return ""
	}
	switch f {
	case German:
		return rank(c, "U", "O", "A") + germanSuit(c)
	case Czech:
		return rank(c, "Sp", "Sv", "E") + germanSuit(c)
	case Plain:
		return rank(c, string(c.Rank()), string(c.Rank()), "A") + c.Suit().String()
	default:
		return rank(c, "J", "Q", "A") + frenchSuit(c)
	}
}

// rank returns the name of a card's rank. The letters of jack, queen and ace depend on
// the face.
func rank(c game.Card, jack, queen, ace string) string {
	switch r := c.Rank(); r {
	case 'T':
		return "10"
	case 'U', 'J':
		return jack
	case 'O', 'Q':
		return queen
	case 'A':
		return ace
	default:
		return r.String()
	}
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

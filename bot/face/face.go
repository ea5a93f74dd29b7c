// Package face is how cards look: as text, as emojis, and in pictures of hands, tables
// and results. It knows the cards of package game and nothing of chats or screens.
// Start with [Face], then picture.go.
package face

import "sedmabot/game"

// Face is a way to draw cards, by the name that settings use.
type Face string

// The faces. The zero value is French.
const (
	French Face = "french" // ♠ ♥ ♦ ♣, as most screens know them
	German Face = "german" // acorns, leaves, hearts, bells
	Czech  Face = "czech"  // German suits with Sp, Sv, K, E: what German is to Czech and Slovak readers
	Plain  Face = "plain"  // rank and a letter for the suit
)

// For is the face in which a reader of that language sees the cards of a deck:
// the one that he or his chat chose, or if that is empty the one that players
// of his country hold in their hands.
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

// Text is the card's short label in that face, such as "10♥". It names rank and
// suit, whatever pack the card is from: acorns are clubs, leaves spades, balls
// diamonds. No card is an empty label.
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

// rank names the card's rank; jack, queen and ace have other letters elsewhere.
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

// Package face is how cards look.
package face

import "sedmabot/game"

// Face is a way to draw cards, by the name that settings use.
type Face string

// The faces. The zero value is French.
const (
	French Face = "french" // ♠ ♥ ♦ ♣, as most screens know them
	German Face = "german" // acorns, leaves, hearts, bells
	Plain  Face = "plain"  // rank and a letter for the suit
)

// Text is the card's short label in that face, such as "10♥".
func Text(f Face, c game.Card) string

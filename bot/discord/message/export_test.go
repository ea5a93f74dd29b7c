package message

import (
	"maps"
	"slices"

	"sedmabot/bot/screen"
)

// CardNames returns the names of all cards' emojis, without the hash digits.
func CardNames() []string { return slices.Collect(maps.Keys(named())) }

// Complete reports whether the screen's text has room with the cards as emojis.
func Complete(s screen.Screen, cards Cards) bool {
	_, complete := texts(s, nil, maxComponents, cards)
	return complete
}

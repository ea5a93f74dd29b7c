// Package ai chooses a move for a seat from that seat's view of the deal, and
// from nothing else. It fills seats and plays for people who are away.
package ai

import "sedmabot/game"

// Levels are the names of the levels, the weakest first.
var Levels = []string{"easy"}

// Think is the move that the level makes with what the view's seat knows. The
// seat is on turn. The same view gives the same move.
func Think(level string, v game.View) game.Move {
	return greedy(v)
}

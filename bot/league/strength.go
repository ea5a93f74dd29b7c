package league

import (
	"sedmabot/game/rating"
	"sedmabot/game/table"
)

// measured is the day of the measurements behind strengths: those of package ai among neighbours ("The opponents").
const measured = "2026-11-29"

// strengths are the mean ratings of the AI's levels, weakest first, in games of two and in all others. They follow from the
// measured steps in stakes a deal: a lead decides a match to 5 stakes with some chance, and that chance is a
// difference of ratings, shared by the players of a side. The default level, which errs as people do, has the rating of a
// new player.
var strengths = map[bool][]float64{
	true:  {7.1, 13.7, 18.1, 25.0, 27.5, 30.2},  // steps of 0.313, 0.208, 0.328, 0.118 and 0.128 stakes
	false: {18.3, 21.2, 23.9, 25.0, 27.5, 28.1}, // steps of 0.271, 0.267, 0.102, 0.239 and 0.063 stakes
}

// strengthOf returns the mean rating of a level in a game of so many players.
func strengthOf(level string, players int) float64 {
	for i, l := range table.Levels {
		if l == level {
			return strengths[players == 2][i]
		}
	}
	return rating.Mu
}

// sure is the standard deviation of an AI's rating: it is well known.
const sure = 1.0

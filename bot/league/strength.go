package league

import (
	"sedmabot/game/rating"
	"sedmabot/game/table"
)

// measured is the day of the measurements behind strengths: those of package ai from both seeds ("The opponents").
const measured = "2026-11-23"

// strengths are the mean ratings of the AI's levels, weakest first, in games of two and in all others. They follow from the
// mean of the measured steps in stakes a deal: a lead decides a match to 5 stakes with some chance, and that chance is a
// difference of ratings, shared by the players of a side. The default level, which errs as people do, has the rating of a
// new player.
var strengths = map[bool][]float64{
	true:  {12.1, 16.0, 20.0, 25.0, 30.3, 34.8}, // steps of 0.186, 0.195, 0.235, 0.252 and 0.212 stakes
	false: {18.5, 20.8, 23.2, 25.0, 26.7, 28.4}, // steps of 0.222, 0.225, 0.174, 0.164 and 0.166 stakes
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

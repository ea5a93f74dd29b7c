package boards

import (
	"math"
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
)

func TestStatsScreen(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s := Stats{
			Person: screen.Person{ID: "test:1", Name: "*Eva*"}, Matches: 12, Wins: 9, Stakes: 31, Sweeps: 2, Run: 1, BestRun: 5, AIMatches: 2, AIWins: 1, Favourite: "sedma",
			Ratings: []StatsRating{{Family: "sedma", Rating: 1432, Past: []int{1000, 1100, 1050, 1432}}, {Family: "hola", Rating: 1080, Provisional: true, Past: []int{1080}}},
			Medals:  []int{2, 1}, Best: &StatsTally{screen.Person{ID: "test:2", Name: "Petr"}, 5, 4}, Worst: &StatsTally{screen.Person{ID: "test:3", Name: "Ota"}, 4, 1}, Against: &StatsTally{Matches: 3, Wins: 2},
			Left: 1, Judged: 7, Judging: 3, Choices: 214, Accuracy: 0.878, Feats: []StatsFeat{{"sweep", 3}, {"sixty", 1}},
		}
		screentest.Golden(t, language, "stats", screentest.Words(t, StatsScreen(s, c)))
		screentest.Golden(t, language, "stats-new", screentest.Words(t, StatsScreen(Stats{Person: screen.Person{ID: "test:1", Name: "Eva"}, Mine: true, AIMatches: 1, Favourite: "sedma", Next: "sweep"}, c)))
	})
}

// The examples are from Newcombe (Statistics in Medicine 17 (1998), 857-872, table I):
// 81 of 263 is 0.2553 to 0.3662, 15 of 148 is 0.0624 to 0.1605, 0 of 20 is 0 to
// 0.1611, and 1 of 29 is 0.0061 to 0.1718.
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		wins, matches int
		low, high     float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		low, high := wilson(test.wins, test.matches)
		if math.Abs(low-test.low) > 0.0001 || math.Abs(high-test.high) > 0.0001 {
			t.Errorf("%d of %d: %.4f to %.4f", test.wins, test.matches, low, high)
		}
	}
}

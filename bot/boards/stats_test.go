package boards

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
)

func TestStatsScreen(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s := Stats{
			Person: screen.Person{ID: "test:1", Name: "*Eva*"}, Matches: 12, Wins: 9, Run: 1, BestRun: 5, AIMatches: 2, AIWins: 1,
			Ratings: []StatsRating{{Family: "sedma", Past: []int{1000, 1100, 1050, 1432}}, {Family: "hola", Past: []int{1080}}},
			Medals:  []int{2, 1}, Best: &StatsTally{screen.Person{ID: "test:2", Name: "Petr"}, 5, 4, 1}, Versus: []StatsTally{{screen.Person{ID: "test:2", Name: "Petr"}, 3, 2, 1}, {screen.Person{ID: "test:3", Name: "Ota"}, 2, 0, 2}},
			Together: []BoardRow{{Pair: true, Against: "hard", Person: screen.Person{Name: "*Eva* + Petr"}, Matches: 7, Wins: 5, Lost: 2}},
			Left:     1, Judged: 7, Judging: 3, Choices: 214, Accuracy: 0.878, Feats: []StatsFeat{{"sweep", 3}, {"sixty", 1}},
		}
		screentest.Golden(t, language, "stats", screentest.Words(t, StatsScreen(s, c)))
		screentest.Golden(t, language, "stats-new", screentest.Words(t, StatsScreen(Stats{Person: screen.Person{ID: "test:1", Name: "Eva"}, Mine: true, AIMatches: 1, Next: "sweep"}, c)))
	})
}

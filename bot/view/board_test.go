package view

import (
	"slices"
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// TestPagesOfABoardHaveButtonsOfTheirOwn checks that no two buttons of a page have the
// same data, because a platform refuses such a message. It also checks that page
// buttons lead to existing rows.
func TestPagesOfABoardHaveButtonsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, 10, 11, 25} {
		for turn := 0; turn <= total; turn += 5 {
			for _, place := range []int{0, 1} {
				l := Ladder{Press: Press{Action: ActLadder, What: "week", Value: "all", Place: place, Turn: turn}, Total: total, Size: 10, Hall: true}
				seen := map[string]bool{}
				for _, row := range Board(l, lang.For("en")).Rows {
					for _, b := range row {
						if seen[b.Press] {
							t.Errorf("%d rows, from %d: %q twice", total, turn, b.Press)
						}
						seen[b.Press] = true
						p, err := ParsePress(b.Press)
						if err != nil || p.Turn < 0 || p.Turn > total {
							t.Errorf("%d rows, from %d: %q leads to row %d, %v", total, turn, b.Press, p.Turn, err)
						}
					}
				}
			}
		}
	}
}

// TestMedalsAreWonAgainstPeople checks that the first three of a leaderboard have a medal in
// its picture only if they have won a match between people.
func TestMedalsAreWonAgainstPeople(t *testing.T) {
	t.Parallel()
	rows := []BoardRow{
		{Rank: 1, Person: screen.Person{ID: "test:1", Name: "Eva"}, Rating: 1400, Matches: 2, Wins: 1},
		{Rank: 2, Person: screen.Person{ID: "test:2", Name: "Ota"}, Rating: 1000, Matches: 1},
		{Rank: 3, Person: screen.Person{ID: "test:3", Name: "Jan"}, AIMatches: 9, AIWins: 9},
	}
	for _, period := range boardPeriods {
		l := Ladder{Press: Press{Action: ActLadder, What: period, Value: "all"}, Total: 3, Size: 10, Rows: rows[:1], Near: rows[1:]}
		var medals []string
		for _, row := range Board(l, lang.For("en")).Picture.Draw.Ranking.Rows {
			if row.Place > 0 && !row.Plain {
				medals = append(medals, row.Name)
			}
		}
		if !slices.Equal(medals, []string{"Eva"}) {
			t.Errorf("%s: medals for %q", period, medals)
		}
	}
}

package boards

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// TestPagesOfABoardHaveButtonsOfTheirOwn checks that no two buttons of a page have the
// same data, because a platform refuses such a message. It also checks that page
// buttons lead to existing rows.
func TestPagesOfABoardHaveButtonsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, 10, 11, 25} {
		for turn := 0; turn <= total; turn += 5 {
			for _, place := range []int{0, 1} {
				l := Ladder{Press: Press{Period: "week", Family: "all", Where: place, From: turn}, Total: total, Size: 10, Hall: true}
				seen := map[string]bool{}
				for _, row := range Board(l, lang.For("en")).Rows {
					for _, b := range row {
						if seen[b.Press] {
							t.Errorf("%d rows, from %d: %q twice", total, turn, b.Press)
						}
						seen[b.Press] = true
						p, err := parsePress(b.Press)
						if b.Press != view.DailyNow && (err != nil || p.From < 0 || p.From > total) {
							t.Errorf("%d rows, from %d: %q leads to row %d, %v", total, turn, b.Press, p.From, err)
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
		l := Ladder{Press: Press{Period: period, Family: "all"}, Total: 3, Size: 10, Rows: rows[:1], Near: rows[1:]}
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

func TestBoardScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		rows := []BoardRow{
			{Rank: 1, Person: screen.Person{ID: "test:1", Name: "Eva"}, Matches: 12, Wins: 9, Rating: 1432, Medal: 1, AIMatches: 2, AIWins: 1},
			{Rank: 2, Person: screen.Person{ID: "test:2", Name: "Petr"}, Matches: 4, Wins: 2, Rating: 1100, Me: true},
			{Rank: 2, Person: screen.Person{ID: "test:3", Name: "Ota"}, Matches: 5, Wins: 2, Rating: 1100},
			{Rank: 4, Person: screen.Person{ID: "test:4", Name: "*Zoe*"}, Matches: 1, Medal: 3},
			{Rank: 5, Person: screen.Person{ID: "test:5", Name: "Jan"}, AIMatches: 1},
		}
		at := func(period string, from, everywhere int) Press {
			return Press{Period: period, Family: "sedma", From: from, Where: everywhere}
		}
		ends := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		screentest.Golden(t, language, "board", screentest.Words(t, Board(Ladder{Press: at("season", 0, 0), Rows: rows, Total: 5, Size: 10, Resets: ends, Hall: true}, c)))
		screentest.Golden(t, language, "board-week", screentest.Words(t, Board(Ladder{Press: at("week", 2, 0), Rows: rows[2:4], Near: rows[:2], Total: 26, Size: 2, Resets: ends}, c)))
		screentest.Golden(t, language, "board-everywhere", screentest.Words(t, Board(Ladder{Press: at("all", 0, 1), Rows: rows[:2], Total: 2, Size: 10}, c)))
		screentest.Golden(t, language, "board-empty", screentest.Words(t, Board(Ladder{Press: at("month", 0, 0), Size: 10, Resets: ends}, c)))
		screentest.Golden(t, language, "hall", screentest.Words(t, Hall(Press{Period: "season", Family: "sedma"},
			[]HallSeason{{Key: "2026-10+3"}, {Key: "2026-07+3", Places: []BoardRow{rows[0], {Rank: 2, Medal: 2, Rating: 1100, Person: screen.Person{ID: "test:3", Name: "Ota"}}}}}, c)))
		screentest.Golden(t, language, "hall-empty", screentest.Words(t, Hall(Press{Period: "season", Family: "all", Where: 1}, nil, c)))
	})
}

// A champion whose data was deleted is named by a number, in the reader's language.
func TestATombstoneInTheHall(t *testing.T) {
	t.Parallel()
	stone := table.Tombstone(table.Gone+"1", 2)
	hall := Hall(Press{Period: "season", Family: "all"}, []HallSeason{{Key: "2026-10+3", Places: []BoardRow{{Rank: 1, Medal: 1, Rating: 1400, Person: view.Person(stone)}}}}, lang.For("cs"))
	if got := hall.String(); !strings.Contains(got, "1. Hráč 3") || strings.Contains(got, stone.Name) {
		t.Error(got)
	}
}

// A board says who leads from the first match on. People who played together against the AI stand on it together. Those who
// have only played alone with the AI come last, without a number. Words and picture agree.
func TestABoardSaysSomethingFromTheFirstMatchOn(t *testing.T) {
	t.Parallel()
	ann, ben := screen.Person{ID: "test:1", Name: "Ann"}, screen.Person{ID: "test:2", Name: "Ben"}
	cat := BoardRow{Rank: 3, Person: screen.Person{ID: "test:4", Name: "Cat"}, Matches: 3}
	friends := []BoardRow{{Rank: 1, Person: ben, Matches: 3, Wins: 2}, {Rank: 2, Person: ann, Matches: 3, Wins: 1}}
	rated := []BoardRow{{Rank: 1, Person: ann, Matches: 11, Wins: 5, Rating: 1103}, {Rank: 2, Person: ben, Matches: 11, Wins: 6, Rating: 1090}}
	level := slices.Clone(friends)
	level[1].Rank, level[1].Wins = 1, 2
	others := []BoardRow{
		{Rank: 3, Pair: true, Against: "hard", Person: screen.Person{ID: "pair:hard:test:1+test:2", Name: "Ann + Ben"}, Matches: 7, Wins: 5, Lost: 2},
		{Rank: 4, Person: screen.Person{ID: "test:3", Name: "王"}, AIMatches: 2, AIWins: 1},
	}
	for _, test := range []struct {
		period string
		rows   []BoardRow
		want   string
	}{
		{"season", friends[:1], "UTC|1. Ben – 2 of 3 won"},
		{"season", friends, "Ben leads Ann 2 : 1|1. Ben – 2 of 3 won|2. Ann – 1 of 3 won|By rating (after 10 rated matches), then by wins."},
		{"season", rated, "Ben – Ann 6 : 5|1. Ann – 1103, 5 of 11 won|2. Ben – 1090, 6 of 11 won"},
		{"season", append(slices.Clone(friends), cat), "Ben leads by wins|1. Ben – 2 of 3 won|2. Ann – 1 of 3 won|3. Cat – 0 of 3 won"},
		{"all", append(slices.Clone(rated), cat), "Ann leads by rating|1. Ann – 1103, 5 of 11 won"},
		{"season", append(level, cat), "UTC|1. Ben – 2 of 3 won|1. Ann – 2 of 3 won"}, // nobody leads
		{"week", slices.Concat(friends, others), "Ben leads Ann 2 : 1|1. Ben – 2 of 3 won|2. Ann – 1 of 3 won|Ann + Ben together against the AI (🦉 Owl): 5 : 2|(4.) 王 – with the AI: 1 of 2 won"},
		{"all", others[:1], "Ann + Ben together against the AI (🦉 Owl): 5 : 2"},
	} {
		shown := Board(Ladder{Press: Press{Period: test.period, Family: "all"}, Resets: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), Total: len(test.rows), Size: 10, Rows: test.rows}, lang.For("en"))
		screentest.Check(t, test.period, shown)
		text := strings.ReplaceAll(strings.ReplaceAll(shown.String(), "\u00a0", " "), "\n", "|")
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: %q lacks %q", test.period, text, test.want)
		}
		for _, row := range shown.Picture.Draw.Ranking.Rows {
			if cells := len(row.Cells); cells > 0 && cells != len(shown.Picture.Draw.Ranking.Labels) {
				t.Errorf("%s: %+v", test.period, row)
			}
		}
	}
}

// The names of achievements are explained; unknown ones are left out.
func TestAchievementsAreExplained(t *testing.T) {
	t.Parallel()
	got := featsScreen([]string{"burn", "unknown", "sixty"}, lang.For("en")).String()
	want := "Achievements\nspálená kaše – four equal cards in a trick win the deal for your side\nexactly sixty – your side wins a deal with exactly 60 points\n"
	if got != want {
		t.Errorf("explained as %q", got)
	}
}

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
			{Rank: 1, Person: screen.Person{ID: "test:1", Name: "Eva"}, Matches: 12, Wins: 9, Stakes: 31, Rating: 1432, Medal: 1, Sweeps: 1, AIMatches: 2, AIWins: 1},
			{Rank: 2, Person: screen.Person{ID: "test:2", Name: "Petr"}, Matches: 4, Wins: 2, Stakes: 1, Rating: 1100, Provisional: true, Me: true},
			{Rank: 2, Person: screen.Person{ID: "test:3", Name: "Ota"}, Matches: 5, Wins: 2, Stakes: 1, Rating: 1100, Provisional: true},
			{Rank: 4, Person: screen.Person{ID: "test:4", Name: "*Zoe*"}, Matches: 1, Stakes: -33, Rating: 950, Provisional: true, Medal: 3},
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

// People without a rating have no place number on a board by rating, and the board says what it takes. Those who have only
// played with the AI have their matches, wins and stakes there as well. Words and picture agree.
func TestABoardSaysSomethingFromTheFirstMatchOn(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		w := view.NewWriter(c, "")
		for _, period := range boardPeriods {
			rows := []BoardRow{
				{Rank: 1, Person: screen.Person{ID: "test:1", Name: "Eva"}, Matches: 3, Wins: 2, Stakes: 4, Rating: 1100, AIMatches: 8, AIWins: 7, AIStakes: 9},
				{Rank: 2, Person: screen.Person{ID: "test:2", Name: "Ota"}, AIMatches: 1, AIStakes: -2, Me: true},
				{Rank: 2, Person: screen.Person{ID: "test:3", Name: "王"}, AIMatches: 1, AIWins: 1, AIStakes: 3},
			}
			shown := Board(Ladder{Press: Press{Period: period, Family: "all"}, Total: 3, Size: 10, Rows: rows}, c)
			screentest.Check(t, period, shown)
			var lines []string
			plain := strings.NewReplacer("\u00a0", " ")
			for line := range strings.SplitSeq(plain.Replace(shown.String()), "\n") {
				if strings.Contains(line, " – ") {
					lines = append(lines, line)
				}
			}
			if !strings.HasPrefix(lines[0], "1. Eva") || !strings.HasPrefix(lines[1], "▸ Ota") || !strings.HasPrefix(lines[2], "(2.) 王") {
				t.Errorf("%s: %q", period, lines)
			}
			if said := strings.Contains(shown.String(), c.Text("board.unrated")); said != (period == "season" || period == "all") {
				t.Errorf("%s: what a rating takes is said: %v", period, said)
			}
			var drawn []string
			for _, row := range shown.Picture.Draw.Ranking.Rows {
				drawn = append(drawn, strings.TrimSpace(strings.Join(append([]string{row.Name}, row.Cells...), " ")))
				if (row.Place == 0) == (row.Name == "Eva") {
					t.Errorf("%s: %+v", period, row)
				}
			}
			want := []string{"Eva 1100 3 2 +4 8", c.Text("picture.only_ai"), "Ota – 1 0 −2 –", "(2.) – 1 1 +3 –"}
			if period == "week" || period == "month" {
				want = []string{"Eva +4 2 3 8", c.Text("picture.only_ai"), "Ota −2 0 1 –", "(2.) +3 1 1 –"}
			}
			if !slices.Equal(drawn, want) {
				t.Errorf("%s: drawn %q, want %q", period, drawn, want)
			}
			for i, r := range rows[1:] {
				if stakes := w.Text("board.stakes", "n", r.AIStakes, "sum", screen.Signed(r.AIStakes)); !strings.Contains(lines[i+1], plain.Replace(stakes)) {
					t.Errorf("%s: %q lacks %q", period, lines[i+1], stakes)
				}
			}
		}
	})
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

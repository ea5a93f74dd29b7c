package league

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/rating"
	"sedmabot/game/table"
	"sedmabot/store"
)

// seated returns a match of four in which seats 0 and 2 won; change may modify the seats first.
func seated(change func(seats []table.Seat)) Result {
	return finished(func(over *table.MatchOver) {
		if change != nil {
			change(over.Seats)
		}
	})
}

// finished is seated, but change may modify all of the match's end.
func finished(change func(over *table.MatchOver)) Result {
	r, err := game.Preset("sedma-4p")
	if err != nil {
		panic(err)
	}
	over := table.MatchOver{Outcome: table.Outcome{
		MatchNo: 1, Match: game.Match{Rules: r, Scores: []int{10, 4}, Over: true, Winner: 0},
		Payments: []int{6, -6, 6, -6}, Winners: []int{0, 2},
	}}
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		over.Seats = append(over.Seats, table.Seat{Player: table.Player{ID: "test:" + strings.ToLower(name), Name: name}})
	}
	change(&over)
	doc := ResultOf(table.Table{}, over, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	doc.Week, doc.Month, doc.Season = "2026-W47", "2026-11", "2026-10+3"
	return doc
}

// played returns the members of a match's players after that match.
func played(r Result) map[string]*Member {
	members := map[string]*Member{}
	for _, id := range r.Members("test:home") {
		members[id] = &Member{}
	}
	r.Apply("test:home", members)
	return members
}

// A match with people on two sides is rated, whoever has the other seats. Together against the AI, people count as one; alone
// against it, nobody is rated.
func TestWhatIsRated(t *testing.T) {
	t.Parallel()
	ai := func(which ...int) func([]table.Seat) {
		return func(seats []table.Seat) {
			for _, i := range which {
				seats[i] = table.Seat{AI: "medium"}
			}
		}
	}
	pair := "pair:medium:test:ann+test:cat"
	for name, test := range map[string]struct {
		change func([]table.Seat)
		want   map[string]Totals // of all games
		rated  bool
		levels string // of the AI's seats
	}{
		"two sides, one AI": {ai(3), map[string]Totals{
			"test:ann": {Matches: 1, Wins: 1, Stakes: 6}, "test:cat": {Matches: 1, Wins: 1, Stakes: 6}, "test:ben": {Matches: 1, Stakes: -6},
		}, true, "hard"},
		"two sides, two AIs": {ai(2, 3), map[string]Totals{"test:ann": {Matches: 1, Wins: 1, Stakes: 6}, "test:ben": {Matches: 1, Stakes: -6}}, true, "hard hard"},
		"together":           {ai(1, 3), map[string]Totals{"test:ann": {}, "test:cat": {}, pair: {Matches: 1, Wins: 1}}, false, "medium medium"},
		"alone":              {ai(1, 2, 3), map[string]Totals{"test:ann": {AIMatches: 1, AIWins: 1, AIStakes: 6}}, false, "medium hard medium"},
	} {
		r := seated(test.change)
		members := played(r)
		got := map[string]Totals{}
		for id, m := range members {
			if got[id] = m.Games[AllGames]; test.rated != (len(m.Ratings) > 0) || m.Games["sedma"] != got[id] || m.Periods["week"].Games["all"] != got[id] {
				t.Errorf("%s: %s: %+v", name, id, m)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var levels []string
		for _, s := range r.Seats {
			if s.AI != "" {
				levels = append(levels, s.AI)
				if s.Strength != strengthOf(s.AI, 4) || r.Dated != measured {
					t.Errorf("%s: %+v", name, r)
				}
			}
		}
		if strings.Join(levels, " ") != test.levels {
			t.Errorf("%s: levels %q", name, levels)
		}
		r.Rule = 0 // by the earlier rule, an AI's seat keeps a match from being rated
		for id, m := range played(r) {
			if len(m.Ratings) > 0 || m.Games["all"].Matches > 0 || m.Games["all"].AIMatches != 1 {
				t.Errorf("%s, earlier rule: %s: %+v", name, id, m)
			}
		}
	}
}

// The AI's strength is the level's: to beat a stronger one brings more, and to lose to it costs less.
func TestTheStrengthOfTheAI(t *testing.T) {
	t.Parallel()
	last := map[string]int{"test:ann": 0, "test:ben": 0}
	for _, level := range table.Levels {
		r := Result{Rule: Rule, Family: "sedma", Week: "2026-W47", Month: "2026-11", Season: "2026-10+3", Seats: []ResultSeat{
			{Player: "test:ann", Side: 0, Rank: 1, Won: true}, {AI: level, Side: 1, Rank: 2}, {Player: "test:ben", Side: 2, Rank: 2},
		}}
		r.measure()
		members := played(r)
		if shown := members["test:ann"].Ratings["sedma"].Shown(); shown <= last["test:ann"] {
			t.Errorf("%s: Ann has %d, after %d against the level before", level, shown, last["test:ann"])
		}
		for id, m := range members {
			last[id] = m.Ratings["sedma"].Shown()
		}
	}
}

// If the AI made more than a fifth of a player's choices, the match can lower their rating, but not raise it. One who took
// an AI's seat is not rated. For both it counts as played, not won.
func TestAbsentAndLate(t *testing.T) {
	t.Parallel()
	complete := played(seated(nil))
	for _, test := range []struct {
		seat    int
		choices table.Choices
		late    string
		rating  int // 0: none
		won     int
	}{
		{seat: 0, choices: table.Choices{All: 10, AI: 2}, rating: complete["test:ann"].Ratings["all"].Shown(), won: 1},
		{seat: 0, choices: table.Choices{All: 9, AI: 2}, rating: 1000},
		{seat: 1, choices: table.Choices{All: 9, AI: 2}, rating: complete["test:ben"].Ratings["all"].Shown()},
		{seat: 0, late: "hard"}, {seat: 1, late: "hard"},
	} {
		r := finished(func(over *table.MatchOver) {
			over.Seats[test.seat].Was = test.late
			over.Choices = make([]table.Choices, 4)
			over.Choices[test.seat] = test.choices
		})
		members := played(r)
		m := members[r.Seats[test.seat].Player]
		rating := 0
		if known, ok := m.Ratings["all"]; ok {
			rating = known.Shown()
		}
		if all := m.Games["all"]; rating != test.rating || all.Matches != 1 || all.Wins != test.won || all.Stakes > 6*test.won {
			t.Errorf("%+v: rating %d, %+v", test, rating, all)
		}
		for _, other := range r.People() {
			if _, rated := members[other].Ratings["all"]; !rated && members[other] != m {
				t.Errorf("%+v: %s has no rating", test, other)
			}
		}
	}
}

// Boards and statistics with and against others count the same matches, and the same wins. If a win isn't a player's, only
// what they did alone is their achievement. The rule before counted matches with somebody late on boards only.
func TestWinsAddUp(t *testing.T) {
	t.Parallel()
	for _, rule := range []int{rulePeople, ruleWon} {
		members := map[string]*Member{"test:ann": {}, "test:ben": {}, "test:cat": {}, "test:dan": {}}
		matches := 0
		for _, winner := range []int{0, 1} {
			for seat := range 4 {
				for _, change := range []func(*table.MatchOver){
					func(*table.MatchOver) {},
					func(over *table.MatchOver) { over.Seats[seat].Was = "hard" },
					func(over *table.MatchOver) { over.Seats[seat].Away = true },
					func(over *table.MatchOver) {
						over.Choices = make([]table.Choices, 4)
						over.Choices[seat] = table.Choices{All: 9, AI: 2}
					},
				} {
					r := finished(func(over *table.MatchOver) {
						if over.Match.Winner = winner; winner == 1 {
							over.Winners, over.Payments = []int{1, 3}, []int{-6, 6, -6, 6}
						}
						change(over)
					})
					for i := range r.Seats {
						if !r.Seats[i].Gone {
							r.Seats[i].Feats = []string{featSweep, featAlone}
						}
					}
					r.Rule = rule
					r.Apply("test:home", members)
					matches++
				}
			}
		}
		ann, ben, cat := members["test:ann"], members["test:ben"], members["test:cat"]
		all, with, against := ann.Games[AllGames], ann.Partners["test:cat"], ann.Opponents["test:ben"]
		if all.Matches != matches || all.Wins != matches/2-3 || cat.Games[AllGames].Wins != matches/2-3 {
			t.Errorf("rule %d: Ann has %+v of %d matches", rule, all, matches)
		}
		adds := with.Matches == all.Matches && with.Wins == matches/2-6 && against.Matches == all.Matches && against.Wins == all.Wins &&
			against.Lost == ben.Games[AllGames].Wins && ben.Opponents["test:ann"].Wins == against.Lost && ben.Opponents["test:ann"].Lost == against.Wins &&
			ann.Feats[featSweep] == matches-6 && ann.Feats[featAlone] == matches-2
		if adds != (rule == ruleWon) {
			t.Errorf("rule %d: %+v; with Cat %+v, against Ben %+v, feats %v", rule, all, with, against, ann.Feats)
		}
	}
}

// A process drops the mark of a later version when it enters a match, so that the later one waits.
func TestTheMarkOfALaterVersion(t *testing.T) {
	t.Parallel()
	for _, marked := range []int{Rule, Rule + 1} {
		h, c := doc.Home{Played: 1, Rated: Rule - 1, Rater: marked}, store.Change{}
		if _, _, err := Enter(&h, &c, "test:home", "m-2", seated(nil), nil); err != nil {
			t.Fatal(err)
		}
		waits := slices.ContainsFunc(c.Due, func(m store.Mark) bool { return m.ID == RateJob("test:home") })
		if own := marked == Rule; own != (h.Rater == Rule) || own == waits {
			t.Errorf("marked by %d: %+v, %v", marked, h, c.Due)
		}
	}
}

// If a player leaves a match, it counts as lost in their rating, even if their side won. For everybody else, the result
// counts as if nobody had left.
func TestWhoLeavesLosesAndTheResultCountsForTheOthers(t *testing.T) {
	t.Parallel()
	complete := played(seated(nil))
	for _, flag := range []func(*table.Seat){func(s *table.Seat) { s.Left = true }, func(s *table.Seat) { s.Away = true }} {
		for seat, id := range []string{"test:ann", "test:ben"} {
			members := played(seated(func(seats []table.Seat) { flag(&seats[seat]) }))
			for other, m := range members {
				want := complete[other]
				if other == id {
					want = complete["test:ben"]
				}
				if got := m.Ratings["sedma"]; got.Rating != want.Ratings["sedma"].Rating {
					t.Errorf("%s left, and %s has %v", id, other, got)
				}
				if m.Games["all"].Matches != 1 {
					t.Errorf("%s: %+v", other, m.Games)
				}
			}
			if m := members[id]; m.Games["all"].Wins != 0 || m.Games["all"].Stakes > 0 {
				t.Errorf("%s left and has %+v", id, m.Games["all"])
			}
		}
	}
}

// Five matches against someone who leaves each of them: who stayed stands before them on every board, whoever won.
func TestWhoLeavesStandsLast(t *testing.T) {
	t.Parallel()
	for _, winner := range []int{0, 1} {
		members := map[string]*Member{"ann": {}, "ben": {}}
		for range 5 {
			r := Result{Family: "sedma", Week: "2026-W47", Month: "2026-11", Season: "2026-10+3", Seats: []ResultSeat{
				{Player: "ann", Side: 0, Rank: 1 + winner, Won: winner == 0, Stakes: 3 - 6*winner},
				{Player: "ben", Side: 1, Rank: 2 - winner, Gone: true, Stakes: min(0, 6*winner-3)},
			}}
			r.Apply("test:home", members)
		}
		score := map[string]float64{}
		for _, id := range []string{"ann", "ben"} {
			rows, err := members[id].Rows("test:home", id, Rule, "sedma")
			if err != nil || len(rows) != 4 {
				t.Fatal(rows, err)
			}
			for _, row := range rows {
				score[row.Board+id] = row.Score
			}
		}
		for _, key := range []string{"2026-W47", "2026-11", "2026-10+3", AllTime} {
			if board := BoardName("test:home", "sedma", key); score[board+"ann"] <= score[board+"ben"] {
				t.Errorf("side %d won, %s: Ann has %v, Ben %v", winner, key, score[board+"ann"], score[board+"ben"])
			}
		}
		if got := members["ann"].Ratings["sedma"].Shown(); (got > 1000) != (winner == 0) || got < 1000 {
			t.Errorf("side %d won: Ann has %d", winner, got)
		}
	}
}

// If players of both sides leave a match, it counts as lost for all of them.
func TestBothSidesLeft(t *testing.T) {
	t.Parallel()
	members := played(seated(func(seats []table.Seat) { seats[0].Left, seats[1].Left = true, true }))
	for _, id := range []string{"test:ann", "test:ben"} {
		if members[id].Ratings["all"].Mu >= rating.Mu {
			t.Errorf("%s: %v", id, members[id].Ratings)
		}
	}
}

// Each score gets its place in the match, and equal scores share a place.
func TestPlacesOfAMatch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		scores []int
		winner int
		want   []int
	}{
		{[]int{10, 4}, 0, []int{1, 2}}, {[]int{4, 4}, game.Nobody, []int{1, 1}}, {[]int{7, 10, 7}, 1, []int{2, 1, 2}},
		{[]int{1, 2, 3}, 2, []int{3, 2, 1}}, {[]int{3, 3, 1}, game.Nobody, []int{1, 1, 3}},
	} {
		if got := ranksOf(game.Match{Scores: test.scores, Winner: test.winner}); !slices.Equal(got, test.want) {
			t.Errorf("%v: places %v, want %v", test.scores, got, test.want)
		}
	}
}

// Weeks, months and seasons begin and end at midnight in the home's time zone.
func TestPeriods(t *testing.T) {
	t.Parallel()
	prague := CalendarOf(doc.Home{Zone: "Europe/Prague"})
	for _, test := range []struct{ now, week, month, season string }{
		{"2026-11-22T22:59:59Z", "2026-W47", "2026-11", "2026-10+3"}, // Sunday, 23:59:59 in Prague
		{"2026-11-22T23:00:00Z", "2026-W48", "2026-11", "2026-10+3"},
		{"2026-12-31T22:59:59Z", "2026-W53", "2026-12", "2026-10+3"},
		{"2026-12-31T23:00:00Z", "2026-W53", "2027-01", "2027-01+3"},
		{"2026-06-30T22:00:00Z", "2026-W27", "2026-07", "2026-07+3"},
	} {
		now, err := time.Parse(time.RFC3339, test.now)
		if err != nil {
			t.Fatal(err)
		}
		for kind, want := range map[string]string{Weekly: test.week, Monthly: test.month, Seasonal: test.season, AllTime: AllTime} {
			key := prague.Key(kind, now)
			if key != want {
				t.Errorf("%s of %s: %s, want %s", kind, test.now, key, want)
			}
			end := prague.End(key)
			if kind == AllTime {
				if !end.IsZero() {
					t.Error("all time ends")
				}
				continue
			}
			if !end.After(now) || prague.Key(kind, end) == key || prague.Key(kind, end.Add(-time.Second)) != key {
				t.Errorf("%s ends %v", key, end)
			}
		}
	}
	if c := CalendarOf(doc.Home{Zone: "Nowhere/At all", Season: 5}); c.Zone != time.UTC || c.months != DefaultSeason {
		t.Errorf("%v", c)
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"2026-10+3", "2026-10+3", 0}, {"2026-10+3", "2027-01+3", 1}, {"2025-10+3", "2027-01+3", 5}, {"2026-10+3", "2026-11+1", 1}, {"", "2026-11+1", 0},
		{"2026-10+3", "2026-07+6", 0}, {"2026-10+3", "2026-01+12", 0}, {"2026-01+12", "2027-01+1", 1}, {"2026-01+12", "2027-03+1", 3}, {"2026-10+3", "2026-10+1", 0}} {
		if got := seasonsBetween(test.a, test.b); got != test.want {
			t.Errorf("%s to %s: %d seasons", test.a, test.b, got)
		}
	}
}

// In a later season, a rating's standard deviation is greater, and its mean is the same.
func TestASeasonWidensRatings(t *testing.T) {
	t.Parallel()
	m := Member{Ratings: map[string]ratingDoc{"sedma": {Rating: rating.Rating{Mu: 30, Sigma: 2}, Season: "2026-07+3"}}}
	same, next, later := m.ratingFor("sedma", "2026-07+3"), m.ratingFor("sedma", "2026-10+3"), m.ratingFor("sedma", "2027-10+3")
	if same.Sigma != 2 || next.Sigma <= 2 || later.Sigma <= next.Sigma || next.Mu != 30 {
		t.Error(same, next, later)
	}
}

// The result of a match tells how it changed things for its players: their new rating, by how much it changed, how many
// matches they have won in a row, and their matches against each other. A match alone against the AI changes nothing. The loss of certainty in a new season isn't the match's doing.
func TestWhatAMatchChanged(t *testing.T) {
	t.Parallel()
	r := seated(nil)
	members := map[string]*Member{}
	for _, id := range r.People() {
		members[id] = &Member{}
	}
	last := map[int]int{}
	for match := range RatedMatches + 2 {
		before := r.ratings(members)
		r.Apply("test:home", members)
		gains := r.gains("test:home", members, before)
		if len(gains) != 4 {
			t.Fatalf("%+v", gains)
		}
		for _, g := range gains {
			won, now := g.Seat%2 == 0, members[r.Seats[g.Seat].Player].Ratings["sedma"].Shown()
			if rated := match >= RatedMatches-1; g.Run != map[bool]int{true: match + 1}[won] || rated != (g.Rating == now) || !rated && g.Rating+g.By != 0 ||
				rated && (g.Rating != last[g.Seat]+g.By || won != (g.By > 0)) {
				t.Errorf("match %d: %+v, before %d", match, g, last[g.Seat])
			}
			last[g.Seat] = now
		}
	}
	if r = seated(func(seats []table.Seat) {
		seats[1], seats[2], seats[3] = table.Seat{AI: "hard"}, table.Seat{AI: "hard"}, table.Seat{AI: "hard"}
	}); r.gains("test:home", played(r), map[string]int{}) != nil {
		t.Error("a match alone against the AI changed something")
	}
	r = seated(func(seats []table.Seat) { seats[1], seats[3] = table.Seat{AI: "easy"}, table.Seat{AI: "easy"} })
	want := []table.Gain{{Scores: []table.Score{{Ours: []int{0, 2}, Theirs: []int{1, 3}, Won: 1}}}}
	if diff := cmp.Diff(want, r.gains("test:home", played(r), nil)); diff != "" {
		t.Errorf("together: %s", diff)
	}
	r = seated(func(seats []table.Seat) { seats[2] = table.Seat{AI: "easy"} })
	for i, g := range r.gains("test:home", played(r), nil) {
		want := [][]table.Score{{{Ours: []int{0}, Theirs: []int{1}, Won: 1}, {Ours: []int{0}, Theirs: []int{3}, Won: 1}}, nil, nil}[i]
		if diff := cmp.Diff(want, g.Scores); diff != "" {
			t.Errorf("seat %d: %s", g.Seat, diff)
		}
	}
	r = seated(nil)
	r.Season = "2027-01+3"
	before := r.ratings(members)
	r.Apply("test:home", members)
	for _, g := range r.gains("test:home", members, before) {
		if won := g.Seat%2 == 0; won != (g.By > 0) || won != (g.Rating > before[r.Seats[g.Seat].Player]) || g.Rating-g.By >= last[g.Seat] {
			t.Errorf("the first match of a season: %+v, before %d", g, last[g.Seat])
		}
	}
}

package league

import (
	"slices"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// Each feat is credited to the side or the seat that did it, and to nobody else.
func TestFeats(t *testing.T) {
	t.Parallel()
	four := gametest.Preset(t, "sedma-4p")
	seven, err := game.ParseCard("7l")
	if err != nil {
		t.Fatal(err)
	}
	ace, err := game.ParseCard("Al")
	if err != nil {
		t.Fatal(err)
	}
	sides := [][]int{{0, 2}, {1, 3}}
	played := func(points, tricks []int, last game.Card, lastSide int, winners ...int) table.Past {
		return table.Past{
			Result: game.Result{End: game.EndPlayed, Solo: game.Nobody, Burner: game.Nobody, TricksWon: tricks, LastCard: last, LastCardSide: lastSide, LastTrick: lastSide},
			Score:  game.Settlement{Sides: sides, Points: points, Winners: winners}, Totals: []int{1, 1},
		}
	}
	at := func(p table.Past, totals ...int) table.Past { p.Totals = totals; return p }
	burnt := table.Past{
		Result: game.Result{End: game.EndBurn, Solo: game.Nobody, Burner: 1, TricksWon: []int{0, 0}}, Totals: []int{0, 1},
		Score: game.Settlement{Sides: sides, Points: []int{0, 0}, Winners: []int{1}},
	}
	alone := played([]int{50, 40}, []int{4, 4}, ace, 1, 0)
	alone.Score.Sides, alone.Result.Solo = [][]int{{2}, {0, 1, 3}}, 2
	for name, test := range map[string]struct {
		deals  []table.Past
		scores []int
		winner int
		want   map[int][]string // feats by seat; seats without feats are left out
	}{
		"nothing":            {[]table.Past{played([]int{50, 40}, []int{4, 4}, ace, 0, 0)}, []int{10, 4}, 0, nil},
		"a sweep":            {[]table.Past{played([]int{90, 0}, []int{8, 0}, ace, 0, 0)}, []int{10, 4}, 0, map[int][]string{0: {featSweep}, 2: {featSweep}}},
		"sixty":              {[]table.Past{played([]int{30, 60}, []int{4, 4}, ace, 0, 1)}, []int{10, 4}, 0, map[int][]string{1: {featSixty}, 3: {featSixty}}},
		"sixty, and beaten":  {[]table.Past{played([]int{70, 60}, []int{4, 4}, ace, 0, 0)}, []int{10, 4}, 0, nil},
		"a seven decides":    {[]table.Past{played([]int{40, 50}, []int{4, 4}, seven, 1, 1)}, []int{10, 4}, 0, map[int][]string{1: {featSeven}, 3: {featSeven}}},
		"a seven adds":       {[]table.Past{played([]int{20, 70}, []int{2, 6}, seven, 1, 1)}, []int{10, 4}, 0, nil},
		"a seven, one trick": {[]table.Past{played([]int{10, 80}, []int{1, 7}, seven, 0, 1)}, []int{10, 4}, 1, map[int][]string{0: {featSeven}, 2: {featSeven}}},
		"burnt":              {[]table.Past{burnt}, []int{10, 4}, 0, map[int][]string{1: {featBurn}, 3: {featBurn}}},
		"alone":              {[]table.Past{alone}, []int{10, 4}, 0, map[int][]string{2: {featAlone}}},
		"from 0:9": {
			[]table.Past{at(alone, 9, 0), at(played([]int{50, 40}, []int{4, 4}, ace, 0, 0), 9, 1)}, []int{9, 10}, 1,
			map[int][]string{1: {featComeback}, 2: {featAlone}, 3: {featComeback}},
		},
		"to nil": {[]table.Past{played([]int{50, 40}, []int{4, 4}, ace, 0, 0)}, []int{10, 0}, 0, map[int][]string{0: {featShutout}, 2: {featShutout}}},
	} {
		over := table.MatchOver{Outcome: table.Outcome{Match: game.Match{Rules: four, Scores: test.scores, Winner: test.winner}}}
		for seat := range 4 {
			if four.Side(seat) == test.winner {
				over.Winners = append(over.Winners, seat)
			}
		}
		for seat := range 4 {
			if got := featsOf(test.deals, over, seat); !slices.Equal(got, test.want[seat]) {
				t.Errorf("%s: seat %d has %v, want %v", name, seat, got, test.want[seat])
			}
		}
	}
}

// Where a last seven loses the deal, it is no feat, and every trick with it is none.
func TestNoFeatLosesADeal(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "zsirozas-4p-final-seven")
	seven, err := game.ParseCard("7l")
	if err != nil {
		t.Fatal(err)
	}
	lost := table.Past{
		Result: game.Result{End: game.EndPlayed, Solo: game.Nobody, Burner: game.Nobody, TricksWon: []int{8, 0}, LastCard: seven, LastCardSide: 0, LastTrick: 0},
		Score:  game.Settlement{Sides: [][]int{{0, 2}, {1, 3}}, Points: []int{90, 0}, Winners: []int{1}}, Totals: []int{0, 1},
	}
	over := table.MatchOver{Outcome: table.Outcome{Match: game.Match{Rules: rules, Scores: []int{0, 1}, Winner: 1}, Winners: []int{1, 3}}}
	over.Match.Rules.Target = 1
	for _, tricks := range [][]int{{8, 0}, {1, 7}} {
		lost.Result.TricksWon = tricks
		if got := featsOf([]table.Past{lost}, over, 0); len(got) != 0 {
			t.Errorf("with %v tricks: %v", tricks, got)
		}
	}
}

// A feat is counted each time, but announced only the first time in a home.
func TestAFeatIsToldOnce(t *testing.T) {
	t.Parallel()
	r := seated(nil)
	r.Seats[0].Feats = []string{featSweep, featSixty}
	members := played(r)
	want := []table.First{{Seat: 0, Feat: featSweep}, {Seat: 0, Feat: featSixty}}
	if got := r.firsts(members); !slices.Equal(got, want) {
		t.Errorf("the first time: %v", got)
	}
	r.Seats[0].Feats = []string{featSweep, featSeven}
	r.Apply("test:home", members)
	r.Seats[0].Won = true
	if got := r.firsts(members); !slices.Equal(got, []table.First{{Seat: 0, Feat: featSeven}}) {
		t.Errorf("the second time: %v", got)
	}
	r.Seats[0].Won = false
	if got := r.firsts(members); len(got) != 0 {
		t.Errorf("to a player who lost: %v", got)
	}
	if m := members["test:ann"]; m.Feats[featSweep] != 2 || m.Feats[featSixty] != 1 {
		t.Errorf("%v", m.Feats)
	}
}

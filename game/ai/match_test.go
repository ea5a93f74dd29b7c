package ai

import (
	"math"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

func matchOf(t *testing.T, preset string, change func(*game.Match)) (*form, *match) {
	r := gametest.Preset(t, preset)
	m := game.NewMatch(r, 0)
	change(&m)
	f := newForm(&r)
	return f, newMatch(f, &m)
}

// TestMatchInMind checks what a deal is worth when a match is near its end.
func TestMatchInMind(t *testing.T) {
	t.Parallel()
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, c := range []struct {
		name, preset string
		change       func(*game.Match)
		holds        func(worth func(own, other int32) float64) bool
	}{
		{"far from the end a stake is a stake", "sedma-4p", func(m *game.Match) {}, func(w func(a, b int32) float64) bool {
			return w(3, 0) == 3 && w(0, 2) == -2
		}},
		{"at nine of ten a third stake is worth nothing", "sedma-4p", func(m *game.Match) { m.Scores = []int{9, 7} }, func(w func(a, b int32) float64) bool {
			return w(1, 0) == 1 && w(3, 0) == 1 && w(0, 3) == 0 && w(0, 1) > w(0, 2) && w(0, 2) > w(0, 3)
		}},
		{"level is an even chance", "sedma-4p", func(m *game.Match) { m.Scores = []int{9, 9} }, func(w func(a, b int32) float64) bool {
			return near(w(0, 0), 0.5) && w(1, 0) == 1
		}},
		{"a burning may go far beyond the target", "sedma-4p-kase5-10-15", func(m *game.Match) { m.Scores = []int{8, 2} }, func(w func(a, b int32) float64) bool {
			return w(0, 10) == 0 && w(15, 0) == 1 && w(1, 0) > w(0, 1)
		}},
		{"the last game of soccer decides", "soccer-home", func(m *game.Match) { m.Scores, m.Deals = []int{3, 4}, 7 }, func(w func(a, b int32) float64) bool {
			return w(2, 0) == 1 && w(1, 0) == 0.5 && w(0, 0) == 0
		}},
		{"before the last, being in front is worth more", "soccer-home", func(m *game.Match) { m.Scores, m.Deals = []int{3, 4}, 5 }, func(w func(a, b int32) float64) bool {
			return w(2, 0) > 0.5 && w(0, 0) > 0 && w(0, 0) < 0.5 && near(w(1, 0), 0.5)
		}},
		{"points are worth what they do for the match", "suster-4p", func(m *game.Match) { m.Scores = []int{90, 90} }, func(w func(a, b int32) float64) bool {
			return w(40, 30) == 1 && w(30, 40) == 0 && w(25, 10) > w(15, 10) && near(w(20, 20), 0.5)
		}},
		{"the deal that the host calls the last one decides", "sedma-4p", func(m *game.Match) { m.Rules.Deals, m.Deals, m.Scores = 5, 4, []int{3, 4} }, func(w func(a, b int32) float64) bool {
			return w(2, 0) == 1 && w(1, 0) == 0.5 && w(0, 0) == 0
		}},
		{"of three, the first to arrive wins", "sedma-3p", func(m *game.Match) { m.Scores = []int{9, 8, 2} }, func(w func(a, b int32) float64) bool {
			return w(1, 0) == 1 && w(0, 2) == 0 && w(0, 0) > 0.5 && w(0, 0) < 1
		}},
	} {
		f, m := matchOf(t, c.preset, c.change)
		if !c.holds(func(own, other int32) float64 { return m.worth(f, &[4]int32{own, other}, 0) }) {
			t.Errorf("%s: it is not so", c.name)
		}
	}
}

// Near the end of a match, a stake that wins the match counts for one, and more stakes count no more. Elsewhere, each counts.
func TestGainIsInStakes(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	f := newForm(&r)
	for _, c := range []struct {
		own, other          int
		lost, one, two, six float64
	}{
		{0, 0, -1, 1, 2, 6},
		{r.Target - 1, r.Target - 1, -1, 1, 1, 1},
		{r.Target - 1, r.Target - 5, -1, 1, 1, 1},
	} {
		match := game.NewMatch(r, 0)
		match.Scores = []int{c.own, c.other}
		m := newMatch(f, &match)
		gain := func(own, other int32) float64 {
			delta := [4]int32{own, other}
			return m.gain(f, &option{score: float64(own - other), worth: m.worth(f, &delta, 0)}, 0)
		}
		base := (gain(1, 0) + gain(0, 1)) / 2 // with a chance of nearly 1, there is less to win than to lose
		for i, n := range []int32{1, 2, 6} {
			if got := gain(n, 0) - base; math.Abs(got-[]float64{c.one, c.two, c.six}[i]) > 1e-9 {
				t.Errorf("at %d:%d, %d stakes count for %v", c.own, c.other, n, got)
			}
		}
		if got := gain(0, 1) - base; math.Abs(got-c.lost) > 1e-9 {
			t.Errorf("at %d:%d, a lost stake counts for %v", c.own, c.other, got)
		}
	}
}

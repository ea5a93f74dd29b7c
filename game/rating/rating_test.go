package rating_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/game/rating"
)

// team returns n players with the same rating.
func team(n int, r rating.Rating) []rating.Rating {
	return slices.Repeat([]rating.Rating{r}, n)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// The expected numbers come from the tests of OpenSkill (github.com/philihp/openskill.js,
// src/models/__tests__/plackett-luce.test.ts and README.md), the reference implementation of the Plackett-Luce model of
// Weng and Lin.
func TestPublishedFigures(t *testing.T) {
	t.Parallel()
	one := rating.New()
	for name, test := range map[string]struct {
		teams [][]rating.Rating
		ranks []int
		want  [][]rating.Rating
	}{
		"nobody to play with": {[][]rating.Rating{{one}}, []int{1}, [][]rating.Rating{{one}}},
		"two": {
			[][]rating.Rating{{one}, {one}}, []int{1, 2},
			[][]rating.Rating{{{27.63523138347365, 8.065506316323548}}, {{22.36476861652635, 8.065506316323548}}},
		},
		"three": {
			[][]rating.Rating{{one}, {one}, {one}}, []int{1, 2, 3},
			[][]rating.Rating{
				{{27.868876552746237, 8.204837030780652}}, {{25.717219138186557, 8.057829747583874}}, {{21.413904309067206, 8.057829747583874}},
			},
		},
		"four, listed in another order": {
			[][]rating.Rating{{one}, {one}, {one}, {one}}, []int{40, 10, 30, 20},
			[][]rating.Rating{
				{{20.96265504062538, 8.083731307186588}}, {{27.795084971874736, 8.263160757613477}},
				{{24.68943500312503, 8.083731307186588}}, {{26.552824984374855, 8.179213704945203}},
			},
		},
		"teams of three, one and two": {
			[][]rating.Rating{team(3, one), team(1, one), team(2, one)}, []int{1, 2, 3},
			[][]rating.Rating{
				team(3, rating.Rating{Mu: 25.939870821784513, Sigma: 8.247641552260456}),
				{{27.21366020491262, 8.274321317985242}},
				team(2, rating.Rating{Mu: 21.84646897330287, Sigma: 8.213058173195341}),
			},
		},
		"pairs of unlike players": {
			[][]rating.Rating{{one, {32.444, 5.123}}, {{43.381, 2.421}, {25.188, 6.211}}}, []int{1, 2},
			[][]rating.Rating{
				{{28.669648436582808, 8.071520788025197}, {33.83086971107981, 5.062772998705765}},
				{{43.071274808241974, 2.4166900452721256}, {23.149503312339064, 6.1378606973362135}},
			},
		},
	} {
		got := rating.Rate(test.teams, test.ranks)
		for i := range test.want {
			for j, want := range test.want[i] {
				if g := got[i][j]; !near(g.Mu, want.Mu) || !near(g.Sigma, want.Sigma) {
					t.Errorf("%s: team %d, player %d: got %v, want %v", name, i, j, g, want)
				}
			}
		}
	}
}

// Three matches with ties. The expected numbers are from OpenSkill's tests
// (src/models/__tests__/plackett-luce-series.test.ts), which took them from another implementation. They are exact to
// two decimals.
func TestPublishedSeriesWithTies(t *testing.T) {
	t.Parallel()
	p := team(5, rating.New())
	play := func(who, ranks []int) {
		var teams [][]rating.Rating
		for _, i := range who {
			teams = append(teams, []rating.Rating{p[i]})
		}
		for j, r := range rating.Rate(teams, ranks) {
			p[who[j]] = r[0]
		}
	}
	play([]int{0, 1, 2, 3, 4}, []int{1, 2, 2, 3, 3})
	play([]int{4, 2, 1}, []int{1, 2, 2})
	play([]int{3, 1, 2, 0}, []int{1, 1, 2, 2})
	for i, want := range []rating.Rating{
		{26.353761103, 8.11102706}, {24.618479789, 7.90533551}, {23.065819512, 7.822005595}, {24.476332403, 8.106111471}, {26.385499685, 8.054090809},
	} {
		if math.Abs(p[i].Mu-want.Mu) > 0.005 || math.Abs(p[i].Sigma-want.Sigma) > 0.005 {
			t.Errorf("player %d: got %v, want %v", i, p[i], want)
		}
	}
}

// TestEveryMatch checks what must hold for any match. The first team never falls and the last never rises, and nobody
// becomes less certain. Names and the order of the list don't matter. The same match gives exactly the same ratings.
func TestEveryMatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "teams")
		teams, ranks := make([][]rating.Rating, n), make([]int, n)
		for i := range teams {
			for range rapid.IntRange(1, 3).Draw(t, "players") {
				teams[i] = append(teams[i], rating.Rating{
					Mu: rapid.Float64Range(-50, 100).Draw(t, "mu"), Sigma: rapid.Float64Range(0.1, rating.Sigma).Draw(t, "sigma"),
				})
			}
			ranks[i] = rapid.IntRange(1, 3).Draw(t, "rank")
		}
		got := rating.Rate(teams, ranks)
		again := rating.Rate(teams, ranks)
		best, worst := slices.Min(ranks), slices.Max(ranks)
		firsts := 0
		for _, r := range ranks {
			if r == best {
				firsts++
			}
		}
		for i := range teams {
			for j, r := range teams[i] {
				g := got[i][j]
				if g != again[i][j] {
					t.Fatalf("not the same again")
				}
				if math.IsNaN(g.Mu) || g.Sigma > r.Sigma || g.Sigma <= 0 {
					t.Fatalf("%v became %v", r, g)
				}
				if best != worst && (ranks[i] == best && firsts == 1 && g.Mu < r.Mu || ranks[i] == worst && n == 2 && g.Mu > r.Mu) {
					t.Fatalf("place %d: %v became %v", ranks[i], r, g)
				}
			}
		}
		slices.Reverse(teams)
		slices.Reverse(ranks)
		back := rating.Rate(teams, ranks)
		for i := range got {
			for j := range got[i] {
				if a, b := got[i][j], back[n-1-i][j]; !near(a.Mu, b.Mu) || !near(a.Sigma, b.Sigma) {
					t.Fatalf("the order of the list matters: %v, %v", a, b)
				}
			}
		}
	})
}

// The ratings must put 200 players in nearly the right order. Their strengths have the deviation of a new rating. Each
// plays 50 matches with random partners against random opponents.
func TestStrengthsAreFound(t *testing.T) {
	t.Parallel()
	const players, matches = 200, 50
	for _, size := range []int{1, 2, 3} {
		random := rand.New(rand.NewPCG(7, uint64(size)))
		strength, now := make([]float64, players), team(players, rating.New())
		for i := range strength {
			strength[i] = rating.Mu + rating.Sigma*random.NormFloat64()
		}
		gumbel := func() float64 { return -math.Log(-math.Log(random.Float64())) }
		rounds := matches
		for range rounds {
			order := random.Perm(players)
			for len(order) >= 2*size {
				a, b := order[:size], order[size:2*size]
				order = order[2*size:]
				// The model assumes this much chance: Beta·√(players) is the scale of a logistic distribution.
				var sums [2]float64
				var teams [2][]rating.Rating
				for side, who := range [][]int{a, b} {
					for _, i := range who {
						sums[side] += strength[i]
						teams[side] = append(teams[side], now[i])
					}
					sums[side] += rating.Beta * gumbel()
				}
				ranks := []int{1, 2}
				if sums[1] > sums[0] {
					ranks = []int{2, 1}
				}
				for side, rated := range rating.Rate(teams[:], ranks) {
					for j, i := range [][]int{a, b}[side] {
						now[i] = rated[j]
					}
				}
			}
		}
		found := make([]float64, players)
		for i, r := range now {
			found[i] = float64(r.Shown())
		}
		rho := spearman(strength, found)
		t.Logf("teams of %d: rank correlation %.3f", size, rho)
		if want := map[int]float64{1: 0.95, 2: 0.9, 3: 0.85}[size]; rho < want {
			t.Errorf("teams of %d: rank correlation %.3f, want %.2f", size, rho, want)
		}
	}
}

// spearman returns the rank correlation of two lists.
func spearman(a, b []float64) float64 {
	places := func(x []float64) []float64 {
		order := make([]int, len(x))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			if x[i] < x[j] {
				return -1
			}
			return 1
		})
		out := make([]float64, len(x))
		for place, i := range order {
			out[i] = float64(place)
		}
		return out
	}
	n, sum := float64(len(a)), 0.0
	pa, pb := places(a), places(b)
	for i := range pa {
		sum += (pa[i] - pb[i]) * (pa[i] - pb[i])
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// If a pair beats the same other pair all night, it must gain less each time.
func TestTheSamePairAllNight(t *testing.T) {
	t.Parallel()
	a, b := team(2, rating.New()), team(2, rating.New())
	last := math.Inf(1)
	var first, gain float64
	for match := range 40 {
		rated := rating.Rate([][]rating.Rating{a, b}, []int{1, 2})
		gain = rated[0][0].Mu - a[0].Mu
		if gain >= last || gain <= 0 {
			t.Fatalf("match %d: gain %v after %v", match, gain, last)
		}
		if match == 0 {
			first = gain
		}
		last, a, b = gain, rated[0], rated[1]
	}
	if gain > first/8 {
		t.Errorf("the 40th match brings %v, the first %v", gain, first)
	}
}

// After a season a rating must be less certain, but no less than a new one. Its mean must stay the same.
func TestWiden(t *testing.T) {
	t.Parallel()
	r := rating.Rating{Mu: 31, Sigma: 2}
	for range 50 {
		wider := r.Widen()
		if wider.Mu != r.Mu || wider.Sigma < r.Sigma || wider.Sigma > rating.Sigma {
			t.Fatalf("%v became %v", r, wider)
		}
		r = wider
	}
	if r.Sigma != rating.Sigma || rating.New().Widen() != rating.New() {
		t.Errorf("%v", r)
	}
	if rating.New().Shown() != 1000 {
		t.Error("a new player has 1000")
	}
}

// Package rating estimates how well people play from who beat whom, in teams of
// any size and any number of teams, with ties. It is pure.
//
// The method is that of R. C. Weng and C.-J. Lin, "A Bayesian Approximation
// Method for Online Ranking", Journal of Machine Learning Research 12 (2011),
// 267-300: Algorithm 4, the Plackett-Luce model. A player's strength is thought
// of as normally distributed; a match moves the mean of each player by what was
// surprising about its outcome, in proportion to how uncertain he is, and makes
// everybody more certain. So those who always play each other learn less and
// less from it: the outcome is expected, and their strengths are known.
package rating

import "math"

// Where a player begins, and how far chance goes in one match.
const (
	Mu    = 25.0
	Sigma = Mu / 3
	Beta  = Sigma / 2
)

// least is the smallest share of its variance that one match leaves a rating:
// kappa of the paper, section 3.
const least = 1e-4

// Rating is a player's strength as it is estimated: mean and standard deviation.
type Rating struct {
	Mu    float64 `json:"mu"`
	Sigma float64 `json:"sigma"`
}

// New is the rating of somebody who was never seen before.
func New() Rating { return Rating{Mu: Mu, Sigma: Sigma} }

// steady is the standard deviation from which on a rating is no longer
// provisional: after some ten matches alone, or fifteen in pairs.
const steady = Sigma * 4 / 5

// Provisional says that too little is known yet.
func (r Rating) Provisional() bool { return r.Sigma > steady }

// Shown is the rating as people see it: what the player almost surely is worth,
// the mean less three deviations, so that a new player has 1000 and somebody of
// average strength whom everybody knows comes to about 1700.
func (r Rating) Shown() int { return 1000 + int(math.Round(40*(r.Mu-3*r.Sigma))) }

// Widen is the rating after a season in which strengths may have changed: as
// much less certain as a quarter of what is not known of a new player.
func (r Rating) Widen() Rating {
	r.Sigma = min(Sigma, math.Hypot(r.Sigma, Sigma/4))
	return r
}

// Rate returns the ratings after a match. teams are the ratings of the players
// of each team, at least one in each; ranks are the teams' places, a lower
// number before a higher one, equal numbers level. With fewer than two teams
// nothing changes. The arguments are left as they are.
func Rate(teams [][]Rating, ranks []int) [][]Rating {
	out := make([][]Rating, len(teams))
	mu, variance := make([]float64, len(teams)), make([]float64, len(teams))
	total := 0.0
	for i, team := range teams {
		out[i] = append([]Rating(nil), team...)
		for _, r := range team {
			mu[i] += r.Mu
			variance[i] += r.Sigma * r.Sigma
		}
		total += variance[i] + Beta*Beta
	}
	if len(teams) < 2 {
		return out
	}
	c := math.Sqrt(total)
	// top keeps the exponentials within bounds; it cancels out.
	top := mu[0]
	for _, m := range mu {
		top = max(top, m)
	}
	// sum[q] is over the teams that are not before q, level[q] how many are level with it.
	sum, level := make([]float64, len(teams)), make([]float64, len(teams))
	for q := range teams {
		for i := range teams {
			if ranks[i] >= ranks[q] {
				sum[q] += math.Exp((mu[i] - top) / c)
			}
			if ranks[i] == ranks[q] {
				level[q]++
			}
		}
	}
	for i, team := range out {
		omega, delta := 0.0, 0.0
		for q := range teams {
			if ranks[q] > ranks[i] {
				continue
			}
			p := math.Exp((mu[i]-top)/c) / sum[q]
			delta += p * (1 - p) / level[q]
			if q == i {
				omega += (1 - p) / level[q]
			} else {
				omega -= p / level[q]
			}
		}
		gamma := math.Sqrt(variance[i]) / c
		omega *= variance[i] / c
		delta *= gamma * variance[i] / (c * c)
		for j, r := range team {
			share := r.Sigma * r.Sigma / variance[i]
			team[j] = Rating{
				Mu:    r.Mu + share*omega,
				Sigma: r.Sigma * math.Sqrt(max(1-share*delta, least)),
			}
		}
	}
	return out
}

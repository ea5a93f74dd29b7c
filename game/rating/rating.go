// Package rating estimates how well people play from the results of their matches. It handles any number of teams of
// any size, and ties. It is pure. [New] is the rating to start with, and [Rate] returns the ratings after a match.
//
// The method is that of R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", Journal of
// Machine Learning Research 12 (2011), 267-300: Algorithm 4, the Plackett-Luce model. It treats a player's strength as
// normally distributed. A match moves each player's mean by how surprising the outcome was, in proportion to how
// uncertain the rating is. It also makes every rating more certain. So players who always meet each other gain less and
// less: the outcome is expected, and their strengths are known.
package rating

import "math"

// Mu and Sigma are the rating of a new player. Beta is how much chance there is in one match.
const (
	Mu    = 25.0
	Sigma = Mu / 3
	Beta  = Sigma / 2
)

// least is the smallest share of its variance that a rating keeps after one match: kappa in section 3 of the paper.
const least = 1e-4

// Rating is an estimate of a player's strength: its mean and its standard deviation.
type Rating struct {
	Mu    float64 `json:"mu"`
	Sigma float64 `json:"sigma"`
}

// New returns the rating of a player without any matches.
func New() Rating { return Rating{Mu: Mu, Sigma: Sigma} }

// Shown returns the rating that people see. It is a strength that the player almost surely has: the mean less three
// deviations. A new player has 1000. A well-known player of average strength has about 1700.
func (r Rating) Shown() int { return 1000 + int(math.Round(40*(r.Mu-3*r.Sigma))) }

// Widen returns the rating after a season, in which the player's strength may have changed. It adds a quarter of a new
// player's uncertainty.
func (r Rating) Widen() Rating {
	r.Sigma = min(Sigma, math.Hypot(r.Sigma, Sigma/4))
	return r
}

// Rate returns the ratings after a match. teams are the ratings of each team's players, at least one per team. ranks
// are the teams' places: the lowest is the winner, and equal numbers are ties. With fewer than two teams nothing
// changes. The arguments are not modified.
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
	// top keeps the exponentials within bounds; it cancels out
	top := mu[0]
	for _, m := range mu {
		top = max(top, m)
	}
	// sum[q] is over the teams that are not ahead of q; level[q] is how many are level with it, including q
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

package ai

import (
	"math"

	"sedmabot/game"
)

// Levels are the names of the opponents, weakest first. The words are those of the levels that there were before the
// opponents had names; see the package comment for who they are.
var Levels = []string{"easiest", "easy", "fair", "medium", "strong", "hard"}

// strongest is the level of the best opponent, who plays without a temper.
const strongest = "hard"

// A temper is what makes an opponent differ from the search: likings and dislikes, in stakes, that are added to what
// the search expects of a move, and how much an opponent hesitates between moves.
type temper struct {
	keep  float64 // dislike of playing a card that matches any rank
	grab  float64 // liking for a card that takes over a trick with points, per ace or ten in it
	on    float64 // liking for continuing a trick
	feed  float64 // liking for adding an ace or a ten to a trick that a partner is winning
	chase float64 // liking for taking over a trick without points
	robs  float64 // dislike of taking a trick from a partner, to which the other likings don't apply
	noise float64 // how large a difference between two moves is often overlooked
}

var levels = map[string]thinker{
	"easiest": {worlds: 8, draws: 1, tricks: -1, forgets: 1, temper: temper{keep: -0.4, robs: 0.8, noise: 0.35}, duel: temper{keep: -0.4, noise: 0.5}},
	"easy":    {worlds: 12, draws: 1, tricks: -1, forgets: 0.7, temper: temper{grab: 0.45, robs: 0.35, noise: 0.25}, duel: temper{grab: 0.35, noise: 0.22}},
	"fair":    {worlds: 20, draws: 1, tricks: -1, forgets: 0.5, temper: temper{on: 0.45, robs: 0.2, noise: 0.1}, duel: temper{on: 0.2, noise: 0.04}},
	"medium":  {worlds: 60, draws: 1, tricks: -1, forgets: 0.1, temper: temper{feed: 0.3, robs: 0.2, noise: 0.15}, duel: temper{chase: 0.25, noise: 0.05}},
	"strong":  {worlds: 100, draws: 2, doubt: 0.6, tricks: -1, temper: temper{keep: 0.06, robs: 0.1, noise: 0.01}, duel: temper{keep: 0.1, noise: 0.02}},
	strongest: hard,
}

// hard is the search at its best.
var hard = thinker{worlds: 400, draws: 4, doubt: 0.6, tricks: -1}

// judge is hard as it rates moves for hints, the coach and puzzles.
var judge = thinker{worlds: 400, draws: 4, doubt: 0.6, tricks: -1, judge: true}

// thinkerOf returns the settings of a level. An unknown level means the strongest.
func thinkerOf(level string) thinker {
	if t, ok := levels[level]; ok {
		return t
	}
	return hard
}

// know returns what the thinker knows when it looks at the view: the same as its seat, without the cards that it forgot. When
// the stock is empty, an opponent counts: what is hidden must be in the others' hands.
func (t thinker) know(v *game.View, f *form) *knowledge {
	k, random := know(v, f), seed(v)
	for i, trick := range v.Tricks {
		for _, play := range trick.Plays {
			if old := t.tricks >= 0 && i < len(v.Tricks)-t.tricks; old || v.Stock > 0 && random.share() < t.forgets {
				k.at.gone -= unit(f.kind(play.Card))
			}
		}
	}
	k.unseen = f.list(f.pack - k.at.gone - k.at.hand[v.Seat])
	return k
}

// none reports whether the opponent plays what the search finds.
func (t temper) none() bool { return t == temper{} }

// sway adds the opponent's likings to what the search found. The random numbers say how it hesitates.
func (t temper) sway(k *knowledge, options []option, random chance) {
	if t.none() {
		return
	}
	unit := k.f.stake()
	for i := range options {
		o := &options[i]
		o.worth = o.score + unit*(t.liking(k, o.move)+t.noise*random.gumbel())
	}
}

// liking returns by how many stakes the opponent overrates the move.
func (t temper) liking(k *knowledge, move uint8) float64 {
	if move >= stop {
		return 0
	}
	if k.robs(move) {
		return -t.robs
	}
	f, p := k.f, &k.at
	like := 0.0
	if f.wild>>(4*move)&1 != 0 {
		like -= t.keep
	}
	if p.phase == game.Decide {
		like += t.on
	}
	if p.phase == game.Follow {
		mine := p.together(f, p.winner, k.me)
		takes := f.takes[p.lead&15][p.best&15]&unit(move) != 0
		switch {
		case !mine && takes && p.pot+f.points[move] == 0:
			like += t.chase
		case !mine && takes:
			like += t.grab * float64(p.pot+f.points[move]) / float64(max(1, f.good))
		case mine && p.winner != k.me && !takes && f.class[move] == pointed:
			like += t.feed
		}
	}
	return like
}

// gumbel returns a random number that, added to each of several values, makes the larger of two values v and w the
// greater sum with the chance 1/(1+exp(w-v)). So a small difference is often overlooked, and a large one seldom.
func (c *chance) gumbel() float64 {
	return -math.Log(-math.Log(c.share()))
}

// share returns a random number between 0 and 1.
func (c *chance) share() float64 { return (float64(c.next()>>12) + 0.5) / (1 << 52) }

// stake returns what a stake is worth in the scores of the game. In games scored by points, that is half of the
// difference that a deal typically makes.
func (f *form) stake() float64 {
	switch f.rules.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra:
		return 1
	default:
		return f.spread() / 2
	}
}

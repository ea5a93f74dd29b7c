package ai

import (
	"context"
	"math"
	"time"

	"sedmabot/game"
)

// nested is a player whose rollouts are played by players who search themselves. It finds out how much better rollouts
// could make the AI, without learning. It counts rollouts instead of time, so a busy machine doesn't change its moves.
//
// It first rates the moves like hard. Then it takes as many of the same worlds as its budget allows. In each it plays
// every move to the end of the deal twice: once with the policy for all players, and once with small searches. The mean
// difference of the two, times the trust, corrects what the first search expects. So luck that is in both cancels out.
type nested struct {
	budget int     // number of inner rollouts per move
	inner  inner   // how players choose in the rollouts
	trust  float64 // how much of what the policy's rollouts show in a world is subtracted again
}

// inner is a small search: a player in a rollout. It doesn't see the cards of the world, and remembers all that were
// played.
type inner struct {
	worlds int
	likes  float64 // what is added for the move that the policy chooses, in stakes
}

// choose returns the move of the seat whose turn it is, and the number of rollouts it took.
func (n inner) choose(f *form, b *policy, m *match, p *position, random *chance) (move uint8, rollouts int) {
	var room [32]uint8
	moves := p.moves(f, room[:0])
	if len(moves) == 1 {
		return moves[0], 0
	}
	k := knowledge{f: f, me: p.turn, at: *p}
	mine := f.slot[k.me]
	for seat := range uint8(f.players) {
		if seat != k.me {
			k.at.hand[seat] = 0
		}
	}
	k.at.size, k.at.next = p.left(), 0
	var cards [maxPack]uint8
	unseen := cards[:0]
	hidden := f.pack - p.gone - p.hand[k.me]
	for kind := range uint8(f.kinds) {
		for range held(hidden, kind) {
			unseen = append(unseen, kind)
		}
	}
	k.unseen = unseen
	var sums [32]float64
	var w world
	for range n.worlds {
		k.imagine(&w, random)
		for i, move := range moves {
			q := k.at
			q.hand, q.stock, q.solo = w.hand, &w.stock, w.solo
			q.play(f, move)
			b.playOut(f, &q)
			delta := q.score(f, m)
			sums[i] += worth(f, &delta, mine)
		}
	}
	policys := b.choose(f, p)
	best := 0
	for i := range moves {
		if moves[i] == policys {
			sums[i] += n.likes * float64(n.worlds)
		}
		if sums[i] > sums[best] {
			best = i
		}
	}
	return moves[best], n.worlds * len(moves)
}

// choose returns the nested player's move and the number of rollouts that it took.
func (n nested) choose(v *game.View) (game.Move, int) {
	if len(v.Legal) == 1 {
		return v.Legal[0], 0
	}
	f := newForm(&v.Rules)
	k, b, m := know(v, f, -1), policyFor(f), &match{}
	t := hard
	if f.players == 2 {
		t.doubt /= 4
	}
	random := seed(v)
	options := k.options()
	if k.known() {
		k.solve(b, m, options, false)
		return f.card(v, top(options)), 0
	}
	seeds := k.seeds(context.Background(), b, t, &random, time.Time{})
	mine := f.slot[k.me]
	change := make([]float64, len(options))
	spent, done := 0, 0
	var w world
	for i, seed := range seeds {
		from := seed
		k.imagine(&w, &from)
		if i > 0 && seeds[i-1] == seed {
			from = random
			random.next()
			from.shuffle(w.stock[:k.at.size])
		}
		before := make([]float64, len(options))
		for j := range options {
			before[j] = options[j].worth
		}
		k.try(player{policy: b}, m, options, &w, nil)
		if spent >= n.budget {
			continue
		}
		for j := range options {
			p := k.at
			p.hand, p.stock, p.solo = w.hand, &w.stock, w.solo
			p.play(f, options[j].move)
			for p.phase != game.Over {
				move, rollouts := n.inner.choose(f, b, m, &p, &random)
				p.play(f, move)
				spent += rollouts
			}
			delta := p.score(f, m)
			change[j] += worth(f, &delta, mine) - n.trust*(options[j].worth-before[j])
		}
		done++
	}
	all := float64(len(seeds))
	for j := range options {
		o := &options[j]
		o.score /= all
		o.worth = n.trust*o.worth/all + change[j]/float64(done)
		if k.robs(o.move) {
			mean := o.score
			o.worth -= math.Sqrt(max(0, o.squares/all-mean*mean) / float64(done))
		}
	}
	return f.card(v, top(options)), spent
}

// Nested returns a player whose rollouts search themselves.
func Nested(budget, worlds int, likes, trust float64) func(game.State) (game.Move, error) {
	n := nested{budget, inner{worlds, likes}, trust}
	return func(s game.State) (game.Move, error) {
		v := s.View(s.Turn())
		move, _ := n.choose(&v)
		return move, nil
	}
}

// Inner returns a player that chooses like those in nested rollouts.
func Inner(worlds int, likes float64) func(game.State) (game.Move, error) {
	n := inner{worlds, likes}
	return func(s game.State) (game.Move, error) {
		v := s.View(s.Turn())
		f := newForm(&v.Rules)
		k := know(&v, f, -1)
		random := seed(&v)
		move, _ := n.choose(f, policyFor(f), &match{}, &k.at, &random)
		return f.card(&v, move), nil
	}
}

package ai

import (
	"cmp"
	"context"
	"math"
	"time"

	"sedmabot/game"
)

// option is a legal move of the seat and what the search found out about it.
type option struct {
	move         uint8
	score, worth float64
	squares      float64 // sum of the squares of worth
	hope         float64 // what it may bring if the other player goes wrong, among moves whose worth is equal and exact
}

// above reports whether option o is better than p.
func (o option) above(p option) bool {
	if o.worth != p.worth {
		return o.worth > p.worth
	}
	return o.hope > p.hope || o.hope == p.hope && o.score > p.score
}

// search plays out every option in the same worlds. The census, if any, counts them.
func (k *knowledge) search(ctx context.Context, b *policy, m *match, options []option, t thinker, random chance, seen *census) error {
	end, weighed := times(ctx)
	seeds := k.seeds(ctx, b, t, &random, weighed)
	var w world
	var late error
	play := player{policy: b}
	if t.judge {
		play = k.player(b, m)
	}
	done := 0
	for i, seed := range seeds {
		if i&31 == 31 {
			if late = over(ctx, end); late != nil {
				break
			}
		}
		from := seed
		k.imagine(&w, &from)
		if i > 0 && seeds[i-1] == seed { // same hands as before: shuffle the stock
			from = random
			random.next()
			from.shuffle(w.stock[:k.at.size])
		}
		k.try(play, m, options, &w, seen)
		done++
	}
	n := float64(done)
	for j := range options {
		o := &options[j]
		o.score /= n
		o.worth /= n
		if k.robs(o.move) { // to take a trick from the partner must be clearly better
			o.worth -= math.Sqrt(max(0, o.squares/n-o.worth*o.worth) / n)
		}
	}
	return cmp.Or(late, ctx.Err())
}

// times returns when the context ends, and when half of the remaining time is over. Both are zero if it has no
// deadline.
func times(ctx context.Context) (end, half time.Time) {
	end, limited := ctx.Deadline()
	if !limited {
		return end, half
	}
	now := time.Now()
	return end, now.Add(end.Sub(now) / 2)
}

// over returns the error of a context that has ended or passed its deadline. It checks the clock itself, because on a
// busy processor the context may end late.
func over(ctx context.Context, end time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !end.IsZero() && !time.Now().Before(end) {
		return context.DeadlineExceeded
	}
	return nil
}

// robs reports whether the move takes the trick from a partner who is winning it.
func (k *knowledge) robs(move uint8) bool {
	p := &k.at
	return move < stop && !k.f.solo && p.phase == game.Follow && p.winner != k.me && p.together(k.f, p.winner, k.me) &&
		k.f.takes[p.lead&15][p.best&15]&unit(move) != 0
}

// options returns the unscored candidate moves.
func (k *knowledge) options() []option {
	var room [32]uint8
	moves := k.at.moves(k.f, room[:0])
	options := make([]option, len(moves))
	for i, move := range moves {
		options[i].move = move
	}
	return options
}

// try plays out each option in the world and adds the results. The census, if any, counts the world.
func (k *knowledge) try(b player, m *match, options []option, w *world, seen *census) {
	p := k.at
	p.hand, p.stock, p.solo = w.hand, &w.stock, w.solo
	mine := k.f.slot[k.me]
	if seen != nil {
		seen.worlds++
	}
	for j := range options {
		q := p
		if seen == nil {
			q.play(k.f, options[j].move)
		} else if winner := q.playTrick(k.f, b, options[j].move); q.together(k.f, k.me, winner) {
			seen.ours[options[j].move]++
		}
		b.playOut(k.f, &q)
		if seen != nil {
			seen.points[options[j].move] += k.own(&q)
		}
		delta := q.score(k.f, m)
		score := worth(k.f, &delta, mine)
		if seen != nil && score > 0 {
			seen.won[options[j].move]++
		}
		options[j].score += score
		x := m.worth(k.f, &delta, mine)
		options[j].worth += x
		options[j].squares += x * x
	}
}

// seeds returns the seeds of the worlds to play out. It draws more worlds than needed and picks each as often as it is
// likely. If its time is over, it returns fewer. If the context ends, it returns unweighed seeds.
func (k *knowledge) seeds(ctx context.Context, b *policy, t thinker, random *chance, end time.Time) []chance {
	seeds := make([]chance, t.worlds*t.draws)
	for i := range seeds {
		seeds[i] = chance(random.next())
	}
	if t.draws == 1 {
		return seeds
	}
	weights := make([]float64, len(seeds))
	sum := 0.0
	var w world
	for i := range seeds {
		if i&63 == 63 && over(ctx, end) != nil {
			if ctx.Err() != nil {
				return seeds
			}
			t.worlds, weights = i/t.draws, weights[:i]
			break
		}
		from := seeds[i]
		k.imagine(&w, &from)
		weights[i] = k.weigh(b, &w, t.doubt, &from)
		sum += weights[i]
	}
	step := sum / float64(t.worlds)
	if !(step > 0) {
		return seeds[:t.worlds]
	}
	x := step * (float64(random.below(1<<20)) + 0.5) / (1 << 20)
	chosen := make([]chance, 0, t.worlds+1)
	for i, weight := range weights {
		for x -= weight; x < 0; x += step {
			chosen = append(chosen, seeds[i])
		}
	}
	return chosen
}

// seed returns a random seed that depends on everything the seat knows.
func seed(v *game.View) chance {
	h := uint64(14695981039346656037)
	add := func(n int) { h = (h ^ uint64(n&0xffff)) * 1099511628211 }
	add(v.Seat)
	add(v.Dealer)
	for _, e := range v.Log {
		add(int(e.Move)<<8 | int(e.Card))
	}
	sum := uint64(0)
	for _, c := range v.Hand { // in any order
		sum += uint64(c) * uint64(c) * 0x9e3779b97f4a7c15
	}
	return chance(h ^ sum)
}

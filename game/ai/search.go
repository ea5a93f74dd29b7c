package ai

import (
	"cmp"
	"context"
	"math"
	"time"

	"sedmabot/game"
)

// option is a choice of the seat and what it was found to bring.
type option struct {
	move         uint8
	score, worth float64
	squares      float64 // of worth, summed
	hope         float64 // what it may bring, where the worth is certain
}

// above says whether the option is the better one.
func (o option) above(p option) bool {
	if o.worth != p.worth {
		return o.worth > p.worth
	}
	return o.hope > p.hope || o.hope == p.hope && o.score > p.score
}

// search plays every choice out in the same worlds. The witness, if any, sees them.
func (k *knowledge) search(ctx context.Context, b *policy, m *match, t thinker, random chance, seen *witness) ([]option, error) {
	options := k.options()
	end, weighed := times(ctx)
	seeds := k.seeds(ctx, b, t, &random, weighed)
	var w world
	var late error
	done := 0
	for i, seed := range seeds {
		if i&31 == 31 {
			if late = over(ctx, end); late != nil {
				break
			}
		}
		from := seed
		k.imagine(&w, &from)
		if i > 0 && seeds[i-1] == seed { // the same hands again: another stock
			from = random
			random.next()
			from.shuffle(w.stock[:k.at.size])
		}
		k.try(b, m, options, &w)
		if seen != nil {
			seen.see(k, b, options, &w)
		}
		done++
	}
	n := float64(done)
	for j := range options {
		o := &options[j]
		o.score /= n
		o.worth /= n
		if k.robs(o.move) { // a partner is robbed only if that is clearly better
			o.worth -= math.Sqrt(max(0, o.squares/n-o.worth*o.worth) / n)
		}
	}
	return options, cmp.Or(late, ctx.Err())
}

// times are when the context ends, and when half of the time until then is over;
// zero if it has no time to end at.
func times(ctx context.Context) (end, half time.Time) {
	end, limited := ctx.Deadline()
	if !limited {
		return end, half
	}
	now := time.Now()
	return end, now.Add(end.Sub(now) / 2)
}

// over is the error of a context that ended, or whose time is over: where the
// processor is busy, it may be told late.
func over(ctx context.Context, end time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !end.IsZero() && !time.Now().Before(end) {
		return context.DeadlineExceeded
	}
	return nil
}

// robs says whether the move takes the trick from a partner who is winning it.
func (k *knowledge) robs(move uint8) bool {
	p := &k.at
	return move < stop && !k.f.solo && p.phase == game.Follow && p.winner != k.me && p.together(k.f, p.winner, k.me) &&
		k.f.takes[p.lead&15][p.best&15]&unit(move) != 0
}

// options are the choices, without worth yet.
func (k *knowledge) options() []option {
	var room [32]uint8
	moves := k.at.moves(k.f, room[:0])
	options := make([]option, len(moves))
	for i, move := range moves {
		options[i].move = move
	}
	return options
}

// try adds to the options what they bring in the world.
func (k *knowledge) try(b *policy, m *match, options []option, w *world) {
	p := k.at
	p.hand, p.stock, p.solo = w.hand, &w.stock, w.solo
	mine := k.f.slot[k.me]
	for j := range options {
		q := p
		q.play(k.f, options[j].move)
		b.playOut(k.f, &q)
		delta := q.score(k.f, m)
		options[j].score += worth(k.f, &delta, mine)
		x := m.worth(k.f, &delta, mine)
		options[j].worth += x
		options[j].squares += x * x
	}
}

// seeds are those of the worlds to play out: drawn from more, each as often as
// it is likely. They are fewer when the time for that is over, and any when the
// context ends.
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

// seed is a number that comes from all that the seat knows.
func seed(v *game.View) chance {
	h := uint64(14695981039346656037)
	add := func(n int) { h = (h ^ uint64(n&0xffff)) * 1099511628211 }
	add(v.Seat)
	add(v.Dealer)
	for _, e := range v.Log {
		add(int(e.Move)<<8 | int(e.Card))
	}
	sum := uint64(0)
	for _, c := range v.Hand { // in whatever places
		sum += uint64(c) * uint64(c) * 0x9e3779b97f4a7c15
	}
	return chance(h ^ sum)
}

package ai

import (
	"encoding/base64"
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

var (
	train     = flag.String("train", "", "train the policy on these presets, with commas between")
	rounds    = flag.Int("rounds", 10, "rounds of each")
	rate      = flag.Float64("rate", 3, "how much a round changes")
	imitate   = flag.Duration("imitate", 0, "how long each learns from the yardstick before")
	trainInto = flag.String("train-into", "", "file for the policies")
)

// TestTrain trains the policy. The policy plays itself and picks moves at random in proportion to their weights. At
// each decision every move is played to the end of the same deal. Moves that bring more than the average gain weight.
func TestTrain(t *testing.T) {
	if *train == "" {
		t.Skip("only with -train")
	}
	for _, name := range strings.Split(*train, ",") {
		r := gametest.Preset(t, name)
		liking := learn(t, &r)
		if *trainInto != "" {
			file, err := os.OpenFile(*trainInto, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.WriteString(name + " " + encodeLikings(liking) + "\n"); err != nil {
				t.Fatal(err)
			}
			file.Close()
		}
	}
}

type learner struct {
	f      *form
	b      *policy
	random chance
	sum    [cells]float64
	n      [cells]float64
	room   [32]uint8
}

// sample returns a random move in proportion to the weights.
func (l *learner) sample(p *position) uint8 {
	moves := p.moves(l.f, l.room[:0])
	if len(moves) == 1 {
		return moves[0]
	}
	s := p.outlook(l.f)
	row := l.b.cells(&s)
	var w [32]float32
	total := float32(0)
	for i, m := range moves {
		w[i] = row[s.column(l.f, p.hand[p.turn], m)]
		total += w[i]
	}
	x := float32(l.random.below(1<<24)) / (1 << 24) * total
	for i := range moves {
		if x -= w[i]; x < 0 {
			return moves[i]
		}
	}
	return moves[len(moves)-1]
}

func (l *learner) playOut(p *position) {
	for p.phase != game.Over {
		p.play(l.f, l.sample(p))
	}
}

func learn(t *testing.T, r *game.Rules) *[cells]float64 {
	l := &learner{f: newForm(r), random: 1}
	f := l.f
	liking := new([cells]float64)
	l.imitate(t, r, liking, *imitate)
	unitWorth := 1.0
	switch r.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra:
	default:
		unitWorth = 0
		for k := range f.kinds {
			unitWorth += float64(int(f.points[k]) * int(f.total[k]))
		}
		unitWorth += float64(r.LastTrick + r.TrickPoints*8)
		unitWorth /= 3
	}
	pack := f.list(f.pack)
	var before *policy
	for round := range *rounds {
		l.b = newPolicy(sixteenths(liking))
		if round == 0 {
			before = l.b
		}
		clear(l.sum[:])
		clear(l.n[:])
		for range 2000 {
			var stock [maxPack]uint8
			copy(stock[:], pack)
			l.random.shuffle(stock[:len(pack)])
			p := dealt(f, &stock, len(pack), l.random.below(int(f.players)))
			for p.phase != game.Over {
				var room [32]uint8
				moves := p.moves(f, room[:0])
				if len(moves) == 1 {
					p.play(f, moves[0])
					continue
				}
				s := p.outlook(f)
				row := l.b.cells(&s)
				var value, w [32]float64
				total, mean := 0.0, 0.0
				me := f.slot[p.turn]
				for i, m := range moves {
					q := p
					q.play(f, m)
					l.playOut(&q)
					delta := q.score(f, &match{})
					value[i] = worth(f, &delta, me) / unitWorth
					w[i] = float64(row[s.column(f, p.hand[p.turn], m)])
					total += w[i]
					mean += w[i] * value[i]
				}
				mean /= total
				for i, m := range moves {
					c := s.cell(s.column(f, p.hand[p.turn], m))
					l.sum[c] += value[i] - mean
					l.n[c]++
				}
				p.play(f, l.sample(&p))
			}
		}
		for c := range liking {
			if l.n[c] > 0 {
				liking[c] += *rate * l.sum[c] / (l.n[c] + 5)
				liking[c] = max(-7.9, min(7.9, liking[c]))
			}
		}
	}
	if before == nil {
		return liking
	}
	after := newPolicy(sixteenths(liking))
	mean, width := versus(f, after, before, 20000)
	t.Logf("%s: %.3f ± %.3f better than the beginning", r.Preset, mean, width)
	return liking
}

// imitate trains the policy to play like the yardstick, which now and then plays a random move.
func (l *learner) imitate(t *testing.T, r *game.Rules, liking *[cells]float64, long time.Duration) {
	f, pack := l.f, r.Pack()
	start, hit, all := time.Now(), 0, 0
	for deals := 0; time.Since(start) < long; deals++ {
		if deals%1000 == 0 {
			hit, all = 0, 0
		}
		for i := len(pack) - 1; i > 0; i-- {
			j := l.random.below(i + 1)
			pack[i], pack[j] = pack[j], pack[i]
		}
		s, err := game.Deal(*r, pack, l.random.below(r.Players))
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			move := v.Legal[0]
			if len(v.Legal) > 1 {
				move = Greedy(v)
				p := know(&v, f).at
				o := p.outlook(f)
				var w [32]float64
				var room [32]uint8
				total, top := 0.0, -1
				moves := p.moves(f, room[:0])
				for i, m := range moves {
					w[i] = math.Exp(liking[o.cell(o.column(f, p.hand[p.turn], m))])
					total += w[i]
					if top < 0 || w[i] > w[top] {
						top = i
					}
				}
				all++
				for i, m := range moves {
					x := -w[i] / total
					if m == f.move(move) {
						x++
						if i == top {
							hit++
						}
					}
					c := &liking[o.cell(o.column(f, p.hand[p.turn], m))]
					*c = max(-4, min(4, *c+0.2*x))
				}
				if l.random.below(10) == 0 {
					move = v.Legal[l.random.below(len(v.Legal))]
				}
			}
			s, err = game.Apply(s, s.Turn(), move)
		}
	}
	if all > 0 {
		t.Logf("%s: %.3f as the yardstick", r.Preset, float64(hit)/float64(all))
	}
}

// versus returns how much more policy a scores per deal than b. Each deck is played from both sides.
func versus(f *form, a, b *policy, pairs int) (mean, width float64) {
	random := chance(99)
	pack := f.list(f.pack)
	sum, squares := 0.0, 0.0
	for range pairs {
		var stock [maxPack]uint8
		copy(stock[:], pack)
		random.shuffle(stock[:len(pack)])
		dealer := random.below(int(f.players))
		x := 0.0
		for mine := range uint8(2) {
			p := dealt(f, &stock, len(pack), dealer)
			for p.phase != game.Over {
				who := b
				if f.slot[p.turn] == mine {
					who = a
				}
				p.play(f, who.choose(f, &p))
			}
			delta := p.score(f, &match{})
			x += worth(f, &delta, mine) / 2
		}
		sum += x
		squares += x * x
	}
	n := float64(pairs)
	mean = sum / n
	return mean, 1.96 * math.Sqrt((squares/n-mean*mean)/n)
}

// cell returns the index of a move among the likings.
func (s *outlook) cell(column int) int {
	switch s.phase {
	case game.Lead:
		return s.row*leadColumns + column
	case game.Follow:
		return leadRows*leadColumns + s.row*columns + column
	default:
		return leadRows*leadColumns + (followRows+s.row)*columns + column
	}
}

func sixteenths(liking *[cells]float64) *[cells]int8 {
	b := new([cells]int8)
	for i, x := range liking {
		b[i] = int8(math.Round(x * 16))
	}
	return b
}

// encodeLikings returns the text that decodePolicy reads.
func encodeLikings(liking *[cells]float64) string {
	b := make([]byte, cells)
	for i, x := range sixteenths(liking) {
		b[i] = byte(x)
	}
	return base64.StdEncoding.EncodeToString(b)
}

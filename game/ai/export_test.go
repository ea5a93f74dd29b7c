package ai

import (
	"context"
	"os"
	"strconv"
	"strings"

	"sedmabot/game"
)

// Race reports whether the race detector is on, which makes everything slow.
const Race = raceEnabled

// Long reports whether the tests take their long form, for minutes.
var Long = os.Getenv("SEDMABOT_TEST_LONG") == "1"

// Random plays any legal move, the same one each time.
func Random(s game.State) (game.Move, error) {
	v := s.View(s.Turn())
	random := seed(&v)
	random.next()
	return v.Legal[random.below(len(v.Legal))], nil
}

// A Brain is the policy of one preset, from a file like policy.txt.
type Brain struct{ b *policy }

// Learned returns the policy in the file, or the program's own if file is "".
func Learned(file, preset string) Brain {
	if file == "" {
		r, err := game.Preset(preset)
		if err != nil {
			panic(err)
		}
		return Brain{policyFor(newForm(&r))}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if name, text, _ := strings.Cut(strings.TrimSpace(line), " "); name == preset {
			return Brain{decodePolicy(text)}
		}
	}
	panic(file + ": no " + preset)
}

// Cheat is hard's search with the true hands and 200 random orders of the stock.
func (b Brain) Cheat(s game.State) (game.Move, error) {
	v := s.View(s.Turn())
	f := newForm(&v.Rules)
	k := know(&v, f)
	var w world
	for seat := range v.Rules.Players {
		for _, c := range s.Hand(seat) {
			if c != 0 {
				w.hand[seat] += unit(f.kind(c))
			}
		}
	}
	w.solo = int8(s.Solo())
	deck := s.Deck()
	for i, c := range deck[len(deck)-v.Stock:] {
		w.stock[i] = f.kind(c)
	}
	options := k.options()
	if k.known() {
		k.solve(b.b, &match{}, options, false)
		return f.card(&v, top(options)), nil
	}
	random := seed(&v)
	for range 200 {
		random.shuffle(w.stock[:v.Stock])
		k.try(player{policy: b.b}, &match{}, options, &w, nil)
	}
	return f.card(&v, top(options)), nil
}

// Thinker returns a player with the given settings instead of a level's.
func (b Brain) Thinker(worlds, draws int, doubt float64, tricks int) func(game.State) (game.Move, error) {
	t := thinker{worlds: worlds, draws: draws, doubt: float32(doubt), tricks: tricks}
	return func(s game.State) (game.Move, error) {
		v := s.View(s.Turn())
		f := newForm(&v.Rules)
		return t.choose(context.Background(), &v, f, b.b, &match{}).Move, nil
	}
}

// Tuned returns an opponent with some of its settings changed: "noise=0.1+worlds=20" and the like.
func Tuned(level, settings string) func(game.State) (game.Move, error) {
	t := thinkerOf(level)
	for set := range strings.SplitSeq(settings, "+") {
		name, text, _ := strings.Cut(set, "=")
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err)
		}
		for _, at := range []*temper{&t.temper, &t.duel} {
			if field, ok := map[string]*float64{"keep": &at.keep, "grab": &at.grab, "on": &at.on, "feed": &at.feed, "noise": &at.noise, "robs": &at.robs, "chase": &at.chase}[name]; ok {
				*field = x
			}
		}
		switch name {
		case "worlds":
			t.worlds = int(x)
		case "draws":
			t.draws = int(x)
		case "doubt":
			t.doubt = float32(x)
		case "forgets":
			t.forgets = x
		case "tricks":
			t.tricks = int(x)
		}
	}
	return func(s game.State) (game.Move, error) {
		v := s.View(s.Turn())
		f := newForm(&v.Rules)
		return t.choose(context.Background(), &v, f, policyFor(f), &match{}).Move, nil
	}
}

// Policy plays the policy's own choice, without a search.
func (b Brain) Policy(s game.State) (game.Move, error) {
	v := s.View(s.Turn())
	f := newForm(&v.Rules)
	k := know(&v, f)
	return f.card(&v, b.b.choose(f, &k.at)), nil
}

func top(options []option) uint8 {
	best := options[0]
	for _, o := range options {
		if o.above(best) {
			best = o
		}
	}
	return best.move
}

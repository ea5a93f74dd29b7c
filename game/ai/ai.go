package ai

import (
	"context"

	"sedmabot/game"
)

// Levels are the names of the levels, the weakest first.
var Levels = []string{"easy", "medium", "hard"}

// Think is the move that the level makes with what the view's seat knows; an
// unknown level is the last. The seat is on turn. The same view gives the same
// move. Only the score of the deal counts.
func Think(level string, v game.View) game.Move {
	return Choose(context.Background(), level, v, game.Match{}).Move
}

// A Choice is a legal move, and what the deal is expected to bring the seat's
// side more than the others if it makes it, in the units of the rules' score.
type Choice struct {
	Move  game.Move
	Score float64
}

// Choose is Think with the match as it stood before the deal: at nine of ten a
// third stake is worth nothing. The zero Match is none. When the context ends it
// chooses by what it has found so far. The score of a choice without
// alternative is not looked for.
func Choose(ctx context.Context, level string, v game.View, m game.Match) Choice {
	t := hard
	switch level {
	case "easy":
		t = easy
	case "medium":
		t = medium
	}
	f := newForm(&v.Rules)
	return t.choose(ctx, &v, f, policyFor(f), newMatch(f, &m))
}

// Values are the choices of the seat, which is on turn, in the order of the
// view's Legal, judged in so many worlds; 500 is enough to play by. The match
// is the one before the deal; the zero Match is none. Cards that play alike
// have the same score. It ends early only with the error of the context.
func Values(ctx context.Context, v game.View, m game.Match, worlds int) ([]Choice, error) {
	choices, _, err := values(ctx, &v, m, worlds, nil)
	return choices, err
}

// values returns the choices and what the seat knows. The witness, if any, sees the
// worlds.
func values(ctx context.Context, v *game.View, m game.Match, worlds int, seen *witness) ([]Choice, *knowledge, error) {
	f := newForm(&v.Rules)
	t := hard
	t.worlds = worlds
	k := know(v, f, t.tricks)
	options, err := t.options(ctx, v, k, policyFor(f), newMatch(f, &m), seen, true)
	if err != nil {
		return nil, nil, err
	}
	choices := make([]Choice, len(v.Legal))
	for i, move := range v.Legal {
		choices[i].Move = move
		for _, o := range options {
			if o.move == f.move(move) {
				choices[i].Score = o.score
			}
		}
	}
	return choices, k, nil
}

// A thinker is how hard a level thinks.
type thinker struct {
	worlds int     // that it plays out
	draws  int     // worlds that it imagines for each, to take those that explain what the others did
	doubt  float32 // that three others play as it thinks; of one it has a quarter
	tricks int     // that it remembers; below 0: all
}

var (
	easy   = thinker{worlds: 8, draws: 1, tricks: 0}
	medium = thinker{worlds: 28, draws: 1, tricks: 2}
	hard   = thinker{worlds: 400, draws: 4, doubt: 0.6, tricks: -1}
)

func (t thinker) choose(ctx context.Context, v *game.View, f *form, b *policy, m *match) Choice {
	if len(v.Legal) == 1 {
		return Choice{Move: v.Legal[0]}
	}
	options, _ := t.options(ctx, v, know(v, f, t.tricks), b, m, nil, false) // early is good enough
	top := options[0]
	for _, o := range options {
		if o.above(top) {
			top = o
		}
	}
	return Choice{Move: f.card(v, top.move), Score: top.score}
}

// options are the choices and what they bring, without every maybe less where it is
// less than the best; with the context's error if it
// ended the search. The witness, if any, sees the worlds.
func (t thinker) options(ctx context.Context, v *game.View, k *knowledge, b *policy, m *match, seen *witness, every bool) ([]option, error) {
	if k.f.players == 2 {
		t.doubt /= 4
	}
	if size := k.f.cards(); size > 32 {
		t.worlds = max(1, t.worlds*32/size) // each takes longer
	}
	if t.tricks < 0 && k.known() {
		options := k.options()
		w := k.solve(b, m, options, every)
		if seen != nil {
			seen.see(k, b, options, &w)
		}
		return options, nil
	}
	return k.search(ctx, b, m, t, seed(v), seen)
}

// card is the legal move of the kind, the lowest if there are several.
func (f *form) card(v *game.View, move uint8) game.Move {
	least := game.Move(0)
	for _, m := range v.Legal {
		if f.move(m) == move && (least == 0 || m < least) {
			least = m
		}
	}
	return least
}

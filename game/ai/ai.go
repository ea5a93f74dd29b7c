package ai

import (
	"context"
	"slices"

	"sedmabot/game"
)

// Think returns the level's move for the view's seat, whose turn it must be. An unknown level means the strongest. The
// same view gives the same move. Only the score of the deal counts; see [Choose] for a match.
func Think(level string, v game.View) game.Move {
	return Choose(context.Background(), level, v, game.Match{}).Move
}

// A Choice is a legal move and its expected score: the seat's side in this deal, less the others, in units of the
// rules' score. Near the end of a match, a unit counts as much as it changes the chance to win the match.
type Choice struct {
	Move  game.Move
	Score float64
}

// Choose is like [Think], but takes into account the match before the deal: at nine of ten, a third stake is worth
// nothing. The zero Match means no match. When the context ends, Choose returns the best move found so far. If there is
// only one legal move, its score is not computed.
func Choose(ctx context.Context, level string, v game.View, m game.Match) Choice {
	t := thinkerOf(level)
	f := newForm(&v.Rules)
	return t.choose(ctx, &v, f, policyFor(f), newMatch(f, &m))
}

// Part returns the expected score of every legal move, in the order of the view's Legal. It must be the seat's turn.
// It plays out that many worlds; 500 are enough to play by. m is the match before the deal, and the zero Match means no
// match. Cards that play alike have the same score. If the context ends first, Part returns its error. Each part
// imagines other worlds, so a long search can be done in short parts: the mean of their scores is as exact as one search
// of all their worlds.
func Part(ctx context.Context, v game.View, m game.Match, worlds, part int) ([]Choice, error) {
	t := judge
	t.worlds, t.part = worlds, part
	choices, _, err := t.values(ctx, &v, m, nil)
	return choices, err
}

// values returns the choices after a search of that many worlds, and what the seat knows. The census, if any, counts the
// worlds.
func values(ctx context.Context, v *game.View, m game.Match, worlds int, seen *census) ([]Choice, *knowledge, error) {
	t := judge
	t.worlds = worlds
	return t.values(ctx, v, m, seen)
}

// values returns the thinker's choices and what the seat knows. The census, if any, counts the worlds.
func (t thinker) values(ctx context.Context, v *game.View, m game.Match, seen *census) ([]Choice, *knowledge, error) {
	f := newForm(&v.Rules)
	k, of := t.know(v, f), newMatch(f, &m)
	options, err := t.options(ctx, v, k, policyFor(f), of, seen, true)
	if err != nil {
		return nil, nil, err
	}
	return k.choices(v, of, options), k, nil
}

// choices returns the legal moves with what is expected of the options that play like them.
func (k *knowledge) choices(v *game.View, m *match, options []option) []Choice {
	choices := make([]Choice, len(v.Legal))
	for i, move := range v.Legal {
		choices[i].Move = move
		for _, o := range options {
			if o.move == k.f.move(move) {
				choices[i].Score = m.gain(k.f, &o, k.f.slot[k.me])
			}
		}
	}
	return choices
}

// A thinker is the settings of a level.
type thinker struct {
	worlds  int     // number of worlds that it plays out
	draws   int     // number of worlds that it imagines for each of those, to keep the ones that explain the others' moves
	doubt   float32 // doubt that three others play like the policy; a single other gets a quarter
	tricks  int     // number of past tricks that it remembers; below 0 means all
	forgets float64 // share of the cards of those tricks that it has forgotten; it counts again when the stock is empty
	part    int     // part of a longer search; each imagines other worlds
	judge   bool    // it doesn't play, but rates moves for people: see knowledge.player
	temper  temper  // what makes it differ from the search
	duel    temper  // the same in games of two, in which mistakes cost other amounts
}

func (t thinker) choose(ctx context.Context, v *game.View, f *form, b *policy, m *match) Choice {
	if len(v.Legal) == 1 {
		return Choice{Move: v.Legal[0]}
	}
	if f.players == 2 {
		t.temper = t.duel
	}
	k := t.know(v, f)
	options, _ := t.options(ctx, v, k, b, m, nil, !t.temper.none()) // if the time is over, use what was found
	t.temper.sway(k, options, (seed(v)^0x5851f42d4c957f2d)+chance(t.part))
	top := options[0]
	for _, o := range options {
		if o.above(top) {
			top = o
		}
	}
	return Choice{Move: f.card(v, top.move), Score: top.score}
}

// options returns the legal moves with their expected scores. Unless every is set, the scores of moves that aren't the
// best may be too low. The census, if any, counts the worlds. If the context ended the search, options also returns its
// error.
func (t thinker) options(ctx context.Context, v *game.View, k *knowledge, b *policy, m *match, seen *census, every bool) ([]option, error) {
	options := k.options()
	return options, t.rate(ctx, k, b, m, options, seed(v)+chance(t.part)*0x9e3779b97f4a7c15, seen, every)
}

// rate rates the given moves: it sets what each of them is worth to the seat, as far as its knowledge k tells.
func (t thinker) rate(ctx context.Context, k *knowledge, b *policy, m *match, options []option, random chance, seen *census, every bool) error {
	if k.f.players == 2 {
		t.doubt /= 4
	}
	if size := k.f.cards(); size > 32 {
		t.worlds = max(1, t.worlds*32/size) // a bigger pack takes longer to play out
	}
	if t.tricks < 0 && k.known() {
		w := k.solve(b, m, options, every)
		if seen != nil {
			k.try(player{policy: b}, m, slices.Clone(options), &w, seen)
		}
		return nil
	}
	return k.search(ctx, b, m, options, t, random, seen)
}

// card returns the legal move of that kind, the lowest card if there are several.
func (f *form) card(v *game.View, move uint8) game.Move {
	least := game.Move(0)
	for _, m := range v.Legal {
		if f.move(m) == move && (least == 0 || m < least) {
			least = m
		}
	}
	return least
}

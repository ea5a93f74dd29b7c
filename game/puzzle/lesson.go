package puzzle

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// lessons are the themes of the lessons, in their order.
var lessons = []Theme{Sevens, Taking, Feed, Stop, Endgame}

// Limits of a lesson: how many cards are left at most, with the stock's, and how many choices its player has at least with
// the best play.
const (
	lessonCards   = 20
	lessonChoices = 2
)

// Slip is how much worse than the best a choice in a lesson is at least, in stakes, if it is a mistake.
const Slip = 0.2

// judgeWorlds is how many worlds a choice in a lesson is judged by.
const judgeWorlds = 500

//go:embed lessons.jsonl
var embeddedLessons string

// Lessons returns the theme of each lesson, and the lessons as puzzles: the last tricks of deals for four players. Unlike
// another puzzle, a lesson is played to the end of the deal, and only its first choice is stored.
func Lessons() ([]Theme, []Puzzle, error) {
	all, err := read(embeddedLessons)
	return lessons, all, err
}

// suits reports whether a lesson about the theme can begin at the view, before its choices are known. When the stock is
// empty, every theme but the first ones is an endgame; then a lesson about that begins with a lead, and one about
// taking when an opponent is winning.
func (theme Theme) suits(v game.View) bool {
	switch theme {
	case Stop:
		return v.Phase == game.Decide
	case Feed:
		return v.Phase == game.Follow && partnerWins(v)
	case Taking:
		return v.Phase == game.Follow && !partnerWins(v)
	case Endgame:
		return v.Phase == game.Lead && v.Stock == 0
	default:
		return true
	}
}

// Moves returns the moves of a view in an order that doesn't show which is best. Cards that play alike are one move.
func Moves(v game.View) []game.Move {
	var moves []game.Move
	for _, c := range distinct(v, make([]float64, len(v.Legal)), 1) {
		moves = append(moves, c.Move)
	}
	return moves
}

// PlayOn plays a deal on: the seat makes its next choices with these moves, and the others play as move says. It stops at
// the seat's next choice after them, or at the deal's end. Where all of the seat's moves play alike, there is no choice. since is the index in the seat's log of what was played after its
// latest choice. A move that isn't legal is an error.
func PlayOn(s game.State, seat int, made []game.Move, move func(v game.View) game.Move) (_ game.State, since int, err error) {
	for !s.Over() && err == nil {
		v, m := s.View(s.Turn()), s.Legal()[0]
		switch {
		case len(v.Legal) == 1:
		case v.Seat != seat:
			m = move(v)
		case len(Moves(v)) == 1:
		case len(made) == 0:
			return s, since, nil
		default:
			m, made, since = made[0], made[1:], len(v.Log)+1
		}
		s, err = game.Apply(s, v.Seat, m)
	}
	if err == nil && len(made) > 0 {
		err = fmt.Errorf("the deal is over before %s", made[0])
	}
	return s, since, err
}

// Judge returns the choices of a view in a lesson, best first, by the mean of all ways of solving it. A choice that is
// worse than the first by Slip is a mistake.
func Judge(ctx context.Context, v game.View) ([]Choice, error) {
	all, err := ai.Part(ctx, v, game.Match{}, judgeWorlds, 0)
	if err == nil {
		all, err = ai.Reconsider(ctx, v, judgeWorlds, all)
	}
	if err != nil {
		return nil, err
	}
	var scores []float64
	for _, c := range all {
		scores = append(scores, c.Score)
	}
	return rounded(distinct(v, scores, 1)), nil
}

// MakeLessons is Make for the lessons. It returns the number of deals that it played.
func MakeLessons(ctx context.Context, r game.Rules, seed uint64, out io.Writer) (deals int, err error) {
	for _, theme := range lessons {
		for found := false; !found; deals++ {
			var p Puzzle
			if p, found, err = fromDeal(ctx, r, seedOf(seed, deals), func(s game.State, v game.View) (Puzzle, bool, error) {
				return lessonAt(ctx, s, v, theme, seedOf(seed, deals))
			}); err != nil {
				return deals, err
			}
			if !found {
				continue
			}
			line, err := json.Marshal(p)
			if err == nil {
				_, err = out.Write(append(line, '\n'))
			}
			if err != nil {
				return deals, err
			}
		}
	}
	return deals, nil
}

// lessonAt returns the lesson about the theme at the state, if it is one: few cards are left, one choice is clearly the best,
// and with it the deal is won.
func lessonAt(ctx context.Context, s game.State, v game.View, theme Theme, seed [32]byte) (Puzzle, bool, error) {
	cards := v.Stock
	for _, n := range v.Counts {
		cards += n
	}
	if cards > lessonCards || v.Counts[v.Seat] < lessonChoices || len(v.Legal) < 2 || !theme.suits(v) {
		return Puzzle{}, false, nil
	}
	p, ok, err := found(ctx, s, v, seed)
	if is := p.Theme; !ok || err != nil || is() != theme && !(theme == Taking && is() == Endgame) {
		return p, false, err
	}
	if best, _ := p.Choices[0].Move.Card(); theme == Feed && v.Rules.CardPoints.Of(best.Rank()) == 0 {
		return p, false, nil // it helps the partner, but gives nothing
	}
	p.Then, p.Line = nil, nil
	if ok, err = p.explained(ctx); !ok || err != nil {
		return p, false, err
	}
	ok, err = p.teaches(ctx)
	return p, ok, err
}

// teaches reports whether the theme decides the deal: the solver's side wins it with the best play, and each other first choice
// brings less, however well the rest is played. On the way, the solver chooses at least lessonChoices times, and why a
// choice is a mistake is a fact about the cards.
func (p *Puzzle) teaches(ctx context.Context) (bool, error) {
	best, choices, clear, err := p.brings(ctx, p.Choices[0].Move)
	if err != nil || best <= 0 || choices < lessonChoices || !clear {
		return false, err
	}
	for _, c := range p.Choices[1:] {
		if n, _, _, err := p.brings(ctx, c.Move); err != nil || n >= best {
			return false, err
		}
	}
	return true, nil
}

// brings returns what the deal brings the solver's side over the other, in stakes, with that first move and the best ones after
// it, how many choices the solver has, and whether why a choice is a mistake is always a fact.
func (p *Puzzle) brings(ctx context.Context, first game.Move) (stakes, choices int, clear bool, err error) {
	s, err := p.State()
	if err != nil {
		return 0, 0, false, err
	}
	seat, next := s.Turn(), first
	others := func(v game.View) game.Move { return ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move }
	for clear = true; !s.Over(); choices++ {
		if choices > 0 {
			judged, err := Judge(ctx, s.View(seat))
			if err != nil {
				return 0, 0, false, err
			}
			next = judged[0].Move
			for _, c := range judged[1:] {
				if judged[0].Score-c.Score < Slip {
					continue
				}
				why, err := ai.Compare(ctx, s.View(seat), game.Match{}, reasonWorlds, next, c.Move)
				if err != nil {
					return 0, 0, false, err
				}
				clear = clear && why.Fact()
			}
		}
		if s, _, err = PlayOn(s, seat, []game.Move{next}, others); err != nil {
			return 0, 0, false, err
		}
	}
	result, _ := s.Result()
	_, brought := game.NewMatch(p.Rules, p.Dealer).Settle(result)
	side := p.Rules.Side(seat)
	return brought.ScoreDelta[side] - brought.ScoreDelta[1-side], choices, clear, nil
}

package puzzle

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"

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

// says reports whether the sentence that the lesson about the theme teaches holds in the view if the move is the best one there.
//   - Sevens: an opponent is winning a trick with points, and the seven takes it. Nobody else has one left.
//   - Taking: the same with a card of the led rank, and it is the points in the trick that count.
//   - Feed: a partner is winning the trick, nobody can take it over, and the card has points.
//   - Stop: the seat's side is winning points and stops, but could lose them in another round.
//   - Endgame: the stock is empty, and the seat leads.
func (theme Theme) says(v game.View, best game.Move) bool {
	if v.Phase == game.Lead {
		return theme == Endgame && v.Stock == 0
	}
	card, isCard := best.Card()
	takes := func(c game.Card) bool { return c.Rank() == v.Trick[0].Card.Rank() || v.Rules.Wild.Has(c.Rank()) }
	out := unseen(v)
	points, ours := 0, v.Rules.Side(v.Winner) == v.Rules.Side(v.Seat)
	for _, play := range v.Trick {
		points += v.Rules.CardPoints.Of(play.Card.Rank())
	}
	switch theme {
	case Sevens:
		return v.Phase == game.Follow && !ours && points > 0 && isCard && v.Rules.Wild.Has(card.Rank()) && v.Trick[0].Card.Rank() != card.Rank() &&
			!slices.ContainsFunc(out, func(c game.Card) bool { return v.Rules.Wild.Has(c.Rank()) })
	case Taking:
		return v.Phase == game.Follow && !ours && points > 0 && isCard && card.Rank() == v.Trick[0].Card.Rank() && !v.Rules.Wild.Has(card.Rank())
	case Feed:
		return v.Phase == game.Follow && partnerWins(v) && isCard && v.Rules.CardPoints.Of(card.Rank()) > 0 && !takes(card) && !slices.ContainsFunc(out, takes)
	case Stop:
		return v.Phase == game.Decide && ours && points > 0 && best == game.Stop && slices.ContainsFunc(out, takes)
	default:
		return false
	}
}

// taught are the reasons why the first choice is the best in a lesson about the theme.
var taught = map[Theme][]ai.Cause{
	Sevens: {ai.Unbeatable}, Taking: {ai.Over}, Feed: {ai.Feed}, Stop: {ai.Bank},
	Endgame: {ai.Unbeatable, ai.Rest, ai.Last, ai.Final, ai.Dead, ai.Later},
}

// unseen returns the cards that the seat of the view hasn't seen.
func unseen(v game.View) []game.Card {
	return slices.DeleteFunc(v.Rules.Pack(), func(c game.Card) bool {
		return slices.Contains(v.Hand, c) || slices.ContainsFunc(v.Log, func(e game.Entry) bool { return e.Card == c })
	})
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
		all, err = ai.Overall(ctx, v, game.Match{}, judgeWorlds, all)
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

// lessonDecks is in how many arrangements of the hidden cards a position is tried as a lesson.
const lessonDecks = 20

// lessonAt returns the lesson about the theme at the state, if it is one: few cards are left, one choice is clearly the best,
// and what the lesson teaches holds of it. In one arrangement of the hidden cards, the lesson teaches that.
func lessonAt(ctx context.Context, s game.State, v game.View, theme Theme, seed [32]byte) (Puzzle, bool, error) {
	cards := v.Stock
	for _, n := range v.Counts {
		cards += n
	}
	says := func(m game.Move) bool { return theme.says(v, m) }
	if cards > lessonCards || v.Counts[v.Seat] < lessonChoices || len(Moves(v)) < 2 || !slices.ContainsFunc(v.Legal, says) {
		return Puzzle{}, false, nil
	}
	total := v.Rules.LastTrick
	for _, c := range v.Rules.Pack() {
		total += v.Rules.CardPoints.Of(c.Rank())
	}
	if 2*slices.Max(v.CardPoints) > total { // the deal is decided
		return Puzzle{}, false, nil
	}
	quick, err := Judge(ctx, v)
	if err != nil || lead(quick) < Lead || !says(quick[0].Move) {
		return Puzzle{}, false, err
	}
	p := Puzzle{Rules: v.Rules, Dealer: v.Dealer, Moves: s.Moves(), Deck: game.Cards(s.Deck())}
	if p.Choices, err = clearly(ctx, v); err != nil || p.Choices == nil || !says(p.Choices[0].Move) {
		return p, false, err
	}
	why, err := ai.Compare(ctx, v, game.Match{}, reasonWorlds, p.Choices[0].Move, p.Choices[1].Move)
	if err != nil || !slices.Contains(taught[theme], why.Cause) {
		return p, false, err
	}
	if ok, err := p.explained(ctx); !ok || err != nil {
		return p, false, err
	}
	for range lessonDecks {
		seed = sha256.Sum256(seed[:])
		if p.Deck, err = rearranged(s, v, seed); err != nil {
			return p, false, nil
		}
		if ok, err := p.teaches(ctx, theme); ok || err != nil {
			return p, ok, err
		}
	}
	return p, false, nil
}

// teaches reports whether the first choice decides the deal: after the best one, the solver's side wins the open trick, or in
// a lesson about the endgame the last one, and then the deal, unless the solver makes a mistake. After each other first choice it
// gets less, however well the rest is played. On the way, the solver chooses at least lessonChoices times, and why
// a choice is a mistake is a fact about the cards.
func (p *Puzzle) teaches(ctx context.Context, theme Theme) (bool, error) {
	s, err := p.State()
	if err != nil {
		return false, err
	}
	t := lessonTree{p: p, seat: s.Turn(), trick: len(s.View(s.Turn()).Tricks), last: theme == Endgame}
	least, choices, err := t.after(ctx, s, p.Choices[0].Move, false)
	if err != nil || least <= 0 || choices < lessonChoices || t.lost || t.unclear {
		return false, err
	}
	for _, c := range p.Choices[1:] {
		if n, _, err := t.after(ctx, s, c.Move, true); err != nil || n >= least {
			return false, err
		}
	}
	return true, nil
}

// lessonTree has the ways on which a lesson's deal can go on.
type lessonTree struct {
	p       *Puzzle
	seat    int
	trick   int  // index of the trick that the lesson is about
	last    bool // it is about the last one instead
	lost    bool // the other side won that trick on one of the ways
	unclear bool // why a choice is a mistake wasn't a fact
}

// after returns the least that the deal brings the solver's side over the other, in stakes, with the move and then any choices
// that aren't mistakes, or only the best of them; and the fewest choices that the solver has then.
func (t *lessonTree) after(ctx context.Context, s game.State, move game.Move, best bool) (stakes, choices int, err error) {
	others := func(v game.View) game.Move { return ai.Choose(ctx, ai.Levels[len(ai.Levels)-1], v, game.Match{}).Move }
	if s, _, err = PlayOn(s, t.seat, []game.Move{move}, others); err != nil {
		return 0, 0, err
	}
	v, side := s.View(t.seat), t.p.Rules.Side(t.seat)
	if s.Over() {
		result, _ := s.Result()
		_, brought := game.NewMatch(t.p.Rules, t.p.Dealer).Settle(result)
		trick := v.Tricks[t.trick]
		if t.last {
			trick = v.Tricks[len(v.Tricks)-1]
		}
		t.lost = t.lost || t.p.Rules.Side(trick.Winner) != side
		return brought.ScoreDelta[side] - brought.ScoreDelta[1-side], 1, nil
	}
	judged, err := Judge(ctx, v)
	if err != nil {
		return 0, 0, err
	}
	for i, c := range judged {
		switch {
		case i == 0:
		case best:
			return stakes, choices, nil
		case judged[0].Score-c.Score >= Slip:
			why, err := ai.Compare(ctx, v, game.Match{}, reasonWorlds, judged[0].Move, c.Move)
			if err != nil {
				return 0, 0, err
			}
			t.unclear = t.unclear || !why.Fact()
			continue
		}
		n, more, err := t.after(ctx, s, c.Move, best)
		if err != nil {
			return 0, 0, err
		}
		if i == 0 {
			stakes, choices = n, more+1
		}
		stakes, choices = min(stakes, n), min(choices, more+1)
	}
	return stakes, choices, nil
}

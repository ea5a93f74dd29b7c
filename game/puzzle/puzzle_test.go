package puzzle

import (
	"bytes"
	"flag"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/gametest"
)

// With this flag, the tests check all puzzles, which takes long. Without it, they check samples.
var long = flag.Bool("long", false, "solve all embedded puzzles again")

func book(t *testing.T) []Puzzle {
	t.Helper()
	all, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The 80 embedded puzzles are different positions of games scored in stakes. In each, the first choice is clearly the
// best. The solver's view has no hidden card.
func TestEmbeddedAreWhole(t *testing.T) {
	t.Parallel()
	all := book(t)
	if len(all) != 80 {
		t.Errorf("there are %d puzzles, not 80", len(all))
	}
	ids := map[string]bool{}
	for i, p := range all {
		v, err := p.View()
		if err != nil {
			t.Fatalf("puzzle %d: %v", i+1, err)
		}
		if ids[p.ID()] {
			t.Errorf("puzzle %d is there twice", i+1)
		}
		ids[p.ID()] = true
		if !Fits(p.Rules) || len(p.Choices) < 2 {
			t.Errorf("puzzle %d: %+v", i+1, p)
		}
		for j, c := range p.Choices {
			if !slices.Contains(v.Legal, c.Move) {
				t.Errorf("puzzle %d: %s isn't legal", i+1, c.Move)
			}
			if j > 0 && c.Score > p.Choices[0].Score-Lead+0.015 { // scores are rounded
				t.Errorf("puzzle %d: %s is as good as %s", i+1, c.Move, p.Choices[0].Move)
			}
			if slices.ContainsFunc(p.Choices[:j], func(d Choice) bool { return Alike(p.Rules, c.Move, d.Move) }) {
				t.Errorf("puzzle %d: %s is there twice", i+1, c.Move)
			}
		}
		for _, m := range v.Legal {
			if !slices.ContainsFunc(p.Choices, func(c Choice) bool { return Alike(p.Rules, m, c.Move) }) {
				t.Errorf("puzzle %d: no choice is like %s", i+1, m)
			}
		}
	}
}

// solveAgain returns the choices of a view after a search in other worlds than those of its maker.
func solveAgain(t *testing.T, v game.View, way ai.Way, worlds int) []Choice {
	t.Helper()
	choices, err := solved(t.Context(), v, way, worlds, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return choices
}

// The embedded puzzles have the same solution in other worlds, in each way of solving them: with the hidden cards weighed
// and unweighed, with careless players and, where the stock is empty, with open cards. It is confirmed.
func TestEmbeddedAreSolvedAgain(t *testing.T) {
	t.Parallel()
	worlds, each := 2000, 20
	if *long {
		worlds, each = 10_000, 1
	}
	for i, p := range book(t) {
		if i%each != 0 {
			continue
		}
		v, err := p.View()
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range ai.Ways(v) {
			n, least := worlds, Lead*0.8
			if way == ai.Exact {
				n = 100
				least = Lead / 2
			}
			if again := solveAgain(t, v, way, n); again[0].Move != p.Choices[0].Move || lead(again) < least {
				t.Errorf("puzzle %d: %v, want %s (way %d)", i+1, again, p.Choices[0].Move, way)
			}
		}
		if ok, err := confirmed(t.Context(), v, p.Choices); !ok || err != nil {
			t.Errorf("puzzle %d: at hard the AI plays something else, or thinking players do better with it: %v", i+1, err)
		}
	}
}

// A fifth of the easy players who try an embedded puzzle go wrong.
func TestEmbeddedAreNotObvious(t *testing.T) {
	t.Parallel()
	for i, p := range book(t) {
		if i%10 != 0 && !*long {
			continue
		}
		v, err := p.View()
		if err != nil {
			t.Fatal(err)
		}
		if n := wrong(t.Context(), v, p.Choices[0].Move, 0); n < Wrong {
			t.Errorf("puzzle %d: only %d of %d go wrong", i+1, n, Players)
		}
	}
}

// The answers after each choice lead to the next one, and the line of play goes to the end of the deal.
func TestEmbeddedGoOn(t *testing.T) {
	t.Parallel()
	for i, p := range book(t) {
		for n := range len(p.Then) + 1 {
			v, err := p.At(n)
			if err != nil {
				t.Fatalf("puzzle %d, choice %d: %v", i+1, n+1, err)
			}
			choices := p.ChoicesAt(n)
			if len(choices) < 2 || v.Seat != v.Turn {
				t.Errorf("puzzle %d, choice %d: %v", i+1, n+1, choices)
			}
			for _, c := range choices {
				if !slices.Contains(v.Legal, c.Move) {
					t.Errorf("puzzle %d, choice %d: %s isn't legal", i+1, n+1, c.Move)
				}
			}
			if n > 0 && lead(choices) < StepLead-0.015 {
				t.Errorf("puzzle %d, choice %d: %v", i+1, n+1, choices)
			}
		}
		if len(p.Then) == 0 || len(p.Then) >= MaxSteps {
			t.Errorf("puzzle %d has %d choices", i+1, len(p.Then)+1)
		}
		if s, err := p.After(); err != nil || !s.Over() {
			t.Errorf("puzzle %d: its line doesn't go to the end of the deal (%v)", i+1, err)
		}
	}
}

// Why the best move of a choice is better than another is always a fact about the cards, which the solver can check.
func TestEmbeddedHaveFactsAsReasons(t *testing.T) {
	t.Parallel()
	for i, p := range book(t) {
		if i%4 != 0 && !*long {
			continue
		}
		if ok, err := p.explained(t.Context()); !ok || err != nil {
			t.Errorf("puzzle %d: an answer has no fact as its reason (%v)", i+1, err)
		}
	}
}

// The lessons are the last tricks of deals of four, one for each theme, that aren't decided yet. The sentence of a lesson is true of
// its first choice, which decides the deal: with choices that aren't mistakes, of which there are at least two, the side wins it, and
// after another first choice it gets less. Why a choice is a mistake is a fact.
func TestLessonsTeachTheirSentence(t *testing.T) {
	t.Parallel()
	of, all, err := Lessons()
	if err != nil || len(all) != len(of) {
		t.Fatalf("there are %d lessons about %v: %v", len(all), of, err)
	}
	for i, p := range all {
		v, err := p.View()
		if err != nil {
			t.Fatal(err)
		}
		cards := v.Stock
		for _, n := range v.Counts {
			cards += n
		}
		best, second := p.Choices[0].Move, p.Choices[1].Move
		if v.Rules.Players != 4 || cards > lessonCards || 2*slices.Max(v.CardPoints) > 90 || !of[i].says(v, best) {
			t.Errorf("lesson %d: %d cards are left in %s, phase %s, and the best is %s", i+1, cards, v.Rules.Preset, v.Phase, best)
		}
		if why, err := ai.Compare(t.Context(), v, game.Match{}, reasonWorlds, best, second); err != nil || !slices.Contains(taught[of[i]], why.Cause) {
			t.Errorf("lesson %d: %s is best because of %s (%v)", i+1, best, why.Cause, err)
		}
		if ok, err := p.explained(t.Context()); !ok || err != nil {
			t.Errorf("lesson %d: an answer has no fact as its reason (%v)", i+1, err)
		}
		if ok, err := p.teaches(t.Context(), of[i]); !ok || err != nil {
			t.Errorf("lesson %d: its theme doesn't decide the deal (%v)", i+1, err)
		}
	}
}

// A lesson's sentence isn't true everywhere.
func TestWhatALessonSays(t *testing.T) {
	t.Parallel()
	card := game.NewCard
	seen := func(v game.View, cards ...game.Card) game.View {
		for _, c := range cards {
			v.Log = append(v.Log, game.Entry{Move: game.PlayCard(c), Card: c})
		}
		return v
	}
	trick := func(winner int, cards ...game.Card) game.View {
		v := game.View{Rules: gametest.Preset(t, "sedma-4p"), Seat: 0, Winner: winner, Phase: game.Follow}
		v.Hand = []game.Card{card('7', 'a'), card('9', 'a'), card('A', 'a')}
		for i, c := range cards {
			v.Trick = append(v.Trick, game.Play{Seat: i + 1, Card: c})
		}
		return seen(v, cards...)
	}
	sevens := []game.Card{card('7', 'b'), card('7', 'h'), card('7', 'l')}
	nines := []game.Card{card('9', 'b'), card('9', 'h'), card('9', 'l')}
	decide := trick(0, card('A', 'b'))
	decide.Phase = game.Decide
	for name, c := range map[string]struct {
		theme Theme
		v     game.View
		best  game.Move
		want  bool
	}{
		"a seven, and others are out": {Sevens, trick(1, card('T', 'b')), game.PlayCard(card('7', 'a')), false},
		"the last seven":              {Sevens, seen(trick(1, card('T', 'b')), sevens...), game.PlayCard(card('7', 'a')), true},
		"the last seven for nothing":  {Sevens, seen(trick(1, card('9', 'b')), sevens...), game.PlayCard(card('7', 'a')), false},
		"it takes points":             {Taking, trick(1, card('9', 'b'), card('T', 'b')), game.PlayCard(card('9', 'a')), true},
		"it takes nothing":            {Taking, trick(1, card('9', 'b')), game.PlayCard(card('9', 'a')), false},
		"it takes the partner's":      {Taking, trick(2, card('9', 'b'), card('9', 'h'), card('T', 'b')), game.PlayCard(card('9', 'a')), false},
		"others can take it":          {Feed, seen(trick(2, card('9', 'b'), card('9', 'h')), sevens...), game.PlayCard(card('A', 'a')), false},
		"nobody can take it":          {Feed, seen(trick(2, nines...), sevens...), game.PlayCard(card('A', 'a')), true},
		"nothing to give":             {Feed, seen(trick(2, nines...), sevens...), game.PlayCard(card('9', 'a')), false},
		"it stops":                    {Stop, decide, game.Stop, true},
		"it continues":                {Stop, decide, game.PlayCard(card('7', 'a')), false},
		"it leads":                    {Endgame, game.View{Phase: game.Lead}, game.PlayCard(card('7', 'a')), true},
		"it leads, with a stock":      {Endgame, game.View{Phase: game.Lead, Stock: 4}, game.PlayCard(card('7', 'a')), false},
	} {
		if got := c.theme.says(c.v, c.best); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// From the same seed comes the same puzzle again: this one is embedded.
func TestMakeRepeatsItself(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	var out bytes.Buffer
	if _, err := Make(t.Context(), []game.Rules{gametest.Preset(t, "sedma-2p")}, "", 1, 4, &out); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(slices.Collect(strings.Lines(embedded)), out.String()) {
		t.Errorf("it made\n%s", out.Bytes())
	}
}

// An embedded puzzle is found again. Its hidden cards aren't those of the deal, but the solver sees the same.
func TestHiddenCardsAreRearranged(t *testing.T) {
	t.Parallel()
	p := book(t)[0]
	s, err := game.Replay(p.Rules, []game.Card(p.Deck), p.Dealer, p.Moves)
	if err != nil {
		t.Fatal(err)
	}
	v := s.View(s.Turn())
	again, ok, err := puzzleAt(t.Context(), s, [32]byte{7})
	if err != nil || !ok || !slices.Equal(again.Choices, p.Choices) {
		t.Fatalf("%v, %v, %v", again, ok, err)
	}
	if again.ID() != p.ID() {
		t.Error("the same position has another name")
	}
	if w, err := again.View(); err != nil || !same(v, w) {
		t.Errorf("the solver sees something else: %v", err)
	}
	if v.Stock > 0 && again.Deck == p.Deck {
		t.Error("the hidden cards are in the same order")
	}
}

// A position with two good choices is no puzzle, and neither is one with another kind of scoring.
func TestUnclearPositionsAreRejected(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-4p", "hola-4p"} {
		r := gametest.Preset(t, preset)
		s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{}), 0)
		if err != nil {
			t.Fatal(err)
		}
		if choices, err := search(t.Context(), s.View(s.Turn())); choices != nil || err != nil {
			t.Errorf("%s: it found %v, %v", preset, choices, err)
		}
	}
}

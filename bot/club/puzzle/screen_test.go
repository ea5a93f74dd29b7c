package puzzle

import (
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/puzzle"
	"sedmabot/game/table"
)

// puzzled returns the view of a seat in the middle of a deal.
func puzzled(t *testing.T, preset string, plies int) game.View {
	t.Helper()
	r := gametest.Preset(t, preset)
	s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{3}), 0)
	for range plies {
		if err == nil {
			s, err = game.Apply(s, s.Turn(), s.Legal()[0])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.View(s.Turn())
}

// TestPuzzleScreens shows a puzzle and its answers.
func TestPuzzleScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		var all []screen.Screen
		for _, preset := range []string{"sedma-4p", "sedma-2p", "sedma-3p"} {
			p := Position{Name: "abcdefghij", View: puzzled(t, preset, 14)}
			p.Choices = slices.Clone(p.View.Legal)
			slices.Sort(p.Choices)
			if preset == "sedma-4p" {
				p.Date = "2026-03-01"
			}
			all = append(all, p.Screen(c))
			answer := Solution{Position: p, Chosen: p.Choices[0], Best: p.Choices[0], Tried: 8, Found: 5, Rating: 1120, Level: 1080, Change: 34}
			for i, m := range p.Choices[1:] {
				why := view.Reason{Cause: "over", Better: p.Choices[0], Other: m, Points: 20, Several: p.View.Rules.Players > 2}
				answer.Rulings = append(answer.Rulings, Ruling{Move: m, Cost: 0.75 * float64(i+1), Why: why})
			}
			all = append(all, answer.Screen(c))
			answer.Chosen, answer.Tried, answer.Change, answer.Again, answer.Today = p.Choices[len(p.Choices)-1], 0, 0, true, "2026-03-01"
			all = append(all, answer.Screen(c))
		}
		all = append(all, lessonScreens(t, c)...)
		screentest.Golden(t, language, "puzzle", screentest.Words(t, append(all, NoneLeft(c, "2026-03-01"))...))
	})
}

// lessonScreens returns the beginning of each lesson, a mistake, and the end.
func lessonScreens(t *testing.T, c *lang.Catalogue) (all []screen.Screen) {
	t.Helper()
	themes, lessons, err := puzzle.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for i, of := range lessons {
		s, err := of.State()
		if err != nil {
			t.Fatal(err)
		}
		seat := s.Turn()
		p := Position{View: s.View(seat), Lesson: i + 1, Lessons: len(lessons), Theme: themes[i], Choices: puzzle.Moves(s.View(seat))}
		all = append(all, p.Screen(c))
		if i == 0 {
			best, worse := of.Choices[0].Move, of.Choices[1].Move
			wrong := Solution{Position: p, Chosen: worse, Best: best}
			wrong.Rulings = []Ruling{{Move: worse, Cost: 0.9, Why: view.Reason{Cause: "spare", Better: best, Other: worse}}}
			all = append(all, wrong.Screen(c))
		}
		for !s.Over() {
			if s, err = game.Apply(s, s.Turn(), s.Legal()[0]); err != nil {
				t.Fatal(err)
			}
		}
		p.View, p.First, p.Since = s.View(seat), []game.Move{of.Choices[0].Move}, len(p.View.Log)
		all = append(all, lessonEnd{p, finishedDeal(s)}.Screen(c))
	}
	return all
}

// The text of a puzzle has each card of the open trick, as not everybody sees the picture.
func TestPuzzleNamesTheCardsOnTheTable(t *testing.T) {
	t.Parallel()
	v := puzzled(t, "sedma-2p", 14)
	if len(v.Trick) == 0 {
		t.Fatal("there is no open trick")
	}
	s := Position{View: v}.Screen(lang.For("en"))
	for _, s := range []screen.Screen{s, s.WithoutPicture()} {
		text := screen.Screen{Blocks: s.Blocks, Face: s.Face}.String()
		for i, play := range v.Trick {
			want := 1
			if i == table.BestPlay(v.Rules, v.Trick, v.Winner) {
				want = 2 // the question says that it is winning
			}
			if n := strings.Count(text, face.Text(s.Face, play.Card)); n != want {
				t.Errorf("%s is there %d times:\n%s", play.Card, n, text)
			}
		}
	}
}

// A puzzle shows no card that its solver can't see: hands of others, the stock, or who has which card.
func TestPuzzleShowsOnlyWhatItsSolverKnows(t *testing.T) {
	t.Parallel()
	v := puzzled(t, "sedma-4p", 14)
	known := map[game.Card]bool{}
	for _, c := range v.Hand {
		known[c] = true
	}
	for _, e := range v.Log {
		known[e.Card] = true
	}
	s := Position{Name: "abcdefghij", View: v, Choices: v.Legal}.Screen(lang.For("en"))
	for _, b := range s.Blocks {
		for _, span := range b.Spans {
			if span.Kind == screen.SpanCard && !known[span.Card] {
				t.Errorf("%s is shown", span.Card)
			}
		}
	}
	for _, play := range s.Picture.Draw.Table.Plays {
		if !known[play.Card] {
			t.Errorf("%s is in the picture", play.Card)
		}
	}
	if seats := s.Picture.Draw.Table.Seats; seats[0].Name != "You" || !seats[0].Turn || seats[2].Name != "Partner" {
		t.Errorf("the reader doesn't sit at the bottom: %+v", seats)
	}
	for _, row := range s.Rows {
		for _, b := range row {
			if p, err := parsePress(b.Press); err != nil || p.what != "abcdefghij" || strings.Contains(b.Press, b.Label) {
				t.Errorf("%q: %+v, %v", b.Press, p, err)
			}
		}
	}
}

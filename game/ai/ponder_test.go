package ai

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

var mistakes = flag.Int("mistakes", 0, "judge so many choices that seem mistakes by players who think longer")

// A choice that looks costly only to the quick player that plays the worlds out is none. In the first deal, a player who follows
// to a trick of a partner keeps two eights that nobody could beat. In the others, the quick player would keep the last ten,
// which nothing but a seven beats, until a seven takes it, so it seems best to give the ten away at once.
func TestCostlyChoicesAreReconsidered(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		preset      string
		seed, deal  uint64
		moves, made string
	}{
		{"sedma-4p", 5, 100, "Tl 7l Ta Tb stop Oh Oa Ol 7a 7b 8h Al 9h stop Th Ka 8b 7h stop Aa Ob", "Uh"},
		{"sedma-2p", 31, 52, "Ub Ol stop Aa Ab stop Ta 9b stop Tb 8a stop Oa Ob stop 8l Kb stop Ah 7l Al Uh stop Ka Th Kh 8h stop Ua", "Oh"},
		{"sedma-2p", 31, 52, "Ub Ol stop Aa Ab stop Ta 9b stop Tb 8a stop Oa Ob stop 8l Kb stop Ah 7l Al Uh stop Ka Th Kh 8h stop Ua Oh stop 9h", "Kl"},
	} {
		v := afterMoves(t, test.preset, test.seed, test.deal, test.moves)
		made, err := game.ParseMove(test.made)
		if err != nil {
			t.Fatal(err)
		}
		first, err := Part(t.Context(), v, game.Match{}, 500, 0)
		if err != nil {
			t.Fatal(err)
		}
		best := first[0].Move
		for _, c := range first {
			if c.Score > scoreOf(first, best) {
				best = c.Move
			}
		}
		again, err := Reconsider(t.Context(), v, game.Match{}, []game.Move{best, made}, 500, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := scoreOf(first, best)-scoreOf(first, made), scoreOf(again, best)-scoreOf(again, made); a < 0.15 || b > Even {
			t.Errorf("%s: %s costs %.2f, and then %.2f", test.moves, test.made, a, b)
		}
	}
}

// A hint doesn't recommend giving a ten to the opponents instead of taking the trick with an ace, if thinking players take it.
func TestHintsAreDoubted(t *testing.T) {
	t.Parallel()
	v := afterMoves(t, "sedma-4p", 2026, 0, "7l 8l Ab 7a stop Th Tb Oa Kb stop 9a Ob Kh Ka stop Ah Kl Ul")
	_, _, first, err := Explain(t.Context(), v, game.Match{}, 500, 0)
	if err != nil || first.Better.String() != "Ta" {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := Doubt(t.Context(), v, game.Match{}, first, 100)
	if err != nil || again.Better.String() != "Aa" || again.Other != first.Better || again.Cause != Equal {
		t.Errorf("%+v, %v", again, err)
	}
}

// afterMoves returns what the player whose turn it is sees after the moves of a random deal.
func afterMoves(t *testing.T, preset string, seed, deal uint64, moves string) game.View {
	t.Helper()
	r := gametest.Preset(t, preset)
	random := rand.New(rand.NewPCG(seed, deal))
	s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(r.Players))
	for _, text := range strings.Fields(moves) {
		var m game.Move
		if err == nil {
			m, err = game.ParseMove(text)
		}
		if err == nil {
			s, err = game.Apply(s, s.Turn(), m)
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return s.View(s.Turn())
}

// In every game, the moves that are asked for are judged, and the same way each time.
func TestReconsiderAnyGame(t *testing.T) {
	t.Parallel()
	names := game.Presets()
	reasonCases(t, names, len(names), 20, 3, func(c reasonCase) {
		moves := []game.Move{c.why.Better, c.why.Other}
		first, err := Reconsider(t.Context(), c.v, game.Match{}, moves, 2, 1)
		again, _ := Reconsider(t.Context(), c.v, game.Match{}, moves, 2, 1)
		if err != nil || len(first) != 2 || !slices.Equal(first, again) || !slices.Contains(moves, first[0].Move) || !slices.Contains(moves, first[1].Move) ||
			math.IsNaN(first[0].Score+first[1].Score) || math.IsInf(first[0].Score+first[1].Score, 0) {
			t.Errorf("%s, %v: %v, then %v, %v", c.name, c.v.Log, first, again, err)
		}
	})
}

// claims counts choices that are said to cost 0.15 stakes, those of them that cost below 0.1, and the others that cost 0.15.
type claims struct{ all, none, missed int }

func (c *claims) count(said, cost float64) {
	switch {
	case said >= 0.15:
		c.all++
		if cost < 0.1 {
			c.none++
		}
	case cost >= 0.15:
		c.missed++
	}
}

// TestMistakes measures how much the choices cost that seem mistakes, and how exactly the coach knows it. The judges are
// players who imagine 60 worlds at each move, in 400 deals.
func TestMistakes(t *testing.T) {
	if *mistakes == 0 {
		t.Skip("only with -mistakes")
	}
	var part, both claims
	first, again := 0.0, 0.0
	reasonCases(t, strings.Split(*reasonGames, ","), *mistakes, 500, 41, func(c reasonCase) {
		moves := []game.Move{c.why.Better, c.why.Other}
		gap := func(deals, worlds int) float64 {
			choices, err := reconsider(t.Context(), c.v, game.Match{}, moves, deals, worlds, worlds)
			if err != nil {
				t.Fatal(err)
			}
			return scoreOf(choices, moves[0]) - scoreOf(choices, moves[1])
		}
		quick, long := gap(166, 12), gap(400, 60)
		first += (c.gap - long) * (c.gap - long)
		again += (quick - long) * (quick - long)
		part.count(c.gap, long)
		both.count(min(c.gap, quick), long)
	})
	n := float64(*mistakes)
	t.Logf("a search's cost is off by %.2f, the second one's by %.2f", math.Sqrt(first/n), math.Sqrt(again/n))
	t.Logf("by the first, %d are mistakes, of which %d aren't; by both, %d, of which %d aren't, and %d more are", part.all, part.none, both.all, both.none, both.missed)
}

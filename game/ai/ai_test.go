package ai_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// play plays one deal with a player for each seat, and returns its score by side.
func play(t testing.TB, rules game.Rules, seed string, players ...func(game.View) game.Move) []int {
	s, err := game.Deal(rules, game.Shuffle(rules.Pack(), sha256.Sum256([]byte(seed))), 0)
	if err != nil {
		t.Fatal(err)
	}
	for !s.Over() {
		seat := s.Turn()
		m := players[seat](s.View(seat))
		if !slices.Contains(s.Legal(), m) {
			t.Fatalf("%s: seat %d made the move %s, legal were %v", rules.Preset, seat, m, s.Legal())
		}
		if s, err = game.Apply(s, seat, m); err != nil {
			t.Fatal(err)
		}
	}
	result, _ := s.Result()
	_, settled := game.NewMatch(rules, 0).Settle(result)
	return settled.ScoreDelta
}

func level(name string) func(game.View) game.Move {
	return func(v game.View) game.Move { return ai.Think(name, v) }
}

// random is a player without any sense, and the same every time.
func random(v game.View) game.Move {
	sum := sha256.Sum256(fmt.Append(nil, v.Log, v.Hand))
	return v.Legal[int(sum[0])%len(v.Legal)]
}

// Every level plays every game to its end by the rules.
func TestPlaysEveryGame(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		rules, err := game.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range ai.Levels {
			players := slices.Repeat([]func(game.View) game.Move{level(l)}, rules.Players)
			for deal := range 2 {
				play(t, rules, fmt.Sprint(name, deal), players...)
			}
		}
	}
}

// Thinking a little is worth much more than playing anything.
func TestBetterThanChance(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sedma-2p", "sedma-4p"} {
		rules, err := game.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		sum, deals := 0, 300
		for deal := range deals {
			a, b := level("easy"), random
			one := play(t, rules, fmt.Sprint(deal), []func(game.View) game.Move{a, b, a, b}[:rules.Players]...)
			two := play(t, rules, fmt.Sprint(deal), []func(game.View) game.Move{b, a, b, a}[:rules.Players]...)
			sum += one[0] - one[1] + two[1] - two[0]
		}
		if mean := float64(sum) / float64(2*deals); mean < 0.8 {
			t.Errorf("%s: %.2f stakes a deal better than chance, want 0.8", name, mean)
		} else {
			t.Logf("%s: %.2f stakes a deal better than chance", name, mean)
		}
	}
}

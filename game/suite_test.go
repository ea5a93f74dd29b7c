package game_test

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

func TestSuiteOverPresets(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, name)
			random, compared := rng(len(name)), 0
			deals := 1
			if os.Getenv("SEDMABOT_TEST_LONG") == "1" {
				deals = 2
			}
			for range deals {
				_, n := gametest.Deal(t, r, random.below)
				compared += n
			}
			if compared == 0 {
				t.Error("no two states could be compared for leaks")
			}
		})
	}
}

func TestSuiteOverOptions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		choose := rapidChooser(t)
		r := gametest.Rules(t, choose)
		t.Log(gametest.Describe(r))
		gametest.Deal(t, r, choose)
	})
}

// rapidChooser returns a chooser seeded by rapid. A deal has too many choices for rapid to draw each one.
func rapidChooser(t *rapid.T) gametest.Chooser {
	random := rng(rapid.Uint64().Draw(t, "seed"))
	return random.below
}

// Every option must have values that the suite tries, including both readings of each open point of RULES.md.
func TestEveryOptionIsTried(t *testing.T) {
	t.Parallel()
	for _, name := range game.Options() {
		if len(gametest.Values(name)) < 2 {
			t.Errorf("option %s is not tried", name)
		}
	}
}

// TestTotals checks the sum of the points of a deal that is played to its end. For games that count cards, tricks or
// the last trick differently from Sedma, the sum is that of RULES.md. For the others it follows from the rules.
func TestTotals(t *testing.T) {
	t.Parallel()
	want := func(name string, r game.Rules, res game.Result) int {
		for _, row := range []struct {
			total int
			names []string
		}{
			{8, []string{"sedma-4p-tricks", "septica-2p", "septica-3p", "septica-4p"}},
			{16, []string{"sedma-2p-tricks"}},
			{170, []string{"osmova-4p-170", "osmova-4p-170-points"}},
			{160, []string{"hola-6p"}},
			{120, []string{"ristikontra", "ristikontra-120"}},
			{80, []string{"slovak-2p", "slovak-3p", "slovak-4p", "kovac-2p", "kovac-4p", "soccer-home", "soccer-neutral",
				"zsirozas-2p", "zsirozas-4p", "zsirozas-4p-final-seven", "suster-4p"}},
		} {
			if slices.Contains(row.names, name) {
				return row.total
			}
		}
		won := res.RoundsWon
		if r.TrickUnit == game.ByTrick {
			won = res.TricksWon
		}
		total := r.LastTrick + r.TrickPoints*sum(won)
		for _, c := range r.Pack() {
			total += r.CardPoints.Of(c.Rank())
		}
		return total
	}
	for _, name := range game.Presets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, name)
			random, played := rng(1), 0
			for range 30 {
				s := randomDeal(t, r, random.below)
				res, _ := s.Result()
				if res.End != game.EndPlayed {
					continue
				}
				played++
				_, brought := game.NewMatch(r, s.Dealer()).Settle(res)
				if total := sum(brought.Points); total != want(name, r, res) {
					t.Errorf("%d points in all, not %d", total, want(name, r, res))
				}
			}
			if played == 0 {
				t.Error("no deal was played to its end")
			}
		})
	}
}

func randomDeal(t gametest.T, r game.Rules, choose gametest.Chooser) game.State {
	s, err := game.Deal(r, gametest.Shuffled(r, choose), choose(r.Players))
	for err == nil && !s.Over() {
		legal := s.Legal()
		s, err = game.Apply(s, s.Turn(), legal[choose(len(legal))])
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// The engine must agree with the plain reference about every state of random deals.
func TestAgreesWithPlainReference(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		r := gametest.Preset(t, name)
		random := rng(7)
		for range 20 {
			compare(t, r, random.below)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		choose := rapidChooser(t)
		r := gametest.Rules(t, choose)
		t.Log(gametest.Describe(r))
		compare(t, r, choose)
	})
}

func compare(t gametest.T, r game.Rules, choose gametest.Chooser) {
	deck, dealer := gametest.Shuffled(r, choose), choose(r.Players)
	s, err := game.Deal(r, deck, dealer)
	if err != nil {
		t.Fatalf("%v", err)
	}
	p := newPlain(r, deck, dealer)
	for {
		legal, want := s.Legal(), p.legal()
		slices.Sort(legal)
		slices.Sort(want)
		if s.Over() != (p.end != "") || !slices.Equal(legal, want) {
			t.Fatalf("legal %v, not %v; over %v, %q", legal, want, s.Over(), p.end)
		}
		if s.Over() {
			break
		}
		if s.Turn() != p.turn || s.Phase().String() != p.phase {
			t.Fatalf("%d %v, not %d %s", s.Turn(), s.Phase(), p.turn, p.phase)
		}
		for seat := range r.Players {
			hand, same := s.Hand(seat), slices.Clone(p.hands[seat])
			slices.Sort(hand)
			slices.Sort(same)
			if free := len(hand) - len(same); !slices.Equal(hand[free:], same) {
				t.Fatalf("seat %d holds %v, not %v", seat, hand, same)
			}
		}
		if v := s.View(game.Nobody); len(v.Trick) > 0 && v.Winner != p.winner() {
			t.Fatalf("seat %d is winning, not %d: %v", v.Winner, p.winner(), v.Trick)
		}
		m := legal[choose(len(legal))]
		if s, err = game.Apply(s, s.Turn(), m); err != nil {
			t.Fatalf("%v", err)
		}
		p = p.apply(m)
	}
	res, _ := s.Result()
	points, tricks, rounds := s.Won()
	for seat := range r.Players {
		want := 0
		for _, c := range p.won[seat] {
			want += r.CardPoints.Of(c.Rank())
		}
		if points[seat] != want || tricks[seat] != p.tricks[seat] || rounds[seat] != p.rounds[seat] {
			t.Fatalf("seat %d has won %d, %d, %d, not %d, %d, %d", seat, points[seat], tricks[seat], rounds[seat], want, p.tricks[seat], p.rounds[seat])
		}
	}
	burner, last := game.Nobody, game.Nobody
	if p.end == "played" {
		last = p.side(p.lastTrick)
	} else {
		burner = p.side(p.burner)
	}
	if res.End.String() != p.end || res.Burner != burner || res.LastTrick != last || res.Price != p.price {
		t.Fatalf("%+v, not %s, burner %d for %d, last trick %d", res, p.end, burner, p.price, last)
	}
}

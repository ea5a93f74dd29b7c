package game_test

import (
	"slices"
	"testing"

	"sedmabot/game"
)

// winnerOf returns who is winning the open trick, or else who won the latest one.
func winnerOf(v game.View) int {
	if len(v.Trick) > 0 || len(v.Tricks) == 0 {
		return v.Winner
	}
	return v.Tricks[len(v.Tricks)-1].Winner
}

// wonBy returns what a seat's side counts in a view, without the reward for the last trick.
func wonBy(v game.View, seat int) int {
	side, tricks := v.Rules.Side(seat), v.TricksWon
	if v.Rules.TrickUnit == game.ByRound {
		tricks = v.RoundsWon
	}
	return v.CardPoints[side] + v.Rules.TrickPoints*tricks[side]
}

// Taking must agree with Legal and Apply, in every preset: with every move at every decision of random deals.
func TestTakingAgreesWithTheRules(t *testing.T) {
	t.Parallel()
	var burned, fatal, dead, special, last int // how often each was tried
	for _, name := range game.Presets() {
		rules, err := game.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		random := rng(len(name))
		for n := range 40 {
			deck := slices.Clone(rules.Pack())
			for i := range deck {
				j := i + random.below(len(deck)-i)
				deck[i], deck[j] = deck[j], deck[i]
			}
			at, err := game.Deal(rules, deck, n%rules.Players)
			if err != nil {
				t.Fatal(err)
			}
			for at.Phase() != game.Over {
				taking, seat, before := at.Taking(), at.Turn(), at.View(game.Nobody)
				own, legal := at.View(seat), at.Legal()
				if before.Taking != taking || own.Taking != taking {
					t.Fatalf("%s: views differ from %+v: %+v, %+v", name, taking, before.Taking, own.Taking)
				}
				if len(before.Trick) == 0 && taking != (game.Taking{}) {
					t.Fatalf("%s: in phase %s, %+v", name, at.Phase(), taking)
				}
				for _, c := range own.Hand {
					rank := c.Rank()
					if c == rules.SpecialSeven {
						rank = '7'
					}
					if at.Phase() == game.Decide && c != 0 && taking.Continue.Has(rank) != slices.Contains(legal, game.PlayCard(c)) {
						t.Fatalf("%s: %v may continue: %v, %+v", name, c, legal, taking)
					}
				}
				for _, m := range legal {
					next, err := game.Apply(at, seat, m)
					if err != nil {
						t.Fatal(err)
					}
					v := next.View(game.Nobody)
					card := v.Log[len(v.Log)-1].Card
					if len(before.Trick) == 0 {
						continue
					}
					if v.End == game.EndBurn != (card != 0 && card.Rank() == taking.Burn) {
						t.Fatalf("%s: %v ends the deal by %q, %+v", name, card, v.End, taking)
					}
					if v.End == game.EndBurn {
						burned++
						continue
					}
					took := card != 0 && taking.Ranks.Has(card.Rank())
					if card != 0 && card == rules.SpecialSeven {
						took = taking.Special
						special++
					}
					want := before.Winner
					if took {
						want = seat
					}
					if got := winnerOf(v); got != want {
						t.Fatalf("%s: after %v by %d, %d wins the trick, want %d: %+v, %+v", name, card, seat, got, want, taking, before.Trick)
					}
					if card != 0 && card.Rank() == '7' && rules.FinalSeven == game.SevenDead && !took {
						dead++
					}
					if len(v.Tricks) == len(before.Tricks) {
						if taking.Last && v.Phase == game.Over {
							t.Fatalf("%s: the deal is over in the middle of a trick", name)
						}
						continue
					}
					points := taking.Points
					if card != 0 {
						points += rules.CardPoints.Of(card.Rank())
					}
					if card != 0 && at.Phase() == game.Decide && rules.TrickUnit == game.ByRound {
						points += rules.TrickPoints // for a round that others can't answer
					}
					got := wonBy(v, want) - wonBy(before, want)
					if taking.Last {
						last++
						got += rules.LastTrick
					}
					if got != points {
						t.Fatalf("%s: %d won %d with %v, want %d: %+v", name, want, got, card, points, taking)
					}
					if over := v.Phase == game.Over && v.End == game.EndPlayed; at.Phase() == game.Follow && over != taking.Last {
						t.Fatalf("%s: the last trick: %v, %+v", name, over, taking)
					}
					if res, ok := next.Result(); ok && card != 0 && (card.Rank() == '7' || card == rules.SpecialSeven) {
						_, settled := game.NewMatch(rules, 0).Settle(res)
						loses := rules.FinalSeven == game.SevenLoses && res.End == game.EndPlayed
						if loses != taking.Fatal || loses && slices.Contains(settled.Winners, res.LastCardSide) {
							t.Fatalf("%s: the last card is %v, winners %v, %+v", name, card, settled.Winners, taking)
						}
						if loses {
							fatal++
						}
					}
				}
				m := legal[random.below(len(legal))]
				if n := len(before.Trick); n > 0 && random.below(2) == 0 { // often four of a rank, so that some burn
					same := slices.IndexFunc(legal, func(m game.Move) bool { c, ok := m.Card(); return ok && c.Rank() == before.Trick[n-1].Card.Rank() })
					m = legal[max(0, same)]
				}
				if at, err = game.Apply(at, seat, m); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if min(burned, fatal, dead, special, last) == 0 {
		t.Errorf("too little was tried: %d burned, %d fatal and %d dead sevens, %d special sevens, %d last tricks", burned, fatal, dead, special, last)
	}
}

package table_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// Two tables that differ only in the seed and in cards that nobody has seen must look the same to everybody. To a
// player, they must look the same if they differ only in what is hidden from that player.
func TestNothingHiddenIsShown(t *testing.T) {
	t.Parallel()
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(game.Presets()).Draw(t, "preset")
		w := open(t, gametest.Preset(t, name), pace, table.DefaultLimit)
		for i := 1; i < w.Rules.Players; i++ {
			w.do(i, table.Join{Seat: -1})
		}
		w.seeds = rapid.IntRange(0, 1e6).Draw(t, "seed")
		w.do(0, table.Start{})
		for range rapid.IntRange(0, 60).Draw(t, "moves") {
			if w.Phase == table.Over {
				return
			}
			seat := w.turn()
			if seat < 0 || w.Deal.Forced() {
				w.untilDue()
				continue
			}
			who := w.who(seat)
			press := w.press(who)
			press.Move = rapid.SampledFrom(w.view(who).Legal).Draw(t, "move")
			w.do(who, press)
		}
		if w.Phase != table.Playing {
			return
		}
		for seat := game.Nobody; seat < w.Rules.Players; seat++ {
			other, ok := otherHidden(t, w.Table, seat)
			if !ok {
				continue
			}
			compared++
			mine, theirs := w.Public(), other.Public()
			mine.Hash, theirs.Hash = [32]byte{}, [32]byte{}
			if !reflect.DeepEqual(mine, theirs) || marshal(t, mine) != marshal(t, theirs) {
				t.Fatalf("everybody sees what is hidden from seat %d:\n%s", seat, cmp.Diff(mine, theirs))
			}
			if seat == game.Nobody {
				continue
			}
			a, _ := w.Private(w.Seats[seat].Player.ID)
			b, _ := other.Private(w.Seats[seat].Player.ID)
			a.Hash, b.Hash = [32]byte{}, [32]byte{}
			if !reflect.DeepEqual(a, b) || marshal(t, a) != marshal(t, b) {
				t.Fatalf("seat %d sees what is hidden from it:\n%s", seat, cmp.Diff(a, b))
			}
		}
	})
	if compared < 50 {
		t.Fatalf("only %d tables were compared", compared)
	}
}

// otherHidden returns the table with another seed and with the cards that the seat has not seen in another order. It
// returns false if the moves so far would not have been possible, or would have ended the deal.
func otherHidden(t *rapid.T, in table.Table, seat int) (table.Table, bool) {
	v := in.Deal.View(seat)
	seen := map[game.Card]bool{}
	for _, e := range v.Log {
		seen[e.Card] = true
	}
	for _, c := range v.Hand {
		seen[c] = true
	}
	deck := in.Deal.Deck()
	var places []int
	for i, c := range deck {
		if !seen[c] {
			places = append(places, i)
		}
	}
	if len(places) < 2 {
		return in, false
	}
	shuffled := rapid.Permutation(places).Draw(t, "hidden")
	cards := make([]game.Card, len(places))
	for i, place := range shuffled {
		cards[i] = deck[place]
	}
	for i, place := range places {
		deck[place] = cards[i]
	}
	deal, err := game.Replay(in.Match.Rules, deck, in.Deal.Dealer(), in.Deal.Moves())
	if err != nil || deal.Over() {
		return in, false
	}
	in.Deal, in.Seed = deal, seedOf(-1)
	return in, true
}

// A stranger must have no private view. A player's must have the player's own hand.
func TestAPlayerSeesHisOwnHand(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, pace, table.DefaultLimit)
	if _, ok := w.Private(people[3].ID); ok {
		t.Error("a stranger sees a hand")
	}
	hands := map[game.Card]bool{}
	for who := range 3 {
		p, ok := w.Private(people[who].ID)
		if !ok || p.Seat != who || p.View.Seat != who || len(p.View.Hand) != 4 {
			t.Fatalf("seat %d, %t, %v", p.Seat, ok, p.View.Hand)
		}
		for _, c := range p.View.Hand {
			hands[c] = true
		}
		if p.Public.View.Seat != game.Nobody || len(p.Public.View.Hand) != 0 {
			t.Error("the public view has a hand")
		}
	}
	if len(hands) != 12 {
		t.Errorf("%d cards in three hands", len(hands))
	}
}

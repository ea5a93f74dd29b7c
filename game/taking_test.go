package game_test

import (
	"fmt"
	"slices"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
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

// taken is a decision at which every legal move is tried.
type taken struct {
	t *testing.T
	game.State
	game.Taking
	before game.View // a spectator's
}

// tried counts what has been tried.
type tried struct{ burned, fatal, dead, special, last int }

// Taking must agree with Legal and Apply, in every preset: with every move at every decision of random deals.
func TestTakingAgreesWithTheRules(t *testing.T) {
	t.Parallel()
	var n tried
	for _, name := range game.Presets() {
		rules := gametest.Preset(t, name)
		random := rng(len(name))
		deals := 40
		if rules.FinalSeven != game.SevenNormal {
			deals = 300 // the last card is seldom a seven
		}
		if testing.Short() {
			deals /= 4
		}
		for deal := range deals {
			deck := slices.Clone(rules.Pack())
			for i := range deck {
				j := i + random.below(len(deck)-i)
				deck[i], deck[j] = deck[j], deck[i]
			}
			at, err := game.Deal(rules, deck, deal%rules.Players)
			if err != nil {
				t.Fatal(err)
			}
			for at.Phase() != game.Over {
				now := taken{t, at, at.Taking(), at.View(game.Nobody)}
				now.checkView()
				for _, m := range at.Legal() {
					now.try(m, &n)
				}
				if at, err = game.Apply(at, at.Turn(), now.choose(random.below)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if min(n.burned, n.fatal, n.dead, n.special, n.last) == 0 {
		t.Errorf("too little was tried: %+v", n)
	}
}

// choose returns a random move. It is often a card of the same rank as the one before, so that some burn.
func (at taken) choose(below func(int) int) game.Move {
	legal := at.Legal()
	if n := len(at.before.Trick); n > 0 && below(2) == 0 {
		for _, m := range legal {
			if c, ok := m.Card(); ok && c.Rank() == at.before.Trick[n-1].Card.Rank() {
				return m
			}
		}
	}
	return legal[below(len(legal))]
}

// wrong ends the test.
func (at taken) wrong(format string, args ...any) {
	at.t.Helper()
	at.t.Fatalf("%s, trick %v, %+v: %s", at.before.Rules.Preset, at.before.Trick, at.Taking, fmt.Sprintf(format, args...))
}

// checkView checks what the views say, and with which cards the leader may continue.
func (at taken) checkView() {
	at.t.Helper()
	own := at.View(at.Turn())
	if at.before.Taking != at.Taking || own.Taking != at.Taking {
		at.wrong("the views have %+v and %+v", at.before.Taking, own.Taking)
	}
	if len(at.before.Trick) == 0 && at.Taking != (game.Taking{}) {
		at.wrong("there is no trick")
	}
	for _, c := range own.Hand {
		rank := c.Rank()
		if c == own.Rules.SpecialSeven {
			rank = '7'
		}
		if at.Phase() == game.Decide && c != 0 && at.Continue.Has(rank) != slices.Contains(own.Legal, game.PlayCard(c)) {
			at.wrong("legal are %v", own.Legal)
		}
	}
}

// try checks who wins the trick after a move, and what they win if it ends.
func (at taken) try(m game.Move, n *tried) {
	at.t.Helper()
	rules, seat := at.before.Rules, at.Turn()
	next, err := game.Apply(at.State, seat, m)
	if err != nil {
		at.t.Fatal(err)
	}
	v := next.View(game.Nobody)
	if len(at.before.Trick) == 0 {
		return
	}
	card := v.Log[len(v.Log)-1].Card
	seven := card != 0 && (card == rules.SpecialSeven || card.Rank() == '7')
	burns := card != 0 && card.Rank() == at.Burn
	if burns != (v.End == game.EndBurn) {
		at.wrong("%v ends the deal: %v", card, v.End)
	}
	if burns {
		n.burned++
		return
	}
	took := card != 0 && at.Ranks.Has(card.Rank())
	if card != 0 && card == rules.SpecialSeven {
		took = at.Special
		n.special++
	}
	winner := at.before.Winner
	if took {
		winner = seat
	}
	if got := winnerOf(v); got != winner {
		at.wrong("after %v by %d, %d wins it, want %d", card, seat, got, winner)
	}
	if seven && !took && rules.FinalSeven == game.SevenDead {
		n.dead++
	}
	if len(v.Tricks) == len(at.before.Tricks) {
		return
	}
	points := at.Points
	if card != 0 {
		points += rules.CardPoints.Of(card.Rank())
	}
	if card != 0 && at.Phase() == game.Decide && rules.TrickUnit == game.ByRound {
		points += rules.TrickPoints // for a round in which nobody can answer
	}
	got := wonBy(v, winner) - wonBy(at.before, winner)
	if at.Last {
		got += rules.LastTrick
		n.last++
	}
	if got != points {
		at.wrong("%v wins %d, want %d", card, got, points)
	}
	if over := v.End == game.EndPlayed; over != at.Last && at.Phase() == game.Follow {
		at.wrong("the deal is over: %v", over)
	}
	if res, ok := next.Result(); ok && seven {
		_, settled := game.NewMatch(rules, 0).Settle(res)
		loses := rules.FinalSeven == game.SevenLoses && res.End == game.EndPlayed
		if loses != at.Fatal || loses && slices.Contains(settled.Winners, res.LastCardSide) {
			at.wrong("%v is the last card, and %v win", card, settled.Winners)
		}
		if loses {
			n.fatal++
		}
	}
}

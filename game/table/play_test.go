package table_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// patient returns a table without pace or turn limit.
func patient(t fataler, name string, persons int) *world {
	t.Helper()
	return started(t, gametest.Preset(t, name), persons, 0, 0)
}

func TestACardIsPlayedOnce(t *testing.T) {
	t.Parallel()
	w := patient(t, "sedma-4p", 4)
	w.untilTurn(0)
	play := w.press(0)
	w.do(0, play)
	after := w.Deal
	w.refused(0, play, table.ErrAlready)
	other := play
	other.Move = game.PlayCard(game.NewCard('7', 'h'))
	w.refused(0, other, table.ErrAlready)
	if !w.Deal.Equal(after) {
		t.Fatal("a second card was played")
	}
	w.untilTurn(0)
	w.refused(0, play, table.ErrAlready)
	early := w.press(0)
	early.Decision++
	w.refused(0, early, table.ErrAlready)
	w.do(0, w.press(0))
}

func TestAPlaceIsPlayedOnce(t *testing.T) {
	t.Parallel()
	w := patient(t, "sedma-4p", 4)
	for who := range 4 {
		w.untilTurn(who)
		v := w.view(who)
		card := v.Hand[3]
		if v.Phase == game.Decide {
			w.do(who, table.PlayPlace{Deal: 1, Ply: len(v.Log), Move: game.Stop})
			continue
		}
		press := table.PlayPlace{Deal: 1, Ply: len(v.Log), Place: 4}
		w.do(who, press)
		log := w.Public().View.Log
		if got := log[len(v.Log)]; got.Seat != v.Seat || got.Card != card {
			t.Fatalf("place 4 played %v, not %s", got, card)
		}
		w.refused(who, press, table.ErrAlready)
		press.Place = 1
		w.refused(who, press, table.ErrAlready)
	}
}

// A button under the table message may be older than the latest move. It counts as long as the presser has not moved
// since it was shown.
func TestAPlaceMayBeShownTwoPliesAgo(t *testing.T) {
	t.Parallel()
	w := patient(t, "sedma-4p", 4)
	first := w.who(w.turn())
	w.do(first, w.press(first))
	second := w.who(w.turn())
	w.do(second, w.press(second))
	third := w.who(w.turn())
	w.do(third, table.PlayPlace{Deal: 1, Ply: 0, Place: 2})
	w.refused(first, table.PlayPlace{Deal: 1, Ply: 0, Place: 2}, table.ErrAlready)
	w.refused(first, table.PlayPlace{Deal: 1, Ply: 3, Place: 2}, table.ErrNotTurn)
}

// A button under the table message may also be older than the presser's own last move. If it is their turn again, the
// refusal must say that the table has moved on, not that they have played already.
func TestAPlaceOfAnEarlierTurn(t *testing.T) {
	t.Parallel()
	w := patient(t, "sedma-4p", 4)
	w.untilTurn(0)
	old := table.PlayPlace{Deal: 1, Ply: len(w.view(0).Log), Place: 1}
	w.do(0, old)
	if w.who(w.turn()) == 0 {
		t.Fatal("the same player's turn again")
	}
	w.refused(0, old, table.ErrAlready)
	w.untilTurn(0)
	before := w.Deal
	w.refused(0, old, table.ErrMoved)
	if !w.Deal.Equal(before) {
		t.Fatal("a card was played")
	}
	w.do(0, w.press(0))
}

func TestPressesThatCannotCount(t *testing.T) {
	t.Parallel()
	w := patient(t, "sedma-4p", 3)
	w.untilTurn(0)
	w.refused(3, w.press(0), table.ErrStranger)
	w.refused(3, table.PlayPlace{Deal: 1, Place: 1}, table.ErrStranger)
	w.refused(1, w.press(1), table.ErrNotTurn)
	w.refused(1, table.PlayPlace{Deal: 1, Ply: len(w.Deal.Moves()), Place: 1}, table.ErrNotTurn)

	ply := len(w.Deal.Moves())
	for _, place := range []int{-1, 5, 99} {
		w.refused(0, table.PlayPlace{Deal: 1, Ply: ply, Place: place}, table.ErrNoSuchPlace)
	}
	for _, bad := range []int{-1, ply + 1, 1 << 30} {
		w.refused(0, table.PlayPlace{Deal: 1, Ply: bad, Place: 1}, table.ErrAlready)
	}
	w.refused(0, table.PlayPlace{Deal: 1, Ply: ply, Move: w.press(0).Move}, table.ErrNoSuchPlace)
	w.refused(0, table.PlayPlace{Deal: 2, Ply: ply, Place: 1}, table.ErrOldDeal)
	for _, deal := range []int{-1, 0, 2} {
		play := w.press(0)
		play.Deal = deal
		w.refused(0, play, table.ErrOldDeal)
	}
	for _, move := range []game.Move{0, game.Stop, game.Pass, game.Dark, 255} {
		play := w.press(0)
		play.Move = move
		if w.view(0).Phase == game.Decide && move == game.Stop {
			continue
		}
		var rule game.Rule
		if err := w.apply(0, play); !errors.As(err, &rule) {
			t.Errorf("move %d: %v is no violation of the rules", move, err)
		}
	}
	v := w.view(0)
	theirs := w.view(1).Hand[0]
	play := w.press(0)
	play.Move = game.PlayCard(theirs)
	if err := w.apply(0, play); !errors.Is(err, game.NotInHand) {
		t.Errorf("another hand's card %s of %v: %v", theirs, v.Hand, err)
	}
}

func TestAnOldDealIsOver(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, pace, 0)
	w.untilTurn(0)
	old := w.press(0)
	w.untilPhase(table.Pause)
	w.refused(0, old, table.ErrOldDeal)
	w.refused(0, table.PlayPlace{Deal: 1, Place: 1}, table.ErrOldDeal)
	w.untilPhase(table.Playing)
	if w.DealNo != 2 {
		t.Fatalf("deal %d", w.DealNo)
	}
	w.refused(0, old, table.ErrOldDeal)
}

// Moves that exist only in some games must work through both kinds of buttons.
func TestDarkAndPass(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]game.Move{"ristikontra": game.Dark, "sedma-3p-hartmann": game.Pass} {
		rules := gametest.Preset(t, name)
		w := started(t, rules, rules.Players, 0, 0)
		lead := w.who(w.turn())
		w.do(lead, w.press(lead))
		who := w.who(w.turn())
		w.do(who, table.PlayPlace{Deal: 1, Ply: 1, Move: move})
		if got := w.Public().View.Log[1].Move; got != move {
			t.Errorf("%s: played %s", name, got)
		}
	}
}

// scripted plays every seat's first legal move until the match is over.
func scripted(t fataler, rules game.Rules, persons int) *world {
	t.Helper()
	w := started(t, rules, persons, 0, table.DefaultLimit)
	w.light = true
	w.untilPhase(table.Over)
	return w
}

func TestAMatchIsPlayedToItsEnd(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sedma-2p", "sedma-3p", "sedma-4p"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := gametest.Preset(t, name)
			for persons := 1; persons <= rules.Players; persons++ {
				w := scripted(t, rules, persons)
				over := last[table.MatchOver](w)
				if top := over.Match.Scores[over.Match.Winner]; top < rules.Target {
					t.Fatalf("won with %d of %d", top, rules.Target)
				}
				for _, seat := range over.Winners {
					if rules.Side(seat) != over.Match.Winner {
						t.Fatalf("seat %d is a winner of side %d", seat, over.Match.Winner)
					}
				}
				if want := rules.Players / rules.Sides(); len(over.Winners) != want {
					t.Fatalf("winners %v", over.Winners)
				}
			}
		})
	}
}

// Every preset must be playable from the lobby to a result.
func TestEveryPresetHasAMatch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	for _, name := range game.Presets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkMatch(t, scripted(t, gametest.Preset(t, name), 1))
		})
	}
}

// checkMatch compares the end of a match with the events before it.
func checkMatch(t *testing.T, w *world) {
	t.Helper()
	over := last[table.MatchOver](w)
	deals := count[table.DealOver](w)
	if count[table.DealStarted](w) != deals || count[table.MatchOver](w) != 1 || deals != len(w.Past) || deals != over.Match.Deals {
		t.Fatalf("%d deals started, %d ended, %d are past, %d count", count[table.DealStarted](w), deals, len(w.Past), over.Match.Deals)
	}
	payments := make([]int, len(w.Seats))
	no := 0
	var match game.Match
	for _, e := range w.events {
		deal, ok := e.(table.DealOver)
		if !ok {
			continue
		}
		no++
		if deal.No != no || no > 1 && cmp.Diff(match, deal.Match) != "" {
			t.Fatalf("deal %d does not follow the one before", deal.No)
		}
		match, _ = deal.Match.Settle(deal.Result)
		if diff := cmp.Diff(match.Scores, deal.Totals); diff != "" {
			t.Fatalf("deal %d: totals (-want +got):\n%s", no, diff)
		}
		for seat, n := range deal.Score.Payments {
			payments[seat] += n
		}
	}
	if diff := cmp.Diff(payments, over.Payments); diff != "" {
		t.Fatalf("payments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(match, over.Match); diff != "" {
		t.Fatalf("match (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&over.Outcome, w.Public().Result); diff != "" {
		t.Fatalf("result (-event +public):\n%s", diff)
	}
}

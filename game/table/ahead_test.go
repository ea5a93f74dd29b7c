package table_test

import (
	"testing"

	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// A move that is offered now is never ahead of the table. A move that will be offered later always is.
func TestAhead(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, pace, 0)
	check := func(who int, cmd table.Command, want bool) {
		t.Helper()
		if got := w.Ahead(people[who].ID, cmd); got != want {
			t.Errorf("deal %d after %d moves, player %d: %#v is ahead: %v", w.DealNo, len(w.Deal.Moves()), who, cmd, got)
		}
	}
	for range 12 {
		for who := range 2 {
			play := w.press(who)
			place := table.PlayPlace{Deal: w.DealNo, Ply: len(w.Deal.Moves()), Place: 1}
			check(who, play, false)
			check(who, place, false)
			play.Decision--
			check(who, play, false)
			play.Decision += 2
			check(who, play, true)
			place.Ply++
			check(who, place, true)
			play.Deal--
			check(who, play, false)
			play.Deal, play.Decision = w.DealNo+1, 0
			check(who, play, true)
			check(who, table.PlayPlace{Deal: w.DealNo + 1, Place: 1}, true)
			check(2, play, false)
			check(who, table.Rematch{}, false)
		}
		who := w.who(w.turn())
		w.do(who, w.press(who))
	}
	w.untilPhase(table.Pause)
	check(0, table.Play{Deal: 1, Decision: 1}, false)
	check(0, table.Play{Deal: 1, Decision: 99}, false) // from another seat's hand
	check(0, table.PlayPlace{Deal: 1, Ply: 99, Place: 1}, false)
	check(0, table.Play{Deal: 2}, true)
	lobby := table.New("t", "h", table.Chat{ID: "c"}, people[0], gametest.Preset(t, "sedma-2p"), 0, 0, w.now)
	for _, cmd := range []table.Command{table.Play{Decision: 1}, table.PlayPlace{Ply: 1}, table.Play{Deal: -1}} {
		if lobby.Ahead(people[0].ID, cmd) {
			t.Errorf("%#v is ahead of a lobby", cmd)
		}
	}
	if !lobby.Ahead(people[0].ID, table.Play{Deal: 1}) {
		t.Error("the first deal is not ahead of a lobby")
	}
}

package table_test

import (
	"testing"
	"time"

	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// Nobody loses by a night in which nobody tended the table: the game of several people halts, whether someone's turn, the
// AI's or the next deal was due, and whoever continues it has all their time.
func TestUntended(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, table.DefaultLimit)
	check := func(what string, halts bool) {
		t.Helper()
		env := w.env()
		env.Now = w.Due().Add(table.Overdue - time.Second)
		if _, _, late := table.Untended(w.Table, env); late {
			t.Errorf("%s: untended too early", what)
		}
		env.Now = env.Now.Add(9 * time.Hour)
		next, _, late := table.Untended(w.Table, env)
		if !late || next.Resting != halts || !next.Due().After(env.Now) || next.Doubted(env.Now) {
			t.Errorf("%s: untended %v, halted %v, due %v after now", what, late, next.Resting, next.Due().Sub(env.Now))
		}
		for _, s := range next.Seats {
			if s.Away || s.Warned {
				t.Errorf("%s: %+v", what, s)
			}
		}
	}
	w.untilTurn(0)
	check("a person's turn", true)
	for w.turn() < 0 || w.Seats[w.turn()].AI == "" {
		if who := w.who(w.turn()); who >= 0 {
			w.do(who, w.press(who))
		} else {
			w.untilDue()
		}
	}
	check("the AI's move", true)
	for w.Phase != table.Pause {
		w.step()
	}
	check("the next deal", true)

	w = started(t, gametest.Preset(t, "sedma-4p"), 1, pace, table.DefaultLimit)
	w.untilTurn(0)
	check("a game against the AI", false)

	// In a lobby, the countdown of a rematch ends, and that of strangers closes the table.
	w = finished(t, "sedma-4p", 2)
	w.do(1, table.Rematch{})
	env := w.env()
	env.Now = w.Begins.Add(time.Hour)
	if next, _, late := table.Untended(w.Table, env); !late || next.Phase != table.Lobby || !next.Begins.IsZero() {
		t.Errorf("a rematch: %v, %s, begins %v", late, next.Phase, next.Begins)
	}
	strangers := table.NewStrangers("0abc", "x", people[0], gametest.Preset(t, "sedma-4p"), pace, time.Minute, env.Now)
	env.Now = env.Now.Add(time.Hour)
	if next, _, late := table.Untended(strangers, env); !late || next.Phase != table.Closed {
		t.Errorf("strangers: %v, %s", late, next.Phase)
	}
}

// After a week without a move, anyone who sits at a match may close it.
func TestAStaleMatchIsClosedByAnyone(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, pace, 0)
	w.refused(1, table.Close{}, table.ErrNotHost)
	w.now = w.now.Add(table.StaleAfter)
	w.refused(2, table.Close{}, table.ErrStranger)
	if w.do(1, table.Close{}); w.Phase != table.Closed {
		t.Errorf("phase %s", w.Phase)
	}
}

// An agreement comes true when someone leaves who had not agreed: a break, and votes. Someone who left ends no break.
func TestAgreementsAreCountedAgain(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, pace, table.DefaultLimit)
	w.untilTurn(0)
	w.do(0, table.Rest{})
	w.do(1, table.Rest{})
	if w.Resting {
		t.Fatal("two of three halt the game")
	}
	if w.do(2, table.Leave{}); !w.Resting {
		t.Fatal("all who are left want a break")
	}
	w.refused(2, table.Resume{}, table.ErrStranger)
	w.refused(2, table.Kick{Seat: w.SeatOf(people[0].ID)}, table.ErrStranger)

	w = started(t, gametest.Preset(t, "hola-6p"), 6, pace, table.DefaultLimit)
	w.do(1, table.Kick{Seat: w.SeatOf(people[5].ID)})
	w.do(2, table.Kick{Seat: w.SeatOf(people[5].ID)})
	w.do(3, table.Leave{})
	if seat := w.SeatOf(people[5].ID); w.Seats[seat].Away {
		t.Fatal("two of four votes")
	}
	w.do(4, table.Leave{})
	if seat := w.SeatOf(people[5].ID); !w.Seats[seat].Away {
		t.Error("two of three votes aren't enough")
	}
}

// In a rematch nobody else gets the seat of someone who is awaited, and a full lobby begins at once.
func TestARematchKeepsItsSeats(t *testing.T) {
	t.Parallel()
	w := finished(t, "sedma-2p", 2)
	w.do(0, table.Rematch{})
	for _, at := range []int{-1, 0, 1} {
		if err := w.apply(2, table.Join{Seat: at}); err == nil {
			t.Errorf("an outsider takes seat %d", at)
		}
	}
	if w.do(1, table.Rematch{}); w.Phase != table.Playing {
		t.Errorf("phase %s", w.Phase)
	}
}

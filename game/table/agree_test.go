package table

import (
	"errors"
	"testing"
	"time"

	"sedmabot/game/gametest"
)

// four returns a running match of four people, with a pace and a turn limit.
func four(t *testing.T) (Table, []Player, time.Time) {
	t.Helper()
	r := gametest.Preset(t, "sedma-4p")
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	people := []Player{{ID: "x:a"}, {ID: "x:b"}, {ID: "x:c"}, {ID: "x:d"}}
	tb := New("t", "x:home", Chat{ID: "x:chat"}, people[0], r, time.Second, time.Hour, now)
	for _, p := range people[1:] {
		tb = must(t, tb, p, Join{Seat: -1}, now)
	}
	return must(t, tb, people[0], Start{}, now), people, now
}

func must(t *testing.T, tb Table, p Player, c Command, now time.Time) Table {
	t.Helper()
	next, _, err := Apply(tb, p, c, Env{Now: now})
	if err != nil {
		t.Fatalf("%s %#v: %v", p.ID, c, err)
	}
	return next
}

// A halted game must do nothing on its own except close after a week. When it resumes, the turn must restart.
func TestAHaltedGameWaits(t *testing.T) {
	t.Parallel()
	tb, people, now := four(t)
	for i, p := range people {
		if tb.Resting {
			t.Fatalf("halted after %d of 4", i)
		}
		tb = must(t, tb, p, Rest{}, now)
		if _, _, err := Apply(tb, p, Rest{}, Env{Now: now}); !errors.Is(err, ErrWanted) {
			t.Errorf("somebody wants to halt it twice: %v", err)
		}
	}
	if !tb.Resting || tb.Due() != now.Add(RestLife) {
		t.Fatalf("halted: %v, due %v", tb.Resting, tb.Due())
	}
	later := now.Add(20 * time.Hour)
	if next, _, _ := Advance(tb, Env{Now: later}); next.Phase != Playing || next.Called || next.Seats[next.turn()].Away {
		t.Errorf("something happened: %+v", next)
	}
	on := must(t, tb, people[2], Resume{}, later)
	if on.Resting || on.Since != later || len(on.Break) > 0 {
		t.Errorf("it goes on since %v, resting %v", on.Since, on.Resting)
	}
	turn := tb.turn()
	v := tb.Deal.View(turn)
	if played := must(t, tb, people[turn], Play{Deal: tb.DealNo, Decision: tb.Deal.Decisions(turn), Move: v.Legal[0]}, later); played.Resting {
		t.Error("a move leaves the game halted")
	}
	if closed, _, _ := Advance(tb, Env{Now: now.Add(RestLife)}); closed.Phase != Closed {
		t.Errorf("after a week it is %s", closed.Phase)
	}
}

// Between two deals, people may want a halt as well: the next deal is dealt and halts, at once if all want it.
func TestAHaltBetweenTwoDeals(t *testing.T) {
	t.Parallel()
	for _, together := range []bool{true, false} {
		tb, people, now := four(t)
		for tb.Phase != Pause {
			if at := tb.turn(); !tb.Deal.Forced() {
				tb = must(t, tb, people[at], Play{Deal: tb.DealNo, Decision: tb.Deal.Decisions(at), Move: tb.Deal.View(at).Legal[0]}, now)
				continue
			}
			now = tb.Due()
			tb, _, _ = Advance(tb, Env{Now: now})
		}
		deal := tb.DealNo
		for _, p := range people[:3] {
			tb = must(t, tb, p, Rest{}, now)
		}
		if tb.Phase != Pause || tb.DealNo != deal {
			t.Fatalf("one doesn't want it, and it is %s in deal %d", tb.Phase, tb.DealNo)
		}
		if !together {
			now = tb.Due()
			if tb, _, _ = Advance(tb, Env{Now: now}); tb.Resting || len(tb.Break) != 3 {
				t.Fatalf("the next deal: halted %v, wanted by %v", tb.Resting, tb.Break)
			}
		}
		if tb = must(t, tb, people[3], Rest{}, now); !tb.Resting || tb.Phase != Playing || tb.DealNo != deal+1 || tb.Due() != now.Add(RestLife) {
			t.Errorf("all want it: halted %v, %s, deal %d, due %v", tb.Resting, tb.Phase, tb.DealNo, tb.Due())
		}
	}
}

// A vote must take two of three others. Nobody's vote may count twice, or after that player went away.
func TestAVoteTakesMoreThanHalf(t *testing.T) {
	t.Parallel()
	tb, people, now := four(t)
	tb = must(t, tb, people[1], Kick{Seat: 3}, now)
	if _, _, err := Apply(tb, people[1], Kick{Seat: 3}, Env{Now: now}); !errors.Is(err, ErrWanted) {
		t.Errorf("a second vote of the same: %v", err)
	}
	if tb.Seats[3].Away {
		t.Fatal("one vote did it")
	}
	gone := must(t, tb, people[0], Kick{Seat: 1}, now)
	if must(t, gone, people[2], Kick{Seat: 3}, now).Seats[3].Away {
		t.Error("the vote of somebody who is away counted")
	}
	tb = must(t, tb, people[2], Kick{Seat: 3}, now)
	if !tb.Seats[3].Away || len(tb.Seats[3].Against) > 0 {
		t.Fatalf("two votes: %+v", tb.Seats[3])
	}
	if back := must(t, tb, people[3], Back{}, now); back.Seats[3].Away {
		t.Error("he cannot come back")
	}
	if _, _, err := Apply(tb, Player{ID: "x:stranger"}, Kick{Seat: 2}, Env{Now: now}); !errors.Is(err, ErrStranger) {
		t.Errorf("a stranger: %v", err)
	}
	if !must(t, tb, Player{ID: "x:admin"}, Kick{Seat: 2, Admin: true}, now).Seats[2].Away {
		t.Error("an administrator cannot")
	}
}

// If everybody is away, a table must wait for at least the time that they may think for one move.
func TestASlowTableWaitsForThoseWhoAreAway(t *testing.T) {
	t.Parallel()
	tb, _, now := four(t)
	tb.Limit = 24 * time.Hour
	for i := range tb.Seats {
		tb.Seats[i].Away = true
	}
	env := Env{Now: now.Add(2 * time.Hour)}
	next, _, wanted := Advance(tb, env)
	for wanted != nil {
		next, _, wanted = Answer(next, env, wanted.View.Legal[0])
	}
	if next.Phase == Closed {
		t.Error("it was closed after two hours")
	}
}

package table

import (
	"errors"
	"testing"
	"time"

	"sedmabot/game"
)

// TestLeavingAfterTheMatchChangesNoResult checks that people who leave, or whose data is deleted, once the match is over have
// played it to the end, unless the AI finished it for them.
func TestLeavingAfterTheMatchChangesNoResult(t *testing.T) {
	t.Parallel()
	rules, _ := game.Preset("sedma-2p")
	env := Env{Now: time.Unix(1, 0)}
	for _, away := range []bool{false, true} {
		for _, erased := range []bool{false, true} {
			tb := New("0123456789abc", "x:1", Chat{ID: "x:1"}, Player{ID: "x:ann", Name: "Ann"}, rules, 0, 0, env.Now)
			tb.Seats[1] = Seat{Player: Player{ID: "x:ben", Name: "Ben"}, Away: away}
			tb.Phase = Over
			if erased {
				tb, _ = Forget(tb, "x:ben", Gone+"1", env)
			} else {
				var err error
				if tb, _, err = Apply(tb, Player{ID: "x:ben"}, Leave{}, env); err != nil {
					t.Fatal(err)
				}
			}
			if s := tb.Seats[1]; s.Missed() != away || s.person() {
				t.Errorf("away %v, erased %v: the seat is %+v", away, erased, s)
			}
		}
	}
	tb := New("0123456789abc", "x:1", Chat{ID: "x:1"}, Player{ID: "x:ann"}, rules, 0, 0, env.Now)
	tb.Seats[1], tb.Phase = Seat{Player: Player{ID: "x:ben"}}, Playing
	tb, _, err := Apply(tb, Player{ID: "x:ben"}, Leave{}, env)
	if err != nil || !tb.Seats[1].Missed() {
		t.Errorf("who leaves during the match has played it: %v %+v", err, tb.Seats[1])
	}
}

// TestOpponentsDontVoteInATournament checks that only an administrator hands a seat at a table of a tournament to the AI.
func TestOpponentsDontVoteInATournament(t *testing.T) {
	t.Parallel()
	rules, err := TournamentRules(*TournamentGame("sedma", 2), 1)
	if err != nil {
		t.Fatal(err)
	}
	seats := make([]Seat, 4)
	for i, id := range []string{"x:ann", "x:ben", "x:cat", "x:dan"} {
		seats[i].Player.ID = id
	}
	now := time.Unix(1, 0)
	tb, _, err := NewTournamentTable("0123456789abc", "x:1", Tournament{Round: 1}, seats, rules, 0, time.Minute, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Apply(tb, seats[1].Player, Kick{Seat: 0}, Env{Now: now}); !errors.Is(err, ErrTournament) {
		t.Errorf("an opponent's vote: %v", err)
	}
	if tb, _, err := Apply(tb, seats[1].Player, Kick{Seat: 0, Admin: true}, Env{Now: now}); err != nil || !tb.Seats[0].Away {
		t.Errorf("an administrator: %v", err)
	}
}

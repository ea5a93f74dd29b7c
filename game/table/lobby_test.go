package table_test

import (
	"cmp"
	"errors"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// seats returns a short text for each seat.
func (w *world) seats() []string {
	var out []string
	for _, s := range w.Seats {
		switch {
		case s.AI != "":
			out = append(out, "AI")
		case s.Left:
			out = append(out, s.Player.Name+" left")
		case s.Away:
			out = append(out, s.Player.Name+" away")
		default:
			out = append(out, s.Player.Name)
		}
	}
	return out
}

func (w *world) sit(want ...string) {
	w.Helper()
	if diff := diff.Diff(want, w.seats()); diff != "" {
		w.Fatalf("seats (-want +got):\n%s", diff)
	}
}

func TestPeopleSitDownAndGetUp(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), pace, table.DefaultLimit)
	w.sit("Anna", "", "", "")
	w.do(1, table.Join{Seat: -1})
	w.do(2, table.Join{Seat: 3})
	w.sit("Anna", "Béla", "", "Cyril")
	w.refused(2, table.Join{Seat: -1}, table.ErrSeated)
	w.refused(2, table.Join{Seat: 3}, table.ErrSeated)
	w.refused(2, table.Join{Seat: 0}, table.ErrTaken)
	w.refused(3, table.Join{Seat: 1}, table.ErrTaken)
	w.refused(3, table.Join{Seat: 4}, table.ErrNoSuchSeat)
	w.refused(3, table.Join{Seat: -2}, table.ErrNoSuchSeat)
	w.refused(3, table.Leave{}, table.ErrStranger)
	w.do(2, table.Join{Seat: 2})
	w.do(3, table.Join{Seat: -1})
	w.sit("Anna", "Béla", "Cyril", "Dana")
	w.refused(4, table.Join{Seat: -1}, table.ErrFull)
	w.do(1, table.Leave{})
	w.sit("Anna", "", "Cyril", "Dana")
	w.do(4, table.Join{Seat: -1})
	w.sit("Anna", "Emil", "Cyril", "Dana")
}

func TestTheAIMakesRoomForPeople(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-3p"), pace, table.DefaultLimit)
	w.refused(1, table.AddAI{}, table.ErrStranger)
	w.do(0, table.AddAI{Level: "easy"})
	w.do(0, table.AddAI{})
	w.refused(0, table.AddAI{}, table.ErrFull)
	if w.Seats[1].AI != "easy" || w.Seats[2].AI != table.DefaultLevel {
		t.Fatalf("levels of %+v", w.Seats)
	}
	w.do(1, table.Join{Seat: -1})
	w.sit("Anna", "Béla", "AI")
	w.do(1, table.Join{Seat: 2})
	w.sit("Anna", "AI", "Béla")
	w.do(0, table.RemoveAI{})
	w.sit("Anna", "", "Béla")
	w.refused(0, table.RemoveAI{}, table.ErrNoAI)
}

func TestHostsRolePassesOn(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), pace, table.DefaultLimit)
	w.do(1, table.Join{Seat: 3})
	w.do(2, table.Join{Seat: 2})
	w.refused(1, table.Start{}, table.ErrNotHost)
	w.refused(1, table.Close{}, table.ErrNotHost)
	w.refused(1, table.SetRules{Rules: gametest.Preset(t, "sedma-2p")}, table.ErrNotHost)
	w.do(0, table.Leave{})
	if w.Host != people[2].ID {
		t.Fatalf("the host is %s, want the next after seat 0", w.Host)
	}
	w.do(2, table.Leave{})
	w.do(1, table.Leave{})
	if w.Phase != table.Closed || count[table.TableClosed](w) != 1 {
		t.Fatalf("phase %s with nobody left", w.Phase)
	}
	w.refused(1, table.Join{Seat: -1}, table.ErrClosed)
}

func TestRulesMoveSeats(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-2p"), pace, table.DefaultLimit)
	w.do(0, table.SetRules{Rules: gametest.Preset(t, "sedma-4p")})
	w.sit("Anna", "", "", "")
	w.do(0, table.AddAI{})
	w.do(1, table.Join{Seat: 3})
	w.do(0, table.SetRules{Rules: gametest.Preset(t, "sedma-2p")})
	w.sit("Anna", "Béla")
	w.do(0, table.SetRules{Rules: gametest.Preset(t, "sedma-3p")})
	w.do(2, table.Join{Seat: -1})
	w.refused(0, table.SetRules{Rules: gametest.Preset(t, "sedma-2p")}, table.ErrFull)
	bad := gametest.Preset(t, "sedma-4p")
	bad.Players = 5
	w.refused(0, table.SetRules{Rules: bad}, game.ErrRules)
	w.sit("Anna", "Béla", "Cyril")
}

func TestAMatchInChatHasAnEnd(t *testing.T) {
	t.Parallel()
	endless := gametest.Preset(t, "sedma-4p-cash")
	w := open(t, endless, pace, table.DefaultLimit)
	if w.Rules.Deals != table.DefaultDeals {
		t.Fatalf("%d hands", w.Rules.Deals)
	}
	w.do(0, table.SetRules{Rules: gametest.Preset(t, "sedma-4p")})
	if w.Rules != gametest.Preset(t, "sedma-4p") {
		t.Fatal("rules with an end were changed")
	}
	endless.Target = 5
	w.do(0, table.SetRules{Rules: endless})
	if w.Rules != endless {
		t.Fatal("rules with an end were changed")
	}
	endless.Target = 0
	w.do(0, table.SetRules{Rules: endless})
	if w.Rules.Deals != table.DefaultDeals {
		t.Fatalf("%d hands", w.Rules.Deals)
	}
}

func TestLobbyCommandsAreForTheLobby(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-2p"), pace, table.DefaultLimit)
	w.refused(0, table.Rematch{}, table.ErrNotOver)
	w.refused(0, table.LastDeal{}, table.ErrNotPlaying)
	w.refused(0, table.Play{Move: game.Stop}, table.ErrNotPlaying)
	w.refused(0, table.PlayPlace{Place: 1}, table.ErrNotPlaying)
	w.do(0, table.Start{})
	w.sit("Anna", "AI")
	w.refused(0, table.Start{}, table.ErrNotLobby)
	w.refused(0, table.AddAI{}, table.ErrNotLobby)
	w.refused(0, table.RemoveAI{}, table.ErrNotLobby)
	w.refused(0, table.SetRules{Rules: gametest.Preset(t, "sedma-4p")}, table.ErrNotLobby)
	w.refused(0, table.Join{Seat: -1}, table.ErrSeated)
	w.refused(1, table.Join{Seat: 0}, table.ErrTaken)
	w.refused(1, table.Join{Seat: 2}, table.ErrNoSuchSeat)
}

func TestLobbyIsNotForgotten(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), pace, table.DefaultLimit)
	w.after(table.LobbyLife - time.Second)
	w.do(1, table.Join{Seat: -1})
	w.after(table.LobbyLife - time.Second)
	if w.Phase != table.Lobby {
		t.Fatalf("phase %s", w.Phase)
	}
	w.after(time.Second)
	if w.Phase != table.Closed || count[table.TableClosed](w) != 1 {
		t.Fatalf("phase %s", w.Phase)
	}
	w.after(time.Hour)
}

func TestCloseAndBump(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), pace, table.DefaultLimit)
	w.do(5, table.Bump{Chat: "discord:100"})
	w.refused(5, table.Bump{Chat: "discord:101"}, table.ErrNoSuchChat)
	if got := w.Public().Chats[0].Bump; got != 1 {
		t.Fatalf("bumped %d times", got)
	}
	w.refused(5, table.Close{}, table.ErrStranger)
	admin := *w
	admin.do(5, table.Close{Admin: true})
	w.do(0, table.Start{})
	w.do(0, table.Close{})
	for _, closed := range []*world{w, &admin} {
		if closed.Phase != table.Closed || count[table.TableClosed](closed) != 1 {
			t.Fatalf("phase %s", closed.Phase)
		}
		closed.refused(0, table.Bump{Chat: "discord:100"}, table.ErrClosed)
	}
}

func TestNobodyHasNoSeat(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), pace, table.DefaultLimit)
	for _, c := range []table.Command{table.Join{Seat: 1}, table.Leave{}, table.Back{}, table.AddAI{}} {
		if _, _, err := table.Apply(w.Table, table.Player{}, c, w.env()); !errors.Is(err, table.ErrStranger) {
			t.Errorf("%T by nobody: %v", c, err)
		}
	}
	if _, ok := w.Private(""); ok {
		t.Error("nobody sees a hand")
	}
}

// A person's partner and the AI that plays for an absent player must always play at full strength. Only the other AI
// seats play at the table's level.
func TestLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset string
		want   []string
	}{
		{"sedma-4p", []string{"", "easy", "hard", "easy"}},
		{"sedma-3p", []string{"", "easy", "easy"}},
		{"hola-6p", []string{"", "easy", "hard", "easy", "hard", "easy"}},
	} {
		w := open(t, gametest.Preset(t, c.preset), pace, table.DefaultLimit)
		w.refused(1, table.Choose{What: "level", Value: "easy"}, table.ErrStranger)
		w.refused(0, table.Choose{What: "level", Value: "brilliant"}, table.ErrNoChoice)
		w.do(0, table.AddAI{})
		w.do(0, table.Choose{What: "level", Value: "easy"})
		w.do(0, table.Start{})
		for seat, want := range c.want {
			if got := w.Public().AILevel(seat); got != want {
				t.Errorf("%s: seat %d is said to play at level %q, want %q", c.preset, seat, got, want)
			}
		}
		asked := map[int]string{}
		w.think = func(level string, v game.View, _ game.Match) game.Move {
			asked[v.Seat] = level
			return v.Legal[0]
		}
		for w.Phase == table.Playing { // Anna is soon away
			w.untilDue()
		}
		for seat, level := range asked {
			if want := cmp.Or(c.want[seat], "hard"); level != want {
				t.Errorf("%s: seat %d plays at level %q, want %q", c.preset, seat, level, want)
			}
		}
	}
}

// Nobody knows who plays together against the king. An AI that turns out to be a person's partner must play at full
// strength.
func TestLevelBesideTheKing(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-3p-solo-hearts"), pace, table.DefaultLimit)
	w.do(0, table.Choose{What: "level", Value: "easy"})
	w.do(0, table.Start{})
	w.think = func(level string, v game.View, _ game.Match) game.Move {
		solo, want := w.Deal.Solo(), "easy"
		if v.Seat == 0 || solo != game.Nobody && solo != v.Seat && solo != 0 {
			want = "hard"
		}
		if level != want {
			t.Errorf("seat %d plays at level %q where %d has the king", v.Seat, level, solo)
		}
		return v.Legal[0]
	}
	for range 100 {
		w.untilDue()
	}
	if len(w.Past) < 2 {
		t.Errorf("only %d deals", len(w.Past))
	}
}

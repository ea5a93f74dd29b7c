package table_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// strangersOf returns a table of strangers with Ann and Ben, of whom only Ben shows a name, from its lobby to the end
// of its match, each time that something happened.
func strangersOf(t *testing.T, see func(w *world)) *world {
	t.Helper()
	w := &world{fataler: t, now: noon, think: firstLegal, light: true}
	w.Table = table.NewStrangers("t1", "strangers:all", people[0], gametest.Preset(t, "sedma-4p"), time.Second, time.Minute, noon)
	see(w)
	ben := people[1]
	ben.Seen = "Bear"
	next, _, err := table.Apply(w.Table, ben, table.Join{Seat: -1}, w.env())
	if err != nil {
		t.Fatal(err)
	}
	w.Table = next
	see(w)
	w.after(table.CountDown - time.Second)
	if w.Phase != table.Lobby {
		t.Fatalf("after %s the table is in phase %s", table.CountDown-time.Second, w.Phase)
	}
	w.after(time.Second)
	see(w)
	return w
}

// TestStrangersStayUnknown checks what each reader may know of a table of strangers, as long as it is played.
func TestStrangersStayUnknown(t *testing.T) {
	t.Parallel()
	lacks := func(w *world, who string, v any, hidden ...string) {
		t.Helper()
		text := fmt.Sprintf("%+v", v)
		for _, s := range hidden {
			if strings.Contains(text, s) {
				t.Fatalf("in phase %s, %s knows %q:\n%s", w.Phase, who, s, text)
			}
		}
	}
	ann, ben := people[0], people[1]
	see := func(w *world) {
		t.Helper()
		public := w.Public()
		lacks(w, "everyone", public, ann.ID, ann.Name, ben.ID, ben.Name)
		if p, ok := w.Private(ann.ID); !ok || p.Seats[p.Seat].Player.Name != ann.Name || len(p.Chats) != 1 {
			t.Fatalf("Ann knows of her own seat %+v, %v", p.Seats, ok)
		} else {
			lacks(w, "Ann", p, ben.ID, ben.Name)
		}
		p, ok := w.Private(ben.ID)
		if !ok {
			return // Ben came later
		}
		lacks(w, "Ben", p, ann.ID, ann.Name)
		if seen := public.Seats[1].Player.Name; seen != "Bear" {
			t.Fatalf("Ben shows a name outside, and is seen as %q", seen)
		}
		if outcome := public.Result; outcome != nil {
			lacks(w, "everyone", *outcome, ann.ID, ben.ID)
		}
	}
	w := strangersOf(t, see)
	for w.Phase != table.Over {
		w.untilDue()
		see(w)
	}
}

func TestStrangersHaveNoHost(t *testing.T) {
	t.Parallel()
	w := strangersOf(t, func(*world) {})
	for _, c := range []table.Command{
		table.Close{}, table.LastDeal{}, table.SetRules{Rules: w.Rules}, table.AddAI{}, table.RemoveAI{}, table.Rematch{},
		table.Share{Chat: table.Chat{ID: "x:9"}}, table.Unshare{Chat: people[1].ID},
	} {
		w.refused(0, c, table.ErrStrangers)
	}
	// The first player has one vote of two that are needed, like everyone.
	w.refused(0, table.Kick{Seat: 1}, table.ErrNoVote)
}

func TestStrangersSayPhrases(t *testing.T) {
	t.Parallel()
	w := strangersOf(t, func(*world) {})
	w.refused(0, table.Say{Phrase: "anything"}, table.ErrNoChoice)
	w.do(0, table.Say{Phrase: "game"})
	w.do(1, table.Say{Phrase: "bye"})
	w.refused(0, table.Say{Phrase: "played"}, table.ErrSaid)
	w.now = w.now.Add(table.SayEvery)
	w.do(0, table.Say{Phrase: "played"})
	if said := w.Public().Said; len(said) != 2 || said[0].Phrase != "bye" || said[1].Phrase != "played" {
		t.Errorf("the table shows %+v", said)
	}
	for deal := w.DealNo; w.DealNo == deal; {
		w.untilDue()
	}
	if said := w.Public().Said; len(said) > 0 {
		t.Errorf("in the next deal the table still shows %+v", said)
	}
	friends := started(t, gametest.Preset(t, "sedma-2p"), 2, time.Second, time.Minute)
	friends.refused(0, table.Say{Phrase: "game"}, table.ErrNoChoice)
}

// TestALobbyCountsDown checks a lobby that starts its match on its own, at a table that isn't one of strangers.
func TestALobbyCountsDown(t *testing.T) {
	t.Parallel()
	counting := func() *world {
		w := open(t, gametest.Preset(t, "sedma-2p"), time.Second, time.Minute)
		w.Begins = noon.Add(table.CountDown)
		return w
	}
	alone := counting()
	alone.after(table.CountDown)
	if alone.Phase != table.Playing || alone.Seats[1].AI == "" || !alone.Begins.IsZero() {
		t.Errorf("nobody came: phase %s, seats %+v", alone.Phase, alone.Seats)
	}
	full := counting()
	full.do(1, table.Join{Seat: -1})
	full.after(table.FullWait - time.Second)
	if full.Phase != table.Lobby {
		t.Error("the match started before the second player saw the table")
	}
	full.after(time.Second)
	if full.Phase != table.Playing || full.Seats[1].AI != "" {
		t.Errorf("all seats were taken: phase %s, seats %+v", full.Phase, full.Seats)
	}
	closed := counting()
	closed.do(0, table.Close{})
	closed.after(2 * table.CountDown)
	if closed.Phase != table.Closed {
		t.Errorf("a closed table is in phase %s", closed.Phase)
	}
}

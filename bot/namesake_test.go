package bot

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
	"sedmabot/store"
)

// called returns a command of the person with that id, who is called Petr unless the id is a name.
func called(id, command string, args map[string]string) chat.Input {
	in := by(id)
	if strings.HasPrefix(id, "petr") {
		in.Player.Name = "Petr"
	}
	in.Command, in.Args = command, args
	return in
}

// presses returns the presses of a screen's buttons.
func presses(s *screen.Screen) (out []string) {
	for _, row := range s.Rows {
		for _, b := range row {
			out = append(out, b.Press)
		}
	}
	return out
}

// TestKickMeansTheOneWhoIsThere checks that the name of several people leads to a list, and that it means neither the person
// who types it nor anyone who isn't there.
func TestKickMeansTheOneWhoIsThere(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		do := func(in chat.Input) chat.Reply {
			t.Helper()
			return b.Handle(t.Context(), in)
		}
		kick := func(by, name string) chat.Reply { return do(called(by, "kick", map[string]string{"player": name})) }
		do(called("petr1", "new", map[string]string{"players": "4"}))
		for _, id := range []string{"petr2", "ann", "petr3"} {
			do(called(id, "join", nil))
		}
		do(called("petr1", "start", nil))
		synctest.Wait()
		votes := func() (out []int) {
			for i, s := range theTable(t, b).Seats {
				if s.Away || len(s.Against) > 0 {
					out = append(out, i)
				}
			}
			return out
		}
		for _, who := range []string{"petr1", "ann", "petr3"} { // the host, a guest, and another Petr
			r := kick(who, "petr")
			if r.Screen == nil || strings.Contains(r.Screen.String(), "Nobody else") || len(presses(r.Screen)) != 3 || len(votes()) > 0 {
				t.Fatalf("%s is told %q %v; votes against %v", who, r.Toast, r.Screen, votes())
			}
		}
		more := called("ann", "", nil)
		more.Press = "more:" + theTable(t, b).ID
		r := do(more)
		if r.Screen == nil {
			t.Fatal(r)
		}
		labels := map[string]bool{}
		for _, row := range r.Screen.Rows {
			for _, button := range row {
				if labels[button.Label] {
					t.Errorf("two buttons are called %q", button.Label)
				}
				labels[button.Label] = true
			}
		}
		kick("petr1", "2")
		if got := votes(); len(got) != 1 || got[0] != 1 {
			t.Fatalf("seat 2 was named, and %v are away", got)
		}
		if r := kick("petr1", "Petr"); r.Screen != nil || len(votes()) != 2 || !theTable(t, b).Seats[3].Away {
			t.Fatalf("the only other Petr was named: %q, %v are away", r.Toast, votes())
		}
		if r := kick("petr1", "Petr"); r.Toast != by("ann").Refuse(table.ErrNobody).Toast {
			t.Errorf("a Petr who isn't there was named: %q %v", r.Toast, r.Screen)
		}
	})
}

// TestAKickMeansOnePerson presses the buttons of a list after other people have taken the seats that it names: by swapping
// seats, and by leaving and sitting down.
func TestAKickMeansOnePerson(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		do := func(who, command, press string) chat.Reply {
			t.Helper()
			in := called(who, command, map[string]string{"players": "4"})
			in.Press = press
			return b.Handle(t.Context(), in)
		}
		do("ann", "new", "")
		for _, who := range []string{"ben", "cat", "dan"} {
			do(who, "join", "")
		}
		id := theTable(t, b).ID
		kicks := presses(do("ann", "kick", "").Screen)
		if len(kicks) != 3 {
			t.Fatal(kicks)
		}
		swap := func(whom string) { // Ann plays with Ben or Cat, who change places
			tab := theTable(t, b)
			do("ann", "", "set:"+id+":with:"+tab.Public().Mark(tab.SeatOf("test:"+whom)))
		}
		swap("ben")
		do("dan", "leave", "")
		do("eve", "join", "")
		sits := func(who string) bool {
			tab := theTable(t, b)
			return tab.SeatOf(who) >= 0
		}
		taken := by("ann").Refuse(table.ErrTaken).Toast
		for _, press := range kicks {
			if r := do("ann", "", press); r.Toast != taken {
				t.Errorf("%s: %q", press, r.Toast)
			}
		}
		swap("cat")
		if r := do("ann", "", kicks[0]); r.Outcome != chat.Done || sits("test:ben") {
			t.Errorf("Ben, who is back on that seat, keeps it: %q", r.Toast)
		}
		do("ann", "", "kick:"+id+":2") // a button of an earlier version
		if sits("test:cat") {
			t.Error("an old button does nothing")
		}
	})
}

// TestStatsAskWhichPlayer checks that a name of several players leads to a list of them, whose numbers work as names, and that it means somebody else than the person who types it.
func TestStatsAskWhichPlayer(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		home := by("ann").Chat.Home
		for i, name := range []string{"Petr", "Petr", "Petra", "Eva"} {
			id := "test:" + []string{"petr1", "petr2", "petra", "eva"}[i]
			totals := league.Totals{Matches: i + 3}
			data, err := json.Marshal(league.BoardRow{Name: name, Totals: totals})
			if err != nil {
				t.Fatal(err)
			}
			err = b.docs.Store.Commit(t.Context(), store.Change{
				Partition: store.Partition(home), Now: b.docs.Now(),
				Writes: []store.Write{{Name: doc.MemberName(home, id), Data: doc.Encode(league.Member{Name: name, Games: map[string]league.Totals{league.AllGames: totals}})}},
				Rows:   []store.Row{{Board: league.BoardName(home, league.AllGames, league.AllTime), Member: id, Score: -float64(i), Data: data}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		stats := func(who, name string) *screen.Screen {
			t.Helper()
			r := b.Handle(t.Context(), called(who, "stats", map[string]string{"player": name}))
			if r.Screen == nil {
				t.Fatalf("%s asks for %s: %q", who, name, r.Toast)
			}
			return r.Screen
		}
		if list := stats("ann", "petr").String(); !strings.Contains(list, "1. Petr") || !strings.Contains(list, "2. Petr") || strings.Contains(list, "Petra") {
			t.Fatalf("of two players who are called Petr, the list is\n%s", list)
		}
		for _, one := range []struct{ who, name, want string }{
			{"petr1", "petr", "4 matches"}, {"petr2", "petr", "3 matches"}, {"ann", "petra", "5 matches"}, {"ann", "e", "6 matches"},
			{"ann", "1", "3 matches"}, {"ann", "2", "4 matches"},
		} {
			if s := stats(one.who, one.name); !strings.Contains(s.String(), one.want) {
				t.Errorf("%s asks for %s and gets\n%s", one.who, one.name, s)
			}
		}
		if list := stats("eva", "pet").String(); !strings.Contains(list, "3. Petra") || strings.Contains(list, "Eva") {
			t.Errorf("three names begin with pet, and the list is\n%s", list)
		}
	})
}

package bot

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/meet"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Called opens a table in the home, closes it, and returns the ids of the people whom it calls.
func (w *shell) called(opener, words string) []string {
	w.t.Helper()
	in := w.input(opener, here)
	in.Command, in.Args = "new", map[string]string{"rules": words}
	if r := w.Handle(w.t.Context(), in); r.Outcome != chat.Done {
		w.t.Fatalf("%+v", r)
	}
	id, err := w.tables.OpenTable(w.t.Context(), in.Chat)
	if err != nil {
		w.t.Fatal(err)
	}
	at, err := w.tables.Load(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	w.tables.Act(w.t.Context(), in, id, table.Close{})
	var ids []string
	for _, p := range at.Tell {
		ids = append(ids, p.ID)
	}
	return ids
}

// pressed sends a press in the home.
func (w *shell) pressed(player string, p fmt.Stringer) chat.Reply {
	w.t.Helper()
	in := w.input(player, here)
	in.Press = p.String()
	r := w.Handle(w.t.Context(), in)
	if r.Outcome != chat.Done {
		w.t.Fatalf("%s: %+v", p, r)
	}
	return r
}

// A person on the list is called about the games and at the hours that they chose, in the time
// zone of the home. A chat calls at most every ten minutes.
func TestWhoIsCalled(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	w.now = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)
	check := func(what, words string, want ...string) {
		t.Helper()
		if got := w.called("test:ota", words); !slices.Equal(got, want) {
			t.Errorf("%s: %v are called, want %v", what, got, want)
		}
	}
	set := func(what, value string) {
		t.Helper()
		w.pressed("test:eva", ownSetting(what, value, here))
	}
	check("nobody asked", "")
	w.pressed("test:eva", view.Press{Action: view.ActTell, Table: "t"})
	check("she asked", "", "test:eva")
	w.now = w.now.Add(9 * time.Minute)
	check("nine minutes later", "")
	w.now = w.now.Add(time.Minute)
	check("ten minutes after the call", "", "test:eva")

	w.now = w.now.Add(time.Hour)
	set("tell_game", "hola")
	check("another game", "sedma")
	check("her game", "hola", "test:eva")
	set("tell_game", "any")

	set("tell_quiet", "22-8")
	for day, hour := range []int{21, 22, 7, 8} {
		w.now = time.Date(2026, 12, 3+day, hour, 59, 0, 0, time.UTC)
		if got := len(w.called("test:ota", "")) == 1; got != (hour == 21 || hour == 8) {
			t.Errorf("at %d:59 UTC she is called: %v", hour, got)
		}
	}
	w.zone("cz")
	w.now = time.Date(2026, 12, 7, 21, 0, 0, 0, time.UTC)
	check("22:00 in Prague", "")
	set("tell_quiet", "off")
	check("no quiet hours", "", "test:eva")

	w.pressed("test:eva", view.Press{Action: view.ActHush, Table: "t"})
	w.now = w.now.Add(time.Hour)
	check("she stopped it", "")
	w.pressed("test:eva", view.Press{Action: view.ActHush, Table: "t"})
	check("stopping twice lists nobody", "")

	in := w.input("test:eva", here)
	in.Press = ownSetting("tell_game", "hola", here).String()
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Refused {
		t.Errorf("a wish of a person who isn't on the list: %+v", r)
	}
}

// After a month without a match, a person is no longer called. For people whom an earlier
// version of the program put on the list, the month begins with the first new table.
func TestCallsEndAfterAMonth(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	w.now = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)
	var h doc.Home
	err := doc.Set(t.Context(), w.docs, "", doc.HomeKey(here), &h, func() error {
		h.Tell = map[string]string{"test:old": "Old"} // an earlier version's list
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, player := range []string{"test:eva", "test:jan"} {
		w.pressed(player, view.Press{Action: view.ActTell, Table: "t"})
	}
	rules, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	listed := func(want ...string) {
		t.Helper()
		w.get(doc.HomeKey(here), &h)
		var wishes meet.Wishes
		w.get(doc.InHome(here, "tell:"+here), &wishes)
		if got := slices.Sorted(maps.Keys(h.Tell)); !slices.Equal(got, want) || len(wishes.People) != len(want) {
			t.Errorf("on the list are %v with %d wishes, want %v", got, len(wishes.People), want)
		}
	}
	if got := w.called("test:ota", ""); len(got) != 3 {
		t.Errorf("%v are called", got)
	}
	w.now = w.now.AddDate(0, 0, 20)
	w.playOut(rules, 1) // Eva plays a match
	h = doc.Home{}
	w.now = w.now.AddDate(0, 0, 11)
	if got := w.called("test:ota", ""); !slices.Equal(got, []string{"test:eva"}) {
		t.Errorf("after a month %v are called", got)
	}
	h = doc.Home{}
	listed("test:eva")
	w.now = w.now.AddDate(0, 0, 31)
	if got := w.called("test:ota", ""); len(got) != 0 {
		t.Errorf("after two months %v are called", got)
	}
	h = doc.Home{}
	listed()
	w.pressed("test:eva", view.Press{Action: view.ActTell, Table: "t"})
	if got := w.called("test:ota", ""); !slices.Equal(got, []string{"test:eva"}) {
		t.Errorf("after she asked again %v are called", got)
	}
}

package table

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/game/gametest"
)

// After a person is forgotten, the table must not contain their id or name. Nobody else may lose anything, and a
// running match must continue to its end.
func TestForget(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	people := []Player{{ID: "x:ann", Name: "Ann"}, {ID: "x:ben", Name: "Ben"}, {ID: "x:cat", Name: "Cat"}, {ID: "x:dan", Name: "Dan"}}
	env := Env{Now: start, Seed: Seed{7}}
	do := func(tab Table, who int, c Command) Table {
		t.Helper()
		next, _, err := Apply(tab, people[who], c, env)
		if err != nil {
			t.Fatalf("%#v: %v", c, err)
		}
		return next
	}
	lobby := New("t", "x:home", Chat{ID: "x:home"}, people[0], rules, 0, 0, start)
	lobby.Tell = []Player{people[0], people[1]}
	for i := range people[1:] {
		lobby = do(lobby, i+1, Join{Seat: -1})
	}
	playing := do(lobby, 0, Start{})
	voted := do(do(playing, 1, Kick{Seat: 2}), 0, Rest{})
	left := do(playing, 0, Leave{})
	over := play(t, do(playing, 0, LastDeal{}), env)
	rematch := do(over, 0, Rematch{})
	alone := do(do(do(playing, 1, Leave{}), 2, Leave{}), 3, Leave{})
	daily := over
	daily.Seats = slices.Clone(over.Seats)
	daily.Seats[0], daily.Seats[1] = Seat{}, Seat{}
	daily.Last, daily.Tell, daily.Host = nil, nil, people[2].ID
	named := daily
	daily.Daily = &Daily{Others: []Rival{{ID: people[0].ID, Name: "Ann"}, {ID: people[1].ID, Name: "Ben"}}}
	named.Daily = &Daily{Others: []Rival{{Name: "Ann"}, {Name: "Ben"}}} // as an earlier version stored it
	for name, tab := range map[string]Table{
		"daily": daily, "daily without ids": named,
		"lobby": lobby, "playing": playing, "voted": voted, "left": left, "over": over, "rematch": rematch, "alone": alone, "closed": do(over, 0, Close{}),
	} {
		for _, who := range people[:2] {
			before, _ := json.Marshal(tab)
			got, _ := Forget(tab, who.ID, Gone+"1", env)
			if after, _ := json.Marshal(tab); string(before) != string(after) {
				t.Fatalf("%s: the table that it was given is another one", name)
			}
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if s := string(text); strings.Contains(s, who.ID) || strings.Contains(s, `"`+who.Name+`"`) {
				t.Errorf("%s without %s: %s", name, who.Name, s)
			}
			if got.Phase != Closed && len(got.Awaited) == 0 && !slices.ContainsFunc(got.Seats, func(s Seat) bool { return s.Player.ID == got.Host }) {
				t.Errorf("%s without %s: its host is %s, who has no seat", name, who.Name, got.Host)
			}
			for seat, p := range people {
				if kept := got.Seats[seat]; p != who && tab.Seats[seat].Player == p && kept.Player != p {
					t.Errorf("%s without %s: seat %d has %+v", name, who.Name, seat, kept)
				}
			}
			if got.Phase == Playing {
				end := play(t, got, env)
				if end.Phase != Over {
					t.Errorf("%s without %s ends %s", name, who.Name, end.Phase)
				}
			}
			again, events := Forget(got, who.ID, Gone+"1", env)
			if second, _ := json.Marshal(again); string(second) != string(text) || len(events) > 0 {
				t.Errorf("%s: the second time it changes", name)
			}
		}
	}
}

// play plays a match to its end.
func play(t *testing.T, tab Table, env Env) Table {
	t.Helper()
	for range 2000 {
		var err error
		switch turn := tab.Public().Turn; {
		case tab.Phase != Playing && tab.Phase != Pause:
			return tab
		case tab.Phase == Playing && tab.Seats[turn].present():
			v := tab.Deal.View(turn)
			tab, _, err = Apply(tab, tab.Seats[turn].Player, Play{Deal: tab.DealNo, Decision: v.Decisions[turn], Move: v.Legal[0]}, env)
		default:
			if due := tab.Due(); due.After(env.Now) {
				env.Now = due
			}
			var wanted *Wanted
			tab, _, wanted = Advance(tab, env)
			for wanted != nil {
				tab, _, wanted = Answer(tab, env, wanted.View.Legal[0])
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

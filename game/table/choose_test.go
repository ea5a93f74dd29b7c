package table_test

import (
	"crypto/sha256"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

func TestTheSettingsGoFromGameToHouseRules(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), 0, table.DefaultLimit)
	w.do(1, table.Join{Seat: -1})
	choose := func(what, value, preset string, page table.Page) {
		t.Helper()
		w.do(0, table.Choose{What: what, Value: value})
		if w.Rules.Preset != preset || w.Page != page {
			t.Fatalf("after %s %s: %s on page %q", what, value, w.Rules.Preset, w.Page)
		}
	}
	choose("page", "game", "sedma-4p", table.GamePage)
	choose("game", "hola", "hola-4p", table.PlayersPage)
	choose("players", "2", "hola-2p", table.SettingsPage)
	choose("game", "soccer", "soccer-home", table.SettingsPage)
	choose("game", "sedma", "sedma-2p", table.PlayersPage)
	choose("players", "4", "sedma-4p", table.SettingsPage)
	w.do(0, table.SetRules{Rules: gametest.Preset(t, "sedma-4p-cash")})
	if w.Rules.Deals != table.DefaultDeals || len(table.House(w.Rules)) != 0 {
		t.Errorf("a game without an end has %d deals, changed: %v", w.Rules.Deals, table.House(w.Rules))
	}
	choose("page", "burn", "sedma-4p-cash", "burn")
	choose("burn", "5-10-15", "sedma-4p-cash", table.HousePage)
	choose("end", "t20", "sedma-4p-cash", table.HousePage)
	if h := table.House(w.Rules); len(h) != 2 || h[0].Name != "end" || h[0].Value != "t20" || h[1].Name != "burn" || h[1].Value != "5-10-15" {
		t.Errorf("the house rules are %v", h)
	}
	choose("limit", "3600", "sedma-4p-cash", table.SettingsPage)
	choose("page", "seats", "sedma-4p-cash", table.SeatsPage)
	choose("page", "places", "sedma-4p-cash", table.PlacesPage)
	mark := w.Public().Mark(1)
	for range 2 { // a double click
		w.do(1, table.Choose{What: "with", Value: mark})
	}
	if w.Seats[2].Player.ID != people[1].ID || w.Limit.Hours() != 1 {
		t.Errorf("after all: %v, %s a move", w.Seats, w.Limit)
	}

	for _, c := range []table.Choose{
		{"page", "nowhere"}, {"game", "poker"}, {"players", "3.5"}, {"players", "6"}, {"variant", "sedma-4p"}, {"limit", "31"},
		{"swap", "12"}, {"with", "0000"}, {"venue", "0"}, {"burn", "7"}, {"poker", "1"}, {"", ""},
	} {
		if err := w.apply(0, c); !errors.Is(err, table.ErrNoChoice) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if err := w.apply(1, table.Choose{What: "page", Value: "game"}); !errors.Is(err, table.ErrNotHost) {
		t.Errorf("somebody else's settings: %v", err)
	}
	w.do(0, table.Start{})
	if w.Page != table.SeatsPage {
		t.Error("the settings are open during the match")
	}
	if err := w.apply(0, table.Choose{What: "burn", Value: "1"}); !errors.Is(err, table.ErrNotLobby) {
		t.Errorf("a change after the start: %v", err)
	}
}

// The host answers several house rules at once. A rule that the game doesn't offer, or no longer offers after another of the
// answers, stays as it is.
func TestSeveralHouseRulesAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "slovak-4p"), 0, table.DefaultLimit)
	w.do(1, table.Join{Seat: -1})
	house := func() map[string]string {
		now := map[string]string{}
		for _, h := range table.House(w.Rules) {
			now[h.Name] = h.Value
		}
		return now
	}
	choose := func(values map[string]string) table.ChooseHouse { return table.ChooseHouse{Values: values} }
	w.refused(1, choose(map[string]string{"burn": "1"}), table.ErrNotHost)
	w.do(0, choose(map[string]string{"burn": "1", "tie": "last_trick", "tie_dealer": "same", "poker": "1", "final_seven": "poker"}))
	if got, want := house(), map[string]string{"burn": "1", "tie": "last_trick"}; !maps.Equal(got, want) || w.Page != table.HousePage {
		t.Errorf("the house rules are %v on page %q, not %v", got, w.Page, want)
	}
	w.do(0, table.Choose{What: "burn", Value: "0"})
	w.do(0, choose(map[string]string{"scoring": "points", "burn": "4", "tie": "none"}))
	if got := house(); got["scoring"] != "points" || got["burn"] != "" {
		t.Errorf("the house rules are %v, which should have points and no burn", got)
	}
	if err := w.Rules.Validate(); err != nil {
		t.Error(err)
	}
	w.do(0, table.Start{})
	w.refused(0, choose(map[string]string{"final_seven": "dead"}), table.ErrNotLobby)
}

// TestWhoPlaysWithWhom lets the people of a lobby choose partners. Two may both choose, among more only the host.
func TestWhoPlaysWithWhom(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), 0, 0)
	mate := func() string { return w.Seats[(w.SeatOf(people[0].ID)+2)%4].Player.ID }
	mark := func(of int) string { return w.Public().Mark(w.SeatOf(people[of].ID)) }
	with := func(by int, whom string) { w.do(by, table.Choose{What: "with", Value: whom}) }
	if err := w.apply(0, table.Choose{What: "with", Value: "ai"}); !errors.Is(err, table.ErrNoChoice) {
		t.Errorf("alone: %v", err)
	}
	w.do(1, table.Join{Seat: -1})
	with(1, mark(1))
	with(0, mark(1)) // the second press changes nothing
	if mate() != people[1].ID {
		t.Errorf("together: %+v", w.Seats)
	}
	with(0, "ai")
	with(1, "ai")
	if mate() != "" || w.SeatOf(people[1].ID) < 0 {
		t.Errorf("against each other: %+v", w.Seats)
	}
	w.do(2, table.Join{Seat: -1})
	with(0, mark(2))
	if mate() != people[2].ID {
		t.Errorf("with the third: %+v", w.Seats)
	}
	if err := w.apply(1, table.Choose{What: "with", Value: "ai"}); !errors.Is(err, table.ErrNotHost) {
		t.Errorf("one of three: %v", err)
	}
}

func TestTheDrawForPartners(t *testing.T) {
	t.Parallel()
	redrawn := false
	for n := range 40 {
		w := open(t, gametest.Preset(t, "sedma-4p"), 0, 0)
		w.seeds = n * 10
		w.do(1, table.Join{Seat: -1})
		draw := table.Choose{What: "draw", Value: "partners"}
		w.do(2, table.Join{Seat: -1})
		before := slices.Clone(w.Seats)
		before[3].AI = table.DefaultLevel // it takes the free seat
		w.do(0, draw)
		rounds, teams := table.DrawPartners(w.Rules, w.Seed)
		redrawn = redrawn || len(rounds) > 1
		for player, seat := range teams.Seats {
			if !reflect.DeepEqual(w.Seats[seat], before[player]) {
				t.Fatalf("the player of seat %d sits on %v", player, w.Seats)
			}
		}
		// The player with the lowest card gets seat 0, with the partner opposite.
		low := map[int]bool{teams.Seats[teams.Low[0]]: true, teams.Seats[teams.Low[1]]: true}
		if teams.Seats[teams.Dealer] != 0 || !low[0] || !low[2] {
			t.Fatalf("the draw came to %+v", teams)
		}
		if err := w.apply(0, draw); !errors.Is(err, table.ErrDrawn) {
			t.Fatalf("a second draw: %v", err)
		}
		seed := w.Seed
		if w.Public().Hash != sha256.Sum256(seed[:]) {
			t.Fatal("the draw's fingerprint is not that of its seed")
		}
		w.do(0, table.Start{})
		if w.Seed != seed || w.Deal.Dealer() != 0 || !slices.Equal(w.Deal.Deck(), game.Shuffle(w.Rules.Pack(), seed)) {
			t.Fatal("the first deal does not come from the seed of the draw, or its dealer is not the lowest")
		}
	}
	if !redrawn {
		t.Error("nobody ever had to draw again")
	}

	w := open(t, gametest.Preset(t, "hola-4p"), 0, 0)
	w.do(0, table.Choose{What: "draw", Value: "partners"})
	w.do(1, table.Join{Seat: -1})
	if w.Draw != nil || w.Seed != (table.Seed{}) {
		t.Error("a draw outlives a change of seats")
	}
}

// The lobby of a rematch knows who will be at home: nothing is drawn there.
func TestWhoIsAtHomeInARematch(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"soccer-home", "soccer-neutral"} {
		homes := map[int]bool{}
		for seed := range 8 {
			w := open(t, gametest.Preset(t, name), 0, 0)
			w.seeds = seed
			w.do(1, table.Join{Seat: -1})
			if home := w.Public().AtHome; home >= 0 {
				t.Fatalf("%s: seat %d is at home before the draw", name, home)
			}
			w.do(0, table.Start{})
			w.do(0, table.LastDeal{})
			w.untilPhase(table.Over)
			w.do(0, table.Rematch{})
			said := w.Public().AtHome
			w.do(1, table.Rematch{})
			if leader := w.Deal.View(game.Nobody).Leader; leader != said || w.Public().AtHome != said {
				t.Errorf("%s: the lobby says that seat %d is at home, and %d leads", name, said, leader)
			}
			homes[said] = true
		}
		if len(homes) < 2 {
			t.Errorf("%s: the same seat is at home in all rematches", name)
		}
	}
}

func TestWhoIsAtHome(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"soccer-home", "soccer-neutral"} {
		for seat := range 2 {
			w := open(t, gametest.Preset(t, name), 0, 0)
			w.do(1, table.Join{Seat: -1})
			w.do(0, table.Choose{What: "venue", Value: string(rune('0' + seat))})
			w.do(0, table.Start{})
			home := w.Public().AtHome
			if home != seat || w.Deal.View(game.Nobody).Leader != home {
				t.Errorf("%s: seat %d is at home; the table says %d, %d leads", name, seat, home, w.Deal.View(game.Nobody).Leader)
			}
		}
	}
}

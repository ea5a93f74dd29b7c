package tournaments

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/game/tournament"
)

// entered returns the lobby of a tournament that Ann opened and these people entered.
func entered(t *testing.T, pairs bool, names ...string) Tournament {
	t.Helper()
	d := Tournament{ID: "0123456789abc", Home: "test:1", Stage: StageLobby, Deals: 1, Rules: *table.TournamentGame(game.Family(table.DefaultPreset), 2), Pairs: true}
	d.Host = table.Player{ID: "test:ann", Name: "Ann"}
	d.setKind(pairs)
	for _, name := range names {
		presses(t, &d, name, "join", "new")
	}
	return d
}

// presses applies a press of a person to the tournament, which has to take it.
func presses(t *testing.T, d *Tournament, name, what, value string) {
	t.Helper()
	in := chat.Input{Player: chat.Player{ID: "test:" + strings.ToLower(name)}, Chat: chat.Chat{Home: "test:2"}}
	organises, err := d.organises(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.do(request{what: what, value: value, player: table.Player{ID: in.Player.ID, Name: name}, organises: organises, now: time.Unix(1, 0)}); err != nil {
		t.Fatalf("%s presses %s: %v", name, what, err)
	}
}

// shown returns the words of the tournament's messages.
func shown(d Tournament) string {
	var b strings.Builder
	for _, p := range Posts(d.view(), table.Chat{ID: "test:1", ChatSettings: table.ChatSettings{Lang: "en"}}) {
		b.WriteString(p.Screen.String())
	}
	return b.String()
}

// TestTheHostsPartPassesOn checks that a tournament always has a host who is there, after the host's data is deleted: before
// the start and later, if nobody has entered yet, and if an earlier version deleted it.
func TestTheHostsPartPassesOn(t *testing.T) {
	t.Parallel()
	stone := table.Gone + "1"
	d := entered(t, false, "Ann", "Ben", "Cat", "Dan", "Eve")
	if d.forget("test:ann", stone); strings.Contains(shown(d), "Player") || !strings.Contains(shown(d), "Ben can start") {
		t.Errorf("after the host is gone, the lobby is\n%s", shown(d))
	}
	presses(t, &d, "Ben", "start", "go")
	d.forget("test:ben", stone)
	presses(t, &d, "Cat", "off", "yes")

	d = entered(t, false)
	d.forget("test:ann", stone)
	presses(t, &d, "Ben", "join", "new")
	presses(t, &d, "Ben", "page", "settings")

	d = entered(t, false, "Ben", "Cat")
	d.Host = table.Tombstone(stone, 0)
	presses(t, &d, "Ben", "off", "yes")
}

// TestPeopleEnterWhileTheSettingsAreOpen checks that the settings have the buttons of everybody else, on few enough rows.
func TestPeopleEnterWhileTheSettingsAreOpen(t *testing.T) {
	t.Parallel()
	for _, pairs := range []bool{false, true} {
		d := entered(t, pairs, "Ben")
		presses(t, &d, "Ann", "page", "settings")
		s := Posts(d.view(), table.Chat{ID: "test:1"})[0].Screen
		if len(s.Menus) == 0 || len(s.Menus)+len(s.Rows) > 5 {
			t.Errorf("%d menus and %d rows", len(s.Menus), len(s.Rows))
		}
		var buttons []string
		for _, row := range s.Rows {
			for _, b := range row {
				buttons = append(buttons, b.Press)
			}
		}
		for _, what := range []string{":join:", ":leave:"} {
			if !strings.Contains(strings.Join(buttons, " "), what) {
				t.Errorf("pairs %v: the settings have no button %s: %v", pairs, what, buttons)
			}
		}
	}
}

// TestPartnersAreToldApart checks that the list of people who look for a partner has no two equal buttons, and not the reader.
func TestPartnersAreToldApart(t *testing.T) {
	t.Parallel()
	d := entered(t, true, "Ann", "Petr")
	d.enter(table.Player{ID: "test:petr2", Name: "Petr"})
	for reader, want := range map[string]int{"test:ann": 2, "test:petr": 2, "test:eve": 3} {
		view, err := d.seek(d.view(), reader)
		if err != nil {
			t.Fatal(err)
		}
		labels := map[string]bool{}
		var row []screen.Button
		for _, r := range AskPartners(view, lang.For("en")).Rows {
			row = append(row, r...)
		}
		for _, b := range row {
			labels[b.Label] = true
		}
		if len(labels) != want || len(row) != want {
			t.Errorf("%s reads %v", reader, labels)
		}
	}
}

// TestWhoLeftHasNotWon checks that the winner of a tournament is the best of those who are there.
func TestWhoLeftHasNotWon(t *testing.T) {
	t.Parallel()
	d := entered(t, false, "Ann", "Ben", "Cat", "Dan")
	presses(t, &d, "Ann", "start", "go")
	d.Swiss.Rounds = []tournament.Round{{Bye: -1, Over: true, Tables: []tournament.Table{{Sides: [2]int{0, 1}, Margin: 9}, {Sides: [2]int{2, 3}, Margin: 1}}}}
	d.Done = []bool{true, true}
	presses(t, &d, "Ann", "leave", "me")
	d.Stage = StageOver
	if words := shown(d); !strings.Contains(words, "Winner: ") || strings.Contains(words, "Winner: Ann") {
		t.Errorf("after the best has left:\n%s", words)
	}
}

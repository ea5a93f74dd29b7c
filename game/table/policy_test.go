package table_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// kindsOfTables returns a table of each kind that the version before policies knows.
func kindsOfTables(t *testing.T) map[string]table.Table {
	rules, chat := gametest.Preset(t, "sedma-2p"), table.Chat{ID: "test:chat"}
	plain := table.New("t1", "test:home", chat, people[0], rules, 0, time.Minute, noon)
	daily, _, err := table.StartDaily(plain, table.Daily{Date: "2026-11-21", Zone: "Europe/Prague", Ends: noon.Add(time.Hour)}, table.Env{Now: noon, Seed: seedOf(3)})
	if err != nil {
		t.Fatal(err)
	}
	of, err := table.TournamentRules(rules, 4)
	if err != nil {
		t.Fatal(err)
	}
	seats := []table.Seat{{Player: people[0]}, {Player: people[1]}}
	tournament, _, err := table.NewTournamentTable("t1", "test:home", table.Tournament{ID: "c", Chat: "test:chat", Round: 2, Table: 1, Decks: seedOf(7)}, seats, of, 0, time.Minute, noon)
	if err != nil {
		t.Fatal(err)
	}
	strangers := table.NewStrangers("t1", "strangers:all", people[0], rules, 0, time.Minute, noon)
	for _, act := range []table.Command{table.Start{}, table.Say{Phrase: "game"}} {
		if strangers, _, err = table.Apply(strangers, people[0], act, table.Env{Now: noon, Seed: seedOf(5)}); err != nil {
			t.Fatal(err)
		}
	}
	chat.Single = true
	guest := table.New("t1", "test:home", chat, people[0], rules, 0, time.Minute, noon)
	guest.Policy.Uncounted = true
	return map[string]table.Table{"plain": plain, "daily": daily, "tournament": tournament, "strangers": strangers, "lesson": lesson(t), "guest": guest}
}

// A table that the version before policies has written gets the policy of its kind, and its other new fields.
func TestEarlierTablesInheritTheirPolicy(t *testing.T) {
	t.Parallel()
	for name, now := range kindsOfTables(t) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(marshal(t, now)), &fields); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"policy", "decks", "said"} {
			delete(fields, key)
		}
		var old table.Table
		if err := json.Unmarshal([]byte(marshal(t, fields)), &old); err != nil {
			t.Fatal(err)
		}
		if old.Inherit(); marshal(t, old) != marshal(t, now) {
			t.Errorf("%s: %s", name, cmp.Diff(now.Policy, old.Policy))
		}
	}
}

// The version before policies may play the tables that this one has written: they have the fields by which it tells kinds.
func TestAnEarlierVersionKnowsTheKinds(t *testing.T) {
	t.Parallel()
	type before struct { // the fields of that version's Table
		Daily     *struct{ Date, Zone string } `json:"daily"`
		Lesson    bool                         `json:"lesson"`
		Strangers *struct{ Said []table.Said } `json:"strangers"`
		Contest   *struct {
			Chat  string
			Decks table.Seed
		} `json:"contest"`
		Chats []struct{ Single bool } `json:"chats"`
	}
	for name, now := range kindsOfTables(t) {
		var old before
		if err := json.Unmarshal([]byte(marshal(t, now)), &old); err != nil {
			t.Fatal(err)
		}
		knows := map[string]bool{
			"daily": old.Daily != nil && old.Daily.Date == "2026-11-21" && old.Daily.Zone == "Europe/Prague", "lesson": old.Lesson,
			"strangers":  old.Strangers != nil && len(old.Strangers.Said) == 1,
			"tournament": old.Contest != nil && old.Contest.Chat == "test:chat" && old.Contest.Decks == seedOf(7),
			"guest":      old.Chats[0].Single,
		}
		for kind, is := range knows {
			if is != (kind == name) {
				t.Errorf("the earlier version takes the table %s for %s: %v", name, kind, is)
			}
		}
	}
}

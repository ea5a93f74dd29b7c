package tables_test

import (
	"context"
	"testing"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/doc"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// A room opens a table that counts nowhere, in a chat. The chat may open another one after it, and its boards don't change.
func TestAnUncountedTable(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		eva := w.Input(town.Eva, "test:group")
		tab := table.New(doc.NewTableID("test:group"), "test:group", eva.TableChat(), eva.TablePlayer(), gametest.Preset(t, "sedma-2p"), 0, 0, w.Docs.Now())
		tab.Policy, tab.LastDeal = table.Policy{Uncounted: true, OneDeal: true, Once: true, Owner: "a room that isn't there"}, true
		c, err := w.Tables.Opening(t.Context(), &tab, nil)
		if err == nil {
			err = w.Docs.Commit(context.Background(), "", c)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.Tables.Act(t.Context(), w.Input(town.Ota, "test:group"), tab.ID, table.Join{Seat: -1})
		w.Tables.Act(t.Context(), eva, tab.ID, table.Start{})
		if over := w.PlayOn(tab.ID, 200); over.Phase != table.Over || len(over.Past) != 1 || over.Gains != nil {
			t.Fatalf("%s after %d deals, with %v", over.Phase, len(over.Past), over.Gains)
		}
		var home doc.Home
		if w.Get(doc.HomeKey("test:group"), &home); home.Played != 0 || len(home.Matches) != 0 || len(home.Open) != 0 {
			t.Errorf("the home has %+v", home)
		}
		key, _ := doc.MatchKey(tab.ID, 1)
		var match doc.Match
		if w.Get(key, &match); !match.Uncounted {
			t.Error("the match isn't recorded as one that counts nowhere")
		}
	})
}

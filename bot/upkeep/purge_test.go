package upkeep_test

import (
	"slices"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/store"
)

// If a home removes the bot, the home and all its data are deleted thirty days later,
// not before. The data of other homes and of its players stays. A home that adds the
// bot again in time keeps everything.
func TestARemovedHomeIsDeletedAfterThirtyDays(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const gone, stays = "test:leaves4711", "test:stays"
		kept := []string{"hall", "home", "match", "member", "player", "result", "skill"}

		for range league.HallMatches {
			w.Match(gone, "2", town.Ann, "test:ben")
			w.Match(stays, "2", town.Ann, "test:ben")
		}
		w.Pass(town.Season) // the season ends
		w.Older(w.Match(gone, "2", town.Ann, "test:ben"), town.Ann)
		w.Match(stays, "2", town.Ann, "test:ben")
		w.Pass(time.Minute)
		w.Accounts("before")
		has := func(when string, want ...string) {
			t.Helper()
			if got := w.Traces(gone); !slices.Equal(got, want) {
				t.Errorf("%s there is %v, want %v", when, got, want)
			}
		}
		left := slices.Sorted(slices.Values(append(slices.Clone(kept), "purge")))

		w.Command("test:cat", gone, "settings")
		w.Presses("test:cat", gone, town.OwnSetting("lang", "cs", gone)) // so that her document doesn't expire
		w.Presence(gone, chat.Removed)
		w.Pass(upkeep.PurgeAfter - time.Hour)
		has("shortly before", left...)
		w.Presence(gone, chat.Back)
		w.Pass(2 * time.Hour)
		has("when it came back in time", kept...)

		w.Presence(gone, chat.Removed)
		w.Pass(29 * 24 * time.Hour)
		visit := w.Input(town.Ann, gone) // from a person who has installed the bot for themselves
		visit.Command, visit.Chat.Visit = "help", true
		w.Handle(t.Context(), visit)
		if docs, err := w.Docs.Store.Get(t.Context(), doc.PurgeKey(gone)); err != nil || docs[0].Version == 0 {
			t.Errorf("a visit is taken for a return: %v", err)
		}
		w.Command(town.Ann, gone, "leaderboard") // a command shows that the bot is in the home
		w.Pass(2 * 24 * time.Hour)
		has("when somebody gave a command", kept...)

		tab := w.Sit(gone, "", town.Ann, "test:ben") // a table that is running when the home is deleted
		w.Presses(town.Ann, gone, view.Press{Action: view.ActStart, Table: tab.ID})
		for _, what := range []chat.Presence{chat.Removed, chat.Removed, chat.Back, chat.Removed} {
			w.Presence(gone, what)
		}
		w.Pass(upkeep.PurgeAfter + time.Hour)
		has("afterwards")
		w.Accounts("afterwards")
		for _, board := range league.BoardNames(doc.Home{}, gone) {
			if rows, _, err := w.Docs.Store.Board(t.Context(), store.Partition(gone), board, 0, 1, ""); err != nil || len(rows) > 0 {
				t.Errorf("%s has %d rows: %v", board, len(rows), err)
			}
		}
		w.Has(w.Command(town.Ann, stays, "leaderboard", "period", "all"), town.AnnName)
	})
}

// When a group's id changes, the platform may report that the bot was removed. If people
// still play long after, by presses alone, nothing is deleted.
func TestAHomeWherePeoplePlayStays(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:moved"
		tab := w.Match(home, "2", town.Ann, "test:ben")
		w.Presence(home, chat.Removed)
		for range 20 {
			w.Presses(town.Ann, home, view.Press{Action: view.ActRematch, Table: tab.ID})
			w.Presses("test:ben", home, view.Press{Action: view.ActRematch, Table: tab.ID})
			w.Presses(town.Ann, home, view.Press{Action: view.ActLast, Table: tab.ID})
			w.PlayOn(tab.ID, 1000)
			w.Pass(20 * time.Hour)
		}
		w.Pass(20 * 24 * time.Hour)
		if h, err := w.Docs.Home(t.Context(), home); err != nil || h.Played != 21 {
			t.Errorf("%+v, %v", h, err)
		}
		if docs, err := w.Docs.Store.Get(t.Context(), doc.PurgeKey(home)); err != nil || docs[0].Version != 0 {
			t.Errorf("it is still to be deleted: %v", err)
		}
	})
}

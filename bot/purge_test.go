package bot

import (
	"slices"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// presence tells the bot that it was added to a home or removed from it.
func (w *town) presence(home string, what chat.Presence) {
	w.t.Helper()
	if r := w.Handle(w.t.Context(), chat.Input{Chat: chat.Chat{ID: home, Home: home}, Presence: what}); r.Outcome != chat.Done {
		w.t.Fatalf("%+v", r)
	}
}

// inTown runs f with a town that stores its data in a file, in a synctest bubble.
func inTown(t *testing.T, f func(t *testing.T, w *town)) {
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		f(t, newTown(t, file))
	})
}

// If a home removes the bot, the home and all its data are deleted thirty days later,
// not before. The data of other homes and of its players stays. A home that adds the
// bot again in time keeps everything.
func TestARemovedHomeIsDeletedAfterThirtyDays(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const gone, stays = "test:leaves4711", "test:stays"
		kept := []string{"hall", "home", "match", "member", "player", "result", "skill"}

		for range league.HallMatches {
			w.match(gone, "2", ann, "test:ben")
			w.match(stays, "2", ann, "test:ben")
		}
		w.pass(season) // the season ends
		w.older(w.match(gone, "2", ann, "test:ben"), ann)
		w.match(stays, "2", ann, "test:ben")
		w.pass(time.Minute)
		w.accounts("before")
		has := func(when string, want ...string) {
			t.Helper()
			if got := w.traces(gone); !slices.Equal(got, want) {
				t.Errorf("%s there is %v, want %v", when, got, want)
			}
		}
		left := slices.Sorted(slices.Values(append(slices.Clone(kept), "purge")))

		w.command("test:cat", gone, "settings")
		w.presence(gone, chat.Removed)
		w.pass(upkeep.PurgeAfter - time.Hour)
		has("shortly before", left...)
		w.presence(gone, chat.Back)
		w.pass(2 * time.Hour)
		has("when it came back in time", kept...)

		w.presence(gone, chat.Removed)
		w.pass(29 * 24 * time.Hour)
		visit := w.in(ann, gone) // from a person who has installed the bot for themselves
		visit.Command, visit.Chat.Visit = "help", true
		w.Handle(t.Context(), visit)
		if docs, err := w.docs.Store.Get(t.Context(), doc.PurgeKey(gone)); err != nil || docs[0].Version == 0 {
			t.Errorf("a visit is taken for a return: %v", err)
		}
		w.command(ann, gone, "leaderboard") // a command shows that the bot is in the home
		w.pass(2 * 24 * time.Hour)
		has("when somebody gave a command", kept...)

		tab := w.sit(gone, "", ann, "test:ben") // a table that is running when the home is deleted
		w.presses(ann, gone, view.Press{Action: view.ActStart, Table: tab.ID})
		for _, what := range []chat.Presence{chat.Removed, chat.Removed, chat.Back, chat.Removed} {
			w.presence(gone, what)
		}
		w.pass(upkeep.PurgeAfter + time.Hour)
		has("afterwards")
		w.accounts("afterwards")
		for _, board := range league.BoardNames(doc.Home{}, gone) {
			if rows, _, err := w.docs.Store.Board(t.Context(), store.Partition(gone), board, 0, 1, ""); err != nil || len(rows) > 0 {
				t.Errorf("%s has %d rows: %v", board, len(rows), err)
			}
		}
		if member, err := w.boards.MemberNames(t.Context(), stays, ann); err != nil || member[ann] == "" {
			t.Errorf("of the other home: %v, %v", member, err)
		}
	})
}

// When a group's id changes, the platform may report that the bot was removed. If people
// still play long after, by presses alone, nothing is deleted.
func TestAHomeWherePeoplePlayStays(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const home = "test:moved"
		tab := w.match(home, "2", ann, "test:ben")
		w.presence(home, chat.Removed)
		for range 20 {
			w.presses(ann, home, view.Press{Action: view.ActRematch, Table: tab.ID})
			w.presses(ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
			w.presses(ann, home, view.Press{Action: view.ActLast, Table: tab.ID})
			w.playOn(tab.ID, 1000)
			w.pass(20 * time.Hour)
		}
		w.pass(20 * 24 * time.Hour)
		if h, err := w.docs.Home(t.Context(), home); err != nil || h.Played != 21 {
			t.Errorf("%+v, %v", h, err)
		}
		if docs, err := w.docs.Store.Get(t.Context(), doc.PurgeKey(home)); err != nil || docs[0].Version != 0 {
			t.Errorf("it is still to be deleted: %v", err)
		}
	})
}

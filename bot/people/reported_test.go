package people_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// reported reports that the platform's reports arrive, and returns the homes that are named, with whether they are surely groups.
func reported(t *testing.T, w *town.Town, kept time.Duration, fails error) map[string]bool {
	t.Helper()
	got := map[string]bool{}
	in := chat.Input{Chat: chat.Chat{Home: "test:"}, Presence: chat.Reported, Kept: kept}
	in.Missed = func(_ context.Context, home string, group bool) error {
		if _, twice := got[home]; twice {
			t.Errorf("%s is named twice", home)
		}
		got[home] = group
		return fails
	}
	if r := w.Handle(t.Context(), in); (r.Outcome == chat.Failed) != (fails != nil) {
		t.Errorf("%+v", r)
	}
	return got
}

// At the start of a session, all homes of the platform are named. Those that have or had the bot for more than one chat are
// surely no private chats, and so are those where others have results, or asked to be told of tables. That is unknown of a home of an
// earlier version that has nothing of all that.
func TestHomesAreNamedAtTheStart(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Command(town.Ann, town.Ann, "new") // in her private chat
		stays(t, w, "test:server", w.Docs.Now().AddDate(0, -1, 0))
		w.Command(town.Ann, "test:server", "settings")
		added(t, w, "test:idle", town.Ann, "one", "test:idle") // nobody has played there
		put := func(home string, h doc.Home) {
			w.Put(store.Partition(home), map[string]any{doc.HomeName(home): h})
		}
		put("test:old", doc.Home{Open: map[string]string{"test:channel": "0abcdefghijkl"}})
		put("test:unknown", doc.Home{Matches: []string{"0abcdefghijkl-1"}})
		put("test:told", doc.Home{Tell: map[string]string{town.Ann: town.AnnName}})
		put("test:played", doc.Home{Matches: []string{"0abcdefghijkl-1"}})
		w.Put(store.Partition("test:played"), map[string]any{doc.MemberName("test:played", "test:cat"): league.Member{}})
		put("test:dan", doc.Home{Tell: map[string]string{"test:dan": "Dan"}}) // a table of this private chat was played elsewhere, too
		w.Put(store.Partition("test:dan"), map[string]any{doc.MemberName("test:dan", "test:cat"): league.Member{}, doc.MemberName("test:dan", "test:dan"): league.Member{}})
		put("other:server", doc.Home{Open: map[string]string{"other:channel": "0abcdefghijkl"}})
		want := map[string]bool{town.Ann: false, "test:server": true, "test:idle": true, "test:old": true, "test:unknown": false, "test:told": true, "test:played": true, "test:dan": false}
		for range 2 {
			if diff := cmp.Diff(want, reported(t, w, 0, nil)); diff != "" {
				t.Error(diff)
			}
		}
	})
}

// Where the platform keeps its reports for a day, homes are named only after a longer absence, until that has succeeded once.
func TestHomesAreNamedAfterALongAbsence(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const kept = 24 * time.Hour
		w.Command(town.Ann, "test:group", "new")
		for _, step := range []struct {
			pass  time.Duration
			fails error
			named bool
		}{
			{0, errors.New("away"), true}, // nothing is known of the time before
			{0, nil, true},
			{0, nil, false},
			{kept - time.Hour, nil, false},
			{kept - time.Hour, nil, false},
			{kept + time.Hour, errors.New("away"), true},
			{time.Hour, nil, true},
			{time.Hour, nil, false},
			{-48 * time.Hour, nil, true}, // the time that was stored can't be right
		} {
			w.Pass(max(step.pass, 0))
			if step.pass < 0 {
				docs, err := w.Docs.Store.Get(t.Context(), doc.InHome("test", "heard:test"))
				if err != nil {
					t.Fatal(err)
				}
				later := map[string]time.Time{"until": w.Docs.Now().Add(-step.pass)}
				c := store.Change{Partition: docs[0].Key.Partition, Now: w.Docs.Now(), Writes: []store.Write{{Name: "heard:test", Expect: docs[0].Version, Data: doc.Encode(later)}}}
				if err := w.Docs.Store.Commit(t.Context(), c); err != nil {
					t.Fatal(err)
				}
			}
			got := reported(t, w, kept, step.fails)
			if _, named := got["test:group"]; named != step.named {
				t.Errorf("%v later, failing %v, named are %v", step.pass, step.fails, maps.Keys(got))
			}
		}
	})
}

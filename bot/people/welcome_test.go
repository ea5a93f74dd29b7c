package people_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// added reports that a person added the bot to a home.
func added(t *testing.T, w *town.Town, home, by, event string, places ...string) {
	t.Helper()
	in := chat.Input{Chat: chat.Chat{ID: home, Home: home, Lang: "en"}, Presence: chat.Added, Places: places, Once: event}
	if by != "" {
		in.Player = w.Input(by, home).Player
	}
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
		t.Fatalf("%+v", r)
	}
}

// A home gets one welcome for each addition of the bot. A report that comes again, even in
// another process, sends nothing.
func TestEachAdditionHasOneWelcome(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:new"
		has := func(when string, want ...string) {
			t.Helper()
			w.Pass(2 * time.Minute)
			if got := w.Chats.Sent(); !slices.Equal(got, want) {
				t.Errorf("%s: sent to %v, want %v", when, got, want)
			}
		}
		w.Presence(home, chat.Back)
		has("in a home that the bot was already in")
		added(t, w, home, town.Ann, "one", home)
		added(t, w, home, town.Ann, "one", home)
		has("added", home)
		added(t, w, home, town.Ann, "one", home)
		has("the same report again")
		next := town.New(t, w.Docs.Store) // another process
		added(t, next, home, town.Ann, "one", home)
		next.Pass(time.Minute)
		if got := next.Chats.Sent(); len(got) > 0 {
			t.Errorf("after a restart: sent to %v", got)
		}
		w.Presence(home, chat.Removed)
		added(t, w, home, "test:ben", "two", home)
		has("added again", home)
		added(t, w, home, "test:ben", "three", home)
		w.Presence(home, chat.Removed)
		has("removed at once")

		// A table that was opened at once stays at the bottom of the chat.
		added(t, w, "test:quick", town.Ann, "one", "test:quick")
		w.Command("test:ben", "test:quick", "new")
		has("a table was opened meanwhile", "test:quick")
		if docs, err := w.Docs.Store.Get(t.Context(), people.WelcomeKey("test:quick")); err != nil || strings.Contains(string(docs[0].Data), "places") {
			t.Errorf("the welcome still waits: %s, %v", docs[0].Data, err)
		}

		// A group that becomes a supergroup was there before, whichever report comes first.
		for i, former := range []bool{true, false} {
			super := []string{"test:super0", "test:super1"}[i]
			move := chat.Input{Chat: chat.Chat{ID: super, Home: super}, Former: "test:small" + super[len(super)-1:]}
			if former {
				w.Handle(t.Context(), move)
			}
			added(t, w, super, town.Ann, "moved", super)
			if !former {
				w.Handle(t.Context(), move)
			}
			has("a new id")
		}
		w.Presence("test:super0", chat.Removed)
		w.Pass(time.Hour)
		added(t, w, "test:super0", town.Ann, "later", "test:super0")
		has("added again under the new id", "test:super0")

		w.Pass(72 * time.Hour)
		added(t, w, "test:super0", town.Ann, "later", "test:super0")
		has("the same report days later")
	})
}

// stays reports that the bot is in a home, and since when.
func stays(t *testing.T, w *town.Town, home string, since time.Time) {
	t.Helper()
	in := chat.Input{Chat: chat.Chat{ID: home, Home: home, Lang: "en"}, Presence: chat.Back, Joined: since}
	if w.Docs.Now().Sub(since) < chat.MissedFor {
		in.Places, in.Once = []string{home}, home+" added "+since.String()
	}
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
		t.Fatalf("%+v", r)
	}
}

// The first table in a chat deletes the welcome there, which it would push up, also if the platform fails once or twice. A
// table elsewhere doesn't, and a later table asks for nothing.
func TestATableTakesTheWelcomeAway(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:new"
		const hello = "Hello! I deal cards."
		added(t, w, home, town.Ann, "one", home)
		w.Pass(time.Minute)
		w.Command("test:ben", "test:other", "new")
		w.Pass(time.Minute)
		if n := w.Chats.Shows(hello); n != 1 {
			t.Errorf("%d welcomes stand after a table elsewhere", n)
		}
		failed := 0
		w.Chats.Failing(func(call string) error {
			if !strings.HasPrefix(call, "delete") {
				return nil
			}
			if failed++; failed > 2 {
				return nil
			}
			return errors.New("not now")
		})
		w.Command("test:ben", home, "new")
		w.Pass(time.Minute)
		if n := w.Chats.Shows(hello); n != 0 {
			t.Errorf("%d welcomes stand beside a table", n)
		}
		if failed != 3 {
			t.Errorf("the bot tried to delete it %d times, not 3", failed)
		}
	})
}

// A platform that doesn't repeat a missed addition says at each start since when the bot is
// in each home. Those that added it while no process ran get a welcome, once. Homes that
// it was in before the first start get none, and neither do those of a backup.
func TestAMissedAdditionHasOneWelcome(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		has := func(when string, w *town.Town, want ...string) {
			t.Helper()
			w.Pass(time.Minute)
			if got := w.Chats.Sent(); !slices.Equal(got, want) {
				t.Errorf("%s: sent to %v, want %v", when, got, want)
			}
		}
		before := w.Docs.Now().Add(-time.Minute)
		stays(t, w, "test:old", before)
		has("the first start", w)
		heard := w.Docs.Now().Add(-time.Second)
		in := chat.Input{Chat: chat.Chat{ID: "test:seen", Home: "test:seen"}, Presence: chat.Added, Places: []string{"test:seen"}}
		in.Joined, in.Once = heard, "test:seen added "+heard.String()
		w.Handle(t.Context(), in)
		has("added while the program runs", w, "test:seen")

		w.Pass(time.Hour)
		joined := w.Docs.Now().Add(-30 * time.Minute)
		for start := range 2 {
			next := town.New(t, w.Docs.Store) // another process
			stays(t, next, "test:old", before)
			stays(t, next, "test:seen", heard)
			stays(t, next, "test:new", joined)
			if want := []string{"test:new"}; start == 0 {
				has("the second start", next, want...)
			} else {
				has("the third start", next)
			}
			w.Pass(2 * time.Minute)
		}
		long := w.Docs.Now()
		w.Pass(chat.MissedFor)
		next := town.New(t, w.Docs.Store)
		stays(t, next, "test:late", long)
		stays(t, next, "test:new", joined)
		has("after a long outage", next)

		// The store of the next process is restored from a backup that lacks the welcomes.
		var r doc.Restored
		r.Write, r.Now = &store.Write{}, w.Docs.Now()
		if err := bot.Kinds()["heard"].Restore(&r, store.Doc{}); err != nil {
			t.Fatal(err)
		}
		docs, err := w.Docs.Store.Get(t.Context(), doc.InHome("test", "heard:test"))
		if err != nil || docs[0].Version == 0 {
			t.Fatal(docs, err)
		}
		c := store.Change{Partition: docs[0].Key.Partition, Now: r.Now, Writes: []store.Write{{Name: "heard:test", Expect: docs[0].Version, Data: r.Write.Data}}}
		if err := w.Docs.Store.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		next = town.New(t, w.Docs.Store)
		stays(t, next, "test:restored", r.Now.Add(-time.Minute))
		has("after a restore", next)
	})
}

// If the bot may not write in the first chat, it tries the next, and then the person who
// added it. After an outage it continues, but not hours later.
func TestAWelcomeWhereTheBotMayNotWrite(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		has := func(when string, want ...string) {
			t.Helper()
			if got := slices.Compact(w.Chats.Sent()); !slices.Equal(got, want) {
				t.Errorf("%s: sent to %v, want %v", when, got, want)
			}
		}
		w.Chats.Refusing(chat.Unreachable, "test:a", "test:b")
		added(t, w, "test:1", town.Ann, "1", "test:a", "test:c", "test:d")
		w.Pass(time.Minute)
		has("the first chat is closed", "test:a", "test:c")
		added(t, w, "test:2", town.Ann, "2", "test:a", "test:b")
		w.Pass(time.Minute)
		has("all are closed", "test:a", "test:b", town.Ann)
		added(t, w, "test:3", "", "3", "test:a")
		w.Pass(time.Minute)
		has("nobody is known", "test:a")

		w.Chats.Refusing(chat.Retry, "test:e")
		added(t, w, "test:4", town.Ann, "4", "test:e")
		w.Pass(10 * time.Minute)
		has("in an outage", "test:e")
		w.Chats.Failing(nil)
		w.Pass(time.Minute)
		has("after it", "test:e")
		w.Pass(time.Minute)
		has("once")

		w.Chats.Refusing(chat.Retry, "test:f")
		added(t, w, "test:5", town.Ann, "5", "test:f")
		w.Pass(2 * time.Hour)
		has("in a long outage", "test:f")
		w.Chats.Failing(nil)
		w.Pass(time.Hour)
		has("too late")
	})
}

// The person who added the bot is forgotten with the rest of their data.
func TestAWelcomeForgetsWhoAddedTheBot(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Chats.Refusing(chat.Retry, "test:f")
		added(t, w, "test:5", town.Ann, "5", "test:f")
		w.Pass(time.Minute)
		in := w.Input(town.Ann, town.Ann)
		in.Command, in.Args = "mydata", map[string]string{"what": "export"}
		if r := w.Handle(t.Context(), in); r.Screen == nil || !strings.Contains(string(r.Screen.File.Data), `"added_bot_to": [`) {
			t.Errorf("the export: %+v", r)
		}
		docs, err := w.Docs.Store.Get(t.Context(), people.WelcomeKey("test:5"))
		if err != nil || docs[0].Version == 0 {
			t.Fatal(err)
		}
		w.Chats.Failing(nil)
		w.Presses(town.Ann, town.Ann, w.Button(w.Command(town.Ann, town.Ann, "mydata", "what", "delete"), "Yes, delete all of it"))
		w.Pass(time.Hour)
		docs, err = w.Docs.Store.Get(t.Context(), people.WelcomeKey("test:5"))
		if err != nil || docs[0].Version == 0 || strings.Contains(string(docs[0].Data), town.Ann) {
			t.Errorf("%s, %v", docs[0].Data, err)
		}
		w.Presence("test:5", chat.Removed)
		w.Pass(upkeep.PurgeAfter + time.Hour)
		if docs, err := w.Docs.Store.Get(t.Context(), people.WelcomeKey("test:5")); err != nil || docs[0].Version != 0 {
			t.Errorf("%s, %v", docs[0].Data, err)
		}
	})
}

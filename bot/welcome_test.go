package bot

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/store"
)

// added is the report that a person added the bot to a home.
func (w *town) added(home, by, event string, places ...string) {
	w.t.Helper()
	in := chat.Input{Chat: chat.Chat{ID: home, Home: home, Lang: "en"}, Presence: chat.Added, Places: places, Once: event}
	if by != "" {
		in.Player = w.in(by, home).Player
	}
	if r := w.Handle(w.t.Context(), in); r.Outcome != chat.Done {
		w.t.Fatalf("%+v", r)
	}
}

// sent returns where messages were sent since the last call.
func (p *chats) sent() (to []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.calls {
		if where, ok := strings.CutPrefix(call, "send "); ok {
			to = append(to, where)
		}
	}
	p.calls = nil
	return to
}

// refusing makes the deliveries to some places fail with a fault.
func (p *chats) refusing(fault chat.Fault, places ...string) {
	p.failing(func(call string) error {
		if slices.Contains(places, strings.TrimPrefix(call, "send ")) {
			return &chat.DeliveryError{Fault: fault, Err: errors.New("not here")}
		}
		return nil
	})
}

// A home gets one welcome for each addition of the bot. A report that comes again, even in
// another process, sends nothing.
func TestEachAdditionHasOneWelcome(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const home = "test:new"
		has := func(when string, want ...string) {
			t.Helper()
			w.pass(2 * time.Minute)
			if got := w.chats.sent(); !slices.Equal(got, want) {
				t.Errorf("%s: sent to %v, want %v", when, got, want)
			}
		}
		w.presence(home, chat.Back)
		has("in a home that the bot was already in")
		w.added(home, ann, "one", home)
		w.added(home, ann, "one", home)
		has("added", home)
		w.added(home, ann, "one", home)
		has("the same report again")
		next := newTown(t, w.docs.Store) // another process
		next.added(home, ann, "one", home)
		next.pass(time.Minute)
		if got := next.chats.sent(); len(got) > 0 {
			t.Errorf("after a restart: sent to %v", got)
		}
		w.presence(home, chat.Removed)
		w.added(home, "test:ben", "two", home)
		has("added again", home)
		w.added(home, "test:ben", "three", home)
		w.presence(home, chat.Removed)
		has("removed at once")

		// A table that was opened at once stays at the bottom of the chat.
		w.added("test:quick", ann, "one", "test:quick")
		w.command("test:ben", "test:quick", "new")
		has("a table was opened meanwhile", "test:quick")
		if docs, err := w.docs.Store.Get(t.Context(), people.WelcomeKey("test:quick")); err != nil || strings.Contains(string(docs[0].Data), "places") {
			t.Errorf("the welcome still waits: %s, %v", docs[0].Data, err)
		}

		// A group that becomes a supergroup was there before, whichever report comes first.
		for i, former := range []bool{true, false} {
			super := []string{"test:super0", "test:super1"}[i]
			move := chat.Input{Chat: chat.Chat{ID: super, Home: super}, Former: "test:small" + super[len(super)-1:]}
			if former {
				w.Handle(t.Context(), move)
			}
			w.added(super, ann, "moved", super)
			if !former {
				w.Handle(t.Context(), move)
			}
			has("a new id")
		}
		w.presence("test:super0", chat.Removed)
		w.pass(time.Hour)
		w.added("test:super0", ann, "later", "test:super0")
		has("added again under the new id", "test:super0")

		w.pass(72 * time.Hour)
		w.added("test:super0", ann, "later", "test:super0")
		has("the same report days later")
	})
}

// stays is the report of a platform that the bot is in a home, and since when.
func (w *town) stays(home string, since time.Time) {
	w.t.Helper()
	in := chat.Input{Chat: chat.Chat{ID: home, Home: home, Lang: "en"}, Presence: chat.Back, Joined: since}
	if w.docs.Now().Sub(since) < chat.MissedFor {
		in.Places, in.Once = []string{home}, home+" added "+since.String()
	}
	if r := w.Handle(w.t.Context(), in); r.Outcome != chat.Done {
		w.t.Fatalf("%+v", r)
	}
}

// A platform that doesn't repeat a missed addition says at each start since when the bot is
// in each home. Those that added it while no process ran get a welcome, once. Homes that
// it was in before the first start get none, and neither do those of a backup.
func TestAMissedAdditionHasOneWelcome(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		has := func(when string, w *town, want ...string) {
			t.Helper()
			w.pass(time.Minute)
			if got := w.chats.sent(); !slices.Equal(got, want) {
				t.Errorf("%s: sent to %v, want %v", when, got, want)
			}
		}
		before := w.docs.Now().Add(-time.Minute)
		w.stays("test:old", before)
		has("the first start", w)
		heard := w.docs.Now().Add(-time.Second)
		in := chat.Input{Chat: chat.Chat{ID: "test:seen", Home: "test:seen"}, Presence: chat.Added, Places: []string{"test:seen"}}
		in.Joined, in.Once = heard, "test:seen added "+heard.String()
		w.Handle(t.Context(), in)
		has("added while the program runs", w, "test:seen")

		w.pass(time.Hour)
		joined := w.docs.Now().Add(-30 * time.Minute)
		for start := range 2 {
			next := newTown(t, w.docs.Store) // another process
			next.stays("test:old", before)
			next.stays("test:seen", heard)
			next.stays("test:new", joined)
			if want := []string{"test:new"}; start == 0 {
				has("the second start", next, want...)
			} else {
				has("the third start", next)
			}
			w.pass(2 * time.Minute)
		}
		long := w.docs.Now()
		w.pass(chat.MissedFor)
		next := newTown(t, w.docs.Store)
		next.stays("test:late", long)
		next.stays("test:new", joined)
		has("after a long outage", next)

		// The store of the next process is restored from a backup that lacks the welcomes.
		var r doc.Restored
		r.Write, r.Now = &store.Write{}, w.docs.Now()
		if err := Kinds()["heard"].Restore(&r, store.Doc{}); err != nil {
			t.Fatal(err)
		}
		docs, err := w.docs.Store.Get(t.Context(), doc.InHome("test", "heard:test"))
		if err != nil || docs[0].Version == 0 {
			t.Fatal(docs, err)
		}
		c := store.Change{Partition: docs[0].Key.Partition, Now: r.Now, Writes: []store.Write{{Name: "heard:test", Expect: docs[0].Version, Data: r.Write.Data}}}
		if err := w.docs.Store.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		next = newTown(t, w.docs.Store)
		next.stays("test:restored", r.Now.Add(-time.Minute))
		has("after a restore", next)
	})
}

// If the bot may not write in the first chat, it tries the next, and then the person who
// added it. After an outage it continues, but not hours later.
func TestAWelcomeWhereTheBotMayNotWrite(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		has := func(when string, want ...string) {
			t.Helper()
			if got := slices.Compact(w.chats.sent()); !slices.Equal(got, want) {
				t.Errorf("%s: sent to %v, want %v", when, got, want)
			}
		}
		w.chats.refusing(chat.Unreachable, "test:a", "test:b")
		w.added("test:1", ann, "1", "test:a", "test:c", "test:d")
		w.pass(time.Minute)
		has("the first chat is closed", "test:a", "test:c")
		w.added("test:2", ann, "2", "test:a", "test:b")
		w.pass(time.Minute)
		has("all are closed", "test:a", "test:b", ann)
		w.added("test:3", "", "3", "test:a")
		w.pass(time.Minute)
		has("nobody is known", "test:a")

		w.chats.refusing(chat.Retry, "test:e")
		w.added("test:4", ann, "4", "test:e")
		w.pass(10 * time.Minute)
		has("in an outage", "test:e")
		w.chats.failing(nil)
		w.pass(time.Minute)
		has("after it", "test:e")
		w.pass(time.Minute)
		has("once")

		w.chats.refusing(chat.Retry, "test:f")
		w.added("test:5", ann, "5", "test:f")
		w.pass(2 * time.Hour)
		has("in a long outage", "test:f")
		w.chats.failing(nil)
		w.pass(time.Hour)
		has("too late")
	})
}

// The person who added the bot is forgotten with the rest of their data.
func TestAWelcomeForgetsWhoAddedTheBot(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		w.chats.refusing(chat.Retry, "test:f")
		w.added("test:5", ann, "5", "test:f")
		w.pass(time.Minute)
		in := w.in(ann, ann)
		in.Command, in.Args = "mydata", map[string]string{"what": "export"}
		if r := w.Handle(t.Context(), in); r.Screen == nil || !strings.Contains(string(r.Screen.File.Data), `"added_bot_to": [`) {
			t.Errorf("the export: %+v", r)
		}
		docs, err := w.docs.Store.Get(t.Context(), people.WelcomeKey("test:5"))
		if err != nil || docs[0].Version == 0 {
			t.Fatal(err)
		}
		kind := w.people.Documents()["welcome"]
		if found, err := kind.Forget(t.Context(), doc.Sweep{Player: ann}, docs[0]); err != nil || !found {
			t.Fatal(found, err)
		}
		docs, err = w.docs.Store.Get(t.Context(), people.WelcomeKey("test:5"))
		if err != nil || strings.Contains(string(docs[0].Data), ann) {
			t.Errorf("%s, %v", docs[0].Data, err)
		}
		if found, err := kind.Forget(t.Context(), doc.Sweep{Home: "test:5"}, docs[0]); err != nil || !found {
			t.Error(found, err)
		}
	})
}

package bot_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/store"
)

// onceHome is where events happen in TestAnEventChangesThingsOnce.
const onceHome = "test:club"

// onceEvents are events that change something, by description.
func onceEvents() map[string]onceEvent {
	here := func(w *town.Town) string { return w.At(onceHome).ID }
	cup := func(w *town.Town) string {
		var h doc.Home
		w.Get(doc.HomeKey(onceHome), &h)
		return h.Tournament
	}
	own := func(value string) town.Press {
		return town.OwnSetting("lang", value, onceHome)
	}
	ofHome := func(value string) town.Press {
		return town.HomeSetting("lang", value, onceHome)
	}
	setTell := func(value string) town.Press {
		return town.OwnSetting("tell", value, onceHome)
	}
	return map[string]onceEvent{
		"a command that opens a table": {
			does: func(*town.Town) any { return "new" },
			undo: func(*town.Town) []any { return []any{"close"} },
		},
		"a press on a table": {
			before: []any{"new"},
			does:   func(w *town.Town) any { return view.Press{Action: view.ActAI, Table: here(w)} },
			undo:   func(w *town.Town) []any { return []any{view.Press{Action: view.ActUnAI, Table: here(w)}} },
		},
		"a game alone": {
			does: func(*town.Town) any { return "solo" },
			undo: func(w *town.Town) []any { return []any{closesHere(w)} },
			chat: town.Ann,
		},
		"a game alone that replaces another": {
			before: []any{"tutorial"},
			does:   func(*town.Town) any { return "solo" },
			undo:   func(w *town.Town) []any { return []any{closesHere(w)} },
			chat:   town.Ann,
		},
		"a setting of one's own": {
			does: func(*town.Town) any { return own("cs") },
			undo: func(*town.Town) []any { return []any{own("de")} },
		},
		"a setting of the home": {
			does: func(*town.Town) any { return ofHome("cs") },
			undo: func(*town.Town) []any { return []any{ofHome("de")} },
		},
		"to be told of tables": {
			does: func(*town.Town) any { return setTell("on") },
			undo: func(*town.Town) []any { return []any{setTell("off")} },
		},
		"the home's game": {
			before: []any{"new"},
			does:   func(w *town.Town) any { return view.Press{Action: view.ActDefault, Table: here(w)} },
			undo: func(w *town.Town) []any {
				return []any{view.Press{Action: view.ActSet, Table: here(w), What: "players", Value: "2"}, view.Press{Action: view.ActDefault, Table: here(w)},
					view.Press{Action: view.ActSet, Table: here(w), What: "players", Value: "4"}}
			},
		},
		"a tournament": {
			does: func(*town.Town) any { return town.Press("cup:new:open:singles") },
			undo: func(w *town.Town) []any {
				return []any{town.Press(screen.PressOf("cup", cup(w), "off", "yes"))}
			},
		},
		"a press on a tournament": {
			before: []any{town.Press("cup:new:open:singles")},
			does: func(w *town.Town) any {
				return town.Press(screen.PressOf("cup", cup(w), "join", "new"))
			},
			undo: func(w *town.Town) []any {
				return []any{town.Press(screen.PressOf("cup", cup(w), "leave", "me"))}
			},
		},
		"to be deleted": {
			does: func(*town.Town) any { return town.Press("data:" + people.DataErase) },
			undo: func(w *town.Town) []any { w.Pass(5 * time.Minute); return nil },
			chat: town.Ann,
		},
	}
}

// onceEvent is something that Ann does.
type onceEvent struct {
	before []any // what Ann does first
	does   func(w *town.Town) any
	undo   func(w *town.Town) []any
	chat   string // where; "": at home
}

// closesHere returns the press that closes Ann's game in her private chat, after the bot has asked.
func closesHere(w *town.Town) any {
	return town.Press(screen.PressOf(view.ActSure, w.At(town.Ann).ID, view.ActClose))
}

// asks lets in ask for something: a press, or a command and its kind.
func asks(in *chat.Input, what any) {
	switch what := what.(type) {
	case string:
		command, kind, _ := strings.Cut(what, " ")
		in.Command, in.Args = command, map[string]string{"kind": kind}
	case fmt.Stringer:
		in.Press = what.String()
	}
}

// An event makes its change only once, however often and in whatever process it is
// reported, and gets only one reply. That holds even after others have undone the change.
func TestAnEventChangesThingsOnce(t *testing.T) {
	t.Parallel()
	const ben = "test:ben"
	ask := func(w *town.Town, player, chatID string, ask any) chat.Reply {
		in := w.Input(player, chatID)
		in.Admin = true
		asks(&in, ask)
		return w.Handle(t.Context(), in)
	}
	for name, c := range onceEvents() {
		t.Run(name, func(t *testing.T) {
			town.In(t, func(t *testing.T, w *town.Town) {
				chatID := onceHome
				if c.chat != "" {
					chatID = c.chat
				}
				do := func(what any) {
					t.Helper()
					if r := ask(w, town.Ann, chatID, what); r.Outcome != chat.Done {
						t.Fatalf("%v: %+v", what, r)
					}
					w.Pass(time.Second)
				}
				w.Command(ben, "test:elsewhere", "new") // something to be kept
				for _, what := range c.before {
					do(what)
				}
				in := w.Input(town.Ann, chatID)
				in.Admin, in.Once = true, "test:event"
				asks(&in, c.does(w))
				was := w.Stored()
				if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
					t.Fatalf("%+v", r)
				}
				if cmp.Equal(was, w.Stored()) {
					t.Fatal("nothing changed")
				}
				repeated(t, w, in)
				w.Pass(time.Second)
				for _, what := range c.undo(w) {
					do(what)
				}
				repeated(t, w, in)
			})
		})
	}
}

// If many processes get an event at the same time, one of them handles it. The replies
// of the others show nothing.
func TestAnEventAtTheSameTime(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Command(town.Ann, "test:club", "new")
		in := w.Input(town.Ann, "test:club")
		in.Press, in.Once = view.Press{Action: view.ActAI, Table: w.At("test:club").ID}.String(), "test:event"
		const processes = 8
		replies := make([]chat.Reply, processes)
		var all sync.WaitGroup
		for i := range processes {
			process := town.New(t, w.Docs.Store)
			all.Go(func() { replies[i] = process.Handle(t.Context(), in) })
		}
		all.Wait()
		done, seats := 0, 0
		for _, r := range replies {
			if r.Outcome == chat.Done {
				done++
			} else if diff := cmp.Diff(chat.Reply{Repeat: true, Outcome: chat.Refused}, r); diff != "" {
				t.Errorf("a repetition says:\n%s", diff)
			}
		}
		for _, s := range w.At("test:club").Seats {
			if s.AI != "" && s.Player.ID == "" {
				seats++
			}
		}
		if done != 1 || seats != 1 {
			t.Errorf("%d did it, %d seats are the AI's", done, seats)
		}
	})
}

// A move's event makes it only once, in whatever process it is reported, and gets only one reply, also when others have moved
// since. The table itself notes the event, so that most presses leave no document.
func TestAMovesEvent(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const ben = "test:ben"
		id := w.Sit("test:club", "2", town.Ann, ben).ID
		w.Presses(town.Ann, "test:club", view.Press{Action: view.ActStart, Table: id})
		w.Pass(time.Second)
		move := func(event string) chat.Input {
			tab := w.Load(id)
			seat := tab.Public().Turn
			v := tab.Deal.View(seat)
			in := w.Input(tab.Seats[seat].Player.ID, "test:club")
			in.Press, in.Once = view.Press{Action: view.ActPlay, Table: id, Deal: tab.DealNo, Turn: v.Decisions[seat], Move: v.Legal[0]}.String(), event
			return in
		}
		first := move("test:1")
		replies := make([]chat.Reply, 8)
		var all sync.WaitGroup
		for i := range replies {
			process := town.New(t, w.Docs.Store)
			all.Go(func() { replies[i] = process.Handle(t.Context(), first) })
		}
		all.Wait()
		done := 0
		for _, r := range replies {
			if r.Outcome == chat.Done {
				done++
			} else if !r.Repeat {
				t.Errorf("a process that didn't move says %+v", r)
			}
		}
		if moved := w.Load(id).Deal.Plies(); done != 1 || moved != 1 {
			t.Errorf("%d processes moved, %d moves were made", done, moved)
		}
		repeated(t, w, first)
		second := move("test:2")
		if r := w.Handle(t.Context(), second); r.Outcome != chat.Done {
			t.Errorf("the next one can't move: %+v", r)
		}
		repeated(t, w, first)
		repeated(t, w, second)
		if left, _, err := w.Docs.Store.Scan(t.Context(), store.Partition("test:club"), "seen:", ""); err != nil || len(left) > 0 {
			t.Errorf("the moves have left %v: %v", left, err)
		}
	})
}

// Documents of handled events are only for running processes. No backup contains them,
// a store with nothing else counts as empty, and they expire on their own.
func TestEventsAreForgotten(t *testing.T) {
	t.Parallel()
	sample, err := os.ReadFile("upkeep/testdata/schema2-seen.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	town.In(t, func(t *testing.T, w *town.Town) {
		remembered := func() (n int) {
			for p := range store.Partitions {
				docs, _, err := w.Docs.Store.Scan(t.Context(), p, "seen:", "")
				if err != nil {
					t.Fatal(err)
				}
				n += len(docs)
			}
			return n
		}
		if err := w.Docs.CommitOnce(t.Context(), "test:earlier", store.Change{Now: w.Docs.Now()}); err != nil {
			t.Fatal(err)
		}
		if _, err := upkeep.Restore(t.Context(), w.Docs.Store, bot.Kinds(), bytes.NewReader(sample), w.Docs.Now()); err != nil {
			t.Error(err)
		}
		in := w.Input(town.Ann, "test:club")
		in.Command, in.Once = "new", "test:event"
		w.Handle(t.Context(), in)
		if n := remembered(); n != 2 {
			t.Errorf("%d events are remembered", n)
		}
		var backup bytes.Buffer
		if _, err := upkeep.WriteBackup(t.Context(), w.Docs.Store, bot.Kinds(), &backup, time.Now()); err != nil || strings.Contains(backup.String(), "seen:") {
			t.Errorf("the backup has events: %v\n%s", err, &backup)
		}
		time.Sleep(chat.OnceFor + time.Second)
		if n := remembered(); n != 0 {
			t.Errorf("%d events are still remembered", n)
		}
	})
}

// repeated checks that an input that comes again changes nothing, in the town's process and in another one, and that each of them
// says that it is a repeat.
func repeated(t *testing.T, w *town.Town, in chat.Input) {
	t.Helper()
	was := w.Stored()
	for _, process := range []*town.Town{w, town.New(t, w.Docs.Store)} {
		if diff := cmp.Diff(chat.Reply{Repeat: true, Outcome: chat.Refused}, process.Handle(t.Context(), in)); diff != "" {
			t.Errorf("the second time:\n%s", diff)
		}
	}
	if diff := cmp.Diff(was, w.Stored()); diff != "" {
		t.Errorf("it changed things again:\n%s", diff)
	}
}

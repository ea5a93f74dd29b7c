package bot

import (
	"context"
	"encoding/binary"
	"log/slog"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// shell is a Bot on its own store, without any waits.
type shell struct {
	*Bot
	t     *testing.T
	now   time.Time
	seeds uint64
	stop  func(table.Table) bool // if set: reports whether play stops before the match is over
}

func newShell(t *testing.T) *shell {
	t.Helper()
	s := storetest.NewMemory()
	t.Cleanup(func() { s.Close() })
	w := &shell{t: t, now: comingNoon(time.Now())}
	w.Bot = New(Config{
		Store: s, Worlds: 20, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now },
		Think: func(_ context.Context, level string, v game.View, m game.Match) game.Move { return choose(level, v, m) },
		Seed: func() (seed table.Seed) {
			w.seeds++
			binary.BigEndian.PutUint64(seed[:], w.seeds)
			return seed
		},
	})
	return w
}

// comingNoon returns noon of the next UTC day. So no day ends during a test, and the test's documents are not out of
// date by the wall clock.
func comingNoon(at time.Time) time.Time {
	const day = 24 * time.Hour
	return at.UTC().Truncate(day).Add(day + day/2)
}

const (
	here      = "test:here"
	elsewhere = "test:elsewhere"
)

func (w *shell) input(player, home string) chat.Input {
	return chat.Input{Player: chat.Player{ID: player, Name: player, Lang: "en"}, Chat: chat.Chat{ID: home, Home: home}}
}

// playOut plays a match of these rules between Eva, Ota and the AI. It commits every deal like the bot, and returns the
// table after the match. If last is not 0, it makes that deal the last one.
func (w *shell) playOut(r game.Rules, last int) table.Table {
	w.t.Helper()
	t := table.New(doc.NewTableID(here), here, table.Chat{ID: here}, w.input("test:eva", here).TablePlayer(), r, 0, 0, w.now)
	kept := doc.Table{Table: table.Table{Phase: table.Closed}}
	apply := func(player string, command table.Command) []table.Event {
		next, events, err := table.Apply(t, w.input(player, here).TablePlayer(), command, w.tables.Env())
		if err != nil {
			w.t.Fatalf("%s: %#v: %v", player, command, err)
		}
		t = next
		return events
	}
	apply("test:ota", table.Join{Seat: -1})
	events := apply("test:eva", table.Start{})
	for {
		if len(events) > 0 {
			kept = w.commit(kept, t, events)
		}
		public := t.Public()
		switch {
		case t.Phase == table.Over, w.stop != nil && w.stop(t):
			return t
		case t.Phase == table.Playing && last == t.DealNo && !t.LastDeal:
			events = apply("test:eva", table.LastDeal{})
		case t.Phase == table.Playing && t.Seats[public.Turn].AI == "" && !t.Deal.Forced():
			move := choose("", t.Deal.View(public.Turn), game.Match{})
			events = apply(t.Seats[public.Turn].Player.ID, table.Play{Deal: t.DealNo, Decision: t.Deal.Decisions(public.Turn), Move: move})
		default:
			if due := t.Due(); due.After(w.now) {
				w.now = due
			}
			env := w.tables.Env()
			next, happened, wanted := table.Advance(t, env)
			for wanted != nil {
				var more []table.Event
				next, more, wanted = table.Answer(next, env, choose(wanted.Level, wanted.View, wanted.Match))
				happened = append(happened, more...)
			}
			t, events = next, happened
		}
	}
}

// choose plays a varied selection of legal moves.
func choose(_ string, v game.View, _ game.Match) game.Move {
	return v.Legal[len(v.Log)*7%len(v.Legal)]
}

func (w *shell) commit(old doc.Table, t table.Table, events []table.Event) doc.Table {
	w.t.Helper()
	c, err := w.tables.Change(w.t.Context(), old, &t, events)
	if err == nil {
		err = w.docs.Store.Commit(w.t.Context(), c)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	keys, _ := doc.TableKeys(t.ID)
	docs, err := w.docs.Store.Get(w.t.Context(), keys[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return doc.Table{Table: t, Version: docs[0].Version}
}

func (w *shell) replayed(player, home, id string) chat.Reply {
	in := w.input(player, home)
	in.Command, in.Args = "replay", map[string]string{"id": id}
	return w.Handle(w.t.Context(), in)
}

// press presses the button with that label on a reply's screen.
func (w *shell) press(player, home string, on chat.Reply, label string) chat.Reply {
	w.t.Helper()
	if on.Screen == nil {
		w.t.Fatalf("no screen to press %q on: %q", label, on.Toast)
	}
	for _, row := range on.Screen.Rows {
		for _, b := range row {
			if b.Label == label && !b.Off {
				in := w.input(player, home)
				in.Press = b.Press
				return w.Handle(w.t.Context(), in)
			}
		}
	}
	w.t.Fatalf("no button %q:\n%s", label, on.Screen)
	return chat.Reply{}
}

func can(r chat.Reply, label string) bool {
	return slices.ContainsFunc(r.Screen.Rows, func(row []screen.Button) bool {
		return slices.ContainsFunc(row, func(b screen.Button) bool { return b.Label == label && !b.Off })
	})
}

// dealt returns the public view of a deal at its end.
func (w *shell) dealt(t table.Table, no int) game.View {
	w.t.Helper()
	m, r, err := w.review.Record(w.t.Context(), w.input("test:eva", here), t.ID, 1, "")
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := r.Replay()
	if err != nil || len(m.Seeds) != len(out.Deals) {
		w.t.Fatalf("%v, %d deals", err, len(out.Deals))
	}
	return out.Deals[no-1].View
}

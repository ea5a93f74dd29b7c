package town

import (
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/table"
)

// The two people of [Town.PlayOut].
const (
	Eva = "test:eva"
	Ota = "test:ota"
)

// PlayOut plays a match of any rules between Eva, Ota and the AI, without presses. It commits every deal like the bot, and
// returns the table after the match. If last is not 0, it makes that deal the last one. If stop is given, play ends as soon as
// it returns true.
func (w *Town) PlayOut(home string, r game.Rules, last int, stop ...func(table.Table) bool) table.Table {
	w.t.Helper()
	t := table.New(doc.NewTableID(home), home, table.Chat{ID: home}, w.Input(Eva, home).TablePlayer(), r, 0, 0, time.Now())
	kept := doc.Table{}
	apply := func(player string, command table.Command) []table.Event {
		next, events, err := table.Apply(t, w.Input(player, home).TablePlayer(), command, w.Tables.Env())
		if err != nil {
			w.t.Fatalf("%s: %#v: %v", player, command, err)
		}
		t = next
		return events
	}
	apply(Ota, table.Join{Seat: -1})
	events := apply(Eva, table.Start{})
	for {
		if len(events) > 0 {
			kept = w.commit(kept, t, events)
		}
		public := t.Public()
		switch {
		case t.Phase == table.Over, len(stop) > 0 && stop[0](t):
			return t
		case t.Phase == table.Playing && last == t.DealNo && !t.LastDeal:
			events = apply(Eva, table.LastDeal{})
		case t.Phase == table.Playing && t.Seats[public.Turn].AI == "" && !t.Deal.Forced():
			move := Choose(t.Deal.View(public.Turn))
			events = apply(t.Seats[public.Turn].Player.ID, table.Play{Deal: t.DealNo, Decision: t.Deal.Decisions(public.Turn), Move: move})
		default:
			time.Sleep(time.Until(t.Due()))
			env := w.Tables.Env()
			next, happened, wanted := table.Advance(t, env)
			for wanted != nil {
				var more []table.Event
				next, more, wanted = table.Answer(next, env, Choose(wanted.View))
				happened = append(happened, more...)
			}
			t, events = next, happened
		}
	}
}

// Choose plays a varied selection of legal moves.
func Choose(v game.View) game.Move { return v.Legal[len(v.Log)*7%len(v.Legal)] }

func (w *Town) commit(old doc.Table, t table.Table, events []table.Event) doc.Table {
	w.t.Helper()
	c, err := w.Tables.Change(w.t.Context(), old, &t, events)
	if err == nil {
		err = w.Docs.Store.Commit(w.t.Context(), c)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	keys, _ := doc.TableKeys(t.ID)
	return doc.Table{Table: t, Version: w.Get(keys[0], new(doc.Table))}
}

// PressButton presses the button with a label on a reply's screen, and returns the reply, which may be a refusal.
func (w *Town) PressButton(player, home string, on chat.Reply, label string) chat.Reply {
	w.t.Helper()
	return w.Asks(player, home, w.Button(on, label))
}

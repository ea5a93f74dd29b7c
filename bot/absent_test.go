package bot_test

import (
	"bytes"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// strangersTable returns the table of strangers at which the person sits.
func strangersTable(t *testing.T, w *town.Town, player string) (found table.Table) {
	t.Helper()
	ids, err := w.Tables.TablesOf(t.Context(), player)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if tab := w.Load(id); tab.Strangers != nil {
			found = tab
		}
	}
	if found.ID == "" {
		t.Fatalf("%s meets nobody", player)
	}
	return found
}

// meet lets two people play who don't know each other, and returns their table, which counts down.
func meet(t *testing.T, w *town.Town, one, other string) table.Table {
	t.Helper()
	for _, player := range []string{one, other} {
		w.Command(player, player, "play", "players", "2")
	}
	w.Pass(time.Second)
	return strangersTable(t, w, one)
}

// TestABackupOfDaysAgoWaits restores a backup that is days old. Nobody loses at its tables: the games of several people wait
// until one of them continues, and the words say why. A countdown of strangers ends.
func TestABackupOfDaysAgoWaits(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, old *town.Town) {
		const friends, agreed, pair, alone = "test:one", "test:two", "test:three", "test:four"
		starts := func(home string, who ...string) table.Table {
			id := old.Sit(home, "2", who...).ID
			old.Presses(who[0], home, view.Press{Action: view.ActStart, Table: id})
			return old.PlayOn(id, 2)
		}
		halted := starts(agreed, "test:cat", "test:dan")
		for _, who := range []string{"test:cat", "test:dan"} {
			old.Presses(who, agreed, view.Press{Action: view.ActRest, Table: halted.ID})
		}
		over := old.Match(pair, "2", "test:eve", "test:fay")
		played, solo := starts(friends, "test:ann", "test:ben"), starts(alone, "test:ian")
		strangers := meet(t, old, "test:gil", "test:hal")
		old.Pass(table.FullWait + time.Second)
		old.Presses("test:eve", pair, view.Press{Action: view.ActRematch, Table: over.ID})
		counting := meet(t, old, "test:joe", "test:kim")
		before := old.Load(strangers.ID)
		if before.Phase != table.Playing || old.Load(counting.ID).Phase != table.Lobby || !old.Load(halted.ID).Resting || old.Load(over.ID).Begins.IsZero() {
			t.Fatal("not as meant")
		}
		var backup bytes.Buffer
		if _, err := upkeep.WriteBackup(t.Context(), old.Docs.Store, bot.Kinds(), &backup, time.Now()); err != nil {
			t.Fatal(err)
		}

		time.Sleep(8 * 24 * time.Hour)
		empty := storetest.NewMemory()
		defer empty.Close()
		if _, err := upkeep.Restore(t.Context(), empty, bot.Kinds(), bytes.NewReader(backup.Bytes()), time.Now()); err != nil {
			t.Fatal(err)
		}
		w := town.New(t, empty)
		w.Pass(10 * time.Minute)
		for _, tab := range []table.Table{played, halted, strangers} {
			now := w.Load(tab.ID)
			if now.Phase != table.Playing || !now.Resting || now.Lapsed != (tab.ID != halted.ID) {
				t.Errorf("%s: %s, halted %v, by the absence %v", tab.ID, now.Phase, now.Resting, now.Lapsed)
			}
			for _, s := range now.Seats {
				if s.Away || s.Left {
					t.Errorf("%s: %+v", tab.ID, s)
				}
			}
		}
		if at := w.Load(over.ID); at.Phase != table.Lobby || !at.Begins.IsZero() {
			t.Errorf("the rematch is in %s, begins %v", at.Phase, at.Begins)
		}
		if at := w.Load(counting.ID); at.Phase != table.Closed || at.MatchNo > 1 || at.DealNo > 0 {
			t.Errorf("the countdown of strangers: %s, deal %d", at.Phase, at.DealNo)
		}
		if at := w.Load(solo.ID); at.Resting {
			t.Error("a game against the AI waits")
		}
		if n := w.Chats.Shows("I was away. To continue"); n < 2 {
			t.Errorf("%d messages say that the bot was away", n)
		}
		w.Presses("test:ann", friends, view.Press{Action: view.ActResume, Table: played.ID})
		w.Pass(table.DefaultLimit - 5*time.Second)
		if now := w.Load(played.ID); now.Resting || now.Lapsed || now.Seats[0].Away || now.Seats[1].Away {
			t.Errorf("continued: halted %v, %+v", now.Resting, now.Seats)
		}
		for _, who := range []string{"test:ann", "test:ben"} {
			w.Presses(who, friends, view.Press{Action: view.ActRest, Table: played.ID})
		}
		w.Pass(time.Minute)
		if now := w.Load(played.ID); !now.Resting || now.Lapsed {
			t.Errorf("a pause by agreement: halted %v, by the absence %v", now.Resting, now.Lapsed)
		}
		w.Accounts("after the absence")
	})
}

// TestAStaleMatchHasCloseInMore plays without a turn limit. After a week in which nobody did anything, More has Close for
// everyone who sits there, and it closes the table.
func TestAStaleMatchHasCloseInMore(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		w.Manages("test:ann", home, "limit", "0")
		id := w.Sit(home, "2", "test:ann", "test:ben").ID
		w.Presses("test:ann", home, view.Press{Action: view.ActStart, Table: id})
		more := func(who string) chat.Reply {
			t.Helper()
			return w.Presses(who, home, view.Press{Action: view.ActMore, Table: id})
		}
		w.Pass(table.StaleAfter - time.Hour)
		w.Has(more("test:ben"), "!Close table")
		w.Pass(2 * time.Hour)
		r := more("test:ben")
		w.Has(r, "Close table")
		w.Has(more("test:cat"), "!Close table")
		w.PressButton("test:ben", home, w.PressButton("test:ben", home, r, "Close table"), "Close table")
		if at := w.Load(id); at.Phase != table.Closed {
			t.Errorf("in %s", at.Phase)
		}
	})
}

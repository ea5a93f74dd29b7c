package upkeep_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/play"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// tableIDs waits a second and returns the ids of Ann's tables that were opened in her private chat.
func tableIDs(t *testing.T, w *town.Town) []string {
	t.Helper()
	w.Pass(time.Second)
	all, err := w.Tables.TablesOf(t.Context(), town.Ann)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(id string) bool {
		tab, err := w.Tables.Load(t.Context(), id)
		return err != nil || tab.Chats[0].ID != town.Ann
	})
}

// live makes Ann leave traces of every kind. It returns one of her running tables.
func live(t *testing.T, w *town.Town) string {
	t.Helper()
	const one, two = "test:one", "test:two"
	w.Presses(town.Ann, two, town.OwnSetting("lang", "cs", two))
	w.Chats.Failing(func(call string) error { // her private chat is closed for a while
		if call == "send "+town.Ann {
			return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
		}
		return nil
	})
	for range league.HallMatches {
		w.Match(one, "2", town.Ann, "test:ben")
	}
	w.Chats.Failing(nil)
	w.Command(town.Ann, town.Ann, "hello")
	w.Pass(town.Season) // the season ends, and she enters the hall of fame
	w.Presses(town.Ann, "test:five", town.OwnSetting("tell", "on", "test:five"))
	w.Match(one, "", town.Ann, "test:ben", "test:cat", "test:dan")

	// A table of one home is also shown in another, where a rematch is then offered.
	shared := w.Sit(one, "2", town.Ann, "test:ben")
	code := w.Command(town.Ann, one, "share").Screen.String()
	_, code, _ = strings.Cut(code, "!share") // the command, in Ann's language
	_, code, _ = strings.Cut(code, " ")
	if r := w.Command("test:cat", two, "share", "code", code[:play.CodeLength]); r.Outcome != chat.Done || r.Screen == nil {
		t.Fatalf("the table isn't shared: %s", r.Toast)
	}
	w.Presses("test:cat", two, view.Press{Action: view.ActPost, Table: code[:play.CodeLength]})
	w.Pass(time.Second)
	w.Presses(town.Ann, one, view.Press{Action: view.ActStart, Table: shared.ID})
	w.Presses(town.Ann, one, view.Press{Action: view.ActLast, Table: shared.ID})
	w.PlayOn(shared.ID, 1000)
	w.Pass(time.Minute)
	w.Presses(town.Ann, one, view.Press{Action: view.ActRematch, Table: shared.ID})
	w.Pass(time.Second)

	w.Older(shared, town.Ann)
	w.Command(town.Ann, one, "stats")
	w.Pass(time.Minute)

	w.Command(town.Ann, two, "daily")
	w.Command(town.Ann, "test:five", "daily")
	for _, id := range tableIDs(t, w) {
		w.PlayOn(id, 1000)
	}
	besides(t, w, "test:ben", two)

	// One running game against the AI, and one that is over.
	for tries := 0; w.Get(league.LadderKey(town.Ann), &league.Ladder{}) == 0 && tries < 20; tries++ { // until she has won one
		w.Command(town.Ann, town.Ann, "solo")
		w.PlayOn(w.At(town.Ann).ID, 1000)
	}
	w.Command(town.Ann, town.Ann, "solo")
	w.PlayOn(w.At(town.Ann).ID, 6)

	// Lobbies where she is expected or sits, and a running table of four with her as host.
	w.Sit("test:five", "", "test:eve")
	w.Sit("test:six", "", "test:eve", town.Ann)
	runs := w.Sit("test:three", "", town.Ann, "test:ben", "test:cat", "test:dan")
	w.Presses(town.Ann, "test:three", view.Press{Action: view.ActStart, Table: runs.ID})
	w.Presses("test:ben", "test:three", view.Press{Action: view.ActKick, Table: runs.ID, Place: 0})
	w.Presses(town.Ann, "test:three", view.Press{Action: view.ActRest, Table: runs.ID})
	w.Presses(town.Ann, "test:three", view.Press{Action: view.ActCards, Table: runs.ID})
	w.PlayOn(runs.ID, 20)
	w.Command(town.Ann, town.Ann, "hello")
	w.Pass(time.Minute)
	return runs.ID
}

// besides makes a player finish the deal of the day at a table that shows Ann's result beside theirs. It returns the table.
func besides(t *testing.T, w *town.Town, player, home string) table.Table {
	t.Helper()
	w.Command(player, home, "daily")
	w.Pass(time.Second)
	all, err := w.Tables.TablesOf(t.Context(), player)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	w.PlayOn(all[len(all)-1], 1000)
	w.Pass(10 * time.Second)
	tab := w.Load(all[len(all)-1])
	if tab.Daily == nil || !slices.ContainsFunc(tab.Daily.Others, func(r table.Rival) bool { return r.ID == town.Ann }) {
		t.Fatalf("%s doesn't see Ann's result: %+v", player, tab.Daily)
	}
	return tab
}

// erased deletes Ann's data, and checks that it is gone.
func erased(t *testing.T, w *town.Town, runs string, meanwhile func()) {
	t.Helper()
	everywhereThere := []string{"coach", "hall", "home", "ladder", "match", "member", "notes", "player", "result", "shown", "skill", "streak", "table", "tell", "try", "verdict"}
	if got := w.Traces(town.Ann, town.AnnName); !slices.Equal(got, everywhereThere) {
		t.Fatalf("before, there are traces in %v, want %v", got, everywhereThere)
	}
	w.Accounts("before")
	sure := w.Command(town.Ann, town.Ann, "mydata", "what", "delete")
	w.Presses(town.Ann, town.Ann, w.Button(sure, "Ano, smazat všechno"))
	if got := w.Command(town.Ann, "test:four", "new").Toast; !strings.Contains(got, "právě mažou") {
		t.Errorf("she may open a table meanwhile: %q", got)
	}
	w.Chats.Count("")
	if meanwhile != nil {
		meanwhile()
	}
	w.Pass(5 * time.Minute)
	if docs, _ := w.Docs.Store.Get(t.Context(), store.Key{Partition: store.Partition(town.Ann), Name: upkeep.EraseName(town.Ann)}); docs[0].Version != 0 {
		t.Fatalf("it does not end: %s; left are %v", docs[0].Data, w.Traces(town.Ann))
	}
	if n := w.Chats.Count("send " + town.Ann); n != 1 {
		t.Errorf("she was told %d times that it is done", n)
	}
	if got := w.Traces(town.Ann, town.AnnName, "Anežka"); len(got) > 0 {
		t.Errorf("there are traces in %v", got)
	}
	w.Accounts("afterwards")
	for _, home := range []string{"test:one", "test:two", "test:three", town.Ann, league.Everywhere} {
		h, err := w.Docs.Home(t.Context(), home)
		if err != nil {
			t.Fatal(err)
		}
		for _, board := range league.BoardNames(h, home) {
			if rows, _, err := w.Docs.Store.Board(t.Context(), store.Partition(home), board, 0, 1, town.Ann); err != nil || len(rows) > 0 {
				t.Errorf("she is on %s: %v", board, err)
			}
		}
	}
	// The other players continue, and their results are still counted.
	tab := w.PlayOn(runs, 5000)
	if tab.Phase != table.Over || tab.Seats[0].AI == "" {
		t.Errorf("the table that ran is %s, with %+v on her seat", tab.Phase, tab.Seats[0])
	}
	w.Match("test:one", "2", "test:ben", "test:cat")
	w.Pass(time.Minute)
	w.Accounts("later")
	if a, err := upkeep.RebuildBoards(t.Context(), w.Docs.Store, w.Docs.Now()); err != nil || len(a.Wrong) > 0 || len(w.Traces(town.Ann, town.AnnName)) > 0 {
		t.Errorf("rebuilt: %v, %v", a.Wrong, err)
	}
	jobs, _, err := w.Docs.Store.Claim(t.Context(), w.Docs.Now().Add(10*365*24*time.Hour), work.Lease, 1000)
	if err != nil || slices.ContainsFunc(jobs, func(j store.Job) bool { return strings.Contains(j.ID, town.Ann) }) {
		t.Errorf("work is left for her: %v, %v", jobs, err)
	}
}

// If a process begins a deletion and dies, the next process notes it all the same, so that a restore can repeat it.
func TestADeletionIsNotedByItsJob(t *testing.T) {
	t.Parallel()
	var told []string
	town.In(t, func(t *testing.T, w *town.Town) {
		sure := w.Command(town.Ann, town.Ann, "mydata", "what", "delete")
		w.Presses(town.Ann, town.Ann, w.Button(sure, "Yes, delete all of it"))
		told = nil // what the process did that got the press, and died
		w.Pass(5 * time.Minute)
		if !slices.Contains(told, town.Ann) {
			t.Errorf("deletions were noted for %q", told)
		}
	}, func(c *bot.Config) { c.Erased = func(player string) { told = append(told, player) } })
}

// A person whose data is deleted leaves no trace in a full backup, whatever they did
// before. The results of others don't change, and running matches continue. That holds
// even if every third commit fails, half of them after they took effect. Of all that anybody did, only what a kind keeps for
// good is there after 400 days.
func TestDeletedDataLeavesNoTrace(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.InWorn(t, func(t *testing.T, w *town.Town, s *town.Worn) {
		runs := live(t, w)
		erased(t, w, runs, func() {
			s.On = true
			w.Pass(5 * time.Minute)
			s.On = false
		})
		// If the person returns, the bot treats them as a new one.
		if r := w.Command(town.Ann, "test:four", "new"); r.Outcome != chat.Done {
			t.Error(r.Toast)
		}
		w.Pass(ahead)
		for name := range w.Stored() {
			if lasting[doc.KindOf(name)] == "" {
				t.Errorf("after 400 days, %s is still there", name)
			}
		}
	})
}

func TestDeletedDataLeavesNoTraceInRedis(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("TestDeletedDataLeavesNoTrace does the same with a store in memory")
	}
	clocktest.Whole(t)
	server := redistest.Start(t, "--rdbcompression", "no")
	now := time.Now().Round(0) // by the calendar, because a bubble has its own clock
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(now)) // the server has no other clock
		s, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w := town.New(t, s)
		erased(t, w, live(t, w), nil)
	})
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer client.Close()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) == 0 {
		t.Fatal(keys, err)
	}
	for _, key := range keys {
		data, err := client.Dump(t.Context(), key).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			t.Fatal(err)
		}
		if strings.Contains(key+data, town.Ann) || strings.Contains(key+data, town.AnnName) {
			t.Errorf("a trace in %s", key)
		}
	}
}

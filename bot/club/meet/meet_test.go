package meet_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/meet"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// seeks lets a person ask for people to play with, in the private chat.
func seeks(w *town.Town, player string) chat.Reply {
	return w.Command(player, player, "play", "players", "2")
}

// met returns the table of strangers at which the person sits.
func met(t *testing.T, w *town.Town, player string) table.Table {
	t.Helper()
	ids, err := w.Tables.TablesOf(t.Context(), player)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range slices.Backward(ids) {
		if found, err := w.Tables.Load(t.Context(), id); err == nil && found.Strangers != nil {
			return found
		}
	}
	return table.Table{}
}

// stored returns all documents.
func stored(t *testing.T, w *town.Town) (all []store.Doc) {
	t.Helper()
	for p := range store.Partitions {
		docs, err := upkeep.ScanAll(t.Context(), w.Docs.Store, p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, docs...)
	}
	return all
}

// TestPlayCountsDown opens a table with Play. Its match starts after half a minute, even if another process has to start it.
func TestPlayCountsDown(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Command("test:ann", here, "play")
		w.Command("test:ben", here, "play")
		w.Pass(table.CountDown - time.Second)
		if at := w.At(here); at.Phase != table.Lobby || at.Seats[1].Player.ID != "test:ben" {
			t.Errorf("before the end of the countdown: phase %s, seats %+v", at.Phase, at.Seats)
		}
		other := town.New(t, w.Docs.Store)
		other.Pass(2 * time.Second)
		if at := w.At(here); at.Phase != table.Playing || at.Seats[2].AI == "" || at.Seats[3].AI == "" {
			t.Errorf("after the countdown: phase %s, seats %+v", at.Phase, at.Seats)
		}
	})
}

// TestStrangersMeetInTwoProcesses checks that two people meet even if they ask different processes. When nobody waits any
// more, the queue and its job are deleted.
func TestStrangersMeetInTwoProcesses(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		seeks(w, "test:ann")
		other := town.New(t, w.Docs.Store)
		if r := seeks(other, "test:ben"); !strings.Contains(r.Toast, "I found a table") {
			t.Errorf("Ben's answer: %q", r.Toast)
		}
		other.Pass(table.FullWait + time.Second)
		if ann, ben := met(t, w, "test:ann"), met(t, w, "test:ben"); ann.ID == "" || ann.ID != ben.ID || ann.Phase != table.Playing {
			t.Errorf("Ann is at %q, Ben at %q, in phase %q", ann.ID, ben.ID, ann.Phase)
		}
		if r := seeks(w, "test:ann"); r.Outcome != chat.Refused {
			t.Errorf("Ann asks again: %q", r.Toast)
		}
		w.Pass(2 * table.CountDown)
		for _, left := range stored(t, w) {
			if doc.KindOf(left.Key.Name) == "meet" {
				t.Errorf("nobody waits, and there is %s", left.Key.Name)
			}
		}
	})
}

// TestAnUnreachableStrangerIsSkipped seats a person whom the bot can't reach. They lose their seat, and the others don't
// have to wait.
func TestAnUnreachableStrangerIsSkipped(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Chats.Refusing(chat.Unreachable, "test:ben")
		seeks(w, "test:ann")
		seeks(w, "test:ben")
		w.Pass(table.CountDown + time.Second)
		at := met(t, w, "test:ann")
		if at.Phase != table.Playing || at.Seats[1].AI == "" {
			t.Errorf("phase %s, seats %+v", at.Phase, at.Seats)
		}
		if ben := met(t, w, "test:ben"); ben.ID != "" {
			t.Errorf("Ben still sits at a table in phase %s", ben.Phase)
		}
	})
}

// TestStrangersStayApart presses "Don't pair us again", restores a backup in which the other person waits, and checks
// that they aren't paired.
func TestStrangersStayApart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.db")
	town.In(t, func(t *testing.T, w *town.Town) {
		seeks(w, "test:ann")
		seeks(w, "test:ben")
		w.Pass(table.FullWait + time.Second)
		w.Presses("test:ann", "test:ann", town.Press(screen.PressOf(view.ActMeet, met(t, w, "test:ann").ID, view.MeetApart, "1")))
		for _, player := range []string{"test:ann", "test:ben"} {
			w.Presses(player, player, town.Press(screen.PressOf(view.ActSure, met(t, w, player).ID, view.ActLeave)))
		}
		w.Pass(time.Minute)
		seeks(w, "test:ben") // waits

		var text bytes.Buffer
		if _, err := upkeep.WriteBackup(t.Context(), w.Docs.Store, bot.Kinds(), &text, time.Now()); err != nil {
			t.Fatal(err)
		}
		empty, err := boltstore.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer empty.Close()
		if _, err := upkeep.Restore(t.Context(), empty, bot.Kinds(), bytes.NewReader(text.Bytes()), time.Now()); err != nil {
			t.Fatal(err)
		}
		w = town.New(t, empty)
		seeks(w, "test:ann")
		seeks(w, "test:cat") // meets the one who waits longest
		w.Pass(2 * time.Second)
		ann, ben, cat := met(t, w, "test:ann"), met(t, w, "test:ben"), met(t, w, "test:cat")
		if ann.ID == "" || ann.ID == ben.ID || cat.ID != ben.ID {
			t.Errorf("Ann is at %q, Ben at %q, Cat at %q", ann.ID, ben.ID, cat.ID)
		}
		var list meet.Apart
		if w.Get(doc.ApartKey("test:ann"), &list); len(list.People) != 1 || list.People[0].Player != "test:ben" {
			t.Errorf("Ann's list is %+v", list)
		}
	})
}

// TestChatsDecideAboutStrangers presses Play in a chat. It finds people from other chats only if the managers allow it.
func TestChatsDecideAboutStrangers(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Manages("test:eva", here, "strangers", "on")
		seeks(w, "test:ben")
		w.Has(w.Command("test:ann", here, "play"), "private chat") // another game than Ben's
		w.Pass(time.Second)
		if ann, ben := met(t, w, "test:ann"), met(t, w, "test:ben"); ann.ID == "" || ann.ID == ben.ID {
			t.Errorf("Ann is at %q, Ben at %q, who plays another game", ann.ID, ben.ID)
		}
		if home, err := w.Docs.Home(t.Context(), here); err != nil || len(home.Open) > 0 {
			t.Errorf("the chat has the tables %v, %v", home.Open, err)
		}
		w.Command("test:cat", here, "new")
		w.Command("test:dan", here, "play")
		if at := w.At(here); at.Seats[1].Player.ID != "test:dan" {
			t.Errorf("the chat's own lobby has %+v", at.Seats)
		}
	})
}

// TestOlderProgramsLeaveStrangersAlone checks that tables of strangers, and their matches, are stored with a schema that
// programs without strangers refuse to read. They would show the players to each other.
func TestOlderProgramsLeaveStrangersAlone(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		seeks(w, "test:ann")
		w.Pass(3 * time.Hour) // the AI plays for Ann until the table closes
		seeks(w, "test:ann")
		w.Pass(time.Second)
		w.Command("test:ben", here, "new")
		kinds := map[string]bool{}
		for _, d := range stored(t, w) {
			newer := bytes.HasPrefix(d.Data, []byte(`{"v":3,`))
			private := bytes.Contains(d.Data, []byte(`"strangers":`)) && slices.Contains([]string{"table", "match"}, doc.KindOf(d.Key.Name))
			if private {
				kinds[doc.KindOf(d.Key.Name)] = true
			}
			if newer != private {
				t.Errorf("%s has another schema: %v", d.Key.Name, newer)
			}
		}
		if len(kinds) < 2 {
			t.Errorf("of strangers, only %v is stored", kinds)
		}
	})
}

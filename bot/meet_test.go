package bot

import (
	"bytes"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/meet"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/storetest"
)

// privately is an input from the person's private chat.
func privately(player string) chat.Input {
	in := by(player)
	in.Chat = chat.Chat{ID: in.Player.ID, Home: in.Player.ID, Private: true, Lang: "en"}
	return in
}

// seeks lets a person ask for people to play with, in the private chat.
func seeks(t *testing.T, b *Bot, player string) chat.Reply {
	t.Helper()
	in := privately(player)
	in.Command, in.Args = "play", map[string]string{"players": "2"}
	return b.Handle(t.Context(), in)
}

// met returns the table of strangers at which the person sits.
func met(t *testing.T, b *Bot, player string) table.Table {
	t.Helper()
	ids, err := b.tables.TablesOf(t.Context(), "test:"+player)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range slices.Backward(ids) {
		if found, err := b.tables.Load(t.Context(), id); err == nil && found.Strangers != nil {
			return found
		}
	}
	return table.Table{}
}

// another returns a bot as in another process, with the same store.
func another(s store.Store, p *chats) *Bot {
	return New(Config{Store: s, Platforms: []chat.Platform{p}, Think: easy, Worlds: 20, Pace: time.Second, Log: slog.New(slog.DiscardHandler)})
}

// TestPlayCountsDown opens a table with Play. Its match starts after a minute, even if another process has to start it.
func TestPlayCountsDown(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
		command(b, "ann", "play")
		command(b, "ben", "play")
		running(t, b, func() { time.Sleep(table.CountDown - time.Second) })
		if at := theTable(t, b); at.Phase != table.Lobby || at.Seats[1].Player.ID != "test:ben" {
			t.Errorf("before the end of the countdown: phase %s, seats %+v", at.Phase, at.Seats)
		}
		b = another(s, p)
		running(t, b, func() { time.Sleep(2 * time.Second) })
		if at := theTable(t, b); at.Phase != table.Playing || at.Seats[2].AI == "" || at.Seats[3].AI == "" {
			t.Errorf("after the countdown: phase %s, seats %+v", at.Phase, at.Seats)
		}
	})
}

// TestStrangersMeetInTwoProcesses checks that two people meet even if they ask different processes. When nobody waits any
// more, the queue and its job are deleted.
func TestStrangersMeetInTwoProcesses(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
		seeks(t, b, "ann")
		other := another(s, p)
		if r := seeks(t, other, "ben"); !strings.Contains(r.Toast, "I found a table") {
			t.Errorf("Ben's answer: %q", r.Toast)
		}
		running(t, other, func() { time.Sleep(table.FullWait + time.Second) })
		if ann, ben := met(t, b, "ann"), met(t, b, "ben"); ann.ID == "" || ann.ID != ben.ID || ann.Phase != table.Playing {
			t.Errorf("Ann is at %q, Ben at %q, in phase %q", ann.ID, ben.ID, ann.Phase)
		}
		if r := seeks(t, b, "ann"); r.Outcome != chat.Refused {
			t.Errorf("Ann asks again: %q", r.Toast)
		}
		running(t, b, func() { time.Sleep(2 * table.CountDown) })
		if left := slices.DeleteFunc(storedIn(t, s), func(name string) bool { return doc.KindOf(name) != "meet" }); len(left) > 0 {
			t.Errorf("nobody waits, and there is %v", left)
		}
	})
}

// TestAnUnreachableStrangerIsSkipped seats a person whom the bot can't reach. They lose their seat, and the others don't
// have to wait.
func TestAnUnreachableStrangerIsSkipped(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		p.failing(func(call string) error {
			if call == "send test:ben" {
				return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("blocked")}
			}
			return nil
		})
		seeks(t, b, "ann")
		seeks(t, b, "ben")
		running(t, b, func() { time.Sleep(table.CountDown + time.Second) })
		at := met(t, b, "ann")
		if at.Phase != table.Playing || at.Seats[1].AI == "" {
			t.Errorf("phase %s, seats %+v", at.Phase, at.Seats)
		}
		if ben := met(t, b, "ben"); ben.ID != "" {
			t.Errorf("Ben still sits at a table in phase %s", ben.Phase)
		}
	})
}

// TestStrangersStayApart presses "Don't pair us again", restores a backup in which the other person waits, and checks
// that they aren't paired.
func TestStrangersStayApart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.db")
	inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
		seeks(t, b, "ann")
		seeks(t, b, "ben")
		running(t, b, func() { time.Sleep(table.FullWait + time.Second) })
		in := privately("ann")
		in.Press = screen.PressOf(view.ActMeet, met(t, b, "ann").ID, view.MeetApart, "1")
		if r := b.Handle(t.Context(), in); r.Outcome != chat.Done {
			t.Fatalf("apart: %+v", r)
		}
		for _, player := range []string{"ann", "ben"} {
			in := privately(player)
			in.Press = screen.PressOf(view.ActSure, met(t, b, player).ID, view.ActLeave)
			b.Handle(t.Context(), in)
		}
		running(t, b, func() { time.Sleep(time.Minute) })
		seeks(t, b, "ben") // waits

		var text bytes.Buffer
		if _, err := upkeep.WriteBackup(t.Context(), s.Store.(*storetest.Memory), Kinds(), &text); err != nil {
			t.Fatal(err)
		}
		empty, err := boltstore.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer empty.Close()
		if _, err := upkeep.Restore(t.Context(), empty, Kinds(), bytes.NewReader(text.Bytes()), time.Now()); err != nil {
			t.Fatal(err)
		}
		b = another(empty, p)
		seeks(t, b, "ann")
		seeks(t, b, "cat") // meets the one who waits longest
		running(t, b, func() { time.Sleep(2 * time.Second) })
		ann, ben, cat := met(t, b, "ann"), met(t, b, "ben"), met(t, b, "cat")
		if ann.ID == "" || ann.ID == ben.ID || cat.ID != ben.ID {
			t.Errorf("Ann is at %q, Ben at %q, Cat at %q", ann.ID, ben.ID, cat.ID)
		}
		var list meet.Apart
		if _, err := b.docs.Get(t.Context(), doc.ApartKey("test:ann"), &list); err != nil || len(list.People) != 1 || list.People[0].Player != "test:ben" {
			t.Errorf("Ann's list is %+v, %v", list, err)
		}
	})
}

// TestChatsDecideAboutStrangers presses Play in a chat. It finds people from other chats only if the managers allow it.
func TestChatsDecideAboutStrangers(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		var home doc.Home
		err := doc.Set(t.Context(), b.docs, "", doc.HomeKey("test:home"), &home, func() error { home.Strangers = true; return nil })
		if err != nil {
			t.Fatal(err)
		}
		seeks(t, b, "ben")
		r := command(b, "ann", "play") // another game than Ben's
		if r.Screen == nil || !strings.Contains(r.Screen.String(), "private chat") {
			t.Errorf("the answer is %+v", r)
		}
		running(t, b, func() { time.Sleep(time.Second) })
		if ann, ben := met(t, b, "ann"), met(t, b, "ben"); ann.ID == "" || ann.ID == ben.ID {
			t.Errorf("Ann is at %q, Ben at %q, who plays another game", ann.ID, ben.ID)
		}
		home, err = b.docs.Home(t.Context(), "test:home")
		if err != nil || len(home.Open) > 0 {
			t.Errorf("the chat has the tables %v, %v", home.Open, err)
		}
		command(b, "cat", "new")
		command(b, "dan", "play")
		if at := theTable(t, b); at.Seats[1].Player.ID != "test:dan" {
			t.Errorf("the chat's own lobby has %+v", at.Seats)
		}
	})
}

// TestOlderProgramsLeaveStrangersAlone checks that tables of strangers, and their matches, are stored with a schema that
// programs without strangers refuse to read. They would show the players to each other.
func TestOlderProgramsLeaveStrangersAlone(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		seeks(t, b, "ann")
		running(t, b, func() { time.Sleep(3 * time.Hour) }) // the AI plays for Ann until the table closes
		seeks(t, b, "ann")
		running(t, b, func() { time.Sleep(time.Second) })
		command(b, "ben", "new")
		kinds := map[string]bool{}
		for p := range store.Partitions {
			docs, err := upkeep.ScanAll(t.Context(), s, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, stored := range docs {
				newer := bytes.HasPrefix(stored.Data, []byte(`{"v":3,`))
				private := bytes.Contains(stored.Data, []byte(`"strangers":`)) && slices.Contains([]string{"table", "match"}, doc.KindOf(stored.Key.Name))
				if private {
					kinds[doc.KindOf(stored.Key.Name)] = true
				}
				if newer != private {
					t.Errorf("%s has another schema: %v", stored.Key.Name, newer)
				}
			}
		}
		if len(kinds) < 2 {
			t.Errorf("of strangers, only %v is stored", kinds)
		}
	})
}

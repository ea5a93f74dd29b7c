package bot

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// An answer must not be edited before the adapter reports that the platform shows it. Meanwhile another process may
// show the table. After the report, the hand must be updated and stay up to date.
func TestAnAnswerIsEditedOnceItIsThere(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
		command(b, "ann", "new")
		command(b, "ben", "join")
		command(b, "ann", "start")
		id := theTable(t, b).ID
		ask := func(player string, press view.Press, answer chat.Address, onAnswer bool) chat.Reply {
			t.Helper()
			in := by(player)
			press.Table = id
			in.Press, in.Answer, in.Until = press.String(), answer, time.Now().Add(time.Hour)
			in.Origin, in.OnAnswer = "origin "+player, onAnswer
			r := b.Handle(t.Context(), in)
			if r.Screen == nil {
				t.Fatalf("%s: %+v", in.Press, r)
			}
			return r
		}
		isThere := func(r chat.Reply, answer chat.Address) {
			t.Helper()
			if r.Shown == nil {
				t.Fatal("the shell does not want to know where the hand is")
			}
			r.Shown(context.Background(), answer, "")
		}
		edits := func(answer chat.Address) int {
			time.Sleep(10 * time.Second)
			synctest.Wait()
			return p.count("edit " + string(answer))
		}
		running(t, b, func() {
			time.Sleep(time.Second)
			hand := ask("ann", view.Press{Action: view.ActCards}, "test:first", false)
			if n := edits("test:first"); n != 0 {
				t.Errorf("%d edits of a hand that is not there yet", n)
			}
			isThere(hand, "test:first")
			if n := edits("test:first"); n != 1 {
				t.Errorf("%d edits of a hand that is there", n)
			}
			tab := theTable(t, b)
			for tab.Phase == table.Playing && tab.Deal.Turn() != 0 {
				time.Sleep(time.Minute)
				tab = theTable(t, b)
			}
			private, _ := tab.Private("test:ann")
			p.count("")
			play := view.Press{Action: view.ActPlay, Deal: tab.DealNo, Turn: private.View.Decisions[0], Move: private.View.Legal[0]}
			answered := ask("ann", play, "test:new/2", true)
			again := ask("ann", play, "test:new/3", true) // refused, because the card was already played
			if n := edits("test:new"); n != 0 || again.Toast == "" {
				t.Errorf("%d edits before the press was answered; refused: %q", n, again.Toast)
			}
			s.mu.Lock()
			s.away = time.Now().Add(5 * time.Second)
			s.mu.Unlock()
			isThere(answered, "test:new/2")
			if n := edits("test:new/2"); n == 0 {
				t.Error("nothing brings the hand up to date after the press was answered")
			}
			leave := by("ann")
			leave.Press = screen.PressOf(view.ActSure, id, view.ActLeave)
			b.Handle(t.Context(), leave)
			if n := edits("test:new/2"); n == 0 {
				t.Error("the hand is not kept up to date")
			}
		})
	})
}

// TestARefusedPressLeavesItsMessage presses buttons of More that are refused by now: More stays as it is, and no second hand
// appears. On a hand, it shows the current one.
func TestARefusedPressLeavesItsMessage(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		begun(b)
		id := theTable(t, b).ID
		press := func(p view.Press) chat.Reply {
			p.Table = id
			in := by("ann")
			in.Press, in.OnAnswer, in.Answer, in.Origin, in.Until = p.String(), true, "test:answer", "more", time.Now().Add(time.Hour)
			return b.Handle(t.Context(), in)
		}
		for _, p := range []view.Press{
			{Action: view.ActResume}, {Action: view.ActKick, Place: 0}, {Action: view.ActStart}, {Action: view.ActJoin}, {Action: view.ActRematch},
		} {
			if r := press(p); r.Outcome != chat.Refused || r.Toast == "" || r.Screen != nil || r.Shown != nil {
				t.Errorf("%s: %+v", p.Action, r)
			}
		}
		if r := press(view.Press{Action: view.ActPlay, Deal: 99, Move: game.Stop}); r.Outcome != chat.Refused || r.Screen == nil {
			t.Errorf("an old hand is not replaced: %+v", r)
		}
	})
}

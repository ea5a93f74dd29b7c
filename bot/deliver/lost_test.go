package deliver_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
)

// A platform makes an edit, but its answer is lost. Before the edit is repeated, the table is again as it was before. The chat
// shows that, although the last edit that the bot is sure of is the same.
func TestAnEditWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, ben = "test:one", "test:ben"
		full := func() bool { return w.Chats.Shows("Everyone is here") > 0 }
		w.Command(town.Ann, home, "new", "players", "2")
		w.Pass(time.Minute)
		w.Chats.Failing(func(call string) error {
			if strings.HasPrefix(call, "edit ") {
				return &chat.DeliveryError{Fault: chat.Retry, Err: errors.New("no answer")}
			}
			return nil
		})
		w.Command(ben, home, "join")
		w.Pass(0)
		if !full() {
			t.Fatalf("nobody has joined: %q", w.Chats.Standing())
		}
		w.Command(ben, home, "leave")
		w.Chats.Failing(nil)
		w.Pass(time.Minute)
		if full() {
			t.Errorf("the chat shows a seat that is free again: %q", w.Chats.Standing())
		}
	})
}

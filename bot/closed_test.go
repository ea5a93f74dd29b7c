package bot

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// honest is a platform that also records which people it was asked about.
type honest struct{ *chats }

func (p honest) Reach(_ context.Context, to chat.Target) error {
	return p.note("reach " + to.Chat + to.Player)
}

// A private chat that refused the picture of a hand is asked in later deals whether it is open. Only then is a picture
// drawn for it.
func TestNoPictureForAClosedChat(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const home = "test:one"
		w.Bot = New(Config{Store: w.docs.Store, Platforms: []chat.Platform{honest{w.chats}}, Think: easy, Log: slog.New(slog.DiscardHandler)})
		calls := func() (sends, reaches int) {
			w.chats.mu.Lock()
			defer w.chats.mu.Unlock()
			for _, call := range w.chats.calls {
				switch call {
				case "send " + ann:
					sends++
				case "reach " + ann:
					reaches++
				}
			}
			w.chats.calls = nil
			return sends, reaches
		}
		open := true // according to the platform, which may be wrong
		w.chats.failing(func(call string) error {
			if call == "send "+ann || call == "reach "+ann && !open {
				return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
			}
			return nil
		})
		tab := w.sit(home, "2", ann, "test:ben")
		w.presses(ann, home, view.Press{Action: view.ActSet, Table: tab.ID, What: "length", Value: "t10"})
		w.presses(ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.pass(time.Second)
		if sends, reaches := calls(); sends != 1 || reaches != 1 {
			t.Errorf("in the lobby and the first deal: %d messages and %d questions", sends, reaches)
		}
		open = false
		next := func() {
			for no := w.at(home).DealNo; w.at(home).DealNo == no; {
				w.playOn(tab.ID, 1)
			}
			w.pass(time.Second)
		}
		next()
		if sends, reaches := calls(); sends != 0 || reaches != 1 {
			t.Errorf("in the second deal: %d messages and %d questions", sends, reaches)
		}
		w.chats.failing(nil)
		next()
		if sends, reaches := calls(); sends != 1 || reaches != 1 {
			t.Errorf("in the third deal, with an open chat: %d messages and %d questions", sends, reaches)
		}
	})
}

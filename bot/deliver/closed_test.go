package deliver_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// honest is a platform that says whether a person's private chat is open, and counts how often it was asked.
type honest struct {
	*town.Chats
	closed bool
	asked  atomic.Int64
}

func (p *honest) Reach(_ context.Context, to chat.Target) error {
	if to.Chat+to.Player != town.Ann {
		return nil
	}
	p.asked.Add(1)
	if p.closed {
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
	}
	return nil
}

// A private chat that refused the picture of a hand is asked in later deals whether it is open. Only then is a picture
// drawn for it.
func TestNoPictureForAClosedChat(t *testing.T) {
	t.Parallel()
	p := &honest{Chats: &town.Chats{}}
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		calls := func() (sends, questions int) { return p.Count("send " + town.Ann), int(p.asked.Swap(0)) }
		p.Refusing(chat.Unreachable, town.Ann)
		tab := w.Sit(home, "2", town.Ann, "test:ben")
		w.Presses(town.Ann, home, view.Press{Action: view.ActSet, Table: tab.ID, What: "length", Value: "t10"})
		w.Presses(town.Ann, home, view.Press{Action: view.ActStart, Table: tab.ID})
		w.Pass(time.Second)
		if sends, questions := calls(); sends != 1 || questions != 1 {
			t.Errorf("in the lobby and the first deal: %d messages and %d questions", sends, questions)
		}
		p.closed = true
		next := func() {
			for no := w.At(home).DealNo; w.At(home).DealNo == no; {
				w.PlayOn(tab.ID, 1)
			}
			w.Pass(time.Second)
		}
		next()
		if sends, questions := calls(); sends != 0 || questions != 1 {
			t.Errorf("in the second deal: %d messages and %d questions", sends, questions)
		}
		p.Failing(nil)
		p.closed = false
		next()
		if sends, questions := calls(); sends != 1 || questions != 1 {
			t.Errorf("in the third deal, with an open chat: %d messages and %d questions", sends, questions)
		}
	}, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

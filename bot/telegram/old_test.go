package telegram

import (
	"context"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/telegramtest"
)

// Presses have no date. Before one from the time when the bot was away begins anything, the bot asks Telegram about it, by
// an answer. Later presses are answered once, because their answers may have to say something.
func TestPressesOfHoursAgo(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	ann := s.Person("Ann")
	at := telegramtest.Message{ID: 1, Chat: s.Group("Cards", ann).ID}
	a, _ := adapter(t, s, nil)
	old := make(chan bool, 1)
	press := func(data string) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // nobody waits for the answer
		_, _ = ann.PressData(ctx, at, data)
	}
	press("old")
	s.Outdate()
	press("young")
	run(t, a, func(ctx context.Context, in chat.Input) chat.Reply {
		old <- in.Old != nil && in.Old(ctx)
		return chat.Reply{Toast: "Done"}
	})
	if !<-old {
		t.Error("a press of hours ago isn't old")
	}
	if <-old {
		t.Error("a press of just now is old")
	}
	later := make(chan telegramtest.Answer, 1)
	go func() {
		answer, _ := ann.PressData(soon(t), at, "later")
		later <- answer
	}()
	if <-old {
		t.Error("a press while the bot runs is old")
	}
	if answer := <-later; answer.Text != "Done" {
		t.Errorf("it was answered with %q", answer.Text)
	}
}

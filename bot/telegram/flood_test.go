package telegram

import (
	"context"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/telegramtest"
)

// A person that the bot can't write to asks for the rules again and again. They also
// press a button for administrators, while Telegram doesn't say who is one. The log
// has one line for each fault, not one for each press.
func TestAFloodOfPressesFillsNoLog(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Ephemerals = telegramtest.EphemeralsNever
	a, log := adapter(t, s, nil)
	rules := text("the rules")
	run(t, a, func(ctx context.Context, in chat.Input) chat.Reply {
		if in.Press != "" {
			_, _ = in.Manages(ctx, in.Chat.ID)
		}
		switch in.Command {
		case "rules":
			return chat.Reply{Screen: &rules}
		case "leave":
			panic("at the disco")
		}
		return chat.Reply{}
	})
	if err := s.Until(soon(t), func() bool { return len(s.Calls("setMyCommands")) == menus }); err != nil {
		t.Fatal(err)
	}
	ann, ben := s.Person("Ann"), s.Person("Ben")
	group := s.Group("Cards", ann, ben)
	if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, text("the table"), ""); err != nil {
		t.Fatal(err)
	}
	s.Fail(telegramtest.Failure{Method: "getChatMember", Code: 500, Description: "Internal Server Error"})
	const times = 30
	for range times {
		ben.SayIn(group, 0, "/rules")
		ben.SayIn(group, 0, "/leave")
		if _, err := ben.PressData(soon(t), group.Messages()[0], "close:t1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Until(soon(t), func() bool { return s.Pending() == 0 && len(s.Calls("sendMessage")) > 2*times }); err != nil {
		t.Fatal(err)
	}
	bottest.Lines(t, log.String(), "show a reply", "panic at an input")
}

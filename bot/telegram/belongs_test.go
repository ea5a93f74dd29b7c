package telegram

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
)

// If a person followed a link to a group, the shell can ask whether they are a member. Nobody
// is a member of a private chat, or of a chat on another platform.
func TestWhoBelongsToAGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		ann, eve := s.Person("Ann"), s.Person("Eve")
		group := s.Group("Cards", ann)
		connected(t, s, func(ctx context.Context, in chat.Input) chat.Reply {
			home, _ := view.DailyHome(in.Args["payload"])
			belongs, err := in.Belongs(ctx, home)
			screen := text(fmt.Sprintf("%s: %v %v", home, belongs, err))
			return chat.Reply{Screen: &screen}
		}, nil)
		for _, c := range []struct {
			person *telegramtest.Person
			home   string
			want   bool
		}{
			{ann, chatID(group.ID, 0), true},
			{eve, chatID(group.ID, 0), false},
			{eve, chatID(ann.ID, 0), false},
			{ann, "discord:1", false},
		} {
			c.person.Start(view.DailyPayload + strings.Replace(c.home, ":", "_", 1))
			want := fmt.Sprintf("%s: %v <nil>", c.home, c.want)
			if _, err := c.person.Private().Wait(soon(t), func(m telegramtest.Message) bool { return m.Text == want }); err != nil {
				t.Errorf("want %q: %v", want, err)
			}
		}
	})
}

// A button that copies has the text, with the link to the private chat in its last line.
func TestCopyButton(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, func(context.Context, chat.Input) chat.Reply { return chat.Reply{} }, nil)
	ann := s.Person("Ann")
	ann.Start("")
	shown := text("a result")
	shown.Rows = [][]screen.Button{{{Label: "Copy", Copy: "Sedma\n🟩", Private: "d-telegram_-1"}}}
	if _, err := a.Send(t.Context(), chat.Target{Player: chatID(ann.ID, 0)}, shown, ""); err != nil {
		t.Fatal(err)
	}
	messages := ann.Private().Messages()
	got := messages[len(messages)-1].Buttons[0][0]
	if want := "Sedma\n🟩\n" + deepLink(a.client.username(), "d-telegram_-1"); got.Copy != want || got.Data != "" || got.URL != "" {
		t.Errorf("%+v, want %q", got, want)
	}
}

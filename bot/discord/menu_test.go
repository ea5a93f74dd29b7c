package discord_test

import (
	"context"
	"slices"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/screen"
)

func TestAChoiceFromAMenuIsAPress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{}
	})
	s := textScreen("Settings")
	s.Menus = []screen.Menu{{Label: "Game", Chosen: 0, Options: []screen.Button{
		{Label: "Sedma", Press: "set:t1:game:sedma"}, {Label: "Hola", Press: "set:t1:game:hola"},
	}}}
	if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, s, "1"); err != nil {
		t.Fatal(err)
	}
	m := w.ann.Sees(w.channel)[0]
	if got := m.String(); got != "Settings <Sedma> {Hola}" {
		t.Errorf("it stands as %q", got)
	}
	if _, answered := w.ann.Choose(m, "Hola").Wait(); answered {
		t.Error("a silent reply said something")
	}
	if in := <-inputs; in.Press != "set:t1:game:hola" || in.Message == "" {
		t.Errorf("the press is %q on %q", in.Press, in.Message)
	}
}

func TestSuggestionsWhileTyping(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "hello"} })
	got := w.ann.Type(w.channel, "new", "rules", "kaš", map[string]any{"players": 4})
	if want := []discordtest.Option{{Label: "kaš?", Value: "sedma-4p"}}; !slices.Equal(got, want) {
		t.Errorf("suggested is %v", got)
	}
}

func TestLinksAndSpellings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.adapter
	private, err := a.Send(t.Context(), chat.Target{Player: "discord:" + w.ann.ID}, textScreen("hello"), "1")
	if err != nil {
		t.Fatal(err)
	}
	message := w.ann.Sees(w.ann.DM())[0].ID
	for _, test := range []struct {
		home string
		at   chat.Address
		want string
	}{
		{"discord:1", "discord:m/2/3", "https://discord.com/channels/1/2/3"},
		{"discord:" + w.ann.ID, private, "https://discord.com/channels/@me/" + w.ann.DM().ID + "/" + message},
		{"discord:1", "discord:i/2/token", ""},
	} {
		if got := a.Link(test.home, test.at); got != test.want {
			t.Errorf("Link(%s, %s) = %q, wanted %q", test.home, test.at, got, test.want)
		}
	}
	if got := a.Spelling(bot.Commands()[0], "en"); got != "/sedma new" {
		t.Errorf("a command is spelled %q", got)
	}
	if a.Gap(chat.Target{Chat: "discord:1"}) < a.Gap(chat.Target{Player: "discord:1"}) {
		t.Error("a channel is written to more often than a person")
	}
}

package discord_test

import (
	"context"
	"testing"

	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// Statistics have the person's picture beside the text, if they have one.
func TestAPersonsPictureIsBesideTheirStatistics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ann.Avatar = "0123456789abcdef0123456789abcdef"
	ben := w.NewPerson("Ben")
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		s := boards.StatsScreen(boards.Stats{Person: screen.Person{ID: in.Player.ID, Name: in.Player.Name}}, lang.For("en"))
		return chat.Reply{Screen: &s}
	})
	for who, want := range map[*discordtest.Person]string{
		w.ann: "https://cdn.discordapp.com/avatars/" + w.ann.ID + "/" + w.ann.Avatar + ".png?size=128",
		ben:   "",
	} {
		m, _ := who.Slash(w.channel, "stats", nil).Wait()
		if m.Beside != want || m.Text == "" {
			t.Errorf("the statistics of %s have the picture %q beside the text %q", who.Name, m.Beside, m.Text)
		}
	}
}

// A message that nobody asked for has the picture of its person too: the bot asks Discord for it once. If Discord doesn't say,
// or takes no such message, the text comes alone.
func TestAMessageAboutAPersonHasTheirPicture(t *testing.T) {
	t.Parallel()
	for what, fault := range map[string]*discordtest.Fault{
		"":                nil,
		"unknown":         {Method: "GET", Path: "/users/", Status: 404, Code: 10013, Times: 1},
		"no such message": {Method: "POST", Path: "/channels/", Status: 400, Code: 50035, Times: 1},
	} {
		w := newWorld(t)
		w.ann.Avatar = "a_0123456789abcdef"
		w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{} })
		person := screen.Span{Kind: screen.SpanPerson, Person: screen.Person{ID: "discord:" + w.ann.ID, Name: "Ann"}}
		news := screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{person, {Text: " has won the week"}}}}, About: true}
		if fault != nil {
			w.Fail(*fault)
		}
		sends := 2
		if fault != nil {
			sends = 1
		}
		asked := 0
		for range sends {
			if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, news, ""); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range w.Calls() {
			if c.Method == "GET" && c.Path == "/users/"+w.ann.ID {
				asked++
			}
		}
		for _, m := range w.ann.Sees(w.channel) {
			if (m.Beside != "") != (fault == nil) || m.Text != "Ann has won the week" {
				t.Errorf("%s: the picture %q is beside %q", what, m.Beside, m.Text)
			}
		}
		if asked != 1 {
			t.Errorf("%s: Discord was asked %d times", what, asked)
		}
	}
}

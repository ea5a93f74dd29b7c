package bot

import (
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// TestSettingsOfAnotherHome checks that a forged press neither reads the settings of a
// home nor adds its presser to the people that the home notifies. A press on a page that
// the player opened in that home works, in whatever chat the page is.
func TestSettingsOfAnotherHome(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		const home = "test:group"
		r := inGroup(b, "ann", "settings", home)
		if r.Screen == nil {
			t.Fatalf("no settings: %+v", r)
		}
		press := func(player, data string) chat.Reply {
			in := by(player)
			in.Chat = chat.Chat{ID: "test:" + player, Home: "test:" + player, Private: true}
			in.Admin, in.Press = true, data // everyone is an administrator in their own private chat
			return b.Handle(t.Context(), in)
		}
		for _, data := range []string{"mine:tell:on:" + home, "mine:page:all:" + home, "cfg:page:all:" + home, "cfg:lang:cs:" + home, "cfg:page:game:" + home} {
			if r := press("eve", data); r.Screen != nil || r.Outcome != chat.Refused {
				t.Errorf("%s: Eve, who was never there, gets %+v", data, r)
			}
		}
		in := by("eve")
		in.Press = "mine:tell:on:"
		if r := b.Handle(t.Context(), in); r.Screen != nil || r.Outcome != chat.Refused {
			t.Errorf("a button without a home, pressed in a group, gets %+v", r)
		}
		kept, err := b.docs.Home(t.Context(), home)
		if err != nil || len(kept.Tell) != 0 || kept.Lang != "" {
			t.Errorf("the home: %+v, %v", kept, err)
		}
		if r := press("ann", "mine:tell:on:"+home); r.Screen == nil {
			t.Errorf("Ann, who asked there, gets %+v", r)
		}
		if r := press("ann", "cfg:page:all:"+home); r.Screen == nil {
			t.Errorf("Ann, who asked there, reads %+v", r)
		}
		if r := press("ann", "cfg:lang:cs:"+home); r.Screen != nil {
			t.Errorf("Ann, who does not manage it, sets %+v", r)
		}
		kept, err = b.docs.Home(t.Context(), home)
		if err != nil || len(kept.Tell) != 1 || kept.Lang != "" {
			t.Errorf("the home: %+v, %v", kept, err)
		}
	})
}

// TestHandsFollowTheApp checks that a hand follows the language of the player's app. It
// does as soon as the player opens their private chat or their cards, unless they have
// set a language. A solo game follows as a whole.
func TestHandsFollowTheApp(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		command(b, "ann", "new")
		command(b, "ben", "join")
		command(b, "ann", "start")
		speaks := func(player, language, command string) {
			in := by(player)
			in.Player.Lang, in.Command = language, command
			if command == "" {
				in.Press = view.Press{Action: view.ActCards, Table: theTable(t, b).ID}.String()
			} else {
				in.Chat = chat.Chat{ID: in.Player.ID, Home: in.Player.ID, Private: true, Lang: language}
			}
			b.Handle(t.Context(), in)
		}
		seats := func() (out [2]string) {
			for i, s := range theTable(t, b).Seats[:2] {
				out[i] = s.Player.Lang
			}
			return out
		}
		running(t, b, func() { time.Sleep(time.Second) }) // until the players' documents list the table
		for _, step := range []struct {
			player, language, command string
			want                      [2]string
		}{
			{"ann", "cs", "hello", [2]string{"cs", "en"}},
			{"ben", "pl", "", [2]string{"cs", "pl"}},
			{"ben", "", "", [2]string{"cs", "pl"}}, // the platform does not report a language
			{"ann", "en", "", [2]string{"en", "pl"}},
		} {
			if speaks(step.player, step.language, step.command); seats() != step.want {
				t.Errorf("after %v the seats speak %v", step, seats())
			}
		}
		in := by("ann")
		in.Press = "mine:lang:de:" + in.Chat.Home
		b.Handle(t.Context(), in)
		if speaks("ann", "fi", "hello"); seats()[0] != "de" {
			t.Errorf("what Ann chose is %s now", seats()[0])
		}

		speaks("cat", "en", "solo")
		running(t, b, func() { time.Sleep(time.Second) })
		speaks("cat", "sk", "hello")
		home, err := b.docs.Home(t.Context(), "test:cat")
		if err != nil {
			t.Fatal(err)
		}
		alone, err := b.tables.Load(t.Context(), home.Open["test:cat"])
		if err != nil || alone.Chats[0].Lang != "sk" || alone.Seats[0].Player.Lang != "sk" {
			t.Errorf("her own game speaks %s, her hand %s: %v", alone.Chats[0].Lang, alone.Seats[0].Player.Lang, err)
		}
	})
}

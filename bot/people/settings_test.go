package people_test

import (
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// TestSettingsOfAnotherHome checks that a forged press neither reads the settings of a
// home nor adds its presser to the people that the home notifies. A press on a page that
// the player opened in that home works, in whatever chat the page is.
func TestSettingsOfAnotherHome(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:group"
		r := w.Command("test:ann", home, "settings")
		if r.Screen == nil {
			t.Fatalf("no settings: %+v", r)
		}
		press := func(player, data string) chat.Reply {
			in := w.Input(player, player)
			in.Admin, in.Press = true, data // everyone is an administrator in their own private chat
			return w.Handle(t.Context(), in)
		}
		for _, data := range []string{"mine:tell:on:" + home, "mine:page:all:" + home, "cfg:page:all:" + home, "cfg:lang:cs:" + home, "cfg:page:game:" + home} {
			if r := press("test:eve", data); r.Screen != nil || r.Outcome != chat.Refused {
				t.Errorf("%s: Eve, who was never there, gets %+v", data, r)
			}
		}
		if r := w.Asks("test:eve", "test:home", town.Press("mine:tell:on:")); r.Screen != nil || r.Outcome != chat.Refused {
			t.Errorf("a button without a home, pressed in a group, gets %+v", r)
		}
		kept, err := w.Docs.Home(t.Context(), home)
		if err != nil || len(kept.Tell) != 0 || kept.Lang != "" {
			t.Errorf("the home: %+v, %v", kept, err)
		}
		if r := press("test:ann", "mine:tell:on:"+home); r.Screen == nil {
			t.Errorf("Ann, who asked there, gets %+v", r)
		}
		if r := press("test:ann", "cfg:page:all:"+home); r.Screen == nil {
			t.Errorf("Ann, who asked there, reads %+v", r)
		}
		if r := press("test:ann", "cfg:lang:cs:"+home); r.Screen != nil {
			t.Errorf("Ann, who does not manage it, sets %+v", r)
		}
		kept, err = w.Docs.Home(t.Context(), home)
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
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:home"
		w.Command("test:ann", home, "new")
		w.Command("test:ben", home, "join")
		w.Command("test:ann", home, "start")
		speaks := func(player, language, command string) {
			in := w.Input(player, home)
			if command == "" {
				in.Press = view.Press{Action: view.ActCards, Table: w.At(home).ID}.String()
			} else {
				in = w.Input(player, player)
				in.Command, in.Chat.Lang = command, language
			}
			in.Player.Lang = language
			w.Handle(t.Context(), in)
		}
		seats := func() (out [2]string) {
			for i, s := range w.At(home).Seats[:2] {
				out[i] = s.Player.Lang
			}
			return out
		}
		w.Pass(time.Second) // until the players' documents list the table
		for _, step := range []struct {
			player, language, command string
			want                      [2]string
		}{
			{"test:ann", "cs", "hello", [2]string{"cs", "en"}},
			{"test:ben", "pl", "", [2]string{"cs", "pl"}},
			{"test:ben", "", "", [2]string{"cs", "pl"}}, // the platform does not report a language
			{"test:ann", "en", "", [2]string{"en", "pl"}},
		} {
			if speaks(step.player, step.language, step.command); seats() != step.want {
				t.Errorf("after %v the seats speak %v", step, seats())
			}
		}
		w.Presses("test:ann", home, town.OwnSetting("lang", "de", home))
		if speaks("test:ann", "fi", "hello"); seats()[0] != "de" {
			t.Errorf("what Ann chose is %s now", seats()[0])
		}

		speaks("test:cat", "en", "solo")
		w.Pass(time.Second)
		speaks("test:cat", "sk", "hello")
		alone := w.At("test:cat")
		if alone.Chats[0].Lang != "sk" || alone.Seats[0].Player.Lang != "sk" {
			t.Errorf("her own game speaks %s, her hand %s", alone.Chats[0].Lang, alone.Seats[0].Player.Lang)
		}
	})
}

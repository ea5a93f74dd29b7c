package telegram

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// ephemeral is the target of a message to one person in a group.
func ephemeral(c *telegramtest.Chat, p *telegramtest.Person) chat.Target {
	return chat.Target{Chat: chatID(c.ID, 0), Player: chatID(p.ID, 0)}
}

// faultOf returns the fault of a delivery error, or "".
func faultOf(err error) string {
	var d *chat.DeliveryError
	if errors.As(err, &d) {
		return d.Fault.String()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// A bot that is an administrator shows a hand to one person in the group, edits it
// and deletes it. Nobody else sees any of it.
func TestAnEphemeralHand(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{}))
	sc.Ephemerals = telegramtest.EphemeralsNow
	if err := sc.a.Reach(t.Context(), ephemeral(sc.group, sc.ben)); faultOf(err) != "unreachable" {
		t.Errorf("a bot that is no administrator reaches ephemeral: %v", err)
	}
	sc.group.Promote(true)
	if err := sc.a.Reach(t.Context(), ephemeral(sc.group, sc.ben)); err != nil {
		t.Error(err)
	}
	at, err := sc.a.Send(t.Context(), ephemeral(sc.group, sc.ben), text("7♥ 10♠"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"7♥ 10♠", "10♠"} {
		if got := sc.ben.Ephemerals(sc.group); len(got) != 1 || got[0].Text != want {
			t.Errorf("Ben sees %v, want %q", got, want)
		}
		if err := sc.a.Edit(t.Context(), at, text("10♠")); err != nil {
			t.Fatal(err)
		}
	}
	second, err := sc.a.Send(t.Context(), ephemeral(sc.group, sc.ben), text("9♠"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := sc.a.Delete(t.Context(), at); err != nil {
		t.Error(err)
	}
	if err := sc.a.Delete(t.Context(), at); err != nil {
		t.Errorf("one that is gone: %v", err)
	}
	if err := sc.a.Edit(t.Context(), at, text("x")); faultOf(err) != "gone" {
		t.Errorf("an edit of one that is gone: %v", err)
	}
	sc.group.Promote(false)
	if err := sc.a.Edit(t.Context(), second, text("A♠")); err != nil {
		t.Errorf("an edit needs no administrator: %v", err)
	}
	if got := sc.ben.Ephemerals(sc.group); len(got) != 1 || got[0].Text != "A♠" {
		t.Errorf("Ben sees %v", got)
	}
	if n := len(sc.ann.Ephemerals(sc.group)) + len(sc.ann.Private().Messages()) + len(sc.group.Messages()) - 1; n != 0 {
		t.Errorf("others see %d messages of it", n)
	}
}

// A server that ignores the parameter would show a hand to everybody. So it gets a
// blank message at most, and the press is answered in the next way.
func TestAnOlderServerShowsNothingPrivate(t *testing.T) {
	t.Parallel()
	for _, version := range []telegramtest.Ephemerals{telegramtest.EphemeralsEarlier, telegramtest.EphemeralsNever} {
		secret := text("7♥ 10♠")
		sc := newScene(t, replying(chat.Reply{Toast: "1: 7♥", Alert: true, Screen: &secret}))
		sc.Ephemerals = version
		sc.group.Promote(true)
		for range 3 {
			if got := sc.press(t, sc.ben); got != (telegramtest.Answer{Text: "1: 7♥", Alert: true}) {
				t.Errorf("version %d: the answer is %+v", version, got)
			}
		}
		if _, err := sc.a.Send(t.Context(), ephemeral(sc.group, sc.ben), secret, ""); faultOf(err) != "unreachable" {
			t.Errorf("version %d: sent ephemeral: %v", version, err)
		}
		if m := sc.group.Messages(); len(m) != 1 {
			t.Errorf("version %d: the group sees %v", version, m)
		}
		sent := sc.Calls("sendMessage")[1:]
		for _, c := range sent {
			if c.Params["text"] != blank {
				t.Errorf("version %d: sent to the group: %q", version, c.Params["text"])
			}
		}
		if most := map[telegramtest.Ephemerals]int{telegramtest.EphemeralsEarlier: 1}[version]; len(sent) > most {
			t.Errorf("version %d: %d messages to find out", version, len(sent))
		}
	}
}

// If the connection was lost, another server may answer, so the server is checked again.
func TestAServerIsProvenAnewAfterALostConnection(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{}))
	sc.Ephemerals = telegramtest.EphemeralsNow
	sc.group.Promote(true)
	if _, err := sc.a.Send(t.Context(), ephemeral(sc.group, sc.ben), text("7♥"), ""); err != nil {
		t.Fatal(err)
	}
	sc.Ephemerals = telegramtest.EphemeralsEarlier
	sc.Fail(telegramtest.Failure{Method: "editMessageText", Times: 1})
	_ = sc.a.Edit(t.Context(), address(sc.group.ID, sc.table.ID), text("x"))
	if _, err := sc.a.Send(t.Context(), ephemeral(sc.group, sc.ben), text("9♠"), ""); faultOf(err) != "unreachable" {
		t.Errorf("sent ephemeral: %v", err)
	}
	for _, c := range sc.Calls("sendMessage") {
		if strings.Contains(c.Params["text"], "9♠") {
			t.Error("the hand was sent to a server that was not proven")
		}
	}
}

// My cards is shown as an ephemeral message to the person who pressed, even if the bot isn't an
// administrator. The shell learns the ephemeral message's address.
func TestAPressIsAnsweredEphemerally(t *testing.T) {
	t.Parallel()
	secret := text("7♥ 10♠")
	addresses := make(chan chat.Address, 2)
	inputs := make(chan chat.Input, 4)
	sc := newScene(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{Toast: "1: 7♥", Alert: true, Screen: &secret, Replace: in.OnAnswer, Shown: func(_ context.Context, at chat.Address, _ string) { addresses <- at }}
	})
	sc.Ephemerals = telegramtest.EphemeralsNow
	if got := sc.press(t, sc.ben); got != (telegramtest.Answer{}) {
		t.Errorf("the answer is %+v", got)
	}
	<-inputs
	seen := sc.ben.Ephemerals(sc.group)
	if len(seen) != 1 || seen[0].Text != "7♥ 10♠" {
		t.Fatalf("Ben sees %v", seen)
	}
	at := <-addresses
	hand := text("his hand")
	hand.Rows = [][]screen.Button{{{Label: "7♠", Press: "play:t1:1:0:7a"}}}
	if err := sc.a.Edit(t.Context(), at, hand); err != nil {
		t.Fatal(err)
	}
	if _, err := sc.ben.Press(soon(t), sc.ben.Ephemerals(sc.group)[0], "7♠"); err != nil {
		t.Fatal(err)
	}
	if in := <-inputs; in.Message != at || in.Answer != at || !in.OnAnswer || in.Player.ID != chatID(sc.ben.ID, 0) {
		t.Errorf("the press on it came as %+v", in)
	}
	if seen := sc.ben.Ephemerals(sc.group); len(seen) != 1 || seen[0].Text != "7♥ 10♠" {
		t.Errorf("after a press on it Ben sees %v", seen)
	}
	// An ephemeral message that vanished is shown again.
	old := sc.ben.Ephemerals(sc.group)[0]
	old.Buttons = []([]telegramtest.Button){{{Label: "7♠", Data: "play:t1:1:0:7a"}}}
	sc.group.Lose(old)
	if _, err := sc.ben.Press(soon(t), old, "7♠"); err != nil {
		t.Fatal(err)
	}
	if err := sc.Until(soon(t), func() bool {
		seen := sc.ben.Ephemerals(sc.group)
		return len(seen) == 1 && seen[0].Ephemeral != old.Ephemeral
	}); err != nil {
		t.Errorf("after a press on one that vanished Ben sees %v", sc.ben.Ephemerals(sc.group))
	}
	if len(sc.group.Messages()) != 1 {
		t.Error("the group sees something of it")
	}
}

// An ephemeral command is answered in the same chat, and nobody else sees the answer.
func TestAnEphemeralCommand(t *testing.T) {
	t.Parallel()
	secret := text("7♥ 10♠")
	sc := newScene(t, replying(chat.Reply{Screen: &secret}))
	sc.Ephemerals = telegramtest.EphemeralsNow
	sc.ben.Whisper(sc.group, "/hand")
	if err := sc.Until(soon(t), func() bool {
		return len(sc.ben.Ephemerals(sc.group)) == 1 && sc.ben.Ephemerals(sc.group)[0].Text == "7♥ 10♠"
	}); err != nil {
		t.Error("Ben was not answered")
	}
	if n := len(sc.group.Messages()) + len(sc.ben.Private().Messages()); n != 1 {
		t.Errorf("%d messages elsewhere", n-1)
	}
}

// If the table shows the result of an ephemeral command, it is answered with an ephemeral message
// too, since there is no message that could get a reaction.
func TestAnEphemeralCommandIsAcknowledged(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{Toast: "You agreed to a pause.", Echo: true}))
	sc.Ephemerals = telegramtest.EphemeralsNow
	sc.ben.Whisper(sc.group, "/pause")
	if err := sc.Until(soon(t), func() bool {
		return len(sc.ben.Ephemerals(sc.group)) == 1 && sc.ben.Ephemerals(sc.group)[0].Text == "You agreed to a pause."
	}); err != nil {
		t.Error("Ben was not answered")
	}
}

// TestWhisperedCommands checks that commands with a private answer are ephemeral in
// groups, and that commands with a public result aren't.
func TestWhisperedCommands(t *testing.T) {
	t.Parallel()
	want := map[string]bool{
		"daily": true, "puzzle": true, "hand": true, "solo": true, "tutorial": true, "stats": true, "rules": true, "replay": true, "settings": true, "tournament": true, "help": true,
		"new": false, "leaderboard": false,
	}
	for _, e := range menu(bot.Commands(), "all_group_chats", "en") {
		if ephemeral, known := want[e.Command]; known && e.Ephemeral != ephemeral {
			t.Errorf("/%s is ephemeral: %v", e.Command, e.Ephemeral)
		}
	}
}

// If a chat refused an ephemeral message, the bot sends none there for a while, and then retries.
func TestARefusalIsRemembered(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group, ben := s.Group("Cards"), s.Person("Ben")
	for range 3 {
		if _, err := a.Send(t.Context(), ephemeral(group, ben), text("7♥"), ""); faultOf(err) != "unreachable" {
			t.Fatal(err)
		}
	}
	if n := len(s.Calls("sendMessage")); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// A harmless chat action shows whether the bot can write to a private chat.
func TestReachOfAPrivateChat(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{}))
	for _, c := range []struct {
		to   *telegramtest.Person
		want string
	}{{sc.ann, ""}, {sc.ben, "unreachable"}} {
		if err := sc.a.Reach(t.Context(), chat.Target{Player: chatID(c.to.ID, 0)}); faultOf(err) != c.want {
			t.Errorf("%s: %v, want %q", c.to.First, err, c.want)
		}
	}
	sc.ann.Block()
	if err := sc.a.Reach(t.Context(), chat.Target{Player: chatID(sc.ann.ID, 0)}); faultOf(err) != "unreachable" {
		t.Errorf("who blocked the bot: %v", err)
	}
	if n := len(sc.ann.Private().Messages()); n != 0 {
		t.Errorf("Ann was sent %d messages", n)
	}
}

// The shell's edit of an ephemeral message waits for the answer to an earlier press there.
func TestAnEditWaitsForTheAnswerToAPress(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Ephemerals = telegramtest.EphemeralsNow
	edited := make(chan error, 1)
	var a *Adapter
	a, _ = connected(t, s, func(ctx context.Context, in chat.Input) chat.Reply {
		if in.Press == "" {
			return chat.Reply{}
		}
		go func() { edited <- a.Edit(context.WithoutCancel(ctx), in.Message, text("newer")) }()
		older := text("older")
		return chat.Reply{Screen: &older, Replace: true}
	}, nil)
	group, ben := s.Group("Cards"), s.Person("Ben")
	group.Promote(true)
	first := text("first")
	first.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
	if _, err := a.Send(t.Context(), ephemeral(group, ben), first, ""); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := ben.PressData(soon(t), ben.Ephemerals(group)[0], "play"); err != nil {
			t.Fatal(err)
		}
		if err := <-edited; err != nil {
			t.Fatal(err)
		}
		if got := ben.Ephemerals(group)[0].Text; got != "newer" {
			t.Errorf("Ben sees %q", got)
		}
	}
}

// A press on an ephemeral message is answered although the rate limits hold back the change of that message.
func TestAPressIsAnsweredBeforeAnEditThatWaits(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	s := telegramtest.New(t)
	s.Ephemerals = telegramtest.EphemeralsNow
	next := text("next")
	a, _ := connected(t, s, replying(chat.Reply{Screen: &next, Replace: true}), nil)
	group, ben := s.Group("Cards"), s.Person("Ben")
	group.Promote(true)
	first := text("first")
	first.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
	if _, err := a.Send(t.Context(), ephemeral(group, ben), first, ""); err != nil {
		t.Fatal(err)
	}
	s.Fail(telegramtest.Failure{Method: "editEphemeralMessageText", Times: 1, Code: http.StatusTooManyRequests, Description: "Too Many Requests", RetryAfter: 1})
	if _, err := ben.PressData(soon(t), ben.Ephemerals(group)[0], "play"); err != nil {
		t.Fatal(err)
	}
	if got := ben.Ephemerals(group)[0].Text; got != "first" {
		t.Errorf("Ben got the answer only with the edit: %q", got)
	}
	if err := s.Until(soon(t), func() bool { return ben.Ephemerals(group)[0].Text == "next" }); err != nil {
		t.Fatal("the edit never came:", err)
	}
}

// An answer with a picture is a photo that one person sees. A press on it shows the next
// one in its place, and an answer without a picture follows as text.
func TestAnEphemeralMessageShowsPictures(t *testing.T) {
	t.Parallel()
	pictured := func(headline string) bool { return headline == "one" || headline == "two" }
	shown := func(headline string) screen.Screen {
		s := text(headline)
		if pictured(headline) {
			s.Picture = &screen.Picture{Alt: headline, Draw: face.Picture{Table: &face.Table{Headline: headline, Winning: -1, Seats: make([]face.Seat, 2)}}}
		}
		s.Rows = [][]screen.Button{{{Label: "next", Press: "cards:t1"}}}
		return s
	}
	for _, where := range []string{"group", "private"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			next := make(chan string, 1)
			sc := newScene(t, func(_ context.Context, in chat.Input) chat.Reply {
				s := shown(<-next)
				return chat.Reply{Screen: &s, Replace: in.OnAnswer || in.Chat.Private}
			})
			sc.Ephemerals = telegramtest.EphemeralsNow
			next <- "words"
			sc.press(t, sc.ann) // the first one of all proves the server
			seen := func() []telegramtest.Message { return sc.ann.Ephemerals(sc.group) }
			if where == "private" {
				seen = sc.ann.Private().Messages
				if _, err := sc.a.Send(t.Context(), chat.Target{Player: chatID(sc.ann.ID, 0)}, shown("words"), ""); err != nil {
					t.Fatal(err)
				}
			}
			for _, want := range []string{"one", "two", "one", "words", "other words", "two"} {
				all := seen()
				next <- want
				if _, err := sc.ann.Press(soon(t), all[len(all)-1], "next"); err != nil {
					t.Fatal(err)
				}
				if err := sc.Until(soon(t), func() bool {
					now := seen()
					return len(now) == len(all) && now[len(now)-1].Text == want && (now[len(now)-1].Photo != "") == pictured(want)
				}); err != nil {
					t.Fatalf("%q is not shown in place of the last one, but %+v", want, seen())
				}
			}
			uploads := 0
			for _, method := range []string{"sendPhoto", "editMessageMedia"} {
				for _, c := range sc.Calls(method) {
					if c.Params["photo"] != "" && strings.Contains(c.Params["photo"], "\n") {
						uploads++
					}
				}
			}
			if uploads != 2 {
				t.Errorf("%d uploads of two pictures", uploads)
			}
			if len(sc.group.Messages()) != 1 || len(sc.ben.Ephemerals(sc.group)) != 0 {
				t.Error("others see something of it")
			}
		})
	}
}

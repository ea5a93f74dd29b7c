package playground

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

func TestFromNewTableToHandsInTwoPresses(t *testing.T) {
	t.Parallel()
	p, d := start(t, Config{Lang: "en"})
	if _, err := p.Command(t.Context(), Ann, Channel, "/new 4"); err != nil {
		t.Fatal(err)
	}
	click(t, p, Ann, "Start")
	for _, person := range people[:4] {
		if hand := p.Direct(person); len(hand) != 1 || len(hand[0].Screen.Rows[0]) != 4 {
			t.Errorf("%s got %q, want one hand of four cards", person, texts(hand))
		}
	}
	if got := p.Direct(Eve); len(got) != 0 {
		t.Errorf("Eve, who does not play, got %q", texts(got))
	}
	click(t, p, Ben, "9♣")
	if got := p.Channel(); !strings.Contains(got[1].Screen.String(), "Ben plays 9♣") {
		t.Errorf("the table says %q", got[1].Screen)
	}
	in := d.inputs[0]
	want := chat.Input{
		Player: chat.Player{ID: Ann, Name: "Ann", Lang: "en"}, Chat: chat.Chat{ID: Channel, Home: Home, Lang: "en"}, Admin: true,
		Command: "new", Args: map[string]string{"players": "4"}, Answer: in.Answer, Until: in.Until, Origin: string(in.Answer),
	}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Errorf("the bot was told (-want +got):\n%s", diff)
	}
	if in := d.inputs[len(d.inputs)-1]; !in.Admin || in.Chat.ID != Ben || in.Chat.Home != Ben || !in.Chat.Private || in.Message != p.Direct(Ben)[0].Address || in.OnAnswer {
		t.Errorf("a press in direct messages comes as %+v", in)
	}
}

func TestMessagesStandAndChange(t *testing.T) {
	t.Parallel()
	p, _ := start(t, Config{})
	ctx := t.Context()
	anns := screen.Person{ID: Ann, Name: "Ann"}
	first := textScreen("one")
	first.Notify = []screen.Person{anns}
	a, err := p.Send(ctx, chat.Target{Chat: Channel}, first, "")
	if err != nil {
		t.Fatal(err)
	}
	direct, err := p.Send(ctx, chat.Target{Player: Ben}, textScreen("for Ben"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Send(ctx, chat.Target{Chat: Ben}, textScreen("his chat too"), ""); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"for Ben\n", "his chat too\n"}, texts(p.Direct(Ben))); diff != "" {
		t.Errorf("Ben has (-want +got):\n%s", diff)
	}
	if err := p.Edit(ctx, a, textScreen("two")); err != nil {
		t.Fatal(err)
	}
	if err := p.Edit(ctx, a, textScreen("two")); err != nil {
		t.Errorf("an unchanged edit ends with %v", err)
	}
	m := p.Channel()[0]
	if m.Edits != 1 || m.Screen.String() != "two\n" || !cmp.Equal(m.Called, []screen.Person{anns}) {
		t.Errorf("after one edit the message is %+v", m)
	}
	for range 2 {
		if err := p.Delete(ctx, direct); err != nil {
			t.Errorf("delete ends with %v", err)
		}
	}
	if got := fault(p.Edit(ctx, direct, textScreen("x"))); got != "gone" {
		t.Errorf("editing what was deleted: %q, want gone", got)
	}
	for _, c := range []struct {
		to   chat.Target
		want string
	}{
		{chat.Target{}, "invalid"},
		{chat.Target{Chat: Channel, Player: Ann}, "unreachable"},
		{chat.Target{Chat: "playground:elsewhere"}, "gone"},
		{chat.Target{Player: "playground:zed"}, "unreachable"},
	} {
		if _, err := p.Send(ctx, c.to, textScreen("x"), ""); fault(err) != c.want {
			t.Errorf("send to %+v: %v, want %s", c.to, err, c.want)
		}
	}
}

func TestNothingIsKeptOverARestart(t *testing.T) {
	t.Parallel()
	before, _ := start(t, Config{})
	after, _ := start(t, Config{})
	for range 50 {
		a, err := before.Send(t.Context(), chat.Target{Chat: Channel}, textScreen("x"), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := after.Send(t.Context(), chat.Target{Chat: Channel}, textScreen("y"), ""); err != nil {
			t.Fatal(err)
		}
		if got := fault(after.Edit(t.Context(), a, textScreen("z"))); got != "gone" {
			t.Fatalf("another run's message is %q, want gone", got)
		}
	}
}

func TestARepeatedNoncePostsNothing(t *testing.T) {
	t.Parallel()
	p, _ := start(t, Config{})
	send := func(s, nonce string) chat.Address {
		a, err := p.Send(t.Context(), chat.Target{Chat: Channel}, textScreen(s), nonce)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := send("x", "n")
	if b := send("x", "n"); a != b || len(p.Channel()) != 1 {
		t.Errorf("sent again, the message is at %s and at %s", a, b)
	}
	send("y", "m")
	send("z", "")
	send("z", "")
	if err := p.Delete(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	send("x", "n")
	if diff := cmp.Diff([]string{"y\n", "z\n", "z\n", "x\n"}, texts(p.Channel())); diff != "" {
		t.Errorf("the channel has (-want +got):\n%s", diff)
	}
}

func TestAnAnswerIsForOneAndCanBeEditedForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, err := New(Config{Commands: bot.Commands()})
		if err != nil {
			t.Fatal(err)
		}
		var in chat.Input
		reply := chat.Reply{}
		run(t, p, handler(func(_ context.Context, i chat.Input) chat.Reply { in = i; return reply }))
		ctx := t.Context()

		mine := textScreen("seven", []screen.Button{button("Play", "play")})
		reply = chat.Reply{Toast: "your cards", Screen: &mine}
		if _, err := p.Command(ctx, Ann, Channel, "/hand"); err != nil {
			t.Fatal(err)
		}
		if got := p.Answers(Ann); len(got) != 1 || got[0].Address != in.Answer || got[0].Line != "/hand" || got[0].By != Ann {
			t.Fatalf("Ann's answer is %+v", got)
		}
		if len(p.Channel())+len(p.Answers(Ben))+len(p.Direct(Ann)) != 0 {
			t.Fatal("a private answer was shown elsewhere too")
		}
		old, a := in.Answer, p.Answers(Ann)[0]
		if _, err := p.PressData(ctx, Ben, a.Address, "play"); err == nil {
			t.Error("Ben pressed a button that only Ann sees")
		}
		if err := p.Edit(ctx, old, textScreen("eight", []screen.Button{button("Play", "play")})); err != nil {
			t.Fatal(err)
		}

		time.Sleep(10 * time.Minute)
		next := textScreen("nine", []screen.Button{button("Play", "play")})
		reply = chat.Reply{Screen: &next, Replace: true}
		if _, err := p.Press(ctx, Ann, a, "Play"); err != nil {
			t.Fatal(err)
		}
		if !in.OnAnswer || in.Message != a.Address {
			t.Errorf("a press on the answer comes as %+v", in)
		}
		if got := texts(p.Answers(Ann)); len(got) != 1 || !strings.HasPrefix(got[0], "nine") {
			t.Fatalf("the replaced answer is %q", got)
		}

		time.Sleep(10 * time.Minute)
		if got := fault(p.Edit(ctx, old, textScreen("x"))); got != "gone" {
			t.Errorf("after 20 minutes the first answer is %q, want gone", got)
		}
		if err := p.Edit(ctx, in.Answer, textScreen("ten", []screen.Button{button("Play", "play")})); err != nil {
			t.Errorf("the press did not make the answer editable again: %v", err)
		}
		if got := texts(p.Answers(Ann)); len(got) != 1 || !strings.HasPrefix(got[0], "ten") {
			t.Errorf("the edited answer is %q", got)
		}
		for range 20 {
			time.Sleep(10 * time.Minute)
			if _, err := p.Press(ctx, Ann, a, "Play"); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(p.at); n > 4 {
			t.Errorf("%d addresses are kept for one message", n)
		}

		reply = chat.Reply{Toast: "no"}
		if _, err := p.Press(ctx, Ann, a, "Play"); err != nil {
			t.Fatal(err)
		}
		if got := fault(p.Edit(ctx, in.Answer, textScreen("x"))); got != "gone" {
			t.Errorf("an answer without a screen is %q, want gone", got)
		}
	})
}

func TestAPublicMessageIsNeverReplacedByAPrivateScreen(t *testing.T) {
	t.Parallel()
	p, d := start(t, Config{})
	for _, person := range []string{Ann, Ben} {
		if _, err := p.Command(t.Context(), person, Channel, "/leaderboard"); err != nil {
			t.Fatal(err)
		}
	}
	board := p.Channel()[0]
	if board.Only != "" || board.By != Ann {
		t.Errorf("the leaderboard is %+v", board)
	}
	if _, err := p.PressData(t.Context(), Ben, board.Address, "cards"); err != nil {
		t.Fatal(err)
	}
	if d.inputs[2].OnAnswer {
		t.Error("a press on what everybody sees has OnAnswer set")
	}
	if got := p.Answers(Ben); len(got) != 1 {
		t.Errorf("Ben sees %q", texts(got))
	}
	if got := p.Channel()[0]; !cmp.Equal(got.Screen, board.Screen) {
		t.Errorf("the leaderboard became %q", got.Screen)
	}
}

func TestAnOldButtonIsStillAButton(t *testing.T) {
	t.Parallel()
	p, d := start(t, Config{})
	if _, err := p.Command(t.Context(), Ann, Channel, "/new"); err != nil {
		t.Fatal(err)
	}
	click(t, p, Ann, "Start")
	old := p.Direct(Ann)[0]
	for _, want := range []string{"", "Already played."} {
		reply, err := p.Press(t.Context(), Ann, old, "7♥")
		if err != nil || reply.Toast != want {
			t.Errorf("pressed: %q, %v; want %q", reply.Toast, err, want)
		}
	}
	if _, err := p.Press(t.Context(), Ann, p.Direct(Ann)[0], "7♥"); err == nil {
		t.Error("a button that is gone was pressed")
	}
	if _, err := p.Press(t.Context(), Ann, old, "A♦"); err == nil {
		t.Error("a button that is off was pressed")
	}
	if _, err := p.PressData(t.Context(), Ben, old.Address, "play:7h"); err == nil {
		t.Error("Ben pressed in Ann's direct messages")
	}
	if _, err := p.PressData(t.Context(), "playground:zed", old.Address, "x"); err == nil {
		t.Error("nobody pressed a button")
	}
	if reply, err := p.PressData(t.Context(), Ann, old.Address, "made up"); err != nil || reply.Toast == "" {
		t.Errorf("made-up data: %v, %v", reply, err)
	}
	if n := len(d.inputs); n != 5 {
		t.Errorf("the bot got %d inputs, want 5", n)
	}
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/new":                     "new map[]",
		"new 3":                    "new map[players:3]",
		"/sedma new players:2":     "new map[players:2]",
		"  /begin ":                "start map[]",
		"/start":                   "start map[]",
		"/refresh":                 "table map[]",
		"/leaderboard sedma-4p":    "leaderboard map[game:sedma-4p]",
		"/leaderboard game:sedma":  "leaderboard map[game:sedma]",
		"":                         "page.no_command",
		"/":                        "page.no_command",
		"/dance":                   "page.no_command",
		"/sedma":                   "help map[]",
		"/new 5":                   "new map[rules:5]",
		"/new hola 4":              "new map[game:hola players:4]",
		"/new kovac-2p players:2":  "new map[players:2 rules:kovac-2p]",
		"/NEW hola":                "new map[game:hola]",
		"/Sedma New":               "new map[]",
		"/new players:x":           "page.bad_choice",
		"/new 3 3":                 "new map[players:3 rules:3]",
		"/new players:3 players:2": "page.bad_argument",
		"/new game:x":              "page.bad_choice",
		"/join now":                "page.bad_argument",
	} {
		name, args, err := parse(bot.Commands(), line)
		got := fmt.Sprint(name, " ", args)
		if e := new(lineError); errors.As(err, &e) {
			got = e.Key
		}
		if got != want {
			t.Errorf("%q is %s, want %s", line, got, want)
		}
	}
	if got := []string{somebody("@Ann"), somebody("bára"), somebody(Fin), somebody("zed")}; !slices.Equal(got, []string{Ann, Ben, Fin, ""}) {
		t.Errorf("people by name are %q", got)
	}
}

func TestOldMessagesGoAway(t *testing.T) {
	t.Parallel()
	p, _ := start(t, Config{})
	other, err := p.Send(t.Context(), chat.Target{Player: Ann}, textScreen("stays"), "")
	if err != nil {
		t.Fatal(err)
	}
	var first chat.Address
	for i := range keep + 1 {
		a, err := p.Send(t.Context(), chat.Target{Chat: Channel}, textScreen(fmt.Sprint(i)), "")
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = a
		}
	}
	if got := p.Channel(); len(got) != keep || got[0].Screen.String() != "1\n" {
		t.Errorf("the channel keeps %d messages from %q", len(got), got[0].Screen)
	}
	if got := fault(p.Edit(t.Context(), first, textScreen("x"))); got != "gone" {
		t.Errorf("the oldest is %q, want gone", got)
	}
	if err := p.Edit(t.Context(), other, textScreen("y")); err != nil {
		t.Errorf("another place lost a message: %v", err)
	}
}

func TestWaitSeesEveryChange(t *testing.T) {
	t.Parallel()
	p, _ := start(t, Config{})
	go func() {
		for i := range 20 {
			if _, err := p.Send(context.Background(), chat.Target{Chat: Channel}, textScreen(fmt.Sprint(i)), ""); err != nil {
				t.Error(err)
			}
		}
	}()
	if err := p.Wait(t.Context(), func() bool { return len(p.Channel()) == 20 }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Wait(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait for what never comes ends with %v", err)
	}
}

// Whatever people do, only the person themselves sees their answers and direct
// messages, and the cards in them reach nobody else.
func TestNobodySeesAnothersCards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p, err := New(Config{Commands: bot.Commands()})
		if err != nil {
			rt.Fatal(err)
		}
		p.handler = handler(func(ctx context.Context, in chat.Input) chat.Reply {
			secret := textScreen("for "+in.Player.ID, []screen.Button{button("again", "again")})
			if rapid.Bool().Draw(rt, "send") {
				if _, err := p.Send(ctx, chat.Target{Player: in.Player.ID}, secret, ""); err != nil {
					rt.Error(err)
				}
			}
			return chat.Reply{Screen: &secret, Replace: rapid.Bool().Draw(rt, "replace")}
		})
		close(p.ready)
		if _, err := p.Send(context.Background(), chat.Target{Chat: Channel}, textScreen("for all", []screen.Button{button("again", "again")}), ""); err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			person := rapid.SampledFrom(people).Draw(rt, "person")
			if rapid.Bool().Draw(rt, "command") {
				chatID := rapid.SampledFrom([]string{Channel, person}).Draw(rt, "chat")
				if _, err := p.Command(context.Background(), person, chatID, "/hand"); err != nil {
					rt.Fatal(err)
				}
				continue
			}
			seen := p.find(func(m *message) bool { return m.sees(person) })
			m := rapid.SampledFrom(seen).Draw(rt, "message")
			if _, err := p.Press(context.Background(), person, m, "again"); err != nil {
				rt.Fatal(err)
			}
		}
		if got := texts(p.Channel()); len(got) != 1 || !strings.HasPrefix(got[0], "for all") {
			rt.Fatalf("the channel shows %q", got)
		}
		for _, person := range people {
			for _, m := range append(p.Direct(person), p.Answers(person)...) {
				if !strings.HasPrefix(m.Screen.String(), "for "+person) {
					rt.Fatalf("%s sees %q", person, m.Screen)
				}
			}
		}
	})
}

func TestFaceOfACardReachesThePage(t *testing.T) {
	t.Parallel()
	seven := game.NewCard('7', 'h')
	m := &message{Message: Message{Screen: screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{{Kind: screen.SpanCard, Card: seven, Strong: true}}}},
		Rows:   [][]screen.Button{{{Label: "7♥", Card: seven, Press: "p"}}, {{Label: "elsewhere", Private: "x"}}},
	}}}
	got := onPage(m)
	wantSpan := pageSpan{Kind: "card", Text: "7♥", Suit: "h", Strong: true}
	wantRows := [][]pageButton{{{Label: "7♥", Press: "p", Card: "7h", Suit: "h"}}}
	if diff := cmp.Diff(wantSpan, got.Blocks[0].Spans[0]); diff != "" {
		t.Errorf("the card (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantRows, got.Rows); diff != "" {
		t.Errorf("the buttons (-want +got):\n%s", diff)
	}
}

package telegram

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

func TestCommandsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		private bool
		want    string // "" if it is not for this bot
		args    map[string]string
	}{
		{text: "/new", want: "new"},
		{text: "/new 4", want: "new", args: map[string]string{"players": "4"}},
		{text: "  /NEW@sedmatestbot   2  please", want: "new", args: map[string]string{"players": "2", "rules": "please"}},
		{text: "/new 3 Osmova", want: "new", args: map[string]string{"players": "3", "game": "osmova"}},
		{text: "/new kovac-2p", want: "new", args: map[string]string{"rules": "kovac-2p"}},
		{text: "/new@OtherBot 4"},
		{text: "/begin", want: "start"},
		{text: "/refresh", want: "table"},
		{text: "/leaderboard sedma for three", want: "leaderboard", args: map[string]string{"game": "sedma for three"}},
		{text: "/start abc-DEF_1", private: true, want: "hello", args: map[string]string{"payload": "abc-DEF_1"}},
		{text: "/start", private: true, want: "hello"},
		{text: "/start @#!", private: true, want: "hello"},
		{text: "/start now", want: "help"},
		{text: "/sedma", private: true, want: "hello"},
		{text: "/sedma", want: "help"},
		{text: "/table", want: ""},
		{text: "/table", private: true, want: "help"},
		{text: "/", private: true, want: "help"},
		{text: "hello there", private: true, want: "help"},
		{text: "hello there"},
		{text: "", private: true},
		{text: "🃏 /rules", want: "rules"},
		{text: "♠\ufe0f👨\u200d👩\u200d👧/NEW 4", want: "new", args: map[string]string{"players": "4"}},
		{text: "@sedmatestbot /rules", want: "rules"},
		{text: "@SedmaTestBot, 🃏 /new@SedmaTestBot 2", want: "new", args: map[string]string{"players": "2"}},
		{text: "/new @SedmaTestBot 2", want: "new", args: map[string]string{"players": "2"}},
		{text: "@OtherBot /rules"},
		{text: "see /rules"},
		{text: "- /rules"},
		{text: "🃏"},
		{text: "🃏", private: true, want: "help"},
	} {
		name, args, ok := parseCommand(bot.Commands(), c.text, "SedmaTestBot", c.private)
		if !ok {
			name = ""
		}
		if name != c.want || !cmp.Equal(args, c.args) {
			t.Errorf("%q (private %v) is %q %v, want %q %v", c.text, c.private, name, args, c.want, c.args)
		}
	}
}

// inputs runs an adapter that sends its inputs to a channel.
func inputs(t *testing.T, s *telegramtest.Server) (*Adapter, <-chan chat.Input) {
	t.Helper()
	got := make(chan chat.Input, 200)
	a, _ := connected(t, s, func(_ context.Context, in chat.Input) chat.Reply {
		got <- in
		return chat.Reply{}
	}, nil)
	return a, got
}

func TestWhatPeopleDoBecomesInput(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, got := inputs(t, s)
	ann, ben := s.Person("Ann"), s.Person("Ben <b>&\u202e")
	ben.Lang = "cs"
	group := s.Group("Cards", ann, ben)
	annID, benID, groupID := chatID(ann.ID, 0), chatID(ben.ID, 0), chatID(group.ID, 0)
	events := map[string]bool{}
	check := func(want chat.Input) {
		t.Helper()
		in := <-got
		in.Manages, in.Belongs = nil, nil
		if in.Presence == 0 {
			if events[in.Once] || in.Once == "" {
				t.Errorf("the event is %q", in.Once)
			}
			events[in.Once], in.Once = true, ""
		}
		if diff := cmp.Diff(want, in); diff != "" {
			t.Errorf("input (-want +got):\n%s", diff)
		}
	}
	annAs := chat.Player{ID: annID, Name: "Ann", Lang: "en"}
	benAs := chat.Player{ID: benID, Name: "Ben <b>&", Lang: "cs"}
	inGroup := chat.Chat{ID: groupID, Home: groupID}

	ann.Say(group, "/new 3")
	check(chat.Input{Player: annAs, Chat: inGroup, Command: "new", Args: map[string]string{"players": "3"}})

	ann.Say(group, "/close")
	check(chat.Input{Player: annAs, Chat: inGroup, Command: "close"})
	ben.Say(group, "/close")
	check(chat.Input{Player: benAs, Chat: inGroup, Command: "close"})

	ben.SayIn(group, 17, "/new")
	check(chat.Input{Player: benAs, Chat: chat.Chat{ID: groupID + "/17", Home: groupID}, Command: "new"})

	ben.Start("hand")
	check(chat.Input{
		Player: benAs, Chat: chat.Chat{ID: benID, Home: benID, Private: true, Lang: "cs"}, Admin: true,
		Command: "hello", Args: map[string]string{"payload": "hand"},
	})

	shown := text("a table")
	shown.Menus = []screen.Menu{{Label: "Game", Options: []screen.Button{{Label: "Sedma", Press: "set:t1:game:sedma"}, {Label: "Hola", Press: "set:t1:game:hola"}}}}
	shown.Rows = [][]screen.Button{{{Label: "Join", Press: "join:t1"}, {Label: "Close", Press: "close:t1"}, {Label: "Make default here", Press: "default:t1"}}}
	addr, err := a.Send(t.Context(), chat.Target{Chat: groupID + "/17"}, shown, "")
	if err != nil {
		t.Fatal(err)
	}
	m := group.Messages()[0]
	if m.Thread != 17 {
		t.Errorf("the message stands in topic %d", m.Thread)
	}
	topic := chat.Chat{ID: groupID + "/17", Home: groupID}
	if _, err := ben.Press(soon(t), m, "Join"); err != nil {
		t.Fatal(err)
	}
	check(chat.Input{Player: benAs, Chat: topic, Press: "join:t1", Message: addr})
	if _, err := ann.Press(soon(t), m, "Close"); err != nil {
		t.Fatal(err)
	}
	check(chat.Input{Player: annAs, Chat: topic, Press: "close:t1", Message: addr})
	for _, label := range []string{"✓ Sedma", "Hola", "Make default here"} {
		if _, err := ann.Press(soon(t), m, label); err != nil {
			t.Fatal(err)
		}
	}
	check(chat.Input{Player: annAs, Chat: topic, Press: "set:t1:game:sedma", Message: addr})
	check(chat.Input{Player: annAs, Chat: topic, Press: "set:t1:game:hola", Message: addr})
	check(chat.Input{Player: annAs, Chat: topic, Press: "default:t1", Message: addr})
	if _, err := ben.PressData(soon(t), m, "made <up>"); err != nil {
		t.Fatal(err)
	}
	check(chat.Input{Player: benAs, Chat: topic, Press: "made <up>", Message: addr})

	gone := chat.Input{Chat: inGroup, Presence: chat.Removed}
	there := chat.Input{Chat: inGroup, Presence: chat.Back}
	added := func(times int) chat.Input {
		return chat.Input{
			Player: benAs, Chat: chat.Chat{ID: groupID, Home: groupID, Lang: "cs"}, Presence: chat.Added, Places: []string{groupID},
			Once: fmt.Sprintf("%s added %d", groupID, 1700000000+times),
		}
	}
	for i, c := range []struct {
		status string
		want   chat.Input
	}{
		{"administrator", there}, {"member", there}, {"left", gone}, {"kicked", gone}, {"member", added(5)}, {"administrator", there},
		{"restricted", gone}, {"administrator", added(8)},
	} {
		group.BotIs(c.status, ben)
		t.Log(i, c.status)
		check(c.want)
	}
	if n := len(s.Calls("getChatMember")); n > 0 {
		t.Errorf("to read what people do took %d calls", n)
	}
}

func TestNamesCannotBeEmptyOrBreakLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		u    user
		want string
	}{
		{user{First: "Ann", Last: "Lee"}, "Ann Lee"},
		{user{First: "Ann\nplays", Last: "\t"}, "Ann plays"},
		{user{First: "\u200e\u202e", Username: "ann"}, "ann"},
		{user{ID: 7, First: " "}, "#7"},
		{user{First: "\u3164", Last: "\u2800", Username: "ann"}, "ann"},
	} {
		if got := c.u.player().Name; got != c.want {
			t.Errorf("%+v is called %q, want %q", c.u, got, c.want)
		}
	}
	if got := len([]rune(user{First: string(make([]rune, 300)) + "x"}.player().Name)); got > 64 {
		t.Errorf("a name of %d characters", got)
	}
}

func TestOneChatInOrderOthersBeside(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	ann, ben, cat := s.Person("Ann"), s.Person("Ben"), s.Person("Cat")
	one, two := s.Group("One"), s.Group("Two")
	const each = 20
	for i := range each {
		ann.Say(one, fmt.Sprintf("/leaderboard a%d", i))
		ben.Say(one, fmt.Sprintf("/leaderboard b%d", i))
		ann.Say(ann.Private(), fmt.Sprintf("/leaderboard c%d", i))
	}
	cat.Say(two, "/leaderboard other")

	var mu sync.Mutex
	var order []string
	other := make(chan struct{})
	connected(t, s, func(_ context.Context, in chat.Input) chat.Reply {
		word := in.Args["game"]
		if word == "other" {
			close(other)
			return chat.Reply{}
		}
		if word == "a0" {
			<-other // the first update waits for a person in another chat, without a deadlock
		}
		mu.Lock()
		defer mu.Unlock()
		order = append(order, word)
		return chat.Reply{}
	}, nil)
	if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
		t.Fatal(err)
	}
	// The updates of group One are handled in order, and so are all of Ann's.
	var inOne, byAnn []string
	for _, word := range order {
		if word[0] != 'c' {
			inOne = append(inOne, word)
		}
		if word[0] != 'b' {
			byAnn = append(byAnn, word)
		}
	}
	var wantOne, wantAnn []string
	for i := range each {
		wantOne = append(wantOne, fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i))
		wantAnn = append(wantAnn, fmt.Sprintf("a%d", i), fmt.Sprintf("c%d", i))
	}
	if !slices.Equal(inOne, wantOne) {
		t.Errorf("in the group: %v", inOne)
	}
	if !slices.Equal(byAnn, wantAnn) {
		t.Errorf("of Ann: %v", byAnn)
	}
}

func TestUpdateThatComesTwiceIsHandledOnce(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	_, got := inputs(t, s)
	ann := s.Person("Ann")
	ann.Start("one")
	s.Repeat()
	if in := <-got; in.Args["payload"] != "one" {
		t.Fatalf("got %v", in)
	}
	s.Repeat()
	ann.Start("two")
	if in := <-got; in.Args["payload"] != "two" {
		t.Errorf("after a repeated update came %v", in)
	}
}

func TestUpdatesAreAcknowledgedAfterTheyWereHandled(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	started, finish := make(chan struct{}), make(chan struct{})
	a, _ := adapter(t, s, nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stopped := make(chan error, 1)
	go func() {
		stopped <- a.Run(ctx, handler(func(context.Context, chat.Input) chat.Reply {
			close(started)
			<-finish
			screen := text("done")
			return chat.Reply{Screen: &screen}
		}))
	}()
	ann := s.Person("Ann")
	ann.Start("")
	<-started
	if s.Pending() != 1 {
		t.Error("the update was acknowledged while it was being handled")
	}
	stop()
	select {
	case err := <-stopped:
		t.Fatalf("Run returned with an update in hand: %v", err)
	default:
	}
	close(finish)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if s.Pending() != 0 {
		t.Error("the update handled last was not acknowledged")
	}
	if m := ann.Private().Messages(); len(m) != 1 || m[0].Text != "done" {
		t.Errorf("the reply in hand was not sent: %v", m)
	}
}

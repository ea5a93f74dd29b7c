package discord_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
)

func TestTheSameNonceIsOneMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := chat.Target{Chat: "discord:" + w.channel.ID}
	var addresses []chat.Address
	for _, nonce := range []string{"one", "one", strings.Repeat("another ", 20)} {
		a, err := w.adapter.Send(t.Context(), to, textScreen("hello"), nonce)
		if err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, a)
	}
	if addresses[0] != addresses[1] || addresses[0] == addresses[2] || len(w.ann.Sees(w.channel)) != 2 {
		t.Errorf("the addresses are %v", addresses)
	}
}

// A process may end after it has posted a message, and before it notes that. Another one then posts it again, and the screen may
// have changed.
func TestAMessageOfAnEarlierProcessShowsTheNewScreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := chat.Target{Chat: "discord:" + w.channel.ID}
	for _, text := range []string{"hello", "hello again"} {
		w.Advance(10 * time.Second)
		if _, err := w.adapter.Send(t.Context(), to, textScreen(text), "one"); err != nil {
			t.Fatal(err)
		}
	}
	if all := w.ann.Sees(w.channel); len(all) != 1 || all[0].Text != "hello again" {
		t.Errorf("Ann sees %+v", all)
	}
}

// A deleted message may be wanted again, in the minutes for which Discord keeps a nonce.
func TestADeletedMessageIsPostedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := chat.Target{Chat: "discord:" + w.channel.ID}
	for range 3 {
		at, err := w.adapter.Send(t.Context(), to, textScreen("hello"), "one")
		if err != nil {
			t.Fatal(err)
		}
		if all := w.ann.Sees(w.channel); len(all) != 1 {
			t.Errorf("Ann sees %+v", all)
		}
		if err := w.adapter.Delete(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		w.Advance(10 * time.Second)
	}
}

func TestAPrivateMessageOpensItsChannelOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	to := chat.Target{Player: "discord:" + w.ann.ID}
	for i := range 3 {
		if _, err := w.adapter.Send(t.Context(), to, textScreen("hello"), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	opened := 0
	for _, c := range w.Calls() {
		if c.Path == "/users/@me/channels" {
			opened++
		}
	}
	if got := w.ann.Sees(w.ann.DM()); len(got) != 3 || opened != 1 {
		t.Errorf("%d messages, %d times opened", len(got), opened)
	}
	w.ann.RefuseDMs(true)
	_, err := w.adapter.Send(t.Context(), to, textScreen("hello"), "4")
	if d := fault(t, err); d.Fault != chat.Unreachable {
		t.Errorf("closed direct messages: %v", err)
	}
}

func fault(t *testing.T, err error) *chat.DeliveryError {
	t.Helper()
	var d *chat.DeliveryError
	if !errors.As(err, &d) {
		t.Fatalf("%v is no delivery error", err)
	}
	return d
}

func TestDeliveryErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct {
		name  string
		fault discordtest.Fault
		want  chat.Fault
	}{
		{"limited", discordtest.Fault{Status: 429, After: 0.001}, chat.Retry},
		{"down", discordtest.Fault{Status: 503}, chat.Retry},
		{"broken", discordtest.Fault{Status: 500}, chat.Retry},
		{"a gateway away", discordtest.Fault{Status: 502}, chat.Retry},
		{"cut off", discordtest.Fault{Cut: true}, chat.Retry},
		{"no access", discordtest.Fault{Status: 403, Code: 50001}, chat.Unreachable},
		{"no permission", discordtest.Fault{Status: 403, Code: 50013}, chat.Unreachable},
		{"no mutual server", discordtest.Fault{Status: 403, Code: 50278}, chat.Unreachable},
		{"an unknown refusal", discordtest.Fault{Status: 403, Code: 340_001}, chat.Unreachable},
		{"a general refusal", discordtest.Fault{Status: 403}, chat.Retry},
		{"JSON of a proxy", discordtest.Fault{Status: 403, Code: 403}, chat.Retry},
		{"Cloudflare", discordtest.Fault{Status: 403, Code: 40333}, chat.Retry},
		{"message deleted", discordtest.Fault{Status: 404, Code: 10008}, chat.Gone},
		{"channel deleted", discordtest.Fault{Status: 404, Code: 10003}, chat.Gone},
		{"too old", discordtest.Fault{Status: 429, Code: 30046, After: 0.001}, chat.Gone},
		{"answer over", discordtest.Fault{Status: 401, Code: 50027}, chat.Gone},
		{"refused", discordtest.Fault{Status: 400, Code: 50035}, chat.Invalid},
	}
	for _, test := range tests {
		channel := w.guild.NewChannel(test.name) // a channel for each test, with its own limits
		at, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + channel.ID}, textScreen("hello"), "1")
		if err != nil {
			t.Fatal(err)
		}
		test.fault.Path, test.fault.Times = "/channels/", 1
		w.Fail(test.fault)
		if d := fault(t, w.adapter.Edit(t.Context(), at, textScreen("hello"))); d.Fault != test.want {
			t.Errorf("%s: %v, wanted %v", test.name, d, test.want)
		}
	}

	to := chat.Target{Chat: "discord:" + w.channel.ID}
	at, err := w.adapter.Send(t.Context(), to, textScreen("hello"), "1")
	if err != nil {
		t.Fatal(err)
	}
	w.Fail(discordtest.Fault{Path: "/channels/", Times: 1, Status: 429, After: 300})
	before := w.calls("PATCH /channels/")
	for range 3 {
		if d := fault(t, w.adapter.Edit(t.Context(), at, textScreen("hello"))); d.Fault != chat.Retry || d.After < 4*time.Minute {
			t.Errorf("limited: %+v", d)
		}
	}
	if n := w.calls("PATCH /channels/") - before; n != 1 {
		t.Errorf("%d requests although the first said to wait", n)
	}
	if _, err := w.adapter.Send(t.Context(), to, textScreen("hello"), "2"); err != nil {
		t.Errorf("a limited edit holds up a new message: %v", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.adapter.Send(ctx, to, textScreen("hello"), "3")
	if d := fault(t, err); d.Fault != chat.Retry || !errors.Is(err, context.Canceled) {
		t.Errorf("after the caller gave up: %v", err)
	}
	for _, bad := range []chat.Address{"", "discord:", "discord:m/1", "discord:m/../2", "discord:i/5/", "telegram:m/1/2"} {
		if d := fault(t, w.adapter.Edit(t.Context(), bad, textScreen("hello"))); d.Fault != chat.Invalid {
			t.Errorf("%q: %v", bad, d)
		}
	}
}

func TestDeletingTwiceIsNoError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("hello"), "1")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.adapter.Delete(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.ann.Sees(w.channel); len(got) != 0 {
		t.Errorf("it still stands: %v", got)
	}
	if d := fault(t, w.adapter.Edit(t.Context(), at, textScreen("hello"))); d.Fault != chat.Gone {
		t.Errorf("an edit of a deleted message: %v", d)
	}
}

func TestAnOverAnswerIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{Screen: new(textScreen("a hand"))}
	})
	i := w.ann.Slash(w.channel, "hand", nil)
	i.Wait()
	in := <-inputs
	i.Expire()
	err := w.adapter.Edit(t.Context(), in.Answer, textScreen("another"))
	if d := fault(t, err); d.Fault != chat.Gone {
		t.Errorf("an answer that is over: %v", err)
	}
	if strings.Contains(err.Error(), "interaction-token") {
		t.Errorf("the error holds the token: %v", err)
	}
	if err := w.adapter.Delete(t.Context(), in.Answer); err != nil {
		t.Errorf("deleting it: %v", err)
	}
}

// Network errors must not show the address of a request: it may contain a token.
func TestErrorsHoldNoToken(t *testing.T) {
	t.Parallel()
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Token: "secret-token", APIBase: "http://127.0.0.1:1", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	_, err1 := a.Send(t.Context(), chat.Target{Chat: "discord:12"}, textScreen("a secret hand"), "1")
	err2 := a.Edit(t.Context(), "discord:i/12/secret-token", textScreen("a secret hand"))
	err3 := a.Edit(t.Context(), "discord:i/12/secret%zz\x7f", textScreen("a secret hand"))
	err4 := a.Edit(t.Context(), "discord:x/secret", textScreen("a secret hand"))
	for _, err := range []error{err1, err2, err3, err4} {
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("the error is %v", err)
		}
	}
}

// TestAPrivateChatServesOtherProcesses checks that an adapter doesn't open a private chat if it
// gets the chat's address. If that chat belongs to another bot, whose token was used
// before, the adapter opens its own.
func TestAPrivateChatServesOtherProcesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := "discord:" + w.ann.ID
	opened := func() int { return w.calls("POST /users/@me/channels") }
	open := func(a *discord.Adapter, known chat.Address) chat.Address {
		t.Helper()
		at, err := a.PrivateChat(t.Context(), player, func() chat.Address { return known })
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	first := open(w.adapter, "")
	for n, foreign := range []chat.Address{"", chat.Address("discord:c/" + w.NewPrivate().ID), "discord:c/1"} {
		other, err := discord.New(discord.Config{Commands: bot.Commands(), Token: w.Token(), APIBase: w.URL(), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		known := first
		if foreign != "" {
			known = foreign
		}
		at := open(other, known)
		if at != known || opened() != max(n, 1) {
			t.Errorf("%q became %q, %d private chats were opened", known, at, opened())
		}
		if _, err := other.Send(t.Context(), chat.Target{Player: player, PrivateChat: at}, textScreen("hello"), fmt.Sprint(n)); err != nil {
			t.Errorf("through %q: %v", at, err)
		}
		if at := open(other, known); at != first || opened() != n+1 {
			t.Errorf("then %q became %q, %d private chats were opened", known, at, opened())
		}
	}
	if got := len(w.ann.Sees(w.ann.DM())); got != 3 {
		t.Errorf("%d messages arrived", got)
	}
}

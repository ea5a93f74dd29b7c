package discord_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/discordtest"
)

// A page that a proxy sends in Discord's place says nothing about what the bot asked for, whatever its status: every kind of
// request is made again.
func TestAProxysPageIsNoVerdict(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound} {
		w := newWorld(t)
		w.guild.Place(true, 5, "Sedma champion", 1)
		home, ctx := "discord:"+w.guild.ID, t.Context()
		at, err := w.adapter.Send(ctx, chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("hello"), "1")
		if err != nil {
			t.Fatal(err)
		}
		for what, ask := range map[string]func() error{
			"give a mark": func() error {
				_, err := w.adapter.Mark(ctx, home, "discord:"+w.ann.ID, chat.Mark{}, chat.Mark{Rank: 1, Role: "Sedma champion"})
				return err
			},
			"check the marks": func() error { _, err := w.adapter.Mark(ctx, home, "", chat.Mark{}, chat.Mark{}); return err },
			"open a chat": func() error {
				_, err := w.adapter.PrivateChat(ctx, "discord:"+w.bob.ID, func() chat.Address { return "" })
				return err
			},
			"edit a message": func() error { return w.adapter.Edit(ctx, at, textScreen("hello again")) },
		} {
			w.Fail(discordtest.Fault{Times: 1, Status: status, Page: true})
			var d *chat.DeliveryError
			if err := ask(); !errors.As(err, &d) || d.Fault != chat.Retry || errors.As(err, new(*chat.MarkError)) {
				t.Errorf("%s, and get a page of %d: %v", what, status, err)
			}
		}
	}
}

// A page in place of the answers at the start doesn't end the bot, and the commands are registered after it.
func TestProxysPagesAtTheStartAreWaitedOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Fail(discordtest.Fault{Path: "/applications/@me", Times: 1, Status: http.StatusUnauthorized, Page: true})
	w.Fail(discordtest.Fault{Method: http.MethodPut, Path: "/applications/", Times: 1, Status: http.StatusForbidden, Page: true})
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{} })
	w.Until("the commands are registered", func() bool {
		for _, c := range w.Calls() {
			if c.Method == http.MethodPut && strings.HasSuffix(c.Path, "/commands") && c.Status == http.StatusOK {
				return true
			}
		}
		return false
	})
}

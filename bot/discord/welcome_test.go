package discord_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
)

// The bot hears of servers when it connects, and says nothing there. In a server that has
// just added it, it writes one message. It does so again only if the server has removed it
// meanwhile. An outage of the server is no addition.
func TestAServerThatAddsTheBotIsWelcomedOnce(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	count := func(c *discordtest.Channel) (n int) {
		for _, m := range w.ann.Sees(c) {
			if strings.Contains(m.Text, "Hello! I deal cards.") {
				n++
			}
		}
		return n
	}
	join := func() (*discordtest.Guild, *discordtest.Channel) {
		g := w.NewGuild(w.ann)
		c := g.NewChannel("general")
		g.Tell(true, false)
		w.shows(w.ann, c, "Hello! I deal cards.")
		return g, c
	}
	w.guild.Tell(true, false) // as when the bot connects
	guild, general := join()
	m := w.shows(w.ann, general, "Hello! I deal cards.")
	for _, label := range []string{"New table", "Tutorial", "Language"} {
		if _, ok := m.Button(label); !ok {
			t.Errorf("no button %q: %v", label, m)
		}
	}
	w.ann.Click(m, "Language").Wait()
	w.ann.Click(m, "New table").Wait()
	w.shows(w.ann, general, "who plays?")
	w.Until("the table takes the welcome away", func() bool { return count(general) == 0 })
	w.ann.Slash(general, "close", nil).Wait() // there is no welcome below an open table

	guild.Tell(false, true)
	guild.Tell(true, false)
	w.Drop() // the connection ends, and the session is resumed
	w.Until("the bot is connected again", func() bool { return w.Connected() == 1 })
	guild.Tell(true, false)
	guild.Tell(false, false)
	guild.Tell(true, false)
	w.Until("the second welcome", func() bool { return count(general) == 1 })
	_, other := join() // any welcome of the first server would have come before that
	if count(general) != 1 || count(other) != 1 || count(w.channel) != 0 {
		t.Errorf("welcomes: %d, %d, %d in a server that it was already in", count(general), count(other), count(w.channel))
	}
}

// A server that adds the bot again is welcomed, although the bot was refused there just before.
func TestAServerThatAddsTheBotAgain(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	w.guild.Permit(discordtest.MayView)
	if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("hello"), "1"); fault(t, err).Fault != chat.Unreachable {
		t.Errorf("the channel: %v", err)
	}
	w.guild.Tell(false, false)
	w.guild.Permit(discordtest.MayAll)
	w.guild.Tell(true, false)
	w.shows(w.ann, w.channel, "Hello! I deal cards.")
}

// A server that has no channel where the bot may write gets no message, and neither does
// anybody in private: Discord doesn't say who added the bot.
func TestAServerWhereTheBotMayNotWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 4)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{}
	})
	g := w.NewGuild(w.ann)
	g.NewChannel("general")
	g.Permit(discordtest.MayView)
	g.Tell(true, false)
	if in := <-inputs; in.Presence != chat.Added || in.Places != nil || in.Player.ID != "" || in.Once == "" {
		t.Errorf("%+v", in)
	}
}

// Discord doesn't repeat that the bot was added or removed, so the adapter does until the store is back.
func TestAPresenceIsRepeatedWhileTheStoreIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 9)
	var tries atomic.Int64
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		if tries.Add(1) < 3 {
			return chat.Reply{Outcome: chat.Failed}
		}
		return chat.Reply{}
	})
	g := w.NewGuild(w.ann)
	g.Tell(true, false)
	g.Tell(false, false)
	for range 3 {
		if in := <-inputs; in.Presence != chat.Added {
			t.Errorf("%+v", in)
		}
	}
	if in := <-inputs; in.Presence != chat.Removed {
		t.Errorf("%+v", in)
	}
}

// The command on a person opens a table, and invites that person in a message that calls
// nobody else. Bots are not invited.
func TestPlaySedmaOnAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	if m, _ := w.ann.InviteTo(w.channel, w.NewPerson("Robot"), true).Wait(); !m.Ephemeral || !strings.Contains(m.Text, "Other bots don't play") {
		t.Errorf("a bot: %v", m)
	}
	w.ann.InviteTo(w.channel, w.bob, false).Wait()
	m := w.shows(w.bob, w.channel, "invites") // a late answer is a message of its own
	if m.Ephemeral || len(m.Called) != 1 || m.Called[0] != w.bob.ID {
		t.Errorf("the invitation: %v calls %v", m, m.Called)
	}
	w.shows(w.ann, w.channel, "who plays?")
	w.bob.Click(m, "Join").Wait()
	w.shows(w.ann, w.channel, "Side 2: Bob")
	if m, _ := w.ann.InviteTo(w.channel, w.bob, false).Wait(); !m.Ephemeral {
		t.Errorf("somebody who sits there already: %v", m)
	}
}

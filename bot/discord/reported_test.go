package discord_test

import (
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/doc"
	"sedmabot/store/storetest"
)

// A server that removes the bot while no process runs is noted at the next start of two processes. Other servers and private
// chats stay. If the server takes the bot back, also while no process runs, the note is deleted.
func TestAServerRemovesTheBotWhileItIsDown(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	kept := storetest.NewMemory()
	defer kept.Close()
	other, quiet := w.NewGuild(w.ann), w.NewGuild(w.bob)
	for _, g := range []*discordtest.Guild{w.guild, other, quiet} {
		g.Tell(true, false)
	}
	noted := func(home string) bool {
		docs, err := kept.Get(t.Context(), doc.PurgeKey("discord:"+home))
		if err != nil {
			t.Fatal(err)
		}
		return docs[0].Version != 0
	}
	stop := w.start(t, kept, 2)
	w.ann.Slash(w.channel, "new", nil).Wait()
	w.shows(w.ann, w.channel, "who plays?")
	w.ann.Slash(w.ann.DM(), "new", nil).Wait()
	w.shows(w.ann, w.ann.DM(), "who plays?")
	welcomed := func(g *discordtest.Guild) bool {
		docs, err := kept.Get(t.Context(), doc.InHome("discord:"+g.ID, "welcome:discord:"+g.ID))
		return err == nil && docs[0].Version != 0
	}
	w.Until("each server is known", func() bool { return welcomed(w.guild) && welcomed(other) && welcomed(quiet) })
	stop()

	w.guild.RemoveBot()
	quiet.RemoveBot()
	stop = w.start(t, kept, 2)
	w.Until("the removals", func() bool { return noted(w.guild.ID) && noted(quiet.ID) })
	stop()
	if noted(other.ID) || noted(w.ann.DM().ID) {
		t.Errorf("a server that stays: %v, a private chat: %v", noted(other.ID), noted(w.ann.DM().ID))
	}

	quiet.Tell(true, false)
	stop = w.start(t, kept, 2)
	w.Until("it is back", func() bool { return !noted(quiet.ID) })
	stop()
	if !noted(w.guild.ID) {
		t.Error("the other removal is forgotten")
	}
}

package discord_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/discord/discordtest"
)

// A tournament at a set time is shown in each reader's own time zone. If the bot may create
// events, the server's calendar has it, once, until it is called off.
func TestAnEveningIsInTheCalendar(t *testing.T) {
	t.Parallel()
	clock.Waits(t)
	for _, may := range []bool{true, false} {
		w := newWorld(t)
		if may {
			w.guild.Permit(discordtest.MayAll | discordtest.MayEvents)
		}
		w.play(t)
		when := time.Now().UTC().Add(3 * time.Hour).Format("2006-01-02 15:04")
		question, _ := w.ann.Slash(w.channel, "evening", map[string]any{"when": when, "kind": "singles"}).Wait()
		w.ann.Click(question, "Post it here").Wait()
		w.shows(w.ann, w.channel, "The tournament is planned") // the question is gone
		m := w.shows(w.ann, w.channel, "Begins: <t:")
		if !strings.Contains(m.Text, ":F>") {
			t.Errorf("the time: %s", m.Text)
		}
		w.ann.Click(m, "Take part")
		w.shows(w.ann, w.channel, "Entered: 1")
		if may {
			w.Until("the calendar has the tournament", func() bool { return len(w.guild.Events()) == 1 })
			e := w.guild.Events()[0]
			if e.Start.Format("2006-01-02 15:04") != when || !strings.HasSuffix(e.Where.Location, w.guild.ID+"/"+w.channel.ID) || !strings.Contains(e.Name, "Sedma") {
				t.Errorf("it has %+v", e)
			}
		} else if n := len(w.guild.Events()); n != 0 {
			t.Errorf("without the permission there are %d events", n)
		}
		ask, ok := w.ann.Click(m, "Call off").Wait()
		if !ok || !ask.Ephemeral {
			t.Fatalf("it asks %v", ask)
		}
		w.ann.Click(ask, "Call off")
		w.shows(w.ann, w.channel, "It was called off.")
		w.Until("the calendar is empty", func() bool { return len(w.guild.Events()) == 0 })
	}
}

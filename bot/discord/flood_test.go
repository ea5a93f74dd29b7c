package discord_test

import (
	"context"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/discordtest"
)

// However often somebody presses a button, the log has one line for each kind of fault,
// not one for each press.
func TestAFloodOfPressesFillsNoLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		if in.Press == "panic" {
			panic("at the disco")
		}
		return chat.Reply{Screen: new(textScreen("hello"))}
	})
	if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("the table"), "1"); err != nil {
		t.Fatal(err)
	}
	table := w.ann.Sees(w.channel)[0]
	const times = 30
	for range times {
		w.bob.Press(table, "").Wait()
		w.bob.Press(table, "panic").Wait()
	}
	refused := 0
	w.Fail(discordtest.Fault{Path: "/interactions/", Times: 3 * times, Status: 403, Code: 50001})
	for range times {
		w.bob.Press(table, "refused")
	}
	w.Until("all answers were refused", func() bool {
		refused = 0
		for _, c := range w.Calls() {
			if c.Status == 403 {
				refused++
			}
		}
		return refused >= times
	})
	w.shutDown()
	if err := <-w.runResults; err != nil { // afterwards, all running work has been logged
		t.Error(err)
	}
	bottest.Lines(t, w.log.String(), "discord sent an interaction that cannot be understood", "handling an input panicked", "an interaction could not be answered")
}

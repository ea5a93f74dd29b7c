package discord_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// If the application has Activities, Discord has made an Entry Point command, and refuses a list of commands without
// it. The bot keeps it as it is, whether or not its tables have pages.
func TestTheEntryPointCommandIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Activities()
	before, err := json.Marshal(w.Commands())
	if err != nil {
		t.Fatal(err)
	}
	puts := func() (n int) {
		for _, c := range w.Calls() {
			if c.Method == "PUT" {
				n++
			}
		}
		return n
	}
	for range 2 {
		w.run(t, handler(nil))
		w.Until("the commands are registered", func() bool { return puts() > 0 })
		w.shutDown()
		if err := <-w.runResults; err != nil {
			t.Fatal(err)
		}
		w.Until("not connected", func() bool { return w.Connected() == 0 })
	}
	all := w.Commands()
	kept := slices.DeleteFunc(all, func(c any) bool {
		text, err := json.Marshal(c)
		return err != nil || !strings.Contains(string(text), `"type":4,`)
	})
	after, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	if puts() != 1 || string(after) != string(before) {
		t.Errorf("after %d requests, the commands are %s, and were %s", puts(), after, before)
	}
}

// "Play here" opens the Activity at once, and so does an Entry Point command that Discord passes on. The bot isn't asked.
func TestPlayHereOpensTheActivity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Activities()
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		t.Errorf("the bot got %+v", in)
		return chat.Reply{}
	})
	s := textScreen("A table.")
	s.Rows = [][]screen.Button{{{Label: "Play here", Page: "t1"}}}
	if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, s, "n"); err != nil {
		t.Fatal(err)
	}
	press := w.ann.Click(w.ann.Sees(w.channel)[0], "Play here")
	press.Wait()
	command := w.bob.LaunchByCommand(w.channel)
	command.Wait()
	if !press.Launched() || !command.Launched() {
		t.Errorf("launched by the button: %v, by the command: %v", press.Launched(), command.Launched())
	}
}

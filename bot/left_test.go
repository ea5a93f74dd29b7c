package bot_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
)

// TestRoomsAreLeftOut plays with a bot that leaves out all rooms of the club, on the store of one that has them. A table that
// they opened is played to its end. No screen leads to them, and their commands, old buttons and settings are answered in one
// sentence. A person's data still has what is theirs, and the rooms go on when they are back.
func TestRoomsAreLeftOut(t *testing.T) {
	t.Parallel()
	clocktest.Single(t)
	const here, ann, ben = "test:here", "test:ann", "test:ben"
	town.In(t, func(t *testing.T, whole *town.Town) {
		whole.Command(ann, here, "daily")
		whole.Pass(time.Second)
		ids, err := whole.Tables.TablesOf(t.Context(), ann)
		if err != nil || len(ids) != 1 {
			t.Fatal(ids, err)
		}
		whole.Manages(ann, here, "strangers", "on")
		old := whole.Match(here, "2", ann, ben)

		core := town.New(t, whole.Docs.Store, func(c *bot.Config) { c.Without = bot.Rooms() })
		if over := core.PlayOn(ids[0], 1000); over.Phase != table.Over {
			t.Errorf("the deal of the day is in phase %s", over.Phase)
		}
		for _, name := range []string{"play", "daily", "puzzle", "replay", "tournament", "evening"} {
			if r := core.Command(ann, here, name); !strings.Contains(r.Toast, "switched off") || r.Screen != nil {
				t.Errorf("/%s: %q", name, r.Toast)
			}
		}
		for _, press := range []town.Press{
			"now:", "daily:now:", "puzzle:", "hint:" + town.Press(old.ID), "replay:" + town.Press(old.ID) + ":1:1:0:", "meet:" + town.Press(old.ID) + ":again:yes", "silence:x",
			town.HomeSetting("marks", "on", here), town.HomeSetting("page", "strangers", here), town.OwnSetting("tell", "on", here),
		} {
			if r := core.Asks(ann, here, press); !strings.Contains(r.Toast, "switched off") {
				t.Errorf("%s: %q", press, r.Toast)
			}
		}

		core.Chats.Deliveries()
		core.Match(here, "2", ann, ben)
		core.Pass(time.Minute)
		shown := []string{core.Command(ann, ann, "hello").Screen.String(), core.Command(ann, ann, "help").Screen.String()}
		for _, command := range []string{"settings", "leaderboard", "stats"} {
			shown = append(shown, core.Command(ann, here, command).Screen.String())
		}
		for _, d := range core.Chats.Deliveries() {
			if d.To == here {
				shown = append(shown, d.Text)
			}
		}
		core.Has(core.Command(ann, here, "leaderboard"), "1. ", "ann", "ben")
		all := strings.Join(shown, "\n")
		for _, label := range []string{"Deal of the day", "Puzzle", "Play now", "Replay", "Coach", "Copy result", "Tell me", "Ranks"} {
			if strings.Contains(all, "["+label) {
				t.Errorf("%q leads to a room that is left out:\n%s", label, all)
			}
		}
		if !strings.Contains(all, "[Rematch]") {
			t.Errorf("no match was played:\n%s", all)
		}
		if text := string(core.Command(ann, ann, "mydata", "what", "export").Screen.File.Data); !strings.Contains(text, `"daily"`) {
			t.Errorf("the person's data lacks the deal of the day:\n%s", text)
		}

		core.Pass(50 * time.Hour)
		back := town.New(t, whole.Docs.Store)
		back.Pass(25 * time.Hour)
		back.Has(back.Command(ann, here, "replay", "id", doc.MatchID(old.ID, 1)), "ann")
	})
}

// TestToolsKnowAllRooms checks that what tools read names of is whole: a bot without a store fails at its jobs and doesn't panic.
func TestToolsKnowAllRooms(t *testing.T) {
	t.Parallel()
	kinds := bot.Kinds()
	for _, name := range []string{"table", "home", "player", "match", "tournament", "daily", "solver", "meet", "marks", "verdict"} {
		if _, ok := kinds[name]; !ok {
			t.Errorf("there are no documents of the kind %q", name)
		}
	}
	if all, core := len(bot.Commands()), len(bot.Commands(bot.Rooms()...)); all-core != 6 {
		t.Errorf("%d commands, %d without the club", all, core)
	}
}

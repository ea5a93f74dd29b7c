package bot

import (
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// On the boards over all chats, readers from other chats see a person's name only after the
// person has agreed. The board asks once, in private. The settings can change the answer.
func TestNamesLeaveAChatOnlyAfterTheirOwnersAgreed(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const here, there = "test:here", "test:there"
		const ask = "Show them your name instead?"
		for range league.HallMatches {
			w.match(here, "2", ann, "test:ben")
			w.match(there, "2", "test:cat", "test:dan")
		}
		w.pass(time.Minute) // the results reach the boards over all chats
		all := func(player, home string) chat.Reply {
			t.Helper()
			return w.command(player, home, "leaderboard", "where", "everywhere")
		}
		w.has(all("test:cat", there), "cat", "dan", "Player from another chat", "!"+annName, "!ben", "!"+ask)
		w.has(all("test:eve", "test:nowhere"), "!cat", "!ben", "!"+annName)
		w.has(w.command("test:cat", there, "leaderboard"), "cat", "dan", "!another chat")

		// In private, only a person who is on the board is asked, until they have answered.
		w.has(all("test:eve", "test:eve"), "!"+ask)
		private := all("test:ben", "test:ben")
		w.has(private, "ben", ask, "!"+annName)
		r := w.presses("test:ben", "test:ben", mustPress(t, private, "Keep it hidden"))
		w.has(r, "Players from other chats see you here as", "!"+ask)
		w.has(all("test:cat", there), "!ben")
		r = w.presses(ann, here, mustPress(t, w.presses(ann, here, mustPress(t, w.command(ann, here, "leaderboard"), "All chats")), "Show my name"))
		w.has(r, "Players from other chats see your name here.", "!"+ask)
		w.has(all("test:cat", there), annName, "!ben")

		w.pass(season) // the season ends, and the hall of fame over all chats lists its best
		hall := func(player, home string) chat.Reply {
			return w.presses(player, home, pressText("hall:season:all:0:1"))
		}
		w.has(hall("test:eve", "test:nowhere"), "Season from January 2000", "Player from another chat", "!ben", "!cat", "!dan")
		w.has(hall("test:cat", there), "!ben")
		w.has(hall("test:ben", here), "!cat", "!dan")

		// The settings change it, and a version that doesn't know the answer only hides the name.
		w.presses("test:ben", "test:ben", ownSetting("seen", "yes", ""))
		w.has(all("test:cat", there), "!ben") // nobody has played in this season
		all = func(player, home string) chat.Reply {
			t.Helper()
			return w.command(player, home, "leaderboard", "where", "everywhere", "period", "all")
		}
		w.has(all("test:cat", there), "ben", annName)
		key := doc.PlayerKey("test:ben")
		docs, err := w.docs.Store.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		err = w.docs.Store.Commit(t.Context(), store.Change{Partition: key.Partition, Now: w.docs.Now(), Writes: []store.Write{{Name: key.Name, Expect: docs[0].Version}}})
		if err != nil {
			t.Fatal(err)
		}
		w.has(all("test:cat", there), "!ben", annName)
	})
}

package bot

import (
	"testing"

	"sedmabot/game/table"
)

// A page may press only what concerns its table, and what shows finished matches and boards.
func TestWhatAPageMayPress(t *testing.T) {
	t.Parallel()
	b := declared(nil)
	at := table.Public{Lasting: table.Lasting{ID: "t", Home: "telegram:-4"}}
	daily := at
	daily.Daily = &table.Daily{Date: "2026-11-21"}
	for press, want := range map[string][2]bool{ // at an ordinary table, and at one of the deal of the day
		"rules:t": {true, true}, "rules:u": {}, "play:t:1:2:9h": {true, true}, "play:u:1:2:9h": {}, "close:t": {true, true}, "set:t:length:h1": {true, true}, "look:t:face:french": {true, true}, "look:u:face:french": {},
		"replay:u:1:1:0:": {true, true}, "ladder:season:all:0:0": {true, true}, "feats:first": {true, true},
		"unseen:season:all:0:0": {}, "seen:season:all:0:0": {}, "hush:t": {}, "tell:t": {}, "silence:t": {}, "lesson:": {}, "new:": {}, "now:": {},
		"mine:page:list:": {}, "cfg:page:list:telegram:-4": {}, "data:delete": {}, "cup:t:join:1": {}, "evening:t:join:1": {}, "puzzle:now:1:": {},
		"daily:now:": {}, "daily:2026-11-21:telegram:-4": {false, true}, "daily:2026-11-20:telegram:-4": {false, true},
		"daily:2026-11-22:telegram:-4": {}, "daily:2026-11-21:telegram:-5": {}, "": {}, "dance:t": {}, "rules:t ": {},
	} {
		for i, place := range []table.Public{at, daily} {
			if got := b.allows(place, press); got != want[i] {
				t.Errorf("%q at table %d: %v", press, i, got)
			}
		}
	}
}

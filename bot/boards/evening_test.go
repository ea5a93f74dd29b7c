package boards_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/league"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// evenings are what friends play, by name: who sits where, with levels of the AI, and the winning side of each match. A
// name with a minus was absent, and one with a slash left.
var evenings = map[string]struct{ seats, winners string }{
	"two":      {"ann ben hard hard", "1011010111"},
	"three":    {"ann ben cat hard", "0101100101"},
	"together": {"ann medium ben medium", "0100101100"},
	"four":     {"ann ben cat- dan/", "0110100110"},
}

// evening enters an evening's matches in a store, and returns what the board, the statistics and the ledger's check say after
// some of them.
func evening(t *testing.T, s store.Store, seats, winners string) string {
	t.Helper()
	now := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	w := town.New(t, s, func(c *bot.Config) { c.Now = func() time.Time { return now } })
	var out strings.Builder
	for i, winner := range winners {
		r := league.Result{At: now, Family: "sedma"}
		for seat, name := range strings.Fields(seats) {
			side := seat % 2
			won := side == int(winner-'0')
			own := league.ResultSeat{Side: side, Rank: 2, Won: won, Stakes: -3}
			if won {
				own.Rank, own.Stakes = 1, 3
			}
			switch plain := strings.TrimRight(name, "-/"); {
			case name == "hard" || name == "medium":
				own.AI, own.Won = name, false
			default:
				own.Player, own.Name = "test:"+plain, strings.ToUpper(plain[:1])+plain[1:]
				if i%2 == 0 { // in every other match
					own.Absent = strings.HasSuffix(name, "-")
					own.Gone = strings.HasSuffix(name, "/")
				}
				if own.Gone {
					own.Won, own.Stakes = false, min(0, own.Stakes)
				}
			}
			r.Seats = append(r.Seats, own)
		}
		enter(t, w, "test:friends", fmt.Sprint("m-", i+1), r)
		if n := i + 1; n == 1 || n == 3 || n == 10 {
			fmt.Fprintf(&out, "== after %d\n%s%s", n, w.Command("test:ann", "test:friends", "leaderboard").Screen, w.Command("test:ann", "test:friends", "stats").Screen)
		}
	}
	if a, err := upkeep.CheckBoards(t.Context(), s); err != nil || len(a.Wrong) > 0 {
		t.Errorf("the boards are not what the ledger says: %v, %v", err, a.Wrong)
	}
	return out.String()
}

// After one, three and ten matches of friends, with the AI in the other seats, boards and statistics say who leads. They say the
// same in Redis and in a file.
func TestEvenings(t *testing.T) {
	t.Parallel()
	for name, e := range evenings {
		file, err := boltstore.Open(filepath.Join(t.TempDir(), "evening.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		redis, err := redisstore.Open(t.Context(), redistest.Start(t).URL(), redisstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = redis.Close() })
		inFile, inRedis := evening(t, file, e.seats, e.winners), evening(t, redis, e.seats, e.winners)
		if diff := cmp.Diff(inFile, inRedis); diff != "" {
			t.Errorf("%s: the stores differ: %s", name, diff)
		}
		screentest.Golden(t, "en", "evening-"+name, inFile)
	}
}

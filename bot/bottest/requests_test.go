package bottest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// A match in a Telegram group takes few requests for each press, including its answer. The people have open private
// chats. The table, the hand of the person who pressed, and that of the next one show soon what a press has done.
func TestAMatchTakesFewRequests(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("whole matches take too long under the race detector")
	}
	for _, c := range []struct {
		people int // the AI has the fourth seat if they are three
		pace   town.Pace
		most   float64 // requests a press

		table, hand, turn town.Waits
	}{
		{2, town.Slow, 4.8, town.Soon(0, 0), town.Soon(0, 6), town.Soon(0, 6)},
		{3, town.Hasty, 2.6, town.Soon(2.6, 5), town.Soon(1.2, 6.5), town.Soon(2, 12)},
		{4, town.Hasty, 1.8, town.Soon(1.8, 3.5), town.Soon(0.8, 7), town.Soon(1.5, 13)},
		{4, town.Steady, 3.9, town.Soon(1.8, 4.1), town.Soon(0, 6), town.Soon(0, 6)},
	} {
		t.Run(fmt.Sprintf("%d people, a press after %v", c.people, c.pace.Least), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const group = -1000
				requests := town.Requests{Table: strconv.Itoa(group)}
				server := &overheard{limited: newLimited(), requests: &requests}
				file := storetest.NewMemory()
				seed := func() table.Seed { return table.Seed{19, 1} }
				defer file.Close()
				b, ctx, end := runProcess(t, server, file, nil, bot.Config{Pace: time.Second, Seed: seed})
				defer end()
				defer close(server.released)
				time.Sleep(2 * time.Second)

				do := func(person, command, press string) {
					id := "telegram:" + strconv.Itoa(group)
					b.Handle(ctx, chat.Input{
						Player: chat.Player{ID: "telegram:" + person, Name: "P" + person, Lang: "en"},
						Chat:   chat.Chat{ID: id, Home: id}, Command: command, Press: press,
						Args: map[string]string{"players": strconv.Itoa(c.people + c.people%2)},
					})
				}
				do("11", "new", "")
				for p := 1; p < c.people; p++ {
					do(strconv.Itoa(11+p), "join", "")
				}
				do("11", "start", "")
				time.Sleep(5 * time.Second)
				requests.Begin()
				town.PressOut(t, file, c.pace, func(player, press string) {
					person := strings.TrimPrefix(player, "telegram:")
					requests.Press(person)
					requests.Count("answer")
					do(person, "", press)
				})
				time.Sleep(10 * time.Second)
				requests.Check(t, c.most, c.table, c.hand, c.turn)
			})
		})
	}
}

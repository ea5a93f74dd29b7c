package bottest

import (
	"fmt"
	"slices"
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
// chats. Everybody can read at the table or in their private chat what a press has done, soon after it.
func TestAMatchTakesFewRequests(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("whole matches take too long under the race detector")
	}
	for _, c := range []struct {
		people int           // the AI has the fourth seat if they are three
		think  time.Duration // before each press; 0: like somebody who presses as fast as they can
		most   float64       // requests a press
		late   time.Duration // until 99 of 100 can read what a press has done
	}{
		{2, 10 * time.Second, 5.05, 0},
		{3, 0, 2.6, 1700 * time.Millisecond},
		{4, 2 * time.Second, 5.65, 3600 * time.Millisecond}, // the end of a deal waits for the group's limit
	} {
		t.Run(fmt.Sprintf("%d people, a press after %v", c.people, c.think), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := &overheard{limited: newLimited()}
				file := storetest.NewMemory()
				seed := func() table.Seed { return table.Seed{19, 1} }
				defer file.Close()
				b, ctx, end := runProcess(t, server, file, nil, bot.Config{Pace: time.Second, Seed: seed})
				defer end()
				defer close(server.released)
				time.Sleep(2 * time.Second)

				const group = -1000
				do := func(person int64, command, press string) {
					id := "telegram:" + strconv.Itoa(group)
					b.Handle(ctx, chat.Input{
						Player: chat.Player{ID: "telegram:" + strconv.FormatInt(person, 10), Name: "P" + strconv.FormatInt(person, 10), Lang: "en"},
						Chat:   chat.Chat{ID: id, Home: id}, Command: command, Press: press,
						Args: map[string]string{"players": strconv.Itoa(c.people + c.people%2)},
					})
				}
				do(11, "new", "")
				for p := 1; p < c.people; p++ {
					do(11+int64(p), "join", "")
				}
				do(11, "start", "")
				time.Sleep(5 * time.Second)
				server.mu.Lock()
				server.log = nil
				server.mu.Unlock()

				var presses []time.Time
				town.PressOut(t, file, c.think, func(player, press string) {
					person, _ := strconv.ParseInt(strings.TrimPrefix(player, "telegram:"), 10, 64)
					presses = append(presses, time.Now())
					do(person, "", press)
				})
				time.Sleep(10 * time.Second)

				server.mu.Lock()
				defer server.mu.Unlock()
				var late []time.Duration
				for _, at := range presses {
					for p := range c.people {
						i := slices.IndexFunc(server.log, func(d delivery) bool {
							return !d.at.Before(at) && (d.chat == group || d.chat == int64(11+p))
						})
						late = append(late, server.log[i].at.Sub(at))
					}
				}
				slices.Sort(late)
				requests := 1 + float64(len(server.log))/float64(len(presses))
				p99 := late[len(late)*99/100]
				t.Logf("%d presses, %.2f requests a press; read after p50 %v, p99 %v", len(presses), requests, late[len(late)/2], p99)
				if requests > c.most || p99 > c.late {
					t.Errorf("%.2f requests a press, and %v until everybody can read what it has done", requests, p99)
				}
			})
		})
	}
}

package bottest

import (
	"cmp"
	"fmt"
	"maps"
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
		// The mean times from a press until it is shown at the table, in the person's hand, and in that of the next one, who
		// reads that it is their turn. Ends of deals count, too.
		table, hand, turn time.Duration
	}{
		{2, town.Slow, 5.1, 0, 150 * time.Millisecond, 200 * time.Millisecond},
		{3, town.Hasty, 2.6, 2500 * time.Millisecond, 1200 * time.Millisecond, 3 * time.Second},
		{4, town.Hasty, 1.8, 2 * time.Second, 1200 * time.Millisecond, 3500 * time.Millisecond},
		{4, town.Steady, 4.3, 2 * time.Second, 150 * time.Millisecond, 300 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%d people, a press after %v", c.people, c.pace.Least), func(t *testing.T) {
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
				server.log, server.kinds = nil, map[string]int{}
				server.mu.Unlock()

				var presses []made
				town.PressOut(t, file, c.pace, func(player, press string) {
					person, _ := strconv.ParseInt(strings.TrimPrefix(player, "telegram:"), 10, 64)
					presses = append(presses, made{time.Now(), person})
					do(person, "", press)
				})
				time.Sleep(10 * time.Second)

				server.mu.Lock()
				defer server.mu.Unlock()
				kinds := server.kindsOf(group, presses)
				requests := 0.
				for _, kind := range slices.Sorted(maps.Keys(kinds)) {
					per := float64(kinds[kind]) / float64(len(presses))
					requests += per
					t.Logf("%-12s %.2f", kind, per)
				}
				var table, hand, turn []time.Duration
				for i, p := range presses {
					table = append(table, server.shown(group, p.at, ""))
					hand = append(hand, server.shown(p.chat, p.at, ""))
					if i+1 < len(presses) {
						turn = append(turn, server.shown(presses[i+1].chat, p.at, "Your turn"))
					}
				}
				mean := func(of []time.Duration) (sum time.Duration) {
					for _, d := range of {
						sum += d
					}
					return (sum / time.Duration(len(of))).Round(time.Millisecond)
				}
				t.Logf("%d presses, %.2f requests a press; shown at the table after %v, in the own hand after %v, in the next one's after %v", len(presses), requests, mean(table), mean(hand), mean(turn))
				if requests > c.most || mean(table) > c.table || mean(hand) > c.hand || mean(turn) > c.turn {
					t.Error("too many requests, or too late")
				}
			})
		})
	}
}

// made is a press.
type made struct {
	at   time.Time
	chat int64 // the person's private chat
}

// kindsOf counts the requests of a match by what they are for.
func (s *overheard) kindsOf(group int64, presses []made) map[string]int {
	kinds := map[string]int{"answer": len(presses), "deletion": s.kinds["deleteMessage"]}
	for _, d := range s.log {
		i, _ := slices.BinarySearchFunc(presses, d.at, func(p made, at time.Time) int { return cmp.Or(p.at.Compare(at), -1) })
		switch {
		case d.new:
			kinds["new message"]++
		case d.chat == group:
			kinds["table"]++
		case strings.Contains(d.text, "Your turn"):
			kinds["hand on turn"]++
		case i > 0 && d.chat == presses[i-1].chat:
			kinds["own hand"]++
		default:
			kinds["other hand"]++
		}
	}
	return kinds
}

// shown returns how long it took until a chat was shown something with a text. It is 0 if that never happened: a match is over,
// and its hands are deleted.
func (s *overheard) shown(in int64, since time.Time, what string) time.Duration {
	i := slices.IndexFunc(s.log, func(d delivery) bool {
		return !d.at.Before(since) && d.chat == in && strings.Contains(d.text, what)
	})
	if i < 0 {
		return 0
	}
	return s.log[i].at.Sub(since)
}

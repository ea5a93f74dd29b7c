package bottest

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
)

// In a quiet Telegram group, people who join a table must appear in the lobby's message at once. After several messages
// in a row, the next one has to wait for the group's limit.
func TestAJoinIsShownAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &overheard{limited: newLimited()}
		b, ctx, end := runOnTelegram(t, server, bot.Config{})
		defer end()
		defer close(server.released)
		time.Sleep(2 * time.Second)
		const group = -1000
		do := func(person int, command string) {
			home := fmt.Sprint("telegram:", group)
			b.Handle(ctx, chat.Input{
				Player: chat.Player{ID: fmt.Sprint("telegram:", person), Name: fmt.Sprint("P", person), Lang: "en"},
				Chat:   chat.Chat{ID: home, Home: home}, Command: command,
			})
		}
		shown := func(person int, within time.Duration) {
			t.Helper()
			began, before := time.Now(), server.deliveries(group)
			do(person, "join")
			for server.deliveries(group) == before { // the picture shows who sits there
				if time.Since(began) > 10*time.Second {
					t.Fatalf("P%d is not shown", person)
				}
				time.Sleep(10 * time.Millisecond)
			}
			if took := time.Since(began); took > within+20*time.Millisecond {
				t.Errorf("P%d is shown %v after they joined, want %v", person, took, within)
			}
		}
		for range 2 {
			do(11, "new")
			time.Sleep(time.Second)
			shown(12, 0)
			time.Sleep(time.Second)
			shown(13, 0)
			time.Sleep(time.Second)
			shown(14, 2*time.Second) // the third in a row waits for the limit
			do(11, "close")
			time.Sleep(time.Minute)
		}

		// After a minute without changes, the lobby must be shown as fast as a new one.
		do(11, "new")
		time.Sleep(time.Minute)
		shown(12, 0)
		time.Sleep(time.Second)
		shown(13, 0)
		if server.mu.Lock(); server.refused > 0 {
			t.Errorf("%d answers of 429", server.refused)
		}
		server.mu.Unlock()
	})
}

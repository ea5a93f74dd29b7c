package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	testclock "sedmabot/bot/clocktest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// counter is a Discord that accepts everything and counts the requests.
type counter struct {
	mu    sync.Mutex
	kinds map[string]int
	hands map[string]string // by channel: its newest message
	ids   int
}

func (s *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	var body struct {
		Type int    `json:"type"`
		Who  string `json:"recipient_id"`
	}
	if r.Body != nil && strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		_ = json.NewDecoder(r.Body).Decode(&body)
	}
	part := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v10/"), "/")
	switch {
	case part[0] == "interactions":
		s.kinds[fmt.Sprint("answer ", body.Type)]++
		return answer(http.StatusNoContent, ""), nil
	case part[0] == "users":
		s.kinds["open"]++
		return answer(http.StatusOK, fmt.Sprintf(`{"id":"9%s"}`, body.Who)), nil
	case part[0] == "channels" && r.Method == http.MethodPost:
		s.hands[part[1]] = strconv.Itoa(s.ids)
	}
	place := " in private"
	if part[1] == "4" {
		place = " in the channel"
	}
	s.kinds[r.Method+place]++
	return answer(http.StatusOK, fmt.Sprintf(`{"id":"%d"}`, s.ids)), nil
}

// A match in a channel takes few requests for each press, including its answer. The people have open private chats, where
// they press.
func TestAMatchTakesFewRequests(t *testing.T) {
	t.Parallel()
	testclock.Unraced(t)
	for _, c := range []struct {
		people int // the AI has the fourth seat if they are three
		pace   town.Pace
		most   float64 // requests a press
	}{{2, town.Slow, 4.15}, {3, town.Hasty, 2.7}, {4, town.Hasty, 2.1}, {4, town.Steady, 3.6}} {
		t.Run(fmt.Sprintf("%d people, a press after %v", c.people, c.pace.Least), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := &counter{kinds: map[string]int{}, hands: map[string]string{}, ids: 100}
				presses := server.match(t, c.people, c.pace)
				all := 0
				for _, n := range server.kinds {
					all += n
				}
				requests := float64(all) / float64(presses)
				t.Logf("%d presses, %.2f requests a press: %v", presses, requests, server.kinds)
				if requests > c.most {
					t.Errorf("%.2f requests a press", requests)
				}
			})
		})
	}
}

// match plays a match and returns the number of presses. It counts the requests from the first one on.
func (s *counter) match(t *testing.T, people int, pace town.Pace) (presses int) {
	quiet := slog.New(slog.DiscardHandler)
	a, err := New(Config{Commands: bot.Commands(), Token: "x", HTTP: &http.Client{Transport: s}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	file := storetest.NewMemory()
	defer file.Close()
	easy := func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
		return ai.Beginner.Try(context.Background(), v, 0, 0)
	}
	b := bot.New(bot.Config{
		Store: file, Platforms: []chat.Platform{a}, Think: easy, Log: quiet, Pace: time.Second,
		Seed: func() table.Seed { return table.Seed{19, 1} },
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = b.Run(ctx) })
	defer running.Wait()
	defer stop()
	in := a.intake(ctx, b)
	do := func(person int, command string) {
		b.Handle(ctx, chat.Input{
			Player: chat.Player{ID: fmt.Sprint("discord:", person), Name: fmt.Sprint("P", person), Lang: "en"},
			Chat:   chat.Chat{ID: "discord:4", Home: "discord:3"}, Command: command,
			Args: map[string]string{"players": strconv.Itoa(people + people%2)},
		})
	}
	do(11, "new")
	for p := 1; p < people; p++ {
		do(11+p, "join")
	}
	do(11, "start")
	time.Sleep(5 * time.Second)
	s.mu.Lock()
	clear(s.kinds)
	s.mu.Unlock()
	town.PressOut(t, file, pace, func(player, press string) {
		presses++
		if err := in.take(s.press(t, presses, strings.TrimPrefix(player, prefix), press)); err != nil {
			t.Fatal(err)
		}
	})
	time.Sleep(10 * time.Second)
	return presses
}

// press returns a press on a person's hand in their private chat.
func (s *counter) press(t *testing.T, n int, person, press string) (it interaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := (time.Now().UnixMilli()-epoch)<<22 + int64(n)
	data := fmt.Sprintf(`{"id":"%d","application_id":"2","token":"t%d","type":3,"channel_id":"9%s","context":1,"user":{"id":"%[3]s","username":"P"},"message":{"id":"%s"},"data":{"custom_id":%q}}`,
		id, n, person, s.hands["9"+person], press)
	if err := json.Unmarshal([]byte(data), &it); err != nil {
		t.Fatal(err)
	}
	return it
}

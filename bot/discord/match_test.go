package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	town.Requests
	mu    sync.Mutex
	hands map[string]string // by channel: its newest message
	from  map[string]string // by token of an interaction: its channel
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
	text := ""
	if r.Body != nil {
		data, _ := io.ReadAll(r.Body)
		text = string(data)
		_ = json.Unmarshal(data, &body) // a form with a picture isn't JSON
	}
	part := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v10/"), "/")
	switch {
	case part[0] == "interactions" && body.Type == answerSilently:
		s.Count("answer")
		return answer(http.StatusNoContent, ""), nil
	case part[0] == "interactions":
		s.Show("answer with the hand", s.from[part[2]], text)
		return answer(http.StatusNoContent, ""), nil
	case part[0] == "users":
		s.Count("open")
		return answer(http.StatusOK, fmt.Sprintf(`{"id":"9%s"}`, body.Who)), nil
	case r.Method == http.MethodDelete:
		s.Count("deletion")
	case r.Method == http.MethodPost:
		s.hands[part[1]] = strconv.Itoa(s.ids)
		s.Show("new message", part[1], text)
	default:
		s.Show("", part[1], text)
	}
	return answer(http.StatusOK, fmt.Sprintf(`{"id":"%d"}`, s.ids)), nil
}

// A match in a channel takes few requests for each press, including its answer. The people have open private chats, where
// they press. The table, the hand of the person who pressed, and that of the next one show soon what a press has done.
func TestAMatchTakesFewRequests(t *testing.T) {
	t.Parallel()
	testclock.Unraced(t)
	for _, c := range []struct {
		people int // the AI has the fourth seat if they are three
		pace   town.Pace
		most   float64 // requests a press

		table, hand, turn town.Waits
	}{
		{2, town.Slow, 3.8, town.Soon(0, 0), town.Soon(0, 6), town.Soon(0, 6)},
		{3, town.Hasty, 2.65, town.Soon(0.7, 2.4), town.Soon(0, 6), town.Soon(0.1, 11)},
		{4, town.Hasty, 2.1, town.Soon(0.7, 2.4), town.Soon(0, 6), town.Soon(0.1, 7)},
		{4, town.Steady, 3.4, town.Soon(0, 0.4), town.Soon(0, 6), town.Soon(0, 6)},
	} {
		t.Run(fmt.Sprintf("%d people, a press after %v", c.people, c.pace.Least), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := &counter{Requests: town.Requests{Table: "4"}, hands: map[string]string{}, from: map[string]string{}, ids: 100}
				server.match(t, c.people, c.pace)
				server.Check(t, c.most, c.table, c.hand, c.turn)
			})
		})
	}
}

// match plays a match. It counts the requests from the first press on.
func (s *counter) match(t *testing.T, people int, pace town.Pace) {
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
	s.Begin()
	presses := 0
	town.PressOut(t, file, pace, func(player, press string) {
		presses++
		if err := in.take(s.press(t, presses, strings.TrimPrefix(player, prefix), press)); err != nil {
			t.Fatal(err)
		}
	})
	time.Sleep(10 * time.Second)
}

// press returns a press on a person's hand in their private chat.
func (s *counter) press(t *testing.T, n int, person, press string) (it interaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := (time.Now().UnixMilli()-epoch)<<22 + int64(n)
	s.Press("9" + person)
	s.from[fmt.Sprint("t", n)] = "9" + person
	data := fmt.Sprintf(`{"id":"%d","application_id":"2","token":"t%d","type":3,"channel_id":"9%s","context":1,"user":{"id":"%[3]s","username":"P"},"message":{"id":"%s"},"data":{"custom_id":%q}}`,
		id, n, person, s.hands["9"+person], press)
	if err := json.Unmarshal([]byte(data), &it); err != nil {
		t.Fatal(err)
	}
	return it
}

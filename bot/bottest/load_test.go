package bottest

import (
	"bytes"
	"context"
	"crypto/sha256"
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
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/face"
	"sedmabot/bot/telegram"
	"sedmabot/bot/view"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// loader is a fake server of both platforms that accepts everything. It counts what people in each chat have to
// download.
type loader struct {
	mu       sync.Mutex
	sent     int
	places   map[string]*load
	files    map[[32]byte]int // by hash: number of uploads of each picture
	released chan struct{}
}

// load is the traffic of one chat.
type load struct {
	messages, pictures, bytes, twice int
	seen                             map[[32]byte]bool
	at                               []time.Time // when each message and edit came
}

func (s *loader) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := func(v any) (*http.Response, error) {
		data, err := json.Marshal(v)
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(data)), Header: http.Header{}, Request: r}, err
	}
	_ = r.ParseMultipartForm(1 << 20)
	method := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	switch method {
	case "getMe":
		return answer(map[string]any{"ok": true, "result": map[string]any{"id": 1, "is_bot": true, "username": "SedmaBot"}})
	case "getUpdates":
		select {
		case <-r.Context().Done():
		case <-s.released:
		}
		return nil, context.Canceled
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
	if strings.HasSuffix(r.URL.Path, "/users/@me/channels") {
		var who struct {
			ID string `json:"recipient_id"`
		}
		_ = json.NewDecoder(r.Body).Decode(&who)
		return answer(map[string]any{"id": "9" + who.ID})
	}
	place := r.FormValue("chat_id")
	if at := strings.Index(r.URL.Path, "/channels/"); at >= 0 {
		place, _, _ = strings.Cut(r.URL.Path[at+len("/channels/"):], "/")
	}
	if s.places[place] == nil {
		s.places[place] = &load{seen: map[[32]byte]bool{}}
	}
	l := s.places[place]
	if strings.HasPrefix(method, "send") || strings.HasPrefix(method, "edit") || r.Method == http.MethodPatch || method == "messages" {
		l.messages++
		l.at = append(l.at, time.Now())
	}
	id := fmt.Sprint(s.sent)
	if r.MultipartForm != nil {
		for _, list := range r.MultipartForm.File {
			f, _ := list[0].Open()
			data, _ := io.ReadAll(f)
			sum := sha256.Sum256(data)
			l.pictures++
			l.bytes += len(data)
			if l.seen[sum] {
				l.twice++
			}
			l.seen[sum] = true
			s.files[sum]++
		}
	}
	if strings.HasPrefix(r.URL.Path, "/bot") {
		return answer(map[string]any{"ok": true, "result": map[string]any{"message_id": s.sent, "photo": []map[string]string{{"file_id": id}}}})
	}
	return answer(map[string]string{"id": id})
}

// after returns when a chat got its first message or edit at or after since, or the zero time.
func (s *loader) after(place string, since time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.places[place].at {
		if !at.Before(since) {
			return at
		}
	}
	return time.Time{}
}

// easel is shared, because each new one draws all cards again.
var easel = face.NewEasel()

// In a deal of four people, and in the long form in a whole match, with a card every four seconds, the channel gets at most one picture for each turn, and
// one for the end of each trick and of each deal. They have 25 kB on average at most. No picture may be uploaded to Telegram
// twice, wherever it is shown.
func TestADealIsLittleToLoad(t *testing.T) {
	clocktest.Unraced(t)
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	for _, platform := range []string{"discord", "telegram"} {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := &loader{places: map[string]*load{}, files: map[[32]byte]int{}, released: make(chan struct{})}
				file := storetest.NewMemory()
				defer file.Close()
				client := &http.Client{Transport: server}
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				var p chat.Platform
				var err error
				channel, home := "-1000", "-1000"
				if platform == "discord" {
					channel, home = "4", "3"
					p, err = discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: "x", HTTP: client, Log: quiet})
				} else {
					p, err = telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: "1:AAx", HTTP: client, Log: quiet})
				}
				if err != nil {
					t.Fatal(err)
				}
				start, deals := byte(19), byte(0)
				if Long() {
					start = 17 // of a whole match
				}
				seed := func() table.Seed { deals++; return table.Seed{start, deals} } // the same cards each time
				b := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{p}, Think: easy, Log: quiet, Pace: time.Second, Seed: seed})
				if platform == "telegram" {
					running.Go(func() { _ = p.Run(ctx, b) })
				}
				running.Go(func() { _ = b.Run(ctx) })
				defer running.Wait()
				defer stop()
				defer close(server.released)
				time.Sleep(2 * time.Second)

				do := func(person int, command, press string) {
					in := chat.Input{
						Player: chat.Player{ID: platform + ":" + strconv.Itoa(person), Name: "Player " + strconv.Itoa(person), Lang: "en"},
						Chat:   chat.Chat{ID: platform + ":" + channel, Home: platform + ":" + home}, Command: command, Press: press,
					}
					if command == "new" {
						in.Args = map[string]string{"players": "4"}
					}
					b.Handle(ctx, in)
					time.Sleep(4 * time.Second)
				}
				do(11, "new", "")
				do(12, "join", "")
				do(13, "join", "")
				do(14, "join", "")
				do(11, "start", "")
				if !Long() {
					do(11, "", view.Press{Action: view.ActLast, Table: town.OnlyTable(t, file).ID}.String())
				}
				moments := 1 // the result
				tricks := 0
				for {
					tb := town.OnlyTable(t, file)
					public := tb.Public()
					if tb.Phase == table.Over {
						break
					}
					if tb.Phase != table.Playing || public.Turn < 0 {
						time.Sleep(time.Second)
						continue
					}
					v := tb.Deal.View(public.Turn)
					if n := len(v.Tricks); n != tricks {
						moments, tricks = moments+1, n
					}
					moments++
					press := view.Press{Action: view.ActPlay, Table: tb.ID, Deal: tb.DealNo, Turn: v.Decisions[public.Turn], Move: ai.Amateur.Try(context.Background(), v, 0, 0)}
					person, _ := strconv.Atoi(strings.TrimPrefix(tb.Seats[public.Turn].Player.ID, platform+":"))
					do(person, "", press.String())
				}
				time.Sleep(time.Minute)

				server.mu.Lock()
				defer server.mu.Unlock()
				l := server.places[channel]
				t.Logf("%d deals: %d messages and edits in the channel, %d of them with a picture, %d bytes", town.OnlyTable(t, file).DealNo, l.messages, l.pictures, l.bytes)
				if l.pictures > l.messages || l.pictures > moments || l.bytes > 25_000*l.pictures || l.pictures == 0 {
					t.Errorf("%d pictures for %d turns and ends, %d bytes", l.pictures, moments, l.bytes)
				}
				if l.twice > 0 {
					t.Errorf("%d pictures were sent to the channel for a second time", l.twice)
				}
				for _, n := range server.files {
					if platform == "telegram" && n > 1 {
						t.Errorf("a picture was sent %d times", n)
					}
				}
			})
		})
	}
}

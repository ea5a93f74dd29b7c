package bottest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"sedmabot/bot"
	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/telegram"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// easy is an AI that needs little time.
func easy(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
	return ai.Beginner.Try(context.Background(), v, 0, 0)
}

// limited is a Bot API server without a network. It enforces Telegram's published limits. In total they are 30 messages
// a second, in a chat 1 a second with short bursts, in a group 20 a minute. Edits count too.
// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
type limited struct {
	mu       sync.Mutex
	all      []time.Time // deliveries of the last second
	chats    map[int64]*rate.Limiter
	minutes  map[int64][]time.Time // deliveries of the last minute, in groups
	sent     int64
	refused  int
	taken    int
	shown    map[int64]string // the text of a group's newest message
	shownAt  map[int64]time.Time
	released chan struct{} // closed at the end, so that polls end
}

func newLimited() *limited {
	return &limited{
		chats: map[int64]*rate.Limiter{}, minutes: map[int64][]time.Time{},
		shown: map[int64]string{}, shownAt: map[int64]time.Time{}, released: make(chan struct{}),
	}
}

// runOnTelegram runs a bot on the given server, until end is called. The store has the given documents at first.
func runOnTelegram(t *testing.T, server http.RoundTripper, config bot.Config, docs ...store.Change) (b *bot.Bot, ctx context.Context, end func()) {
	t.Helper()
	file := storetest.NewMemory()
	b, ctx, stop := runProcess(t, server, file, nil, config, docs...)
	return b, ctx, func() {
		stop()
		file.Close()
	}
}

// runProcess is runOnTelegram with a store, and with an exchange that shares the limits with other processes.
func runProcess(t *testing.T, server http.RoundTripper, file store.Store, exchange budget.Exchange, config bot.Config, docs ...store.Change) (b *bot.Bot, ctx context.Context, end func()) {
	t.Helper()
	for _, c := range docs {
		if err := file.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	quiet := slog.New(slog.DiscardHandler)
	a, err := telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: "1:AAx", HTTP: &http.Client{Transport: server}, Log: quiet, Exchange: exchange})
	if err != nil {
		t.Fatal(err)
	}
	config.Store, config.Platforms, config.Think, config.Log = file, []chat.Platform{a}, easy, quiet
	b = bot.New(config)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = a.Run(ctx, b) })
	running.Go(func() { _ = b.Run(ctx) })
	return b, ctx, func() {
		cancel()
		running.Wait()
	}
}

func (s *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	p := asked(r)
	method := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	answer := func(code int, v any) (*http.Response, error) {
		data, err := json.Marshal(v)
		return &http.Response{StatusCode: code, Body: io.NopCloser(bytes.NewReader(data)), Header: http.Header{}, Request: r}, err
	}
	fine := func(result any) (*http.Response, error) {
		return answer(http.StatusOK, map[string]any{"ok": true, "result": result})
	}
	switch method {
	case "getMe":
		return fine(map[string]any{"id": 1, "is_bot": true, "username": "SedmaBot"})
	case "getUpdates":
		select {
		case <-r.Context().Done():
		case <-s.released:
		}
		return nil, context.Canceled
	case "sendMessage", "editMessageText", "sendPhoto", "editMessageCaption", "editMessageMedia":
	default:
		return fine(true)
	}
	peer, _ := strconv.ParseInt(p.Get("chat_id"), 10, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	lately := func(times []time.Time, d time.Duration) []time.Time {
		return slices.DeleteFunc(times, func(at time.Time) bool { return now.Sub(at) >= d })
	}
	s.all, s.minutes[peer] = lately(s.all, time.Second), lately(s.minutes[peer], time.Minute)
	if s.chats[peer] == nil {
		s.chats[peer] = rate.NewLimiter(1, 5)
	}
	if len(s.all) >= 30 || peer < 0 && len(s.minutes[peer]) >= 20 || !s.chats[peer].AllowN(now, 1) {
		s.refused++
		return answer(http.StatusTooManyRequests, map[string]any{
			"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 3", "parameters": map[string]any{"retry_after": 3},
		})
	}
	s.all, s.minutes[peer] = append(s.all, now), append(s.minutes[peer], now)
	s.taken++
	s.shown[peer], s.shownAt[peer] = p.Get("text"), now
	s.sent++
	return fine(map[string]any{"message_id": s.sent})
}

// asked returns the parameters of a call. The caption of a photo becomes its text.
func asked(r *http.Request) url.Values {
	_ = r.ParseMultipartForm(1 << 20)
	p := url.Values{}
	maps.Copy(p, r.PostForm)
	var media struct {
		Caption string `json:"caption"`
	}
	_ = json.Unmarshal([]byte(p.Get("media")), &media)
	p.Set("text", cmp.Or(p.Get("text"), p.Get("caption"), media.Caption))
	return p
}

// Fifty busy groups share one token for a while. The bot must never exceed Telegram's limits. Each group must see its
// latest state as soon as its own limit allows.
func TestFiftyGroupsWithinTelegramsLimits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("fifty tables take long under the race detector")
	}
	const groups = 50
	busy := 75 * time.Second
	if Long() {
		busy = 10 * time.Minute
	}
	synctest.Test(t, func(t *testing.T) {
		server := newLimited()
		// The picture of a lobby has the names, so groups that the test reads them from have chosen words instead.
		var words []store.Change
		for i := range groups {
			home := fmt.Sprint("telegram:", -1000-i)
			w := store.Write{Name: "home:" + home, Data: []byte(`{"v":1,"d":{"words":true}}`)}
			words = append(words, store.Change{Partition: store.Partition(home), Writes: []store.Write{w}})
		}
		b, ctx, end := runOnTelegram(t, server, bot.Config{}, words...)
		defer end()
		defer close(server.released)
		time.Sleep(2 * time.Second)

		var mu sync.Mutex
		var waits []time.Duration // time from a change to the first message that shows it or a later change
		var people sync.WaitGroup
		for i := range groups {
			people.Go(func() {
				peer := int64(-1000 - i)
				in := func(person int) chat.Input {
					id := fmt.Sprint("telegram:", peer)
					return chat.Input{
						Player: chat.Player{ID: fmt.Sprint("telegram:", 10_000*(i+1)+person), Name: fmt.Sprintf("P%04d", person), Lang: "en"},
						Chat:   chat.Chat{ID: id, Home: id},
					}
				}
				open := in(0)
				open.Command = "new"
				b.Handle(ctx, open)
				time.Sleep(time.Duration(i) * 37 * time.Millisecond)
				for n, until := 0, time.Now().Add(busy); time.Now().Before(until); n++ {
					press := in(1 + n/2) // people join and leave in turn
					press.Command = []string{"join", "leave"}[n%2]
					b.Handle(ctx, press)
					changed := time.Now()
					time.Sleep(1100 * time.Millisecond)
					if n%10 != 0 {
						continue
					}
					for {
						server.mu.Lock()
						sits, at := strings.Contains(server.shown[peer], press.Player.Name), server.shownAt[peer]
						server.mu.Unlock()
						if sits {
							mu.Lock()
							waits = append(waits, at.Sub(changed))
							mu.Unlock()
							break
						}
						if time.Since(changed) > time.Minute {
							t.Errorf("group %d: not shown for a minute", i)
							return
						}
						time.Sleep(100 * time.Millisecond)
					}
				}
			})
		}
		people.Wait()
		server.mu.Lock()
		defer server.mu.Unlock()
		slices.Sort(waits)
		t.Logf("%d messages, %d refused; from a change to its showing p50 %v, p99 %v, at most %v (%d measured)",
			server.taken, server.refused, waits[len(waits)/2], waits[len(waits)*99/100], waits[len(waits)-1], len(waits))
		if server.refused > 0 {
			t.Errorf("%d answers of 429", server.refused)
		}
		// A group's own limit is 20 a minute. The adapter uses 16 of them for evenly spaced messages.
		if most := waits[len(waits)-1]; most > 60*time.Second/16+time.Second {
			t.Errorf("a change was shown after %v", most)
		}
		if server.taken < groups*int(busy/time.Minute)*14 {
			t.Errorf("%d messages in that time: the limits are not made use of", server.taken)
		}
	})
}

package bottest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/telegram"
	"sedmabot/store/boltstore"
)

// poster makes the requests that a platform would send for presses.
type poster struct {
	chat.Platform
	chat  string // chat in which the presses are made
	post  func(n int, player int, data string) *http.Request
	serve http.Handler
}

func onDiscord(t testing.TB, base string) poster {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Token: "x", APIBase: base, Log: slog.New(slog.DiscardHandler), PublicKey: hex.EncodeToString(public)})
	if err != nil {
		t.Fatal(err)
	}
	return poster{a, "discord:4", func(n, player int, data string) *http.Request {
		// An interaction's id and signature contain its time. The bot ignores old ones.
		now := time.Now()
		id := (now.UnixMilli()-1420070400000)<<22 | int64(n)&(1<<22-1)
		stamp := strconv.FormatInt(now.Unix(), 10)
		body := fmt.Appendf(nil, `{"id":"%d","application_id":"2","token":"token-%d-%s","type":3,"guild_id":"3","channel_id":"4","locale":"en","member":{"user":{"id":"%d","username":"p%d"},"permissions":"0"},"message":{"id":"6"},"data":{"custom_id":%q}}`,
			id, n, strings.Repeat("x", 160), player, player, data)
		r := httptest.NewRequest(http.MethodPost, "/discord", bytes.NewReader(body))
		r.Header.Set("X-Signature-Timestamp", stamp)
		r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(private, append([]byte(stamp), body...))))
		return r
	}, a}
}

func onTelegram(t testing.TB, base string) poster {
	a, err := telegram.New(telegram.Config{Commands: bot.Commands(), Token: "1:AAx", Base: base, Log: slog.New(slog.DiscardHandler), Eager: true, Push: true, Webhook: "https://example.org/telegram"})
	if err != nil {
		t.Fatal(err)
	}
	secret := secretOf("1:AAx")
	return poster{a, "telegram:-4", func(n, player int, data string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/telegram", strings.NewReader(fmt.Sprintf(
			`{"update_id":%d,"callback_query":{"id":"%d","from":{"id":%d,"first_name":"P"},"message":{"message_id":1,"chat":{"id":-4,"type":"supergroup"}},"data":%q}}`, n, n, player, data)))
		r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
		return r
	}, a}
}

// counted is a Handler that counts how many presses it has answered.
type counted struct {
	chat.Handler
	n atomic.Int64
}

func (c *counted) Handle(ctx context.Context, in chat.Input) chat.Reply {
	defer c.n.Add(1)
	return c.Handler.Handle(ctx, in)
}

// Presses must leave nothing in memory: no bucket for each token, no record of each update. One press in twenty changes
// the table.
func TestPressesLeaveNothingInMemory(t *testing.T) {
	if !Long() {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	base := serve(t)
	for name, open := range map[string]func(testing.TB, string) poster{"discord": onDiscord, "telegram": onTelegram} {
		t.Run(name, func(t *testing.T) {
			p := open(t, base)
			file, err := boltstore.Open(filepath.Join(InMemory(t), "heap.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			b := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{p}, Think: easy, Log: slog.New(slog.DiscardHandler)})
			h := &counted{Handler: b}
			ctx, cancel := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { _ = p.Run(ctx, h) })
			running.Go(func() { _ = b.Run(ctx) })
			defer running.Wait()
			defer cancel()
			in := chat.Input{Player: chat.Player{ID: name + ":1", Name: "Ann"}, Chat: chat.Chat{ID: p.chat, Home: name + ":home"}, Command: "new"}
			b.Handle(ctx, in)
			var table string
			for part := range 16 {
				if docs, _, err := file.Scan(ctx, part, "table:", ""); err == nil && len(docs) > 0 {
					table = strings.TrimPrefix(docs[0].Key.Name, "table:")
				}
			}

			no := 0
			press := func(count int) {
				before := h.n.Load()
				first := no
				no += count
				var all sync.WaitGroup
				for w := range 8 {
					all.Go(func() {
						for n := first + w; n < first+count; n += 8 {
							player, action := 1, "join" // Ann has a seat already, so her press only gets a reply
							if n%20 == 0 {
								player, action = 2, []string{"join", "leave"}[n/20%2]
							}
							r := p.post(n+1, player, action+":"+table)
							for {
								w := httptest.NewRecorder()
								p.serve.ServeHTTP(w, r.Clone(ctx))
								if w.Code != http.StatusServiceUnavailable {
									break
								}
								runtime.Gosched()
								r = p.post(n+1, player, action+":"+table)
							}
							for int64(n-first)-(h.n.Load()-before) > 64 { // at most 64 presses at once, like a crowd of people
								runtime.Gosched()
							}
						}
					})
				}
				all.Wait()
				for h.n.Load()-before < int64(count) {
					runtime.Gosched()
				}
			}
			heap := func() int64 {
				for range 3 {
					runtime.GC()
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc)
			}
			const presses = 200_000
			press(20_000)
			before := heap()
			press(presses)
			grown := float64(heap()-before) / presses
			t.Logf("%.2f bytes a press", grown)
			if grown >= 16 {
				t.Errorf("the heap grows by %.1f bytes a press", grown)
			}
		})
	}
}

// secretOf returns the secret that Telegram sends with each webhook request for that token.
func secretOf(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("sedmabot webhook"))
	return hex.EncodeToString(mac.Sum(nil))
}

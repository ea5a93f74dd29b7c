package bottest

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/telegram"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// serveVariable makes of the test's binary a Bot API server that does nothing
// else than answer, until its standard input ends: a process of its own, so that
// what it takes is not counted with the bot's.
const serveVariable = "SEDMABOT_TEST_SERVE"

func TestServe(t *testing.T) {
	if os.Getenv(serveVariable) == "" {
		t.Skip("it is the server of other tests")
	}
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(r.URL.Path, "/api/v10/") { // Discord's
			switch {
			case strings.HasSuffix(r.URL.Path, "/commands"):
				fmt.Fprint(w, "[]")
			case strings.HasSuffix(r.URL.Path, "/callback"):
				w.WriteHeader(http.StatusNoContent)
			default:
				fmt.Fprintf(w, `{"id":"%d"}`, sent.Add(1))
			}
			return
		}
		result := "true"
		switch r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:] {
		case "getMe":
			result = `{"id":1,"is_bot":true,"username":"SedmaBot"}`
		case "sendMessage", "editMessageText":
			result = fmt.Sprintf(`{"message_id":%d}`, sent.Add(1))
		}
		fmt.Fprintf(w, `{"ok":true,"result":%s}`, result)
	}))
	defer server.Close()
	fmt.Println("serving", server.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// serve starts such a server and returns its address.
func serve(tb testing.TB) string {
	tb.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestServe$", "-test.v")
	c.Env = append(os.Environ(), serveVariable+"=1")
	in, err := c.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { in.Close(); _ = c.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "serving "); ok {
			return at
		}
	}
	tb.Fatal("the server does not start")
	return ""
}

// cpu is what this process has taken.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// watched tells of every edit in a group. Nobody can be written to in private, so
// that the table's own message is the only one.
type watched struct {
	*telegram.Adapter
	edits chan view.Screen
}

func (w *watched) Send(ctx context.Context, to bot.Target, s view.Screen, nonce string) (bot.Address, error) {
	if to.Player != "" {
		return "", &bot.DeliveryError{Fault: bot.Unreachable, Err: io.EOF}
	}
	a, err := w.Adapter.Send(ctx, to, s, nonce)
	w.edits <- s
	return a, err
}

func (w *watched) Edit(ctx context.Context, a bot.Address, s view.Screen) error {
	err := w.Adapter.Edit(ctx, a, s)
	w.edits <- s
	return err
}

// pressed is a bot on Telegram by webhook, with a table of two people at play.
type pressed struct {
	tb      testing.TB
	store   store.Store
	adapter *telegram.Adapter
	secret  string
	edits   chan view.Screen
	id      string
	updates int
	stop    func()
}

const pressedGroup = "telegram:-1001"

func newPressed(tb testing.TB, base string) *pressed {
	file, err := boltstore.Open(filepath.Join(inMemory(tb), "press.db"))
	if err != nil {
		tb.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	a, err := telegram.New(telegram.Config{Token: "1:AAx", Base: base, Log: quiet, Eager: true, Push: true, Webhook: "https://example.org/telegram"})
	if err != nil {
		tb.Fatal(err)
	}
	w := &watched{a, make(chan view.Screen, 64)}
	b := bot.New(bot.Config{Store: file, Platforms: []bot.Platform{w}, Think: easy, Log: quiet})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{}, 2)
	go func() { _ = a.Run(ctx, b); ended <- struct{}{} }()
	go func() { _ = b.Run(ctx); ended <- struct{}{} }()
	p := &pressed{tb: tb, store: file, adapter: a, secret: secretOf("1:AAx"), edits: w.edits}
	p.stop = func() { cancel(); <-ended; <-ended; file.Close() }
	for status := 0; status != http.StatusOK; { // until it hears
		status = p.update(`"message":{"message_id":1,"from":{"id":1,"first_name":"Ann"},"chat":{"id":-1001,"type":"supergroup"},"text":"talk"}`)
		runtime.Gosched()
	}
	for _, c := range []bot.Input{{Command: "new", Args: map[string]string{"players": "2"}}, {Command: "join"}, {Command: "start"}} {
		c.Player, c.Chat = bot.Player{ID: "telegram:1", Name: "Ann", Lang: "en"}, bot.Chat{ID: pressedGroup, Home: pressedGroup}
		if c.Command == "join" {
			c.Player.ID, c.Player.Name = "telegram:2", "Ben"
		}
		b.Handle(ctx, c)
	}
	docs, _, err := file.Scan(ctx, store.Partition(pressedGroup), "table:", "")
	if err != nil || len(docs) != 1 {
		tb.Fatal(len(docs), err)
	}
	p.id = strings.TrimPrefix(docs[0].Key.Name, "table:")
	return p
}

// secretOf is what Telegram says with each request to a webhook of that token.
func secretOf(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("sedmabot webhook"))
	return hex.EncodeToString(mac.Sum(nil))
}

// update is one of Telegram's requests; it returns the status of the answer.
func (p *pressed) update(what string) int {
	p.updates++
	r := httptest.NewRequest(http.MethodPost, "/telegram", strings.NewReader(fmt.Sprintf(`{"update_id":%d,%s}`, p.updates, what)))
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", p.secret)
	w := httptest.NewRecorder()
	p.adapter.ServeHTTP(w, r)
	return w.Code
}

// turn is who has to play now, and the data of a button that does.
func (p *pressed) turn() (player int, data string) {
	docs, err := p.store.Get(context.Background(), store.Key{Partition: store.Partition(pressedGroup), Name: "table:" + p.id})
	if err != nil {
		p.tb.Fatal(err)
	}
	var doc struct{ D table.Table }
	if err := json.Unmarshal(docs[0].Data, &doc); err != nil {
		p.tb.Fatal(err)
	}
	t := doc.D
	if t.Phase == table.Over {
		return 1, view.Press{Action: view.ActRematch, Table: t.ID}.String()
	}
	if t.Phase == table.Lobby {
		return 1, view.Press{Action: view.ActStart, Table: t.ID}.String()
	}
	if t.Phase != table.Playing || t.Deal.Over() {
		return 0, ""
	}
	for _, player := range []int{1, 2} {
		own, _ := t.Private(fmt.Sprint("telegram:", player))
		if own.Turn != own.Seat || len(own.View.Legal) == 0 {
			continue
		}
		press := view.Press{Action: view.ActPlace, Table: t.ID, Deal: t.DealNo, Turn: len(own.View.Log), Move: own.View.Legal[0]}
		if c, ok := press.Move.Card(); ok {
			press.Place, press.Move = slices.Index(own.View.Hand, c)+1, game.Move(0)
		}
		return player, press.String()
	}
	return 0, ""
}

// quiet waits until nothing is being shown any more.
func (p *pressed) quiet() {
	for {
		select {
		case <-p.edits:
		case <-time.After(20 * time.Millisecond):
			return
		}
	}
}

// BenchmarkPress compares what a press takes, from Telegram's request to the
// committed move, its answer and the table's edited message, with what the bare
// library takes for those two calls. The server is another process.
func BenchmarkPress(b *testing.B) {
	base := serve(b)
	p := newPressed(b, base)
	defer p.stop()
	bare, err := tgbotapi.NewBotAPIWithAPIEndpoint("1:AAx", base+"/bot%s/%s")
	if err != nil {
		b.Fatal(err)
	}
	p.quiet()
	var ours, theirs time.Duration
	presses := 0
	for b.Loop() {
		player, data := p.turn()
		for data == "" {
			p.quiet()
			player, data = p.turn()
		}
		began := cpu()
		if status := p.update(fmt.Sprintf(`"callback_query":{"id":"%d","from":{"id":%d,"first_name":"Ann"},"chat_instance":"1","message":{"message_id":1,"chat":{"id":-1001,"type":"supergroup"}},"data":%q}`, p.updates, player, data)); status != http.StatusOK {
			b.Fatal(status)
		}
		screen := <-p.edits
		ours += cpu() - began
		presses++
		p.quiet()

		text := screen.String()
		keyboard, err := json.Marshal(map[string]any{"inline_keyboard": [][]map[string]string{{{"text": "My cards", "callback_data": data}, {"text": "1", "callback_data": data}, {"text": "2", "callback_data": data}}}})
		if err != nil {
			b.Fatal(err)
		}
		began = cpu()
		if _, err := bare.MakeRequest("answerCallbackQuery", tgbotapi.Params{"callback_query_id": "1", "text": "You play 7"}); err != nil {
			b.Fatal(err)
		}
		if _, err := bare.MakeRequest("editMessageText", tgbotapi.Params{"chat_id": "-1001", "message_id": "1", "text": text, "parse_mode": "HTML", "reply_markup": string(keyboard)}); err != nil {
			b.Fatal(err)
		}
		theirs += cpu() - began
	}
	b.ReportMetric(float64(ours.Microseconds())/float64(presses), "cpu-µs/press")
	b.ReportMetric(float64(theirs.Microseconds())/float64(presses), "bare-cpu-µs/press")
	b.ReportMetric(float64(ours)/float64(theirs), "times-bare")
}

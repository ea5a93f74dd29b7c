package bottest

import (
	"bufio"
	"context"
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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// serveVariable makes the test binary a server for both platforms that only answers, until its standard input ends. It
// is a separate process, so its CPU time doesn't count as the bot's.
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
		case "sendMessage", "editMessageText", "editMessageCaption":
			result = fmt.Sprintf(`{"message_id":%d}`, sent.Add(1))
		case "sendPhoto", "editMessageMedia":
			id := sent.Add(1)
			result = fmt.Sprintf(`{"message_id":%d,"photo":[{"file_id":"%d"}]}`, id, id)
		}
		fmt.Fprintf(w, `{"ok":true,"result":%s}`, result)
	}))
	defer server.Close()
	fmt.Println("serving", server.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// serve starts that server and returns its address.
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

// watched reports every edit in a group. The bot can't write to anybody in private, so the table's own message is the
// only one. No limit delays an edit.
type watched struct {
	chat.Platform
	edits chan screen.Screen
}

func (w *watched) Gap(chat.Target) time.Duration { return 0 }

func (w *watched) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if to.Player != "" {
		return "", &chat.DeliveryError{Fault: chat.Unreachable, Err: io.EOF}
	}
	a, err := w.Platform.Send(ctx, to, s, nonce)
	w.edits <- s
	return a, err
}

func (w *watched) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	err := w.Platform.Edit(ctx, a, s)
	w.edits <- s
	return err
}

// pressed is a bot on a platform with webhooks, with a table of two people who are playing.
type pressed struct {
	poster
	tb      testing.TB
	store   store.Store
	edits   chan screen.Screen
	chat    chat.Chat
	id      string
	presses int
	stop    func()
}

func newPressed(tb testing.TB, on poster) *pressed {
	file, err := boltstore.Open(filepath.Join(InMemory(tb), "press.db"))
	if err != nil {
		tb.Fatal(err)
	}
	// No pictures, because the library that is measured for comparison draws none.
	words := store.Write{Name: "home:" + on.chat, Data: []byte(`{"v":1,"d":{"words":true}}`)}
	if err := file.Commit(tb.Context(), store.Change{Partition: store.Partition(on.chat), Writes: []store.Write{words}}); err != nil {
		tb.Fatal(err)
	}
	w := &watched{on.Platform, make(chan screen.Screen, 64)}
	b := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{w}, Think: easy, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = on.Run(ctx, b) })
	running.Go(func() { _ = b.Run(ctx) })
	p := &pressed{poster: on, tb: tb, store: file, edits: w.edits, chat: chat.Chat{ID: on.chat, Home: on.chat}}
	p.stop = func() { cancel(); running.Wait(); file.Close() }
	for !p.take(p.press("1", "nothing")) { // until the bot receives presses
		runtime.Gosched()
	}
	for _, c := range []chat.Input{{Command: "new", Args: map[string]string{"players": "2"}}, {Command: "join"}, {Command: "start"}} {
		c.Player, c.Chat = chat.Player{ID: on.Name() + ":1", Name: "Ann", Lang: "en"}, p.chat
		if c.Command == "join" {
			c.Player.ID, c.Player.Name = on.Name()+":2", "Ben"
		}
		b.Handle(ctx, c)
	}
	docs, _, err := file.Scan(ctx, store.Partition(on.chat), "table:", "")
	if err != nil || len(docs) != 1 {
		tb.Fatal(len(docs), err)
	}
	p.id = strings.TrimPrefix(docs[0].Key.Name, "table:")
	return p
}

// press returns the platform's request for a press.
func (p *pressed) press(player, data string) *http.Request {
	p.presses++
	id, _ := strconv.Atoi(player)
	return p.post(p.presses, id, data)
}

// take sends a request to the bot and reports whether it was accepted.
func (p *pressed) take(r *http.Request) bool {
	w := httptest.NewRecorder()
	p.serve.ServeHTTP(w, r)
	return w.Code < 300
}

// turn returns whose turn it is at a table, "1" or "2", and the data of a button for a legal move. It returns "" if it
// is nobody's turn.
func turn(tb testing.TB, s store.Store, platform, home, id string) (player, data string) {
	tb.Helper()
	docs, err := s.Get(context.Background(), store.Key{Partition: store.Partition(home), Name: "table:" + id})
	if err != nil {
		tb.Fatal(err)
	}
	var doc struct{ D table.Table }
	if err := json.Unmarshal(docs[0].Data, &doc); err != nil {
		tb.Fatal(err)
	}
	t := doc.D
	if t.Phase == table.Over {
		return "1", view.Press{Action: view.ActRematch, Table: t.ID}.String()
	}
	if t.Phase == table.Lobby {
		return "1", view.Press{Action: view.ActStart, Table: t.ID}.String()
	}
	if t.Phase != table.Playing || t.Deal.Over() {
		return "", ""
	}
	for _, player := range []string{"1", "2"} {
		own, _ := t.Private(platform + ":" + player)
		if own.Turn != own.Seat || len(own.View.Legal) == 0 {
			continue
		}
		press := view.Press{Action: view.ActPlace, Table: t.ID, Deal: t.DealNo, Turn: len(own.View.Log), Move: own.View.Legal[0]}
		if c, ok := press.Move.Card(); ok {
			press.Place, press.Move = slices.Index(own.View.Hand, c)+1, game.Move(0)
		}
		return player, press.String()
	}
	return "", ""
}

// rest is the quiet time after which a press and all its effects are over.
const rest = 20 * time.Millisecond

// quiet waits until nothing more is shown.
func (p *pressed) quiet() {
	for {
		select {
		case <-p.edits:
		case <-time.After(rest):
			return
		}
	}
}

// BenchmarkPress compares the CPU time of a press in the bot with that of the bare library. The bot's part goes from
// the platform's request to the committed move, the answer and the edited table. The library only makes those two
// calls. "In-all" includes what the bot does afterwards: it stores what was shown, and at the end of a deal does what
// follows. The server is another process.
func BenchmarkPress(b *testing.B) {
	base := serve(b)
	for name, on := range map[string]struct {
		press func(testing.TB, string) poster
		bare  func(testing.TB, string) func(text, data string)
	}{"telegram": {onTelegram, bareTelegram}, "discord": {onDiscord, bareDiscord}} {
		b.Run(name, func(b *testing.B) {
			p := newPressed(b, on.press(b, base))
			defer p.stop()
			calls := on.bare(b, base)
			p.quiet()
			var ours, oursInAll, theirs, theirsInAll time.Duration
			presses := 0
			for b.Loop() {
				player, data := turn(b, p.store, p.Name(), p.chat.Home, p.id)
				for data == "" {
					p.quiet()
					player, data = turn(b, p.store, p.Name(), p.chat.Home, p.id)
				}
				press := p.press(player, data)
				time.Sleep(rest) // pause before the measurement
				began := cpu()
				if !p.take(press) {
					b.Fatal("not taken")
				}
				screen := <-p.edits
				ours += cpu() - began
				p.quiet()
				oursInAll += cpu() - began
				presses++

				text := screen.String()
				began = cpu()
				calls(text, data)
				theirs += cpu() - began
				time.Sleep(rest)
				theirsInAll += cpu() - began
			}
			each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(presses) }
			b.ReportMetric(each(ours), "cpu-µs/press")
			b.ReportMetric(each(theirs), "bare-cpu-µs/press")
			b.ReportMetric(float64(ours)/float64(theirs), "times-bare")
			b.ReportMetric(float64(oursInAll)/float64(theirsInAll), "times-bare-in-all")
		})
	}
}

// bareTelegram makes the two calls of a press with the library alone.
func bareTelegram(tb testing.TB, base string) func(text, data string) {
	api, err := tgbotapi.NewBotAPIWithAPIEndpoint("1:AAx", base+"/bot%s/%s")
	if err != nil {
		tb.Fatal(err)
	}
	return func(text, data string) {
		button := func(label string) map[string]string { return map[string]string{"text": label, "callback_data": data} }
		keyboard, err := json.Marshal(map[string]any{"inline_keyboard": [][]map[string]string{
			{button("My cards"), button("Rules"), button("Last deal")}, {button("1"), button("2"), button("3"), button("4")},
		}})
		if err != nil {
			tb.Fatal(err)
		}
		_, err = api.MakeRequest("answerCallbackQuery", tgbotapi.Params{"callback_query_id": "1", "text": "You play 7"})
		if err != nil {
			tb.Fatal(err)
		}
		_, err = api.MakeRequest("editMessageText", tgbotapi.Params{
			"chat_id": "-4", "message_id": "1", "text": text, "parse_mode": "HTML", "reply_markup": string(keyboard),
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// bareDiscord is like bareTelegram, for Discord.
func bareDiscord(tb testing.TB, base string) func(text, data string) {
	session, err := discordgo.New("Bot x")
	if err != nil {
		tb.Fatal(err)
	}
	message := func(text string, rows ...discordgo.MessageComponent) discordgo.MessageComponent {
		return discordgo.Container{Components: append([]discordgo.MessageComponent{discordgo.TextDisplay{Content: text}}, rows...)}
	}
	return func(text, data string) {
		_, err := session.RequestWithBucketID(http.MethodPost, base+"/api/v10/interactions/1/token/callback", discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{
				Flags:      discordgo.MessageFlagsIsComponentsV2 | discordgo.MessageFlagsEphemeral,
				Components: []discordgo.MessageComponent{message("You play 7")},
			},
		}, "answer")
		if err != nil {
			tb.Fatal(err)
		}
		button := func(label string) discordgo.MessageComponent { return discordgo.Button{Label: label, CustomID: data} }
		components := []discordgo.MessageComponent{message(text, discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			button("My cards"), button("Rules"), button("Last deal"),
		}})}
		_, err = session.RequestWithBucketID(http.MethodPatch, base+"/api/v10/channels/4/messages/1", discordgo.MessageEdit{
			Flags: discordgo.MessageFlagsIsComponentsV2, Components: &components,
		}, "edit")
		if err != nil {
			tb.Fatal(err)
		}
	}
}

package discord_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/screen"
)

// A press is answered while Discord keeps back all that the bot could do without: the application, the emojis and the
// commands. That holds for each way in which interactions arrive.
func TestPressesComeFirst(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	for name, fault := range map[string]discordtest.Fault{
		"everything is slow":          {Path: "/applications/", Times: 100, Hold: never},
		"everything fails":            {Path: "/applications/", Times: 100, Status: 500},
		"the limit is used up":        {Path: "/applications/", Times: 100, Status: 429, After: 3600},
		"the list is slow":            {Method: http.MethodPut, Path: "/applications/", Times: 100, Hold: never},
		"a proxy refuses everything":  {Path: "/applications/", Times: 100, Status: 403, Page: true},
		"a proxy wants to know more":  {Path: "/applications/", Times: 100, Status: 401, Page: true},
		"all is refused":              {Path: "/applications/", Times: 100, Status: 403, Code: 50001},
		"nobody may read or register": {Path: "/applications/1", Times: 100, Status: 401},
	} {
		for _, mode := range []string{"gateway", "endpoint"} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.Fail(fault)
				h := handler(func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "here"} })
				if mode == "gateway" {
					w.run(t, h)
				} else {
					waiting := bell{"waiting for discord", make(chan struct{}, 1)}
					w.configure(t, func(c *discord.Config) {
						c.PublicKey, c.Log = w.PublicKey(), slog.New(slog.NewTextHandler(waiting, nil))
					})
					web := httptest.NewServer(w.adapter)
					t.Cleanup(web.Close)
					ctx, cancel := context.WithCancel(t.Context())
					ended := make(chan struct{})
					go func() {
						defer close(ended)
						_ = w.adapter.Run(ctx, h)
					}()
					t.Cleanup(func() { cancel(); <-ended })
					<-waiting.rung
					if !w.Endpoint(web.URL) {
						t.Fatal("discord would not take the endpoint")
					}
				}
				post := textScreen("cards")
				post.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
				if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, post, "1"); err != nil {
					t.Fatal(err)
				}
				if m, ok := w.ann.Click(w.ann.Sees(w.channel)[0], "Play").Wait(); !ok || m.Text != "here" {
					t.Errorf("the press was answered %v, %v", m, ok)
				}
				if len(w.Commands()) != 0 {
					t.Error("the fault had no effect")
				}
			})
		}
	}
}

// All that presses don't wait for is repeated until Discord takes it.
func TestWhatFailedAtTheStartIsRepeated(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.AddEmoji("7_hearts_g123ab")
	w.Fail(discordtest.Fault{Method: http.MethodGet, Path: "/applications/@me", Times: 1, Status: 401, Page: true})
	w.Fail(discordtest.Fault{Method: http.MethodGet, Path: "/applications/@me", Times: 1, Status: 500})
	w.Fail(discordtest.Fault{Method: http.MethodGet, Path: "/applications/", Times: 8, Status: 503})
	w.Fail(discordtest.Fault{Method: http.MethodPut, Path: "/applications/", Times: 1, Status: 403, Page: true})
	w.Fail(discordtest.Fault{Method: http.MethodPut, Path: "/applications/", Times: 1, Status: 429, After: 0.01})
	w.run(t, nil)
	w.Until("the commands are registered, and the emojis are known", func() bool {
		emojis := false
		for _, c := range w.Calls() {
			emojis = emojis || strings.HasSuffix(c.Path, "/emojis") && c.Status == http.StatusOK
		}
		return emojis && len(w.Commands()) > 0
	})
}

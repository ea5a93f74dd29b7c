package telegram

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game"
)

// request is a call in the form of the golden files.
func request(t *testing.T, c telegramtest.Call) string {
	t.Helper()
	params := map[string]any{}
	for k, v := range c.Params {
		params[k] = v
		if name, data, file := strings.Cut(v, "\n"); file && strings.HasPrefix(data, "\x89PNG") {
			params[k] = name
		}
		if v[0] == '{' {
			params[k] = json.RawMessage(v)
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(params); err != nil {
		t.Fatal(err)
	}
	return c.Method + " " + b.String()
}

// The requests for each kind of screen of a match must equal the golden files, in English and Czech. Most screens go to
// the group, hands go to private chats, and one hand is an ephemeral message.
func TestRequestsOfEveryKindOfScreen(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, language := range []string{"en", "cs"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			s := telegramtest.New(t)
			a, _ := connected(t, s, quiet, nil)
			group, ann := s.Group("Cards"), s.Person("Ann")
			group.Promote(true)
			ann.Start("")
			if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
				t.Fatal(err)
			}
			nth := map[string]int{"lobby": 3, "settings": 4, "opening": 1, "deal": 3, "more": 4, "proof": 1, "hand": 12, "result": 1, "rules": 1, "board": 1, "help": 1, "prefs": 2, "cup": 1,
				"hall": 1, "stats": 1, "matches": 1, "daily": 1, "puzzle": 1, "privacy": 1, "mydata": 1, "erase": 1,
			}
			seen := map[string]int{}
			var got strings.Builder
			send := func(what string, to chat.Target, s2 screen.Screen) {
				if _, err := a.Send(t.Context(), to, s2, ""); err != nil {
					t.Fatal(err)
				}
				calls := s.Calls("")
				last := calls[len(calls)-1]
				if what == "help" { // one command is enough
					first, more, _ := strings.Cut(last.Params["text"], "\n<b>/")
					_, after, _ := strings.Cut(more, "</blockquote>")
					last.Params["text"] = first + "</blockquote>" + after
				}
				fmt.Fprintf(&got, "== %s\n%s", what, request(t, last))
			}
			bottest.Screens(t, a, "sedma-4p", language, func(what string, screen screen.Screen) {
				if seen[what]++; seen[what] != nth[what] {
					return
				}
				if what != "hand" {
					send(what, chat.Target{Chat: chatID(group.ID, 0)}, screen)
					return
				}
				send(what, chat.Target{Player: chatID(ann.ID, 0)}, screen)
				for range 2 { // the first ephemeral message shows whether the server supports ephemeral messages
					send(what+" aside", ephemeral(group, ann), screen)
				}
			})
			for what := range nth {
				if seen[what] < nth[what] {
					t.Errorf("only %d screens of kind %s", seen[what], what)
				}
			}
			file := "testdata/requests." + language + ".golden"
			if *rewrite {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("requests (-want +got; -update writes them anew):\n%s", diff)
			}
		})
	}
}

// Every screen of a match of any preset fits Telegram's limits uncut, in every
// language, and matches the published API.
func TestEveryScreenOfEveryGameFits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("every screen takes long under the race detector, and one goroutine looks at them all")
	}
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		a, _ := connected(t, s, quiet, nil)
		group := s.Group("Cards")
		kinds := map[string]int{}
		each := 25
		if os.Getenv("SEDMABOT_TEST_LONG") == "1" {
			each = 5
		}
		for i, preset := range game.Presets() {
			for _, language := range bottest.Languages(i) {
				n := 0
				bottest.Screens(t, a, preset, language, func(what string, screen screen.Screen) {
					kinds[what]++
					if screen.Picture != nil {
						screen = a.fitting(group.ID, screen)
						if screen.Picture == nil {
							t.Errorf("%s: %s in %s is too long for a caption:\n%s", preset, what, language, screen)
						}
					}
					p, err := render(screen, true, a.keyboard(0))
					if err != nil {
						t.Fatalf("%s: %s in %s: %v", preset, what, language, err)
					}
					if length(screen) >= textLimit || p["caption"] != "" && length(screen) >= captionLimit {
						t.Errorf("%s: %s in %s is cut:\n%s", preset, what, language, screen)
					}
					if n++; (n+i)%each == 0 { // the others are similar
						if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, screen, ""); err != nil {
							t.Errorf("%s: %s in %s: %v", preset, what, language, err)
						}
					}
				})
			}
		}
		for _, what := range []string{"lobby", "settings", "opening", "deal", "more", "proof", "hand", "result", "rules", "board", "help", "prefs"} {
			if kinds[what] < len(game.Presets()) {
				t.Errorf("%d screens of kind %s", kinds[what], what)
			}
		}
	})
}

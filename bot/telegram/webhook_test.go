package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// hooked runs an adapter that takes its updates by webhook, and returns the webhook.
func hooked(t *testing.T, s *telegramtest.Server, h handler) (url string, stop func() error) {
	t.Helper()
	_, url, stop = hookedAdapter(t, s, h)
	return url, stop
}

// hookedAdapter works like hooked, and returns the adapter too.
func hookedAdapter(t *testing.T, s *telegramtest.Server, h handler) (a *Adapter, url string, stop func() error) {
	t.Helper()
	var at atomic.Pointer[Adapter]
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { at.Load().ServeHTTP(w, r) }))
	t.Cleanup(web.Close)
	a, stop = connected(t, s, h, func(c *Config) { c.Webhook, c.Push = web.URL+"/telegram", true })
	at.Store(a)
	if err := s.Until(soon(t), func() bool { return s.Webhook() != "" }); err != nil {
		t.Fatal(err)
	}
	return a, web.URL + "/telegram", stop
}

func TestUpdatesByWebhook(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	handled := make(chan chat.Input, 10)
	hooked(t, s, func(_ context.Context, in chat.Input) chat.Reply {
		handled <- in
		return chat.Reply{Toast: "here"}
	})
	ann := s.Person("Ann")
	ann.Start("")
	if in := <-handled; in.Command != "hello" {
		t.Errorf("handled %+v", in)
	}
	if _, err := ann.Private().Wait(soon(t), telegramtest.Contains("here")); err != nil {
		t.Error(err)
	}
	s.Repeat()
	if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
		t.Fatal(err)
	}
	if len(handled) != 0 {
		t.Errorf("an update that came twice was handled again: %+v", <-handled)
	}
}

// An update is acknowledged once it was handled. If a process is killed while handling
// one, Telegram sends it again.
func TestAWebhookAcknowledgesWhatWasHandled(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	begun, end := make(chan struct{}), make(chan struct{})
	hooked(t, s, func(context.Context, chat.Input) chat.Reply {
		close(begun)
		<-end
		return chat.Reply{}
	})
	s.Person("Ann").Start("")
	<-begun
	if s.Pending() != 1 {
		t.Error("the update was acknowledged before it was handled")
	}
	close(end)
	if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
		t.Error("the update was never acknowledged")
	}
}

// If a toast is enough to answer a press, the acknowledgement contains it, once.
func TestAWebhookAnswersPresses(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	url, _ := hooked(t, s, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "You <play>", Alert: true} })
	a, _ := adapter(t, s, nil)
	press := func(update int) string {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(fmt.Sprintf(
			`{"update_id":%d,"callback_query":{"id":"77","from":{"id":7,"first_name":"Ann"},"message":{"message_id":1,"chat":{"id":-4,"type":"supergroup"}},"data":"cards:0abcdefghijkl"}}`, update)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(secretHeader, secretOf(a.client.token))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp.Status, err)
		}
		return string(body)
	}
	var answer map[string]any
	if err := json.Unmarshal([]byte(press(900)), &answer); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"method": "answerCallbackQuery", "callback_query_id": "77", "text": "You <play>", "show_alert": true}
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Error(diff)
	}
	if again := press(900); again != "" {
		t.Errorf("the same update is answered %s", again)
	}
	if len(s.Calls("answerCallbackQuery")) > 0 {
		t.Error("it was answered by a request too")
	}
}

// An ephemeral message on which somebody pressed can be edited once the press was answered with a word.
func TestAnEphemeralMessageIsFreeAfterAWordByWebhook(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _, _ := hookedAdapter(t, s, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "not yet"} })
	group, ben := s.Group("Cards"), s.Person("Ben")
	group.Promote(true)
	first := text("first")
	first.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
	at, err := a.Send(t.Context(), ephemeral(group, ben), first, "")
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := ben.PressData(soon(t), ben.Ephemerals(group)[0], "play"); err != nil || answer.Text != "not yet" {
		t.Fatal(answer, err)
	}
	if err := a.Edit(soon(t), at, text("newer")); err != nil {
		t.Error(err)
	}
}

func TestAWebhookTakesNothingFromStrangers(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	url, stop := hooked(t, s, func(context.Context, chat.Input) chat.Reply {
		t.Error("it was handled")
		return chat.Reply{}
	})
	a, _ := adapter(t, s, nil)
	const forged = `{"update_id":1,"message":{"message_id":1,"from":{"id":7,"first_name":"Eve"},"chat":{"id":7,"type":"private"},"text":"/start"}}`
	post := func(secret, body string) int {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(secretHeader, secret)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	for _, secret := range []string{"", "x", s.Token, secretOf(a.client.token)[1:], secretOf(a.client.token) + "x"} {
		if code := post(secret, forged); code != http.StatusUnauthorized {
			t.Errorf("with a wrong secret the answer is %d", code)
		}
	}
	// An unreadable update has to be acknowledged, or Telegram would send it forever.
	if code := post(secretOf(a.client.token), `{"update_id":"x"`); code != http.StatusOK {
		t.Errorf("an unreadable update is answered %d", code)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if code := post(secretOf(a.client.token), forged); code != http.StatusServiceUnavailable {
		t.Errorf("after the end an update is answered %d: it would be lost", code)
	}
}

func TestOnlyTheOwnWebhookIsRemoved(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]bool{"own": true, "another's": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := telegramtest.New(t)
			url, stop := hooked(t, s, quiet)
			if err := stop(); err != nil {
				t.Fatal(err)
			}
			asked := len(s.Calls("getWebhookInfo"))
			a, log := adapter(t, s, func(c *Config) {
				if c.Webhook = "https://bot.example.org/telegram"; own {
					c.Webhook = url
				}
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- a.Run(ctx, handler(quiet)) }()
			if !own {
				if err := s.Until(soon(t), func() bool { return len(s.Calls("getWebhookInfo")) > asked }); err != nil {
					t.Error(err)
				}
				cancel()
				if err := <-ended; err != nil || s.Webhook() == "" || !strings.Contains(log.String(), errWebhook.Error()) {
					t.Errorf("the error is %v, the webhook %q, the log:\n%s", err, s.Webhook(), log)
				}
				return
			}
			ann := s.Person("Ann")
			ann.Start("")
			if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
				t.Error(err)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// Telegram's errors at the webhook are warned of once each.
func TestWebhookErrorsAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		s.FailWebhook("Wrong response from the webhook: 502 Bad Gateway", time.Now().Add(time.Hour))
		a, log := adapter(t, s, func(c *Config) { c.Webhook, c.Push = "https://bot.example.org/telegram", true })
		run(t, a, quiet)
		for ctx := soon(t); !strings.Contains(log.String(), "502 Bad Gateway"); {
			select {
			case <-ctx.Done():
				t.Fatal("nothing is said")
			case <-time.After(5 * time.Millisecond):
			}
		}
		if log := log.String(); strings.Count(log, "level=WARN") != 1 || !strings.Contains(log, "telegram.webhook_url") {
			t.Errorf("the log says:\n%s", log)
		}
	})
}

// The address may be wrong, or its name may be unknown for a moment.
func TestARefusedWebhookIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Fail(telegramtest.Failure{Method: "setWebhook", Times: 1, Code: 400, Description: "Bad Request: bad webhook: Failed to resolve host"})
	a, log := adapter(t, s, func(c *Config) { c.Webhook, c.Push = "https://bot.example.org/telegram", true })
	run(t, a, quiet)
	if err := s.Until(soon(t), func() bool { return s.Webhook() != "" }); err != nil {
		t.Error(err)
	}
	if log := log.String(); strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "telegram.webhook_url") {
		t.Errorf("the log says:\n%s", log)
	}
}

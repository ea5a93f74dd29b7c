package telegram

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
)

// For any update, the input's ids lead back to its source, its names fit, and its
// command is one of the bot's.
func FuzzUpdate(f *testing.F) {
	for _, s := range []string{
		`{"update_id":1,"message":{"message_id":5,"from":{"id":42,"first_name":"Ann","language_code":"cs"},"chat":{"id":-1009,"type":"supergroup","title":"Cards"},"text":"/new 4"}}`,
		`{"update_id":2,"message":{"message_id":5,"message_thread_id":17,"is_topic_message":true,"from":{"id":42,"first_name":"\u0000"},"chat":{"id":-1009,"type":"supergroup"},"text":"/close@SedmaTestBot"}}`,
		`{"update_id":3,"callback_query":{"id":"7","from":{"id":42,"first_name":"A","last_name":"B"},"message":{"message_id":5,"chat":{"id":42,"type":"private"}},"data":"play:k3:12:7:9h"}}`,
		`{"update_id":4,"message":{"message_id":1,"chat":{"id":-4000,"type":"group"},"migrate_to_chat_id":-1001}}`,
		`{"update_id":5,"message":{"message_id":1,"chat":{"id":-1001,"type":"supergroup"},"migrate_from_chat_id":-4000}}`,
		`{"update_id":6,"message":{"from":{"id":1},"chat":{"id":1,"type":"private"},"text":"/start t-abc"}}`,
		`{"update_id":7,"callback_query":{"id":"7","from":{"id":-1}}}`,
	} {
		f.Add([]byte(s))
	}
	a := quietAdapter(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var u update
		if json.Unmarshal(data, &u) != nil {
			return
		}
		u.keys()
		in, ok := a.input(u, func() {})
		if !ok {
			return
		}
		if _, _, ok := parseChat(in.Chat.ID); !ok && (u.message() == nil || u.message().Chat.ID != 0) {
			t.Errorf("no chat: %+v", in)
		}
		if in.Former != "" || in.Presence != 0 {
			return
		}
		if n := utf8.RuneCountInString(in.Player.Name); n == 0 || n > nameLimit || strings.ContainsAny(in.Player.Name, "\n\r") {
			t.Errorf("the name %q", in.Player.Name)
		}
		if in.Admin && !in.Chat.Private {
			t.Errorf("somebody manages a group of whom nobody said so: %+v", in)
		}
		if in.Command != "" && in.Press != "" {
			t.Errorf("a press and a command: %+v", in)
		}
		if to, _, ok := targetChat(chat.Target{Player: in.Player.ID}); ok && to != u.from() {
			t.Errorf("%s leads to %d", in.Player.ID, to)
		}
		for _, text := range []string{"reply.trouble", "private.unreachable"} {
			if lang.For(in.Player.Lang, in.Chat.Lang).Text(text) == "" {
				t.Errorf("no words for %q", in.Player.Lang)
			}
		}
	})
}

// message returns the message of an update.
func (u update) message() *message {
	if u.Callback != nil {
		return u.Callback.Message
	}
	return u.Message
}

// from returns the person who caused the update.
func (u update) from() int64 {
	if u.Callback != nil {
		return u.Callback.From.ID
	}
	return u.Message.From.ID
}

func FuzzCommand(f *testing.F) {
	for _, s := range []string{"/new 4 sedma", "/close@sedmatestbot", "/start t-abc", "/leaderboard osmova", "/replay 7k3-1", "hello", "/", "/new@", "/\x00", "/settings a b c"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, private bool) {
		name, args, ok := parseCommand(bot.Commands(), text, "SedmaTestBot", private)
		if !ok {
			return
		}
		known := name == "hello" || name == "help"
		for _, c := range bot.Commands() {
			known = known || c.Name == name
		}
		if !known {
			t.Errorf("%q is the command %q", text, name)
		}
		for option, value := range args {
			for _, word := range strings.Fields(value) { // the text must have these words, in any order
				if !strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
					t.Errorf("%q has %s %q", text, option, value)
				}
			}
		}
	})
}

// quietAdapter returns an adapter that isn't connected.
func quietAdapter(f *testing.F) *Adapter {
	f.Helper()
	a, err := New(Config{Token: "123:AAx", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	return a
}

// Updates are accepted only with the exact secret, and no update does harm.
func FuzzWebhook(f *testing.F) {
	a := quietAdapter(f)
	here := &listener{work: context.Background(), h: handler(quiet), pending: map[int64]chan struct{}{}}
	a.listener.Store(here)
	f.Add(secretOf(a.client.token), []byte(`{"update_id":1,"message":{"message_id":5,"from":{"id":42},"chat":{"id":-1009,"type":"group"},"text":"/help"}}`))
	f.Add(secretOf(a.client.token)+"x", []byte(`{}`))
	f.Add("", []byte(``))
	f.Fuzz(func(t *testing.T, secret string, body []byte) {
		r := httptest.NewRequest("POST", "/telegram", strings.NewReader(string(body)))
		r.Header[secretHeader] = []string{secret}
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		a.replier.running.Wait()
		if taken := w.Code == 200; taken != (secret == secretOf(a.client.token)) {
			t.Errorf("with the secret %q: %d", secret, w.Code)
		}
	})
}

// Addresses come back from the store. An invalid one is refused, without any call.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"telegram:-1009:5", "telegram:42:1", "telegram:-1009/17", "discord:m/1/2", "telegram:0:0", "telegram:-1:-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if peer, message, ok := parseAddress(chat.Address(s)); ok {
			if again, no, ok := parseAddress(address(peer, message)); !ok || again != peer || no != message {
				t.Errorf("%q is %d and %d, and then %d and %d", s, peer, message, again, no)
			}
		}
		if peer, topic, ok := parseChat(s); ok {
			if again, no, ok := parseChat(chatID(peer, topic)); !ok || again != peer || no != topic {
				t.Errorf("%q is %d and %d, and then %d and %d", s, peer, topic, again, no)
			}
		}
	})
}

package discord

import (
	"log/slog"
	"net/http"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// in is a transport that answers each request by calling the function.
type in func() *http.Response

func (f in) RoundTrip(*http.Request) (*http.Response, error) { return f(), nil }

// Somebody restores the bot's permission and writes. Meanwhile Discord's refusal of an
// earlier request arrives: the place stays open.
func TestARefusalThatIsOlderThanAWordFromThere(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{true, false} {
		asked := 0
		a, err := New(Config{Commands: bot.Commands(), Token: "x", Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		a.client.http = &http.Client{Transport: in(func() *http.Response {
			if asked++; asked > 1 {
				return answer(200, `{"id":"2"}`)
			}
			if heard {
				a.refusals.reopen("discord:1")
			}
			return answer(403, `{"code":50013}`)
		})}
		for range 2 {
			_, err = a.Send(t.Context(), chat.Target{Chat: "discord:1"}, screen.Screen{}, "1")
		}
		if heard && (err != nil || asked != 2) || !heard && (err == nil || asked != 1) {
			t.Errorf("heard of the place meanwhile %v: %d requests, at last %v", heard, asked, err)
		}
		if len(a.refusals.asking) > 0 {
			t.Errorf("%d places are kept in mind", len(a.refusals.asking))
		}
	}
}

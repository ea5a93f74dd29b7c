package telegram

import (
	"context"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// A button shares a screen in another chat where the bot has inline mode. Elsewhere it is an ordinary button.
func TestAButtonThatShares(t *testing.T) {
	t.Parallel()
	for _, inline := range []bool{false, true} {
		s := telegramtest.New(t)
		s.Inline = inline
		a, _ := connected(t, s, quiet, nil)
		group := s.Group("Cards")
		shown := text("The match is over.")
		shown.Rows = [][]screen.Button{{{Label: "Share", Press: "send:k3:1:0:0:", Share: "k3-1"}}, {{Label: "Replay", Press: "replay:k3:1:1:0:"}}}
		if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, shown, ""); err != nil {
			t.Fatal(err)
		}
		calls := s.Calls("sendMessage")
		got := calls[len(calls)-1].Params["reply_markup"]
		const want = `{"text":"Share","switch_inline_query_chosen_chat":{"query":"k3-1","allow_user_chats":true,"allow_group_chats":true,"allow_channel_chats":true}}`
		if strings.Contains(got, want) != inline || strings.Contains(got, `"callback_data":"send:`) == inline || !strings.Contains(got, "Replay") {
			t.Errorf("inline mode %v: the keyboard is %s", inline, got)
		}
		if kinds := a.client.wanted(); strings.Contains(kinds, "inline_query") != inline {
			t.Errorf("inline mode %v: the bot asks for %s", inline, kinds)
		}
	}
}

// A person who asks for a result in another chat gets its picture by the id of the file that Telegram has, or its words.
// A person who may not see it gets nothing.
func TestAResultInAnotherChat(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Inline = true
	known, unknown := pictured("Ann <3 wins", false, 1, 2), pictured("Ben wins", false, 3, 4)
	known.Rows = [][]screen.Button{{{Label: "Rematch", Press: "rematch:k3"}}}
	a, _ := connected(t, s, func(_ context.Context, in chat.Input) chat.Reply {
		if in.Command == "offer" && in.Chat.Private {
			switch id := in.Args["id"]; id {
			case "k3-1":
				return chat.Reply{Offers: []chat.Offer{{ID: id, Title: "Result", Screen: known}}}
			case "k3-2":
				return chat.Reply{Offers: []chat.Offer{{ID: id, Title: "Result", Screen: unknown}}}
			}
		}
		return chat.Reply{Toast: "no"}
	}, nil)
	group, ann := s.Group("Cards"), s.Person("Ann")
	if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, known, ""); err != nil {
		t.Fatal(err)
	}
	const keys = `{"inline_keyboard":[[{"text":"Rematch","callback_data":"rematch:k3"}]]}`
	for query, want := range map[string]string{
		"k3-1": `[{"type":"photo","id":"k3-1","photo_file_id":"` + group.Messages()[0].Photo + `","title":"Result","caption":"Ann \u0026lt;3 wins","parse_mode":"HTML","description":"Ann \u003c3 wins","reply_markup":` + keys + `}]`,
		"k3-2": `[{"type":"article","id":"k3-2","title":"Result","input_message_content":{"message_text":"Ben wins","parse_mode":"HTML"},"description":"Ben wins"}]`,
		"k3-3": `[]`,
	} {
		got, err := ann.Ask(soon(t), query)
		if err != nil || got.Text != want {
			t.Errorf("%s: %s, %v, want %s", query, got.Text, err, want)
		}
	}
}

// The address of the Mini App names the table. Without an app, there is none.
func TestTheAddressOfTheApp(t *testing.T) {
	t.Parallel()
	for app, want := range map[string]string{"": "", "table": "/table?startapp=k3"} {
		s := telegramtest.New(t)
		a, _ := connected(t, s, quiet, func(c *Config) { c.App = app })
		if want != "" {
			want = "https://t.me/" + s.Username + want
		}
		if got := a.AppLink("k3"); got != want {
			t.Errorf("the app %q has the address %q, want %q", app, got, want)
		}
	}
}

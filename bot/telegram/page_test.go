package telegram

import (
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// Buttons to a table's page open the Mini App if there is one, and otherwise the web address. In a group, there is
// no web address, because only the Mini App knows who opened it.
func TestButtonsToPages(t *testing.T) {
	t.Parallel()
	const link = "https://cards.example.org/#t=t1.2.3.x"
	personal := screen.Button{Label: "Open the table", Link: link, Page: "t1"}
	here := screen.Button{Label: "Play here", Page: "t1"}
	const (
		asLink      = `{"inline_keyboard":[[{"text":"Open the table","url":"` + link + `"}]]}`
		asApp       = `{"inline_keyboard":[[{"text":"Open the table","web_app":{"url":"https://cards.example.org/?start=t1"}}]]}`
		inGroup     = `{"inline_keyboard":[[{"text":"Play here","url":"https://t.me/sedma_bot/table?startapp=t1"}]]}`
		ephemerally = `{"inline_keyboard":[[{"text":"Open the table","url":"https://t.me/sedma_bot/table?startapp=t1"}]]}`
	)
	for _, each := range []struct {
		name       string
		pages, app string
		alone      bool
		button     screen.Button
		want       string
	}{
		{"no app", "", "", true, personal, asLink},
		{"no app, ephemeral", "", "", false, personal, asLink},
		{"no app, group", "", "", false, here, ""},
		{"private", "https://cards.example.org/", "", true, personal, asApp},
		{"no short name, group", "https://cards.example.org/", "", false, here, ""},
		{"group", "https://cards.example.org/", "table", false, here, inGroup},
		{"ephemeral", "https://cards.example.org/", "table", false, personal, ephemerally},
	} {
		t.Run(each.name, func(t *testing.T) {
			t.Parallel()
			s := telegramtest.New(t)
			s.Username = "sedma_bot"
			a, _ := connected(t, s, quiet, func(c *Config) { c.Pages, c.App = each.pages, each.app })
			group, ann := s.Group("Cards"), s.Person("Ann")
			ann.Start("")
			to := chat.Target{Chat: chatID(group.ID, 0)}
			if each.alone {
				to = chat.Target{Player: chatID(ann.ID, 0)}
			}
			shown := text("Your turn.")
			shown.Rows = [][]screen.Button{{each.button}}
			if _, err := a.Send(t.Context(), to, shown, ""); err != nil {
				t.Fatal(err)
			}
			calls := s.Calls("sendMessage")
			if got := calls[len(calls)-1].Params["reply_markup"]; got != each.want {
				t.Errorf("the keyboard is %s, want %s", got, each.want)
			}
		})
	}
}

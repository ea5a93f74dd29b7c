package telegram

import (
	"slices"
	"strconv"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/telegram/telegramtest"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	bottest.Faults(t, func(t *testing.T) bottest.Stand {
		server := telegramtest.New(t)
		a, _ := connected(t, server, quiet, nil)
		s := bottest.Stand{Platform: a}
		chats := map[string]*telegramtest.Chat{}
		ann, ben, cat := server.Person("Ann"), server.Person("Ben"), server.Person("Cat")
		for i, p := range []*telegramtest.Person{ann, ben, cat} {
			p.Start("")
			s.People[i] = chatID(p.ID, 0)
			chats[s.People[i]] = p.Private()
		}
		for i := range s.Chats {
			c := server.Group("Cards", ann, ben, cat)
			s.Chats[i] = chatID(c.ID, 0)
			chats[s.Chats[i]] = c
		}
		s.Until = func(what string, ok func() bool) {
			t.Helper()
			if err := server.Until(soon(t), ok); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		s.Until("everybody has said hello", func() bool { return server.Pending() == 0 })
		group := chats[s.Chats[0]]
		s.Seen = func(id string) (seen []string) {
			for _, m := range chats[id].Messages() {
				seen = append(seen, m.Text)
			}
			return seen
		}
		s.Asked = func(id string) (n int) {
			for _, c := range server.Calls("") {
				if c.Params["chat_id"] == strconv.FormatInt(chats[id].ID, 10) && slices.Contains([]string{"sendMessage", "editMessageText"}, c.Method) {
					n++
				}
			}
			return n
		}
		hold := make(chan struct{})
		s.Heal = func() { server.Heal(); close(hold) }
		fail := func(f telegramtest.Failure) func() {
			f.Chat = group.ID
			return func() { server.Fail(f) }
		}
		s.Cause = map[string]func(){
			"429 with retry-after":          fail(telegramtest.Failure{Code: 429, Description: "Too Many Requests: retry after 60", RetryAfter: 60}),
			"500":                           fail(telegramtest.Failure{Code: 500, Description: "Internal Server Error"}),
			"502, a proxy's page":           fail(telegramtest.Failure{Code: 502, Page: "<html>Bad Gateway</html>"}),
			"403, a proxy's page":           fail(telegramtest.Failure{Code: 403, Page: "<html>Forbidden</html>"}),
			"404, a proxy's page":           fail(telegramtest.Failure{Code: 404, Page: `{"message": "not found"}`}),
			"a hung chat":                   fail(telegramtest.Failure{Hold: hold}),
			"a connection cut in an answer": fail(telegramtest.Failure{Cut: true}),
			"the message is gone":           func() { group.Lose(group.Messages()[0]) },
			"the message is not modified":   func() {}, // the server reports this on its own
			"the message cannot be edited any more": fail(telegramtest.Failure{
				Method: "editMessageText", Code: 400, Description: "Bad Request: message can't be edited"}),
			"the private chat is closed": ann.Block,
			"the bot was removed":        fail(telegramtest.Failure{Code: 403, Description: "Forbidden: bot was kicked from the supergroup chat"}),
			"the chat is gone":           fail(telegramtest.Failure{Code: 400, Description: "Bad Request: chat not found"}),
		}
		return s
	})
}

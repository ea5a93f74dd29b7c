package telegram

import (
	"context"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// Only Telegram's own word about an answer is final. After a proxy's page, an error of the server or a lost connection, the
// answer is sent again, so that no button stays busy and nobody waits in vain.
func TestAnAnswerThatWasNotTakenIsSentAgain(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	page := func(code int) telegramtest.Failure {
		return telegramtest.Failure{Code: code, Page: "<html>blocked</html>"}
	}
	for name, f := range map[string]telegramtest.Failure{
		"a page, 200":      page(200),
		"a page, 401":      page(401),
		"a page, 403":      page(403),
		"a page, 404":      page(404),
		"a server's error": {Code: 500, Description: "Internal Server Error"},
		"a wait":           {Code: 429, Description: "Too Many Requests: retry after 1", RetryAfter: 1},
		"a lost answer":    {Cut: true},
		"no connection":    {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScene(t, func(_ context.Context, in chat.Input) chat.Reply {
				switch in.Command {
				case "offer":
					return chat.Reply{Offers: []chat.Offer{{ID: "1", Title: "Table", Screen: text("a table")}}}
				case "rules":
					return chat.Reply{Screen: new(text("the rules")), Public: true}
				case "join":
					return chat.Reply{Toast: "You sit.", Echo: true}
				}
				return chat.Reply{Toast: "Played."}
			})
			sc.Guests, sc.Inline = true, true
			failing := func(method string) {
				f := f
				f.Method, f.Times = method, 1
				sc.Fail(f)
			}
			failing("answerCallbackQuery")
			if got := sc.press(t, sc.ben); got.Text != "Played." {
				t.Errorf("the press is answered with %+v", got)
			}
			failing("answerInlineQuery")
			if got, err := sc.ann.Ask(soon(t), ""); err != nil || got.Text == "" {
				t.Errorf("an inline query is answered with %+v, %v", got, err)
			}
			failing("answerGuestQuery")
			if _, err := sc.ben.Summon(soon(t), sc.group, "rules"); err != nil {
				t.Errorf("a mention isn't answered: %v", err)
			}
			if name == "a lost answer" || name == "no connection" {
				return // a message may have been sent
			}
			failing("setMessageReaction")
			id := sc.ben.Say(sc.group, "/join")
			if err := sc.Until(soon(t), func() bool { return sc.group.Reaction(id) != "" }); err != nil {
				t.Errorf("no reaction: %v", err)
			}
			failing("sendMessage")
			sc.ann.Say(sc.group, "/rules")
			if _, err := sc.group.Wait(soon(t), telegramtest.Contains("the rules")); err != nil {
				t.Error(err)
			}
		})
	}
}

// A press from the time when the bot was away is old, also if a page comes instead of the first word about it.
func TestAPageDoesNotMakeAnOldPressYoung(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	ann := s.Person("Ann")
	at := telegramtest.Message{ID: 1, Chat: s.Group("Cards", ann).ID}
	a, _ := adapter(t, s, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nobody waits for the answer
	_, _ = ann.PressData(ctx, at, "old")
	s.Outdate()
	s.Fail(telegramtest.Failure{Method: "answerCallbackQuery", Times: 1, Code: 403, Page: "<html>blocked</html>"})
	old := make(chan bool, 1)
	run(t, a, func(ctx context.Context, in chat.Input) chat.Reply {
		old <- in.Old(ctx)
		return chat.Reply{}
	})
	if !<-old {
		t.Error("a press of hours ago isn't old")
	}
}

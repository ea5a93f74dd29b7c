package telegram

import (
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// asked returns a screen with a question, and the same question as a poll.
func asked() screen.Screen {
	s := pictured("the day's puzzle", false, 1, 2)
	s.Rows = [][]screen.Button{{{Label: "7♠", Press: "puzzle:quiz:1-2026-11-23:telegram:-1009"}}}
	s.Poll = &screen.Poll{
		Question: "What do you play?", About: "Answers are anonymous.", Options: []string{"7♠", "A♥"}, Right: 1, Why: "Keep 7♠.",
		Row: []screen.Button{{Label: "For my rating", Press: "puzzle:day:2026-11-23:telegram:-1009"}},
	}
	return s
}

// A question is an anonymous quiz poll with its picture. An edit leaves it alone, and it can be deleted.
func TestAQuestionIsAPoll(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group := s.Group("Cards")
	at, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, asked(), "")
	if err != nil {
		t.Fatal(err)
	}
	calls := s.Calls("sendPoll")
	if len(calls) != 1 {
		t.Fatalf("%d polls were sent", len(calls))
	}
	p := calls[0].Params
	if p["type"] != "quiz" || p["correct_option_ids"] != "[1]" || p["is_anonymous"] != "true" || p["explanation"] != "Keep 7♠." || p["options"] != `[{"text":"7♠"},{"text":"A♥"}]` ||
		!strings.Contains(p["media"], "attach://photo") || !strings.Contains(p["reply_markup"], "For my rating") || strings.Contains(p["reply_markup"], "puzzle:quiz") {
		t.Errorf("the poll is %v", p)
	}
	before := len(s.Calls(""))
	if err := a.Edit(t.Context(), at, asked()); err != nil || len(s.Calls("")) != before {
		t.Errorf("an edit: %v", err)
	}
	if err := a.Delete(t.Context(), at); err != nil || len(group.Messages()) != 0 {
		t.Errorf("after its deletion: %v, %v", err, group.Messages())
	}
}

// If the server or the chat takes no such polls, people get the buttons, and the next time at once.
func TestAChatWithoutPolls(t *testing.T) {
	t.Parallel()
	for _, failure := range []telegramtest.Failure{
		{Method: "sendPoll", Code: 404, Description: "Not Found: method not found"},
		{Method: "sendPoll", Code: 400, Description: "Bad Request: invalid correct option ID specified"},
		{Method: "sendPoll", Code: 400, Description: "Bad Request: not enough rights to send polls to the chat"},
	} {
		s := telegramtest.New(t)
		a, _ := connected(t, s, quiet, nil)
		group := s.Group("Cards")
		s.Fail(failure)
		for range 2 {
			if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, asked(), ""); err != nil {
				t.Fatalf("%s: %v", failure.Description, err)
			}
		}
		messages := group.Messages()
		if len(messages) != 2 || messages[0].Photo == "" || len(messages[1].Buttons) != 1 || messages[1].Buttons[0][0].Label != "7♠" {
			t.Errorf("%s: the group sees %+v", failure.Description, messages)
		}
		if n := len(s.Calls("sendPoll")); n != 1 {
			t.Errorf("%s: %d attempts to send a poll", failure.Description, n)
		}
	}
}

package telegram

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// A refusal is remembered for its chat and its kind, and then forgotten.
func TestARefusalIsOfOneChatAndOneKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r refusals
		r.note(-1, kindPushedEphemeral, refusedFor)
		if !r.has(-1, kindPushedEphemeral) || r.has(-1, kindEphemeral) || r.has(-2, kindPushedEphemeral) {
			t.Error("the refusal is of another chat or kind")
		}
		time.Sleep(refusedFor)
		if r.has(-1, kindPushedEphemeral) {
			t.Error("the refusal lasts too long")
		}
	})
}

// A refusal of one person's chat concerns nobody else.
func TestARefusalOfOnePersonIsNotTheServers(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	ann, ben := s.Person("Ann"), s.Person("Ben")
	group, other := s.Group("Cards"), s.Group("Others")
	for _, p := range []*telegramtest.Person{ann, ben} {
		p.Start("")
	}
	for _, g := range []*telegramtest.Chat{group, other} {
		g.Promote(true)
	}
	to := func(p *telegramtest.Person) chat.Target { return chat.Target{Player: chatID(p.ID, 0)} }
	send := func(to chat.Target, show screen.Screen) {
		t.Helper()
		for range 2 { // a message with disabled buttons is sent again by the shell
			if _, err := a.Send(t.Context(), to, show, ""); err == nil {
				return
			}
		}
		t.Errorf("%+v got nothing", to)
	}
	last := func(p *telegramtest.Person) telegramtest.Message {
		all := p.Private().Messages()
		return all[len(all)-1]
	}

	hand := text("your hand")
	hand.Rows = [][]screen.Button{{{Label: "A♠", Press: "play:t:1:1:As", Off: true}}}
	s.Fail(telegramtest.Failure{Method: "sendMessage", Chat: ann.ID, Times: 1, Code: 400, Description: "Bad Request: BUTTON_TYPE_INVALID"})
	send(to(ann), hand)
	send(to(ben), hand)
	if got := last(ann).Buttons[0][0]; got.Disabled {
		t.Error("Ann's chat refused disabled buttons, and has one")
	}
	if got := last(ben).Buttons[0][0]; !got.Disabled {
		t.Error("Ben's chat has no disabled button because Ann's refused one")
	}

	won := text("You win")
	won.Won = true
	s.Fail(telegramtest.Failure{Method: "sendMessage", Chat: ann.ID, Times: 1, Code: 400, Description: "Bad Request: MESSAGE_EFFECT_ID_INVALID"})
	send(to(ann), won)
	send(to(ben), won)
	calls := s.Calls("sendMessage")
	var effects []bool
	for _, c := range calls[len(calls)-3:] {
		effects = append(effects, c.Params["message_effect_id"] != "")
	}
	if diff := cmp.Diff([]bool{true, false, true}, effects); diff != "" {
		t.Errorf("effects: Ann, Ann again, Ben (-want +got):\n%s", diff)
	}

	s.Fail(telegramtest.Failure{Method: "deleteEphemeralMessage", Chat: group.ID, Code: 404, Description: "Not Found"})
	if _, err := a.Send(t.Context(), ephemeral(group, ben), text("7♥"), ""); faultOf(err) != "unreachable" {
		t.Errorf("an ephemeral message where the method is refused: %v", err)
	}
	if _, err := a.Send(t.Context(), ephemeral(other, ben), text("7♥"), ""); err != nil {
		t.Errorf("an ephemeral message elsewhere: %v", err)
	}
}

// A refusal of an ephemeral message to one person doesn't concern the others in the group.
func TestAnEphemeralRefusalOfOnePersonIsNotTheChats(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	ann, ben, group := s.Person("Ann"), s.Person("Ben"), s.Group("Cards")
	group.Promote(true)
	s.Fail(telegramtest.Failure{Method: "sendMessage", Times: 1, Code: 400, Description: "Bad Request: PEER_ID_INVALID"})
	if _, err := a.Send(t.Context(), ephemeral(group, ann), text("7♥"), ""); faultOf(err) != "unreachable" {
		t.Errorf("Ann: %v", err)
	}
	if _, err := a.Send(t.Context(), ephemeral(group, ben), text("9♠"), ""); err != nil {
		t.Errorf("Ben gets no hand because of Ann: %v", err)
	}
}

// A server that has proven itself shows a message to everybody in one chat. That chat gets no more, and the others are checked again
// without content.
func TestAChatThatShowsAnEphemeralMessageToAll(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	ben, group, other := s.Person("Ben"), s.Group("Cards"), s.Group("Others")
	group.Promote(true)
	other.Promote(true)
	if _, err := a.Send(t.Context(), ephemeral(other, ben), text("7♥"), ""); err != nil {
		t.Fatal(err)
	}
	s.Fail(telegramtest.Failure{Method: "sendMessage", Chat: group.ID, Code: 200, Page: `{"ok": true, "result": {"message_id": 77}}`})
	for range 2 {
		if _, err := a.Send(t.Context(), ephemeral(group, ben), text("8♥"), ""); faultOf(err) != "unreachable" {
			t.Errorf("shown to all: %v", err)
		}
	}
	if _, err := a.Send(t.Context(), ephemeral(other, ben), text("9♥"), ""); err != nil {
		t.Errorf("another chat: %v", err)
	}
	var sent []string
	for _, c := range s.Calls("sendMessage") {
		sent = append(sent, strings.TrimSpace(c.Params["text"]))
	}
	if diff := cmp.Diff([]string{blank, "8♥", blank}, sent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package telegram

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

func TestRefusalsSayWhatToDoNext(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group, ann := s.Group("Cards"), s.Person("Ann")
	inGroup, toAnn := chat.Target{Chat: chatID(group.ID, 0)}, chat.Target{Player: chatID(ann.ID, 0)}
	type want struct {
		Fault chat.Fault
		After time.Duration
		Chat  string
	}
	for _, c := range []struct {
		to      chat.Target
		failure telegramtest.Failure
		want    want
	}{
		{inGroup, telegramtest.Failure{Code: 500, Description: "Internal Server Error"}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Code: 502, Page: "<html>Bad Gateway</html>"}, want{Fault: chat.Retry}},
		{toAnn, telegramtest.Failure{Code: 403, Page: "<html>Forbidden</html>"}, want{Fault: chat.Retry}},
		{toAnn, telegramtest.Failure{Code: 403, Page: `{"error": "Forbidden: bot was blocked by the user"}`}, want{Fault: chat.Retry}},
		{toAnn, telegramtest.Failure{Code: 403, Page: `{"ok": false, "description": "Forbidden"}`}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Code: 404, Page: "404 page not found"}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Code: 200, Page: `{"ok": true}`}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Code: 200, Page: "null"}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Code: 451, Description: "Unavailable For Legal Reasons"}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Cut: true}, want{Fault: chat.Retry}},
		{inGroup, telegramtest.Failure{Code: 403, Description: "Forbidden: bot was kicked from the supergroup chat"}, want{Fault: chat.Unreachable}},
		{toAnn, telegramtest.Failure{Code: 403, Description: "Forbidden: bot was blocked by the user"}, want{Fault: chat.Unreachable}},
		{toAnn, telegramtest.Failure{Code: 400, Description: "Bad Request: chat not found"}, want{Fault: chat.Unreachable}},
		{inGroup, telegramtest.Failure{Code: 400, Description: "Bad Request: chat not found"}, want{Fault: chat.Gone}},
		{inGroup, telegramtest.Failure{Code: 400, Description: "Bad Request: message thread not found"}, want{Fault: chat.Gone}},
		{inGroup, telegramtest.Failure{Code: 400, Description: "Bad Request: not enough rights to send text messages to the chat"}, want{Fault: chat.Unreachable}},
		{inGroup, telegramtest.Failure{Code: 400, Description: "Bad Request: BUTTON_DATA_INVALID"}, want{Fault: chat.Invalid}},
		{inGroup, telegramtest.Failure{Code: 400, Description: "Bad Request: group chat was upgraded to a supergroup chat", MigrateTo: -1009}, want{Fault: chat.Gone, Chat: "telegram:-1009"}},
	} {
		c.failure.Method = "sendMessage"
		s.Fail(c.failure)
		_, err := a.Send(t.Context(), c.to, text("x"), "")
		s.Heal()
		var d *chat.DeliveryError
		if !errors.As(err, &d) {
			t.Errorf("%+v: %v", c.failure, err)
		} else if diff := cmp.Diff(c.want, want{d.Fault, d.After, d.Chat}); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.failure, diff)
		}
	}

	addr, err := a.Send(t.Context(), inGroup, text("x"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Edit(t.Context(), addr, text("x")); err != nil {
		t.Errorf("an edit that changes nothing: %v", err)
	}
	for _, refused := range []string{"message can't be edited", "message to edit not found"} {
		s.Fail(telegramtest.Failure{Method: "editMessageText", Times: 1, Code: 400, Description: "Bad Request: " + refused})
		var d *chat.DeliveryError
		if err := a.Edit(t.Context(), addr, text("y")); !errors.As(err, &d) || d.Fault != chat.Gone {
			t.Errorf("%s: %v", refused, err)
		}
	}
	for range 2 {
		if err := a.Delete(t.Context(), addr); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	if n := len(group.Messages()); n != 0 {
		t.Errorf("%d messages are left", n)
	}
	for _, id := range []string{"discord:1", "telegram:", "telegram:x", "telegram:0", "telegram:-1/0", "telegram:-1/-2", "-1"} {
		var d *chat.DeliveryError
		if _, err := a.Send(t.Context(), chat.Target{Chat: id}, text("x"), ""); !errors.As(err, &d) || d.Fault != chat.Invalid {
			t.Errorf("send to %q: %v", id, err)
		}
	}
	if _, err := a.Send(t.Context(), chat.Target{Player: "telegram:-1009"}, text("x"), ""); err == nil {
		t.Error("a group was taken for a person")
	}
}

// The bot obeys retry_after before its next call about that chat, but not about others.
func TestAskedToWaitIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	one, two := s.Group("One"), s.Group("Two")
	s.Fail(telegramtest.Failure{Method: "sendMessage", Times: 1, Code: 429, Description: "Too Many Requests: retry after 600", RetryAfter: 600})
	began := time.Now()
	for i := range 3 {
		_, err := a.Send(t.Context(), chat.Target{Chat: chatID(one.ID, 0)}, text("x"), "")
		var d *chat.DeliveryError
		if !errors.As(err, &d) || d.Fault != chat.Retry || d.After > 10*time.Minute || d.After < 10*time.Minute-time.Since(began) {
			t.Errorf("send %d: %v", i, err)
		}
	}
	if n := len(s.Calls("sendMessage")); n != 1 {
		t.Errorf("%d calls were made, want 1", n)
	}
	if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(two.ID, 0)}, text("x"), ""); err != nil {
		t.Errorf("another chat: %v", err)
	}
}

func TestBeforeItIsConnectedNothingIsLost(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := adapter(t, s, nil)
	_, err := a.Send(t.Context(), chat.Target{Chat: "telegram:-1009"}, text("x"), "")
	var d *chat.DeliveryError
	if !errors.As(err, &d) || d.Fault != chat.Retry || d.After == 0 {
		t.Errorf("send: %v", err)
	}
}

// A message sent while the adapter connects either waits for the bot's name or has it.
func TestNoAddressGoesOutWithoutTheBotsName(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	s := telegramtest.New(t)
	a, _ := adapter(t, s, nil)
	shown := text("x")
	shown.Rows = [][]screen.Button{{{Label: "My cards", Private: "cards"}}}
	var senders sync.WaitGroup
	for i := range 32 {
		to := chat.Target{Chat: chatID(s.Group(fmt.Sprint("Group ", i)).ID, 0)}
		senders.Go(func() {
			for {
				_, err := a.Send(t.Context(), to, shown, "")
				if err == nil {
					return
				}
				if d := new(chat.DeliveryError); !errors.As(err, &d) || d.Fault != chat.Retry {
					t.Error(err)
					return
				}
			}
		})
	}
	run(t, a, quiet)
	senders.Wait()
}

func TestLinkLeadsToMessagesOfSupergroups(t *testing.T) {
	t.Parallel()
	var a Adapter
	for addr, want := range map[chat.Address]string{
		address(-1001234567890, 55): "https://t.me/c/1234567890/55",
		address(-1997852516352, 55): "https://t.me/c/997852516352/55",
		address(-4000, 55):          "",
		address(-1001234, 55):       "",
		address(-100123456789, 55):  "",
		address(-999999999999, 55):  "",
		address(4211, 55):           "",
		"":                          "",
		"discord:-1001:2":           "",
	} {
		if got := a.Link("", addr); got != want {
			t.Errorf("the link of %q is %q, want %q", addr, got, want)
		}
	}
}

// A card that can't be played keeps its place in the hand: as a disabled button, or with a label in parentheses and the
// same press on a server before Bot API 10.3. Such a server is asked once.
func TestCardsThatCannotBePlayedKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	hand := text("your hand")
	hand.Rows = [][]screen.Button{{{Label: "A♠", Press: "play:t:1:1:As", Off: true}, {Label: "9♦", Press: "play:t:1:1:9d"}, {Label: "K♥", Press: "play:t:1:1:Kh", Off: true}}}
	for version, want := range map[telegramtest.Ephemerals][]telegramtest.Button{
		telegramtest.EphemeralsNow:   {{Label: "A♠", Disabled: true}, {Label: "9♦", Data: "play:t:1:1:9d"}, {Label: "K♥", Disabled: true}},
		telegramtest.EphemeralsNever: {{Label: "(A♠)", Data: "play:t:1:1:As"}, {Label: "9♦", Data: "play:t:1:1:9d"}, {Label: "(K♥)", Data: "play:t:1:1:Kh"}},
	} {
		s := telegramtest.New(t)
		s.Ephemerals = version
		a, _ := connected(t, s, quiet, nil)
		ann := s.Person("Ann")
		ann.Start("")
		to := chat.Target{Player: chatID(ann.ID, 0)}
		refused := 0
		for range 3 {
			_, err := a.Send(t.Context(), to, hand, "")
			var d *chat.DeliveryError
			if errors.As(err, &d) && d.Fault == chat.Retry && d.After > 0 && !d.Held {
				refused++
				_, err = a.Send(t.Context(), to, hand, "")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if old := version != telegramtest.EphemeralsNow; old != (refused == 1) || refused > 1 {
			t.Errorf("version %v: %d calls were refused", version, refused)
		}
		for _, m := range ann.Private().Messages() {
			if diff := cmp.Diff([][]telegramtest.Button{want}, m.Buttons); diff != "" {
				t.Errorf("version %v (-want +got):\n%s", version, diff)
			}
		}
	}
}

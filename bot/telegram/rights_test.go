package telegram

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// asking runs an adapter for a shell that asks at every input whether the person manages
// a chat, and answers presses with the result.
func asking(t *testing.T, s *telegramtest.Server, chatID func(chat.Input) string) *Adapter {
	t.Helper()
	a, _ := connected(t, s, func(ctx context.Context, in chat.Input) chat.Reply {
		if in.Manages == nil {
			return chat.Reply{}
		}
		manages, err := in.Manages(ctx, chatID(in))
		switch {
		case err != nil:
			return chat.Reply{Toast: "unsure"}
		case manages:
			return chat.Reply{Toast: "yes"}
		}
		return chat.Reply{Toast: "no"}
	}, nil)
	return a
}

func here(in chat.Input) string { return in.Chat.ID }

// posted sends a message with a button to a chat, and returns it as people see it.
func posted(t *testing.T, a *Adapter, c *telegramtest.Chat, to chat.Target) telegramtest.Message {
	t.Helper()
	shown := text("a table")
	shown.Rows = [][]screen.Button{{{Label: "Close", Press: "close:t1"}}}
	if _, err := a.Send(t.Context(), to, shown, ""); err != nil {
		t.Fatal(err)
	}
	messages := c.Messages()
	return messages[len(messages)-1]
}

// answered presses the button, and returns the answer.
func answered(t *testing.T, who *telegramtest.Person, m telegramtest.Message) string {
	t.Helper()
	answer, err := who.Press(soon(t), m, "Close")
	if err != nil {
		t.Fatal(err)
	}
	return answer.Text
}

// Every answer must be remembered for a minute.
func TestWhoManagesAChatIsRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		a := asking(t, s, here)
		ann, ben := s.Person("Ann"), s.Person("Ben")
		group := s.Group("Cards", ann, ben)
		m := posted(t, a, group, chat.Target{Chat: chatID(group.ID, 0)})
		press := func(calls int) {
			t.Helper()
			for range 10 {
				if yes, no := answered(t, ann, m), answered(t, ben, m); yes != "yes" || no != "no" {
					t.Errorf("Ann is told %q and Ben %q", yes, no)
				}
			}
			if n := len(s.Calls("getChatMember")); n != calls {
				t.Errorf("%d calls, want %d", n, calls)
			}
		}
		press(2)
		time.Sleep(rightsFor - time.Second)
		press(2)
		time.Sleep(2 * time.Second)
		press(4)
	})
}

// The person doesn't wait long for a slow answer, and others in the same chat don't wait
// at all. When the answer comes, it serves the next press.
func TestASlowAnswerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		a := asking(t, s, here)
		ann, ben, eve := s.Person("Ann"), s.Person("Ben"), s.Person("Eve")
		group := s.Group("Cards", ann, ben, eve)
		m := posted(t, a, group, chat.Target{Chat: chatID(group.ID, 0)})
		if answer := answered(t, ann, m); answer != "yes" {
			t.Fatalf("Ann is told %q", answer)
		}
		s.Fail(telegramtest.Failure{Method: "getChatMember", Delay: 5 * time.Second})
		began := time.Now()
		answers := make(chan string, 20)
		for range cap(answers) {
			go func() {
				answer, err := eve.PressData(t.Context(), m, "close:t1")
				if err != nil {
					t.Error(err)
				}
				answers <- answer.Text
			}()
		}
		synctest.Wait()
		if answer := answered(t, ann, m); answer != "yes" || time.Since(began) > 2*repoll {
			t.Errorf("Ann is told %q after %v", answer, time.Since(began))
		}
		for range cap(answers) {
			if answer := <-answers; answer != "unsure" {
				t.Errorf("Eve is told %q", answer)
			}
		}
		if took := time.Since(began); took > rightPatience+2*repoll {
			t.Errorf("Eve waited %v for all answers", took)
		}
		time.Sleep(5 * time.Second)
		began = time.Now()
		if answer := answered(t, eve, m); answer != "no" || time.Since(began) > 2*repoll {
			t.Errorf("Eve is told %q after %v", answer, time.Since(began))
		}
		if n := len(s.Calls("getChatMember")); n != 2 {
			t.Errorf("%d calls", n)
		}
	})
}

// A failed call says nothing about a person's rights, and is retried a little later. A
// refusal means that the bot may not know them, so the person has none.
func TestAFailedCallIsNoAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		a := asking(t, s, here)
		ann, ben := s.Person("Ann"), s.Person("Ben")
		group := s.Group("Cards", ann, ben)
		m := posted(t, a, group, chat.Target{Chat: chatID(group.ID, 0)})
		s.Fail(telegramtest.Failure{Method: "getChatMember", Code: 502, Page: "<html>Bad Gateway</html>"})
		for range 3 {
			if answer := answered(t, ann, m); answer != "unsure" {
				t.Errorf("Ann is told %q", answer)
			}
		}
		if n := len(s.Calls("getChatMember")); n != 1 {
			t.Errorf("%d calls", n)
		}
		s.Heal()
		time.Sleep(failedFor)
		if answer := answered(t, ann, m); answer != "yes" {
			t.Errorf("Ann is told %q", answer)
		}
		s.Fail(telegramtest.Failure{Method: "getChatMember", Times: 1, Code: 400, Description: "Bad Request: user not found"})
		for range 2 {
			if answer := answered(t, ben, m); answer != "no" {
				t.Errorf("Ben is told %q", answer)
			}
		}
	})
}

// A group's settings may be shown in a private chat, and may use the id that the group
// had before it became a supergroup.
func TestWhoManagesTheHomeThatAPressNames(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	ann, ben := s.Person("Ann"), s.Person("Ben")
	homes := []string{chatID(s.Group("Cards", ann, ben).ID, 0)}
	moved := s.Group("More cards", ann, ben)
	moved.Upgrade()
	homes = append(homes, chatID(moved.ID, 0))
	var home atomic.Value
	a := asking(t, s, func(chat.Input) string { return home.Load().(string) })
	for _, id := range homes {
		home.Store(id)
		for _, person := range []*telegramtest.Person{ann, ben} {
			sent := len(s.Calls("sendMessage"))
			person.Start("")
			if err := s.Until(soon(t), func() bool { return s.Pending() == 0 && len(s.Calls("sendMessage")) > sent }); err != nil {
				t.Fatal(err)
			}
			m := posted(t, a, person.Private(), chat.Target{Player: chatID(person.ID, 0)})
			if answer := answered(t, person, m); (answer == "yes") != (person == ann) || answer == "unsure" {
				t.Errorf("%s is told %q", person.First, answer)
			}
		}
	}
}

// An id that isn't a group's is managed by nobody, and takes no call.
func TestNobodyManagesWhatIsNoGroup(t *testing.T) {
	t.Parallel()
	a := &Adapter{}
	for _, chatID := range []string{"", "discord:7", "telegram:7", "telegram:x", "-1009"} {
		if manages, err := a.managesOf(7, func() {})(t.Context(), chatID); manages || err != nil {
			t.Errorf("%q: %v, %v", chatID, manages, err)
		}
	}
}

package telegram

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// scene is a running bot, with a group of two people and a message with a button in it. Only Ann has opened the private
// chat. The server doesn't support ephemeral messages, unless a test changes that.
type scene struct {
	*telegramtest.Server
	a        *Adapter
	ann, ben *telegramtest.Person
	group    *telegramtest.Chat
	table    telegramtest.Message
}

func newScene(t *testing.T, h handler) *scene {
	t.Helper()
	s := telegramtest.New(t)
	s.Ephemerals = telegramtest.EphemeralsNever
	a, _ := connected(t, s, func(ctx context.Context, in chat.Input) chat.Reply {
		if in.Command == "hello" {
			return chat.Reply{}
		}
		return h(ctx, in)
	}, nil)
	sc := &scene{Server: s, a: a, ann: s.Person("Ann"), ben: s.Person("Ben")}
	sc.group = s.Group("Cards", sc.ann, sc.ben)
	sc.ann.Start("")
	shown := text("the table")
	shown.Rows = [][]screen.Button{{{Label: "My cards", Press: "cards:t1"}}}
	if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(sc.group.ID, 0)}, shown, ""); err != nil {
		t.Fatal(err)
	}
	sc.table = sc.group.Messages()[0]
	if err := s.Until(soon(t), func() bool { return s.Pending() == 0 }); err != nil {
		t.Fatal(err)
	}
	return sc
}

// press presses the button My cards and returns the answer.
func (sc *scene) press(t *testing.T, p *telegramtest.Person) telegramtest.Answer {
	t.Helper()
	answer, err := p.Press(soon(t), sc.table, "My cards")
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// replying is a handler that always returns the same reply.
func replying(r chat.Reply) handler {
	return func(context.Context, chat.Input) chat.Reply { return r }
}

func TestPressIsAnsweredAsTheReplySays(t *testing.T) {
	t.Parallel()
	secret := text("7♥ 10♠")
	for name, c := range map[string]struct {
		reply   chat.Reply
		want    telegramtest.Answer
		private string // new messages in Ann's private chat
		public  string // new messages in the group
	}{
		"nothing":               {},
		"a toast":               {reply: chat.Reply{Toast: "Played."}, want: telegramtest.Answer{Text: "Played."}},
		"an alert":              {reply: chat.Reply{Toast: "1. 7♥", Alert: true}, want: telegramtest.Answer{Text: "1. 7♥", Alert: true}},
		"an alert and a screen": {reply: chat.Reply{Toast: "1. 7♥", Alert: true, Screen: &secret}, want: telegramtest.Answer{Text: "1. 7♥", Alert: true}},
		"a screen":              {reply: chat.Reply{Screen: &secret}, want: telegramtest.Answer{Text: "I wrote to you privately."}, private: "7♥ 10♠"},
		"a public screen":       {reply: chat.Reply{Screen: &secret, Public: true}, public: "7♥ 10♠"},
		"a long toast":          {reply: chat.Reply{Toast: strings.Repeat("č", 300)}, want: telegramtest.Answer{Text: strings.Repeat("č", 199) + "…"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScene(t, replying(c.reply))
			if got := sc.press(t, sc.ann); got != c.want {
				t.Errorf("the answer is %+v, want %+v", got, c.want)
			}
			if c.private != "" {
				if m := sc.ann.Private().Messages(); len(m) != 1 || m[0].Text != c.private {
					t.Errorf("the private chat has %v", m)
				}
			}
			if c.public != "" {
				if _, err := sc.group.Wait(soon(t), telegramtest.Contains(c.public)); err != nil {
					t.Error(err)
				}
			} else if n := len(sc.group.Messages()); n != 1 {
				t.Errorf("the group has %d messages", n)
			}
		})
	}
}

func TestScreenAfterAPressInPrivateTakesThePlaceOfTheToast(t *testing.T) {
	t.Parallel()
	secret := text("7♥ 10♠")
	sc := newScene(t, replying(chat.Reply{Toast: "1. 7♥", Alert: true, Screen: &secret}))
	hand := text("hand")
	hand.Rows = [][]screen.Button{{{Label: "My cards", Press: "cards:t1"}}}
	if _, err := sc.a.Send(t.Context(), chat.Target{Player: chatID(sc.ann.ID, 0)}, hand, ""); err != nil {
		t.Fatal(err)
	}
	answer, err := sc.ann.Press(soon(t), sc.ann.Private().Messages()[0], "My cards")
	if err != nil || answer != (telegramtest.Answer{}) {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("7♥ 10♠")); err != nil {
		t.Error(err)
	}
}

// A reply with Replace edits the message whose button was pressed, in private. If that
// message is gone, the reply is sent as a new message.
func TestReplyThatReplaces(t *testing.T) {
	t.Parallel()
	next := text("step 2")
	sc := newScene(t, replying(chat.Reply{Screen: &next, Replace: true}))
	step := text("step 1")
	step.Rows = [][]screen.Button{{{Label: "Next", Press: "replay:t1:1:1:2:x"}}}
	addr, err := sc.a.Send(t.Context(), chat.Target{Player: chatID(sc.ann.ID, 0)}, step, "")
	if err != nil {
		t.Fatal(err)
	}
	private := sc.ann.Private()
	first := private.Messages()[0]
	if _, err := sc.ann.Press(soon(t), first, "Next"); err != nil {
		t.Fatal(err)
	}
	m, err := private.Wait(soon(t), telegramtest.Contains("step 2"))
	if err != nil || m.ID != first.ID || len(private.Messages()) != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if err := sc.a.Delete(t.Context(), addr); err != nil {
		t.Fatal(err)
	}
	if _, err := sc.ann.Press(soon(t), first, "Next"); err != nil {
		t.Fatal(err)
	}
	if m, err := private.Wait(soon(t), telegramtest.Contains("step 2")); err != nil || m.ID == first.ID {
		t.Errorf("%+v, %v", m, err)
	}
	// In a group no message is replaced: the screen goes to the private chat.
	if answer := sc.press(t, sc.ann); answer.Text != "I wrote to you privately." || sc.group.Messages()[0].Text != "the table" {
		t.Errorf("%+v, %+v", answer, sc.group.Messages())
	}
}

// A file goes only to the person. If the bot can't write to them, nobody gets the
// file, not even the group.
func TestFile(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{Screen: &filed}))
	sc.press(t, sc.ann)
	m, err := sc.ann.Private().Wait(soon(t), func(m telegramtest.Message) bool { return m.File != "" })
	if want := filed.File.Name + "\n" + string(filed.File.Data); err != nil || m.File != want || m.Text != "The record of <match> k3-1" {
		t.Errorf("%+v, %v", m, err)
	}
	sc.ben.Say(sc.group, "/replay k3-1")
	if _, err := sc.group.Wait(soon(t), telegramtest.Contains("for you alone")); err != nil {
		t.Error(err)
	}
	for _, m := range sc.group.Messages() {
		if m.File != "" || strings.Contains(m.Text, "k3-1") {
			t.Errorf("the group has %+v", m)
		}
	}
	long := filed
	long.Blocks = []screen.Block{{Spans: []screen.Span{words(strings.Repeat("ž", 2000))}}}
	if _, err := sc.a.Send(t.Context(), chat.Target{Player: chatID(sc.ann.ID, 0)}, long, ""); err != nil {
		t.Errorf("a long caption: %v", err)
	}
}

// A person reads in private that the group refuses what they asked for.
func TestAPublicReplyThatTheGroupRefuses(t *testing.T) {
	t.Parallel()
	board := text("1. Ann")
	for name, ask := range map[string]func(*scene){
		"a command": func(sc *scene) { sc.ann.Say(sc.group, "/leaderboard") },
		"a press":   func(sc *scene) { sc.press(t, sc.ann) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScene(t, replying(chat.Reply{Screen: &board, Public: true}))
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Chat: sc.group.ID, Code: 400, Description: "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN"})
			ask(sc)
			if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("the chat refuses my message")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReplyToACommandInAGroup(t *testing.T) {
	t.Parallel()
	board := text("1. Ann")
	sc := newScene(t, func(_ context.Context, in chat.Input) chat.Reply {
		if in.Command == "leaderboard" {
			return chat.Reply{Screen: &board, Public: true}
		}
		return chat.Reply{Toast: "You sit already."}
	})
	asked := sc.ann.Say(sc.group, "/leaderboard")
	m, err := sc.group.Wait(soon(t), telegramtest.Contains("1. Ann"))
	if err != nil {
		t.Fatal(err)
	}
	if m.ReplyTo != asked {
		t.Errorf("it replies to message %d, want %d", m.ReplyTo, asked)
	}
	sc.ann.Say(sc.group, "/join")
	if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("You sit already.")); err != nil {
		t.Error(err)
	}
}

func TestItIsToldWhereAPrivateReplyStands(t *testing.T) {
	t.Parallel()
	hand := text("a hand")
	addresses := make(chan chat.Address, 1)
	sc := newScene(t, replying(chat.Reply{Screen: &hand, Shown: func(_ context.Context, at chat.Address, _ string) { addresses <- at }}))
	for name, ask := range map[string]func(){
		"in private":           func() { sc.ann.Say(sc.ann.Private(), "/hand") },
		"in the group":         func() { sc.ann.Say(sc.group, "/hand") },
		"by a press":           func() { sc.press(t, sc.ann) },
		"and nobody's in vain": func() { sc.ben.Say(sc.group, "/hand"); sc.ann.Say(sc.group, "/hand") },
	} {
		ask()
		at := <-addresses
		if err := sc.a.Edit(t.Context(), at, text("later "+name)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("later "+name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If the group's messages show a command's result, it is acknowledged without a message.
func TestACommandIsAcknowledgedWithoutAMessage(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{Toast: "You sit at the table.", Echo: true}))
	for _, refused := range []bool{false, true} {
		if refused {
			sc.Fail(telegramtest.Failure{Method: "setMessageReaction", Times: 1, Code: 400, Description: "Bad Request: REACTION_INVALID"})
		}
		command := sc.ben.Say(sc.group, "/join")
		if err := sc.Until(soon(t), func() bool {
			return len(sc.Calls("setMessageReaction")) == 1 && sc.group.Reaction(command) != "" || refused && len(sc.Calls("setMessageReaction")) == 2
		}); err != nil {
			t.Error("no reaction")
		}
	}
	if n := len(sc.group.Messages()) + len(sc.ben.Private().Messages()); n != 1 {
		t.Errorf("%d messages", n-1)
	}
}

// The game that a command asks for is in the private chat: nothing there says where it is. A
// person whom the bot can't write to is told in the group how to get there.
func TestAGameInPrivateIsNotAnnouncedThere(t *testing.T) {
	t.Parallel()
	lead := text("It is in your private chat.")
	sc := newScene(t, replying(chat.Reply{Screen: &lead, Leads: true}))
	before := len(sc.ann.Private().Messages())
	command := sc.ann.Say(sc.group, "/daily")
	if err := sc.Until(soon(t), func() bool { return sc.group.Reaction(command) != "" }); err != nil {
		t.Error("no reaction")
	}
	if answer := sc.press(t, sc.ann); !strings.Contains(answer.Text, "private") {
		t.Errorf("the press is answered with %+v", answer)
	}
	if got := sc.ann.Private().Messages(); len(got) != before {
		t.Errorf("in private: %v", got)
	}
	sc.ben.Say(sc.group, "/daily")
	if _, err := sc.group.Wait(soon(t), telegramtest.Contains("privately")); err != nil {
		t.Error(err)
	}
}

// If a command fails, for example because the disk is full, the person is told so, and not that
// the answer is for them alone.
func TestAnApologyIsNotPrivate(t *testing.T) {
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{Toast: "Something went wrong.", Outcome: chat.Failed}))
	sc.ben.Say(sc.group, "/new")
	if _, err := sc.group.Wait(soon(t), telegramtest.Contains("Something went wrong.")); err != nil {
		t.Error(err)
	}
	for _, m := range sc.group.Messages() {
		if strings.Contains(m.Text, "privately") {
			t.Errorf("the group sees %q", m.Text)
		}
	}
}

// A private send that fails never becomes a public one.
func TestWhatIsPrivateNeverBecomesPublic(t *testing.T) {
	t.Parallel()
	secret := text("7♥ 10♠")
	for name, fail := range map[string]func(*scene){
		"no private chat": func(*scene) {},
		"blocked":         func(sc *scene) { sc.ben.Block() },
		"never met": func(sc *scene) {
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Chat: sc.ben.ID, Code: 400, Description: "Bad Request: chat not found"})
		},
		"deactivated": func(sc *scene) {
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Chat: sc.ben.ID, Code: 403, Description: "Forbidden: user is deactivated"})
		},
		"broken": func(sc *scene) {
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Chat: sc.ben.ID, Code: 500, Description: "Internal Server Error"})
		},
		"no connection": func(sc *scene) {
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Chat: sc.ben.ID})
		},
		"refused": func(sc *scene) {
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Chat: sc.ben.ID, Code: 400, Description: "Bad Request: can't parse entities"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reached := name == "broken" || name == "no connection" || name == "refused"
			sc := newScene(t, replying(chat.Reply{Screen: &secret}))
			fail(sc)

			sc.ben.Say(sc.group, "/hand")
			answer := sc.press(t, sc.ben)
			if strings.ContainsAny(answer.Text, "7♥") {
				t.Errorf("the answer shows %q", answer.Text)
			}
			if want := "https://t.me/" + sc.Username + "?start=hand"; !reached && answer.URL != want {
				t.Errorf("the press leads to %q, want %q", answer.URL, want)
			}
			if !reached {
				m, err := sc.group.Wait(soon(t), telegramtest.Contains("privately"))
				if err != nil {
					t.Fatal(err)
				}
				if len(m.Buttons) != 1 || m.Buttons[0][0].URL != "https://t.me/"+sc.Username+"?start=hand" {
					t.Errorf("no way to the private chat: %+v", m.Buttons)
				}
			}
			for _, c := range sc.Calls("sendMessage") {
				if c.Params["chat_id"] != chatID(sc.ben.ID, 0)[len(prefix):] && strings.Contains(c.Params["text"], "7♥") {
					t.Errorf("sent to %s: %q", c.Params["chat_id"], c.Params["text"])
				}
			}
		})
	}
}

func TestMereWordInvitesOnce(t *testing.T) {
	t.Parallel()
	secret := text("7♥")
	sc := newScene(t, func(_ context.Context, in chat.Input) chat.Reply {
		if in.Command == "hand" {
			return chat.Reply{Screen: &secret}
		}
		return chat.Reply{Toast: "You sit at the table."}
	})
	invitations := func() (n int) {
		for _, m := range sc.group.Messages() {
			if strings.Contains(m.Text, "privately") {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		say  string
		want int // invitations after the command
	}{{"/join", 1}, {"/leave", 1}, {"/hand", 2}} {
		sc.ben.Say(sc.group, step.say)
		err := sc.Until(soon(t), func() bool { return sc.Pending() == 0 })
		sc.a.replier.running.Wait() // the reply may be delivered after the update was acknowledged
		if err != nil || invitations() != step.want {
			t.Errorf("after %s: %d invitations, want %d (%v)", step.say, invitations(), step.want, err)
		}
	}
}

func TestPanicCostsOnePress(t *testing.T) {
	t.Parallel()
	sc := newScene(t, func(_ context.Context, in chat.Input) chat.Reply {
		if in.Press != "" {
			panic("7♥ in a panic")
		}
		return chat.Reply{Toast: "fine"}
	})
	if got := sc.press(t, sc.ann); !strings.Contains(got.Text, "something went wrong") {
		t.Errorf("the answer is %+v", got)
	}
	sc.ann.Say(sc.ann.Private(), "/help")
	if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("fine")); err != nil {
		t.Error(err)
	}
}

func TestReplyWaitsAsLongAsTelegramAsks(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	sc := newScene(t, replying(chat.Reply{Toast: "fine"}))
	sc.Fail(telegramtest.Failure{Method: "sendMessage", Times: 1, Code: 429, Description: "Too Many Requests: retry after 1", RetryAfter: 1})
	began := time.Now()
	sc.ann.Say(sc.ann.Private(), "/help")
	if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("fine")); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(began); d < time.Second {
		t.Errorf("sent again after %v", d)
	}
}

// If a screen for the private chat has to wait, or its message takes long, the press is answered first.
func TestAPressIsAnsweredBeforeItsSlowPrivateMessage(t *testing.T) {
	t.Parallel()
	hand := text("7♥ 10♠")
	for name, slow := range map[string]func(t *testing.T, sc *scene) (goOn func()){
		"a rush": func(_ *testing.T, sc *scene) func() {
			sc.a.outbox.limits.Block(sc.ann.ID, time.Now(), 5*time.Second)
			return func() {}
		},
		"a slow server": func(_ *testing.T, sc *scene) func() {
			hold := make(chan struct{})
			sc.Fail(telegramtest.Failure{Method: "sendMessage", Times: 1, Hold: hold, Code: 429, Description: "Too Many Requests: retry after 1", RetryAfter: 1})
			return func() { close(hold) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clocktest.Waits(t)
			sc := newScene(t, replying(chat.Reply{Screen: &hand}))
			before := len(sc.ann.Private().Messages())
			goOn := slow(t, sc)
			if answer := sc.press(t, sc.ann); answer.Text != "I wrote to you privately." {
				t.Errorf("the answer is %+v", answer)
			}
			if got := sc.ann.Private().Messages(); len(got) != before {
				t.Errorf("the answer came after %v", got[before:])
			}
			goOn()
			if _, err := sc.ann.Private().Wait(soon(t), telegramtest.Contains("7♥ 10♠")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPressIsAnsweredInTimeAndOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		takes time.Duration
		want  string
		after time.Duration
	}{
		{2 * time.Second, "done", 2 * time.Second},
		{time.Minute, "", answerWithin},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var answers []string
			var at time.Duration
			q := newQuery(func(p tgbotapi.Params, tried func()) error {
				answers, at = append(answers, p["text"]), time.Since(began)
				tried()
				return nil
			})
			time.Sleep(c.takes)
			q.answer(tgbotapi.Params{"text": "done"})
			time.Sleep(time.Minute)
			if len(answers) != 1 || answers[0] != c.want || at != c.after {
				t.Errorf("after %v of work: answers %q, at %v", c.takes, answers, at)
			}
		})
	}
	if answerWithin+callTimeout >= answerUntil {
		t.Error("the latest answer can't be repeated")
	}
}

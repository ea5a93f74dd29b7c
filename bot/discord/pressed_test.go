package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/screen"
)

// pressTest is an intake with a Discord that records all requests. All presses are on one message.
type pressTest struct {
	*outbox
	*intake
	mu      sync.Mutex
	asked   []string              // requests to Discord: the method, or an answer's type; and the text
	refused string                // requests that Discord refuses
	code    int                   // with this error code
	takes   time.Duration         // how long Discord's answers take
	handle  func(press string)    // delays a press; may be nil
	replies map[string]chat.Reply // by press; default: one that announces an edit
	ids     int64
}

const onIt = chat.Address("discord:m/4/6") // address of that message

func newPressTest(t *testing.T) *pressTest {
	t.Helper()
	o := &pressTest{code: 50035}
	a, in := newIntake(t, o)
	o.outbox, o.intake = &a.outbox, in
	return o
}

// RoundTrip answers as Discord.
func (o *pressTest) RoundTrip(r *http.Request) (*http.Response, error) {
	var body struct {
		Type int
		message.Body
		Data message.Body
	}
	if r.Body != nil {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return nil, err
		}
	}
	what := r.Method
	if strings.HasSuffix(r.URL.Path, "/callback") {
		what = fmt.Sprint("answer ", body.Type, " to ", strings.Split(r.URL.Path, "/")[5])
	}
	for _, c := range slices.Concat(body.Components, body.Data.Components) {
		what += ": " + c.Components[0].Content
	}
	o.mu.Lock()
	o.asked = append(o.asked, what)
	no := len(o.asked) - 1
	o.mu.Unlock()
	if !chat.Pause(r.Context(), o.takes) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.asked[no] += ", cut off"
		return nil, r.Context().Err()
	}
	if o.refused != "" && strings.HasPrefix(what, o.refused) {
		return answer(http.StatusBadRequest, fmt.Sprintf(`{"code":%d}`, o.code)), nil
	}
	return answer(http.StatusNoContent, ""), nil
}

func (o *pressTest) Handle(_ context.Context, in chat.Input) chat.Reply {
	if o.handle != nil {
		o.handle(in.Press)
	}
	if r, ok := o.replies[in.Press]; ok {
		return r
	}
	return chat.Reply{Edits: true}
}

func (*pressTest) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// press presses a button of the message, as the person with that number.
func (o *pressTest) press(t *testing.T, person int, press string) {
	t.Helper()
	o.pressOn(t, `{"id":"6"}`, person, press)
}

// pressOn presses a button of that message. It returns the press's id.
func (o *pressTest) pressOn(t *testing.T, message string, person int, press string) (id int64) {
	t.Helper()
	var it interaction
	o.ids++
	id = (o.clock.now().UnixMilli()-epoch)<<22 + o.ids
	data := fmt.Sprintf(`{"id":"%d","application_id":"2","token":%q,"type":3,"channel_id":"4","user":{"id":"%d"},"message":%s,"data":{"custom_id":%[2]q}}`,
		id, press, person, message)
	if err := json.Unmarshal([]byte(data), &it); err != nil {
		t.Fatal(err)
	}
	if err := o.take(it); err != nil {
		t.Error(err)
	}
	return id
}

// edit edits the message.
func (o *pressTest) edit(t *testing.T, text string) {
	t.Helper()
	o.editAt(t, onIt, text)
}

// editAt edits the message at that address.
func (o *pressTest) editAt(t *testing.T, at chat.Address, text string) {
	t.Helper()
	if err := o.Edit(t.Context(), at, *textScreen(text)); err != nil {
		t.Error(err)
	}
}

func textScreen(text string) *screen.Screen {
	return &screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: text}}}}}
}

// got checks the requests to Discord since the last call.
func (o *pressTest) got(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	if diff := cmp.Diff(want, o.asked); diff != "" {
		t.Errorf("requests to Discord (-want +got):\n%s", diff)
	}
	o.asked = nil
}

func TestAnEditIsTheAnswerToAPress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.press(t, 1, "a")
		o.got(t)
		o.edit(t, "one")
		o.got(t, "answer 7 to a: one")
		o.edit(t, "two")
		o.got(t, "PATCH: two")
		time.Sleep(time.Minute)
		o.got(t)
	})
}

// The edit may begin before the bot's reply is known, because the shell commits first.
func TestAnEditWaitsForTheReply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply chat.Reply
		takes time.Duration
		want  []string
	}{
		"an edit":    {chat.Reply{Edits: true}, decideWait / 2, []string{"answer 7 to a: one"}},
		"a toast":    {chat.Reply{Toast: "no", Edits: true}, decideWait / 2, []string{"answer 4 to a: no", "PATCH: one"}},
		"nothing":    {chat.Reply{}, decideWait / 2, []string{"answer 6 to a", "PATCH: one"}},
		"a slow bot": {chat.Reply{Edits: true}, replyWait * 2, []string{"PATCH: one", "answer 5 to a", "DELETE"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newPressTest(t)
				o.replies = map[string]chat.Reply{"a": c.reply}
				o.handle = func(string) { time.Sleep(c.takes) }
				o.press(t, 1, "a")
				synctest.Wait()
				o.edit(t, "one")
				time.Sleep(time.Minute)
				synctest.Wait()
				slices.Sort(o.asked)
				slices.Sort(c.want)
				o.got(t, c.want...)
			})
		})
	}
}

func TestAPressWithoutAnEditIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.press(t, 1, "a")
		time.Sleep(editWait - time.Millisecond)
		o.press(t, 1, "b") // is handled meanwhile
		o.got(t)
		time.Sleep(2 * time.Millisecond)
		o.got(t, "answer 6 to a")
		o.edit(t, "one")
		o.got(t, "answer 7 to b: one")
	})
}

// A press may make the shell post the message again and delete the old one.
func TestAPressOnADeletedMessageIsAnswered(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"handled": 0, "being handled": decideWait / 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newPressTest(t)
				o.handle = func(string) { time.Sleep(takes) }
				o.press(t, 1, "a")
				synctest.Wait()
				if err := o.Delete(t.Context(), onIt); err != nil {
					t.Error(err)
				}
				time.Sleep(takes)
				synctest.Wait()
				slices.Sort(o.asked)
				o.got(t, "DELETE", "answer 6 to a")
			})
		})
	}
}

// A slow edit leaves little of the delivery's time. The hint about the message goes nevertheless: no other edit may come.
func TestAHintGoesAfterASlowEdit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.replies = map[string]chat.Reply{"a": {Toast: "Play the ace", Alert: true, About: "b"}}
		o.press(t, 1, "a")
		o.got(t, "answer 4 to a: Play the ace")
		o.takes = time.Second
		ctx, cancel := context.WithTimeout(t.Context(), o.takes*3/2)
		defer cancel()
		if err := o.Edit(ctx, onIt, *textScreen("one")); err != nil {
			t.Error(err)
		}
		o.got(t, "PATCH: one", "DELETE")
	})
}

func TestAnEditAnswersOnePressAndEndsTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.press(t, 1, "a")
		synctest.Wait()
		o.press(t, 2, "b")
		synctest.Wait()
		o.edit(t, "one")
		synctest.Wait()
		slices.Sort(o.asked)
		o.got(t, "answer 6 to b", "answer 7 to a: one")
		if len(o.presses.at) > 0 {
			t.Errorf("presses are kept: %v", o.presses.at)
		}
	})
}

// If Discord doesn't take the edit as an answer, the message is edited nevertheless, and the
// press is answered.
func TestAnEditThatCannotBeTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.refused = "answer 7"
		o.press(t, 1, "a")
		o.got(t)
		o.edit(t, "one")
		synctest.Wait()
		slices.Sort(o.asked)
		o.got(t, "PATCH: one", "answer 6 to a", "answer 7 to a: one")
	})
}

// Discord may have taken an answer whose confirmation comes late. It gets no second one, not
// even if the edit that was to be the answer is canceled, or no confirmation comes.
func TestAnAnswerIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes, limit time.Duration
		asked        string
	}{
		"late":     {answerTimeout + time.Second, time.Minute, "answer 7 to a: one"},
		"canceled": {answerTimeout + time.Second, answerTimeout, "answer 7 to a: one"},
		"never":    {time.Minute, time.Second, "answer 7 to a: one, cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newPressTest(t)
				o.takes = c.takes
				o.press(t, 1, "a")
				o.got(t)
				ctx, cancel := context.WithTimeout(t.Context(), c.limit)
				defer cancel()
				if err := o.Edit(ctx, onIt, *textScreen("one")); (err == nil) != (c.takes < c.limit) {
					t.Error(err)
				}
				time.Sleep(time.Hour)
				o.got(t, c.asked)
			})
		})
	}
}

func TestAPressThatAnotherProcessAnswersGetsNoSecondAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.refused, o.code = "answer", codeAcknowledged
		o.replies = map[string]chat.Reply{"a": {Screen: textScreen("one")}}
		o.press(t, 1, "a")
		o.got(t, "answer 4 to a: one")
	})
}

// The shell edits a hand that an answer has shown, because it records the hand only afterwards.
func TestAnEditOfWhatAnAnswerShowsIsNoRequest(t *testing.T) {
	t.Parallel()
	const first, second = chat.Address("discord:i/2/a"), chat.Address("discord:i/2/b")
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		hand := func(text string) chat.Reply {
			return chat.Reply{Screen: textScreen(text), Replace: true, Shown: func(context.Context, chat.Address, string) {}}
		}
		o.replies = map[string]chat.Reply{"a": hand("one"), "b": hand("two")}
		id := o.pressOn(t, `{"id":"6"}`, 1, "a")
		o.got(t, "answer 4 to a: one")
		o.editAt(t, first, "one")
		o.got(t)

		// The next press is on that hand. While it is handled, the shell edits the hand at its old address.
		o.handle = func(string) { time.Sleep(decideWait / 2) }
		o.pressOn(t, fmt.Sprintf(`{"id":"7","flags":64,"interaction_metadata":{"id":"%d"}}`, id), 1, "b")
		synctest.Wait()
		o.editAt(t, first, "two")
		o.got(t, "answer 7 to b: two")
		o.editAt(t, second, "two")
		o.got(t)

		o.editAt(t, second, "three")
		o.editAt(t, second, "two")
		o.got(t, "PATCH: three", "PATCH: two")
	})
}

// After some seconds, another process may have changed the message.
func TestWhatAnAnswerShowedIsForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.replies = map[string]chat.Reply{"a": {Screen: textScreen("one"), Shown: func(context.Context, chat.Address, string) {}}}
		o.press(t, 1, "a")
		o.got(t, "answer 4 to a: one")
		time.Sleep(answerKnown)
		o.editAt(t, "discord:i/2/a", "one")
		o.got(t, "PATCH: one")
	})
}

// A button on a hand that only one person sees, such as the one that ends a trick, may show
// nothing either.
func TestAnEditOfAHandIsTheAnswerToAPressOnIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newPressTest(t)
		o.replies = map[string]chat.Reply{"a": {Screen: textScreen("one"), Shown: func(context.Context, chat.Address, string) {}}}
		id := o.pressOn(t, `{"id":"6"}`, 1, "a")
		o.got(t, "answer 4 to a: one")
		o.pressOn(t, fmt.Sprintf(`{"id":"7","flags":64,"interaction_metadata":{"id":"%d"}}`, id), 1, "b")
		o.got(t)
		o.editAt(t, "discord:i/2/a", "two")
		o.got(t, "answer 7 to b: two")
	})
}

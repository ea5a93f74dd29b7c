package telegram

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// answerWithin is the longest time before a press is answered, with an empty answer
// if need be. Until the answer, the button looks busy. After 15 s Telegram refuses it.
const answerWithin = 6 * time.Second

// replyPatience is how long a reply waits for the rate limits. Few replies may wait; any
// more are dropped, so that nobody can keep others waiting by asking often.
const replyPatience = 15 * time.Second

// manyChats is the most chats that a cache of facts about chats remembers.
const manyChats = 4096

// cardsPayload is the deep link's payload for a person that the bot can't write to.
const cardsPayload = "hand"

// question is a press that waits for its answer. It gets at most one.
// https://core.telegram.org/bots/api#answercallbackquery
type question struct {
	id    string
	once  sync.Once
	timer *time.Timer
	send  func(tgbotapi.Params)
}

// newQuestion starts the timeout of a press. send is called once at most.
func newQuestion(send func(tgbotapi.Params)) *question {
	q := &question{send: send}
	q.timer = time.AfterFunc(answerWithin, func() { q.once.Do(func() { q.send(tgbotapi.Params{}) }) })
	return q
}

// answer sends the answer to a press, unless it was already answered.
func (q *question) answer(p tgbotapi.Params) {
	q.timer.Stop()
	q.once.Do(func() { q.send(p) })
}

// drop leaves the press without an answer.
func (q *question) drop() {
	q.timer.Stop()
	q.once.Do(func() {})
}

// webhookAnswer is the answer to a press in a webhook's response, as a call of a method.
// Telegram doesn't report whether the call succeeded.
// https://core.telegram.org/bots/api#making-requests-when-getting-updates
type webhookAnswer struct {
	Method string `json:"method"`
	ID     string `json:"callback_query_id"`
	Text   string `json:"text,omitempty"`
	Alert  bool   `json:"show_alert,omitempty"`
}

// Say returns the answer for the caller to send, or nil if the press was already
// answered.
func (q *question) say(r chat.Reply) (answer *webhookAnswer) {
	q.timer.Stop()
	q.once.Do(func() {
		answer = &webhookAnswer{"answerCallbackQuery", q.id, cut(r.Toast, toastLimit), r.Alert && r.Toast != ""}
	})
	return answer
}

// replier shows the replies to presses and commands.
type replier struct{ *Adapter }

// shrug sends an empty answer to a person who presses too fast. If too many of those
// answers are being sent, it leaves the press unanswered, so that a flood doesn't
// keep anybody else waiting. q may be nil.
func (a replier) shrug(q *question) {
	if q == nil {
		return
	}
	select {
	case a.shrugs <- struct{}{}:
		a.replying.Go(func() {
			defer func() { <-a.shrugs }()
			q.answer(tgbotapi.Params{})
		})
	default:
		q.drop()
	}
}

// question returns the press with that id.
func (a replier) question(work context.Context, id string) *question {
	q := newQuestion(func(p tgbotapi.Params) {
		ctx, cancel := context.WithTimeout(work, callTimeout)
		defer cancel()
		p["callback_query_id"] = id
		if _, err := a.call(ctx, "answerCallbackQuery", p); err != nil {
			a.log.Warn("answer a press", "err", clean(err))
		}
	})
	q.id = id
	return q
}

// answer shows the reply to a press.
func (a replier) answer(work context.Context, q *question, in chat.Input, r chat.Reply) {
	toast := tgbotapi.Params{}
	toast.AddNonEmpty("text", cut(r.Toast, toastLimit))
	toast.AddBool("show_alert", r.Alert && r.Toast != "")
	switch {
	case r.Screen == nil:
		q.answer(toast)
	case in.Chat.Private:
		q.answer(tgbotapi.Params{})
		if !r.Replace || !a.replace(work, in, r) {
			_ = a.show(work, chat.Target{Player: in.Chat.ID}, r, 0)
		}
	case r.Public:
		q.answer(toast)
		_ = a.show(work, chat.Target{Chat: in.Chat.ID}, r, 0)
	case r.Replace && in.OnAnswer && a.replace(work, in, r):
		if r.Alert { // the toast is a short form of the screen
			toast = tgbotapi.Params{}
		}
		q.answer(toast)
		if r.Stands != nil {
			r.Stands(work, in.Answer)
		}
	case a.tellAside(work, in, r, cause{press: q.id}):
		q.answer(tgbotapi.Params{})
		if r.Replace && in.OnAnswer {
			_ = a.Delete(work, in.Message) // it could not be edited
		}
	case r.Toast != "":
		q.answer(toast)
	case a.led(work, in, r):
		q.answer(tgbotapi.Params{"text": cut(lang.For(in.Player.Lang).Text("private.sent"), toastLimit)})
	case a.whisper(work, in.Player, r):
		q.answer(tgbotapi.Params{"text": cut(lang.For(in.Player.Lang).Text("private.sent"), toastLimit)})
	default:
		// The link opens the private chat, whose start button shows the bot's screen.
		q.answer(tgbotapi.Params{"url": a.deepLink(cmp.Or(r.Payload, cardsPayload))})
	}
}

// reply shows the reply to a command.
func (a replier) reply(work context.Context, to *message, in chat.Input, r chat.Reply) {
	word := r.Screen == nil
	if word && r.Toast != "" && (!r.Echo || to.Aside != 0) { // an ephemeral command can't get a reaction
		r.Screen = &screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Kind: screen.SpanText, Text: r.Toast}}}}}
	}
	switch {
	case r.Screen == nil && r.Echo && !in.Chat.Private:
		a.nod(work, to)
	case r.Screen == nil:
	case in.Chat.Private:
		_ = a.show(work, chat.Target{Player: in.Chat.ID}, r, 0)
	case r.Public && !word:
		_ = a.show(work, chat.Target{Chat: in.Chat.ID}, r, to.ID)
	case to.Aside != 0 && a.tellAside(work, in, r, cause{command: to.Aside}):
	case a.led(work, in, r):
		a.nod(work, to)
	case a.whisper(work, in.Player, r) || a.tellAside(work, in, r, cause{}):
	case r.Outcome == chat.Failed: // an apology tells nothing about the person
		_ = a.show(work, chat.Target{Chat: in.Chat.ID}, r, to.ID)
	case a.invited.Add(in.Chat.ID+" "+in.Player.ID, struct{}{}, rememberOnes) || !word:
		// A reply that is only a toast is replaced by this advice to open the private chat. Once per person and chat is enough.
		screen := unreachable(in)
		_ = a.show(work, chat.Target{Chat: in.Chat.ID}, chat.Reply{Screen: &screen}, to.ID)
	}
}

// tellAside shows a reply's screen in the group to the person only. It reports
// whether that worked.
func (a replier) tellAside(work context.Context, in chat.Input, r chat.Reply, why cause) bool {
	screen := *r.Screen
	if r.Stands != nil {
		screen = screen.WithoutPicture() // the shell edits it later, and edits take no upload
	}
	at, err := asideSender(a).sendAside(work, chat.Target{Chat: in.Chat.ID, Player: in.Player.ID}, screen, why)
	if err != nil {
		if !errors.Is(err, errNoAside) {
			a.log.Debug("an ephemeral message was not taken", "err", err)
		}
		return false
	}
	if r.Stands != nil {
		r.Stands(work, at)
	}
	return true
}

// nod acknowledges a command with a reaction, if the chat's messages show its
// result. A chat may not allow reactions.
// https://core.telegram.org/bots/api#setmessagereaction
func (a replier) nod(work context.Context, to *message) {
	if to.ID == 0 || !a.nodding.Load() {
		return
	}
	_, err := a.attempt(work, to.Chat.ID, "setMessageReaction", tgbotapi.Params{
		"chat_id":    strconv.FormatInt(to.Chat.ID, 10),
		"message_id": strconv.FormatInt(to.ID, 10),
		"reaction":   `[{"type":"emoji","emoji":"👌"}]`,
	})
	if refused := new(tgbotapi.Error); errors.As(err, &refused) && refused.Code == http.StatusNotFound {
		a.nodding.Store(false) // the server is too old for reactions
	}
}

// unreachable returns the screen that a group sees if a reply couldn't be shown in
// private. It contains nothing of the reply.
func unreachable(in chat.Input) screen.Screen {
	texts := lang.For(in.Chat.Lang, in.Player.Lang)
	return screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{{Kind: screen.SpanText, Text: texts.Text("private.unreachable")}}}},
		Rows:   [][]screen.Button{{{Label: texts.Text("button.private"), Private: cardsPayload, Tone: screen.Primary}}},
	}
}

// led reports whether a reply needn't be shown, because it only leads to the private chat, and
// the bot can write to the person there.
func (a replier) led(work context.Context, in chat.Input, r chat.Reply) bool {
	return r.Leads && a.Reach(work, chat.Target{Player: in.Player.ID}) == nil
}

// whisper sends a reply's screen to a person's private chat. It returns false if the
// bot can't write to them; then nobody was shown anything.
func (a replier) whisper(work context.Context, to chat.Player, r chat.Reply) bool {
	err := a.show(work, chat.Target{Player: to.ID}, r, 0)
	var d *chat.DeliveryError
	return !errors.As(err, &d) || d.Fault != chat.Unreachable
}

// replace makes the message whose button was pressed show the reply's screen. It returns
// false if the caller has to send the screen as a new message: the old
// message is gone, or only one of the two is a photo.
func (a replier) replace(work context.Context, in chat.Input, r chat.Reply) bool {
	s := *r.Screen
	photo, wanted := isPhoto(in.Message), false
	if peer, _, ok := parseChat(in.Chat.ID); ok && s.Picture != nil && r.Stands == nil {
		_, fits := captioned(s)
		wanted = fits && !a.photos.refused(peer)
	}
	switch _, _, _, aside := parseAside(in.Message); {
	case aside && (photo || wanted): // its edits would take no upload
		return false
	case photo && s.Picture == nil, wanted && !photo && !aside:
		if err := a.Delete(work, in.Message); err != nil {
			a.log.Warn("remove a message", "err", err)
		}
		return false
	}
	err := a.patiently(work, chat.Target{Chat: in.Chat.ID}, func() error { return a.edit(work, in.Message, s) })
	var d *chat.DeliveryError
	if errors.As(err, &d) && d.Fault == chat.Gone {
		return false
	}
	if err != nil {
		a.log.Warn("change a private message", "err", err)
	}
	return true
}

// show sends a reply's screen, as a reply to a message of the chat if replyTo is not 0.
func (a replier) show(work context.Context, to chat.Target, r chat.Reply, replyTo int64) error {
	var at chat.Address
	err := a.patiently(work, to, func() (err error) {
		at, err = a.send(work, to, *r.Screen, replyTo)
		return err
	})
	switch {
	case err == nil && to.Player != "" && r.Stands != nil:
		r.Stands(work, at)
	case err != nil:
		a.log.Warn("show a reply", "private", to.Player != "", "err", err)
	}
	return err
}

// patiently calls deliver, and retries it if the rate limits held it back. It returns
// other errors at once, since the message may have been sent. The caller holds one of
// the slots.
func (a replier) patiently(work context.Context, to chat.Target, deliver func() error) error {
	peer, _, _ := targetChat(to)
	until := time.Now().Add(replyPatience)
	for waiting := false; ; {
		err := deliver()
		var d *chat.DeliveryError
		if !errors.As(err, &d) || d.Fault != chat.Retry || d.After <= 0 ||
			time.Now().Add(d.After).After(until) || work.Err() != nil {
			return err
		}
		if !waiting {
			if !a.limits.Queue(peer, time.Now()) {
				return err
			}
			waiting = true
			defer a.limits.Unqueue(peer)
		}
		<-a.slots // a waiting reply frees its slot for others
		chat.Pause(work, d.After)
		a.slots <- struct{}{}
	}
}

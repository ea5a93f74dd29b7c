package telegram

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// answerWithin is the longest time before a press is answered, with an empty answer
// if need be. Until the answer, the button looks busy. After answerUntil, Telegram refuses it.
const (
	answerWithin = 6 * time.Second
	answerUntil  = 15 * time.Second
)

// again are the pauses before a call is repeated that Telegram has neither accepted nor refused.
var again = chat.BackOff{First: 250 * time.Millisecond, Max: 2 * time.Second}

// slowAfter is how long a private message may take before the press that led to it is answered.
const slowAfter = 2 * time.Second

// replyPatience is how long a reply waits for the rate limits. Few replies may wait; any
// more are dropped, so that nobody can keep others waiting by asking often.
const replyPatience = 15 * time.Second

// maxChats is the most chats that a cache of facts about chats remembers.
const maxChats = 4096

// cardsPayload is the deep link's payload for a person that the bot can't write to.
const cardsPayload = "hand"

// query is a press that waits for its answer. It gets at most one.
// https://core.telegram.org/bots/api#answercallbackquery
type query struct {
	id    string
	taken atomic.Bool // the answer was sent, or is being sent, or there will be none
	timer *time.Timer
	send  func(p tgbotapi.Params, tried func()) error // calls tried after the first of its attempts
	tried chan struct{}                               // closed after the first attempt
	over  chan struct{}                               // closed when send has returned
	err   error                                       // of send
}

// newQuery starts the timeout of a press. send is called once at most.
func newQuery(send func(tgbotapi.Params, func()) error) *query {
	q := &query{send: send, tried: make(chan struct{}), over: make(chan struct{})}
	q.timer = time.AfterFunc(answerWithin, func() { q.begin(tgbotapi.Params{}) })
	return q
}

// answer sends the answer to a press, unless it was already answered. It waits for the first attempt only.
func (q *query) answer(p tgbotapi.Params) {
	q.timer.Stop()
	q.begin(p)
	<-q.tried
}

// begin sends the answer to a press, unless it was already answered.
func (q *query) begin(p tgbotapi.Params) {
	if q.taken.CompareAndSwap(false, true) {
		go func() {
			defer close(q.over)
			chat.Roomy()
			q.err = q.send(p, sync.OnceFunc(func() { close(q.tried) }))
		}()
	}
}

// old answers a press and reports whether Telegram says that it is too late for an answer. Presses have no date.
func (q *query) old() bool {
	q.answer(tgbotapi.Params{})
	<-q.over
	return refusedWith(q.err, "query is too old")
}

// answerSent answers that a private message says more.
func (q *query) answerSent(to chat.Player) {
	q.answer(tgbotapi.Params{"text": cut(lang.For(to.Lang).Text("private.sent"), toastLimit)})
}

// answerEmpty sends an empty answer. q may be nil.
func (q *query) answerEmpty() {
	if q != nil {
		q.answer(tgbotapi.Params{})
	}
}

// drop leaves the press without an answer.
func (q *query) drop() {
	q.timer.Stop()
	if q.taken.CompareAndSwap(false, true) {
		close(q.tried)
	}
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

// respond returns the answer for the caller to send, or nil if the press was already
// answered.
func (q *query) respond(r chat.Reply) (answer *webhookAnswer) {
	q.timer.Stop()
	if q.taken.CompareAndSwap(false, true) {
		close(q.tried)
		answer = &webhookAnswer{"answerCallbackQuery", q.id, cut(r.Toast, toastLimit), r.Alert && r.Toast != ""}
	}
	return answer
}

// maxReplies is the maximum number of replies delivered at the same time.
const maxReplies = 64

// maxEmpty is the maximum number of answers sent at the same time to people who press
// too fast. It equals the maximum number of updates that one person may have pending.
const maxEmpty = batchLimit

// replier shows the replies to presses and commands.
type replier struct {
	outbox  *outbox
	log     *slog.Logger
	running sync.WaitGroup
	slots   chan struct{} // bounds the goroutines that deliver replies
	empty   chan struct{} // bounds the goroutines that answer people who press too fast

	advised cache.Cache[string, struct{}] // chat and person of each advice to open the private chat
}

// answerEmpty sends an empty answer to a person who presses too fast. If too many of those
// answers are being sent, it leaves the press unanswered, so that a flood doesn't
// keep anybody else waiting. q may be nil.
func (p *replier) answerEmpty(q *query) {
	if q == nil {
		return
	}
	select {
	case p.empty <- struct{}{}:
		p.running.Go(func() {
			defer func() { <-p.empty }()
			q.answerEmpty()
			<-q.over
		})
	default:
		q.drop()
	}
}

// query returns the press with that id. Only Telegram's own word about the answer is final. Until then, it is sent again.
func (p *replier) query(work context.Context, id string) *query {
	until := time.Now().Add(answerUntil)
	q := newQuery(func(params tgbotapi.Params, tried func()) error {
		params["callback_query_id"] = id
		for pause := time.Duration(0); ; {
			ctx, cancel := context.WithTimeout(work, callTimeout)
			_, err := p.outbox.client.call(ctx, "answerCallbackQuery", params)
			cancel()
			tried()
			if err == nil {
				return nil
			}
			d := deliveryError(err, 0)
			pause = again.After(pause)
			wait := max(pause, d.After)
			if d.Fault != chat.Retry || time.Now().Add(wait).After(until) || !chat.Pause(work, wait) {
				p.log.Warn("answer a press", "err", clean(err))
				return err
			}
		}
	})
	q.id = id
	return q
}

// answer shows the reply to a press. If it was in a topic of the private chat, the reply is there too.
func (p *replier) answer(work context.Context, q *query, in chat.Input, topic string, r chat.Reply) {
	toast := tgbotapi.Params{}
	toast.AddNonEmpty("text", cut(r.Toast, toastLimit))
	toast.AddBool("show_alert", r.Alert && r.Toast != "")
	switch {
	case r.Screen == nil:
		q.answer(toast)
	case in.Chat.Private:
		q.answer(tgbotapi.Params{})
		if !r.Replace || !p.replace(work, in, r, nil) {
			_ = p.show(work, chat.Target{Player: in.Chat.ID, Topic: topic}, r, 0, nil)
		}
	case r.Public && !in.Chat.Single:
		q.answer(toast)
		p.post(work, in, r, 0)
	case r.Replace && in.OnAnswer && p.replace(work, in, r, q):
		if r.Alert { // the toast is a short form of the screen
			toast = tgbotapi.Params{}
		}
		q.answer(toast)
		if r.Shown != nil {
			r.Shown(work, in.Answer, in.Aside())
		}
	case p.replyEphemeral(work, in, r, cause{press: q.id}, q):
		q.answer(tgbotapi.Params{})
		if r.Replace && in.OnAnswer {
			_ = p.outbox.Delete(work, in.Message) // it could not be edited
		}
	case r.Toast != "":
		q.answer(toast)
	case p.leadsOnly(work, in, r) || p.showPrivately(work, q, in.Player, r):
		q.answerSent(in.Player)
	default:
		// The link opens the private chat, whose start button shows the bot's screen.
		q.answer(tgbotapi.Params{"url": deepLink(p.outbox.client.username(), cmp.Or(r.Payload, cardsPayload))})
	}
}

// reply shows the reply to a command.
func (p *replier) reply(work context.Context, to *message, in chat.Input, r chat.Reply) {
	word := r.Screen == nil
	if word && r.Toast != "" && (!r.Echo || to.Ephemeral != 0) { // an ephemeral command can't get a reaction
		word := said(r.Toast)
		r.Screen = &word
	}
	switch {
	case r.Screen == nil && r.Echo && !in.Chat.Private:
		p.react(work, to)
	case r.Screen == nil:
	case in.Chat.Private:
		_ = p.show(work, chat.Target{Player: in.Chat.ID, Topic: to.topic()}, r, 0, nil)
	case r.Public && !word, in.Masked, in.Late: // nobody can be shown it alone, or nobody expects it any more
		p.post(work, in, r, to.ID)
	case to.Ephemeral != 0 && p.replyEphemeral(work, in, r, cause{command: to.Ephemeral}, nil):
	case p.leadsOnly(work, in, r):
		p.react(work, to)
	case p.showPrivately(work, nil, in.Player, r) || p.replyEphemeral(work, in, r, cause{}, nil):
	case r.Outcome == chat.Failed: // an apology tells nothing about the person
		_ = p.show(work, chat.Target{Chat: in.Chat.ID}, r, to.ID, nil)
	case p.advised.Add(in.Chat.ID+" "+in.Player.ID, struct{}{}, maxKnown) || !word:
		// A reply that is only a toast is replaced by this advice to open the private chat. Once per person and chat is enough.
		screen := unreachable(in)
		_ = p.show(work, chat.Target{Chat: in.Chat.ID}, chat.Reply{Screen: &screen}, to.ID, nil)
	}
}

// post shows a reply to everyone in the chat. If the chat refuses it, the person is told so, unless nobody expects it.
func (p *replier) post(work context.Context, in chat.Input, r chat.Reply, replyTo int64) {
	var d *chat.DeliveryError
	err := p.show(work, chat.Target{Chat: in.Chat.ID}, r, replyTo, nil)
	if !errors.As(err, &d) || d.Fault == chat.Retry || in.Masked || in.Late {
		return
	}
	why := said(lang.For(in.Player.Lang, in.Chat.Lang).Text("silent.post"))
	if told := (chat.Reply{Screen: &why}); !p.showPrivately(work, nil, in.Player, told) {
		p.replyEphemeral(work, in, told, cause{}, nil)
	}
}

// said returns a screen with one line of text.
func said(text string) screen.Screen {
	return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Kind: screen.SpanText, Text: text}}}}}
}

// replyEphemeral shows a reply's screen in the group to the person only. It reports
// whether that worked.
func (p *replier) replyEphemeral(work context.Context, in chat.Input, r chat.Reply, why cause, q *query) bool {
	screen := *r.Screen
	if r.Shown != nil {
		screen = screen.WithoutPicture() // the shell edits it later, and edits take no upload
	}
	var at chat.Address
	err := p.patiently(work, chat.Target{Chat: in.Chat.ID}, q.answerEmpty, func() (err error) {
		at, err = p.outbox.sendEphemeral(work, chat.Target{Chat: in.Chat.ID, Player: in.Player.ID}, screen, why)
		return err
	})
	if err != nil {
		if !errors.Is(err, errNoEphemeral) {
			p.log.Debug("an ephemeral message was not taken", "err", err)
		}
		return false
	}
	if r.Shown != nil {
		r.Shown(work, at, in.Chat.ID)
	}
	return true
}

// react acknowledges a command with a reaction, if the chat's messages show its
// result. A chat may not allow reactions.
// https://core.telegram.org/bots/api#setmessagereaction
func (p *replier) react(work context.Context, to *message) {
	if to.ID == 0 || p.outbox.refused.has(to.Chat.ID, kindReaction) {
		return
	}
	err := p.patiently(work, chat.Target{Chat: chatID(to.Chat.ID, 0)}, nil, func() error {
		_, err := p.outbox.attempt(work, to.Chat.ID, "setMessageReaction", tgbotapi.Params{
			"chat_id":    strconv.FormatInt(to.Chat.ID, 10),
			"message_id": strconv.FormatInt(to.ID, 10),
			"reaction":   `[{"type":"emoji","emoji":"👌"}]`,
		})
		return err
	})
	if unknownMethod(err) {
		p.outbox.refused.note(to.Chat.ID, kindReaction, absentFor) // the server is too old for reactions
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

// leadsOnly reports whether a reply needn't be shown, because it only leads to the private chat, and
// the bot can write to the person there.
func (p *replier) leadsOnly(work context.Context, in chat.Input, r chat.Reply) bool {
	return r.Leads && p.outbox.Reach(work, chat.Target{Player: in.Player.ID}) == nil
}

// showPrivately sends a reply's screen to a person's private chat. It returns false if the
// bot can't write to them; then nobody was shown anything. If the message has to wait or takes long, the press q
// is answered before it is sent. q may be nil.
func (p *replier) showPrivately(work context.Context, q *query, to chat.Player, r chat.Reply) bool {
	target := chat.Target{Player: to.ID}
	waits := func() {
		if q != nil && p.outbox.Reach(work, target) == nil {
			q.answerSent(to)
		}
	}
	slow := time.AfterFunc(slowAfter, waits)
	defer slow.Stop()
	err := p.show(work, target, r, 0, waits)
	var d *chat.DeliveryError
	return !errors.As(err, &d) || d.Fault != chat.Unreachable
}

// replace makes the message whose button was pressed show the reply's screen. It returns
// false if the caller has to send the screen as a new message: the old
// message is gone, or only one of the two is a photo.
func (p *replier) replace(work context.Context, in chat.Input, r chat.Reply, q *query) bool {
	s := *r.Screen
	photo, wanted := isPhoto(in.Message), false
	if peer, _, ok := parseChat(in.Chat.ID); ok && s.Picture != nil && r.Shown == nil {
		_, fits := captioned(s)
		wanted = fits && !p.outbox.refused.has(peer, kindPhoto)
	}
	switch _, _, _, ephemeral := parseEphemeral(in.Message); {
	case ephemeral && (photo || wanted): // its edits would take no upload
		return false
	case photo && s.Picture == nil, wanted && !photo && !ephemeral:
		if err := p.outbox.Delete(work, in.Message); err != nil {
			p.log.Warn("remove a message", "err", err)
		}
		return false
	}
	err := p.patiently(work, chat.Target{Chat: in.Chat.ID}, q.answerEmpty, func() error { return p.outbox.edit(work, in.Message, s) })
	var d *chat.DeliveryError
	if errors.As(err, &d) && d.Fault == chat.Gone {
		return false
	}
	if err != nil {
		p.log.Warn("change a private message", "err", err)
	}
	return true
}

// show sends a reply's screen, as a reply to a message of the chat if replyTo is not 0. waits is the same as for patiently.
func (p *replier) show(work context.Context, to chat.Target, r chat.Reply, replyTo int64, waits func()) error {
	var at chat.Address
	err := p.patiently(work, to, waits, func() (err error) {
		at, err = p.outbox.send(work, to, *r.Screen, replyTo)
		return err
	})
	switch {
	case errors.Is(err, chat.ErrNoTopic):
		to.Topic = ""
		return p.show(work, to, r, replyTo, waits)
	case err == nil && to.Player != "" && r.Shown != nil:
		r.Shown(work, at, "")
	case err != nil:
		p.log.Warn("show a reply", "private", to.Player != "", "err", err)
	}
	return err
}

// patiently calls deliver, and retries it if the rate limits held it back, or if neither the Bot API nor a broken
// connection answered. It returns other errors at once, since the message may have been sent. Before it waits, it calls
// waits, unless waits is nil, which answers the press, so that the button no longer looks busy. The caller holds one of the slots.
func (p *replier) patiently(work context.Context, to chat.Target, waits func(), deliver func() error) error {
	peer, _, _ := targetChat(to)
	until := time.Now().Add(replyPatience)
	pause, place, waiting := time.Duration(0), 0, false
	for {
		err := deliver()
		var d *chat.DeliveryError
		if !errors.As(err, &d) || d.Fault != chat.Retry || work.Err() != nil {
			return err
		}
		wait := d.After
		if wait <= 0 {
			if unanswered(err) {
				return err
			}
			pause = again.After(pause)
			wait = pause
		}
		if time.Now().Add(wait).After(until) {
			return err
		}
		if !waiting {
			if place, waiting = p.outbox.limits.Queue(peer, time.Now()); !waiting {
				return err
			}
			defer p.outbox.limits.Unqueue(peer)
			if waits != nil {
				waits()
			}
		}
		<-p.slots // a waiting reply frees its slot for others
		// Replies that wait for the same moment come in the order of what was asked.
		chat.Pause(work, wait+time.Duration(place)*time.Millisecond)
		p.slots <- struct{}{}
	}
}

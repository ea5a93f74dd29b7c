package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

const (
	// answerTimeout is Discord's timeout for the first answer
	// (https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction).
	answerTimeout = 3 * time.Second
	// replyWait is how long an interaction waits for its reply. After that, the first
	// answer says that the reply comes later.
	replyWait = 1500 * time.Millisecond
	// handleTimeout is the timeout for handling one input.
	handleTimeout = 20 * time.Second
	// lateTries is the number of attempts to send a late reply.
	lateTries = 5
)

// Types of first answers
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type).
const (
	answerPong          = 1
	answerMessage       = 4
	answerLater         = 5  // the person sees that the bot is thinking
	answerSilently      = 6  // to a press: shows nothing; the message with the button may be edited later
	answerUpdateMessage = 7  // to a press: replaces the message with the button
	answerChoices       = 8  // to a person who types an option: suggestions
	answerModal         = 9  // asks the person in a modal
	answerLaunch        = 12 // opens the application's Activity
)

// callback is the body of the first answer to an interaction.
type callback struct {
	Type int  `json:"type"`
	Data any  `json:"data,omitempty"`
	sure bool // it contains nothing that Discord may refuse
}

// Files returns the files of the answer.
func (c callback) Files() []screen.File {
	if m, ok := c.Data.(message.Body); ok {
		return m.Files()
	}
	return nil
}

// deferred is the data of an answer of type answerLater.
type deferred struct {
	Flags int `json:"flags"`
}

// done is the text of an empty reply to a command: Discord refuses an empty message.
const done = "✓"

// replier passes interactions to the bot, and shows its replies.
type replier struct {
	outbox    *outbox
	log       *slog.Logger
	commands  []chat.Command
	h         chat.Handler
	replyWait time.Duration // how long to wait for a reply before the person sees that it comes later
}

// interact answers one interaction when those before it in its queue are done, in the HTTP response or with a
// request. It returns after the reply was shown.
func (p *replier) interact(ctx context.Context, it interaction, place chat.Place) {
	defer it.response.end()
	in, r, there := p.respond(ctx, it, place)
	if !there || r.Screen == nil || r.Shown == nil {
		return
	}
	defer p.recoverPanic(func() {})
	ctx, cancel := context.WithTimeout(ctx, handleTimeout)
	defer cancel()
	r.Shown(ctx, in.Answer, in.Aside())
}

// recoverPanic has to be deferred. It recovers from a panic, logs it and calls then.
func (p *replier) recoverPanic(then func()) {
	if recover() == nil {
		return
	}
	// Only the stack is logged: the panic's message may contain anything, even a hand.
	p.log.Error("handling an input panicked", "platform", platform, "stack", string(debug.Stack()))
	then()
}

// respond does the work of interact up to the answer. It returns the input and the reply,
// and whether the reply's screen is now at the input's Answer address.
func (p *replier) respond(ctx context.Context, it interaction, place chat.Place) (in chat.Input, r chat.Reply, there bool) {
	started := time.Now().Add(-p.outbox.client.clock.age(it.ID))
	answered := make(chan struct{})
	p.outbox.pending.Store(it.Token, answered)
	defer func() {
		p.outbox.pending.Delete(it.Token)
		close(answered)
	}()
	switch it.Type {
	case kindCommand, kindComponent, kindTyping, kindModal:
	default:
		p.log.Warn("discord sent an interaction of an unknown kind", "kind", it.Type)
		return in, r, false
	}

	if it.launches() {
		_ = p.first(ctx, started, it, callback{Type: answerLaunch})
		return in, r, false
	}
	in, err := it.input(started, p.commands)
	if err != nil {
		p.log.Warn("discord sent an interaction that cannot be understood", "err", err)
		_ = p.first(ctx, started, it, p.reply(it, apology(in)))
		return in, r, false
	}
	if it.Type == kindTyping {
		limited, cancel := context.WithTimeout(ctx, answerTimeout)
		defer cancel()
		_ = p.first(ctx, started, it, suggest(p.h.Complete(limited, in)))
		return in, r, false
	}
	finish, ok := p.await(ctx, started, it, place.Ready)
	if !ok {
		return in, r, false
	}
	chat.Deep()
	p.learn(&it, in)
	in = p.joinThread(ctx, it, in)
	mine := p.outbox.presses.begin(buttonOf(in), it, started)
	r = p.handle(ctx, in)
	late, ok := finish()
	if r.Repeat && !late && it.response == nil { // who handled it answers; an HTTP request is repeated if that answer was lost
		p.outbox.presses.end(mine)
		return in, r, false
	}
	if r.Form != nil && !late && p.ask(ctx, started, it, *r.Form) {
		p.outbox.presses.end(mine)
		return in, r, false
	}
	switch silent := r.Screen == nil && r.Toast == "" && it.pressed(); {
	case in.OnAnswer && r.Screen != nil:
		defer p.outbox.presses.end(mine) // an edit of the message waits for this answer, too
	case late, !silent, !r.Edits, it.response != nil: // a silent answer in an HTTP response costs nothing
		p.outbox.presses.end(mine)
	default:
		place.End() // the person's next press needn't wait for the edit
		if edit := p.outbox.presses.waitForEdit(mine); edit != nil {
			err := p.first(ctx, started, it, *edit)
			mine.attempted(err == nil)
			if err == nil || !isRefused(err) {
				return in, r, err == nil
			}
		}
	}
	p.outbox.hinted(ctx, in, it, r, late)
	if late {
		return in, r, ok && p.late(ctx, it, in, r)
	}
	_, err = p.outbox.attempt(prefix+it.ChannelID, r.Screen, func(s *screen.Screen) error {
		r.Screen = s
		c := p.reply(it, r)
		err := p.first(ctx, started, it, c)
		if m, ok := c.Data.(message.Body); ok && err == nil && r.Shown != nil {
			p.outbox.replies.note(in, m)
		}
		return err
	})
	switch {
	case hasCode(err, codeAcknowledged): // nothing is left to say
	case isInvalid(err):
		_ = p.first(ctx, started, it, p.reply(it, refused(in, r)))
	case hasCode(err, codeUnknownMessage):
		// The message with the button was deleted meanwhile. A newer one shows the same.
		_ = p.first(ctx, started, it, callback{Type: answerSilently})
	}
	return in, r, err == nil
}

// learn remembers what an interaction says about people and chats.
func (p *replier) learn(it *interaction, in chat.Input) {
	p.outbox.meetAll(it)
	if in.Chat.Private {
		p.outbox.knowDM(it.who().ID, it.ChannelID)
	}
	p.outbox.textOnly.learn(it)
}

// ask asks the person with a modal, which has to be the first answer. It reports whether nothing else is to be answered.
// If Discord refuses the modal, the caller shows the rest of the reply.
func (p *replier) ask(ctx context.Context, started time.Time, it interaction, f screen.Form) bool {
	if it.Type != kindComponent {
		return false
	}
	err := p.first(ctx, started, it, callback{Type: answerModal, Data: message.Ask(f)})
	return err == nil || hasCode(err, codeAcknowledged)
}

// await waits until all interactions before this one in its queue are done. It reports false if it is then too late to answer.
// When that time is over, it tells Discord that the reply comes later. The caller calls
// finish once: late reports whether Discord was told that, and ok whether Discord accepted.
func (p *replier) await(ctx context.Context, started time.Time, it interaction, ready <-chan struct{}) (finish func() (late, ok bool), ok bool) {
	wait := callback{Type: answerLater, Data: deferred{message.Ephemeral}}
	if it.onAnswer() {
		wait = callback{Type: answerSilently}
	}
	taken := make(chan bool, 1)
	timer := time.AfterFunc(time.Until(started.Add(p.replyWait)), func() { taken <- p.first(ctx, started, it, wait) == nil })
	finish = func() (late, ok bool) {
		if timer.Stop() {
			return false, false
		}
		return true, <-taken
	}
	<-ready
	if late, ok := finish(); late {
		return func() (late, ok bool) { return true, true }, ok
	}
	if time.Since(started) > answerTimeout {
		return nil, false
	}
	timer.Reset(time.Until(started.Add(p.replyWait)))
	return finish, true
}

// handle returns the bot's reply to an input. After a panic, it returns an apology.
func (p *replier) handle(ctx context.Context, in chat.Input) (r chat.Reply) {
	defer p.recoverPanic(func() { r = apology(in) })
	ctx, cancel := context.WithTimeout(ctx, handleTimeout)
	defer cancel()
	return p.h.Handle(ctx, in)
}

// apology returns the reply after an internal error.
func apology(in chat.Input) chat.Reply {
	return chat.Reply{Toast: lang.For(in.Player.Lang, in.Chat.Lang).Text("reply.trouble")}
}

// refused returns the reply to a person whose own reply Discord refuses.
func refused(in chat.Input, r chat.Reply) chat.Reply {
	if r.Public { // the chat has filters for what everyone sees there
		return chat.Reply{Toast: lang.For(in.Player.Lang, in.Chat.Lang).Text("silent.post")}
	}
	return apology(in)
}

// choices is the data of an answer of type answerChoices.
type choices struct {
	Choices []choice `json:"choices"`
}

type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// suggest returns an answer with suggestions for the option that a person types.
func suggest(all []chat.Suggestion) callback {
	out := choices{Choices: []choice{}}
	for _, s := range all[:min(len(all), maxChoices)] {
		out.Choices = append(out.Choices, choice{message.Cut(screen.Line(s.Name), maxDescription), s.Value})
	}
	return callback{Type: answerChoices, Data: out, sure: true}
}

// reply converts a reply to a first answer.
func (p *replier) reply(it interaction, r chat.Reply) callback {
	switch {
	case r.Screen == nil && r.Toast == "" && it.pressed():
		return callback{Type: answerSilently, sure: true}
	case r.Screen == nil:
		return callback{Type: answerMessage, Data: private(toast(r)), sure: true}
	case r.Public:
		return callback{Type: answerMessage, Data: p.outbox.draw(*r.Screen, true)}
	case r.Replace && it.onAnswer():
		return callback{Type: answerUpdateMessage, Data: p.outbox.draw(*r.Screen, false)}
	default:
		return callback{Type: answerMessage, Data: private(p.outbox.draw(*r.Screen, false))}
	}
}

func toast(r chat.Reply) message.Body {
	if r.Toast == "" {
		return message.Line(done)
	}
	return message.Line(r.Toast)
}

func private(m message.Body) message.Body {
	m.Flags |= message.Ephemeral
	return m
}

// first sends the first answer. If that fails, it retries until Discord's timeout. An
// attempt that started in time isn't canceled at the timeout: it may have arrived in
// time. The last error is logged.
func (p *replier) first(ctx context.Context, started time.Time, it interaction, c callback) error {
	if it.response.send(c) {
		return nil
	}
	waits, cancel := context.WithDeadline(ctx, started.Add(answerTimeout))
	defer cancel()
	var err error
	for try := 1; ; try++ {
		err = p.outbox.client.call(ctx, request{
			method: http.MethodPost,
			path:   "/interactions/" + it.ID + "/" + it.Token + "/callback",
			limit:  "answer " + it.Token,
			body:   c,
			open:   true,
		}, nil)
		if hasCode(err, codeAcknowledged) {
			if try > 1 {
				return nil // an earlier attempt succeeded
			}
			return err // another process answers it, so this one stays silent
		}
		var d *chat.DeliveryError
		if !errors.As(deliveryError(err), &d) || d.Fault != chat.Retry || !chat.Pause(waits, max(time.Duration(try)*100*time.Millisecond, d.After)) {
			break
		}
	}
	if err != nil {
		p.log.Warn("an interaction could not be answered", "platform", platform, "kind", c.Type,
			"took", time.Since(started).Round(time.Millisecond), "err", err)
	}
	return err
}

// late shows a reply after the person was told to wait. Only they see the wait message. A
// private reply replaces it, and otherwise it is deleted. late reports whether the reply's
// screen is now at the address of the answer.
func (p *replier) late(ctx context.Context, it interaction, in chat.Input, r chat.Reply) bool {
	original := request{method: http.MethodPatch, path: webhook(it.App, it.Token) + "/messages/@original"}
	follow := request{method: http.MethodPost, path: webhook(it.App, it.Token)}
	remove := request{method: http.MethodDelete, path: original.path}
	silent := it.onAnswer() // there is no wait message; original is the message with the button

	var calls []request
	switch {
	case r.Screen != nil && r.Public:
		follow.body = p.outbox.draw(*r.Screen, true)
		if !silent {
			calls = append(calls, remove)
		}
		calls = append(calls, follow)
	case r.Screen != nil && silent && !r.Replace:
		follow.body = private(p.outbox.draw(*r.Screen, false))
		calls = append(calls, follow)
	case r.Screen != nil:
		original.body = p.outbox.draw(*r.Screen, false)
		calls = append(calls, original)
	case silent && r.Toast != "":
		follow.body = private(toast(r))
		calls = append(calls, follow)
	case silent:
	case r.Toast == "" && it.pressed():
		calls = append(calls, remove)
	default:
		original.body = toast(r)
		calls = append(calls, original)
	}
	for _, c := range calls {
		c.limit, c.open = c.method+" "+it.Token, true
		_, err := p.outbox.attempt(prefix+it.ChannelID, r.Screen, func(s *screen.Screen) error {
			if m, ok := c.body.(message.Body); ok && s != nil {
				again := p.outbox.draw(*s, r.Public)
				again.Flags = m.Flags
				c.body = again
			}
			return p.outbox.client.insist(ctx, c)
		})
		invalid := isInvalid(err)
		if invalid && (c.method == http.MethodPatch && !silent || c.method == http.MethodPost) {
			words := toast(refused(in, r))
			if c.body = words; c.method == http.MethodPost {
				c.body = private(words)
			}
			err = p.outbox.client.insist(ctx, c)
		}
		if err != nil {
			p.log.Warn("a late reply could not be shown", "platform", platform, "err", err)
		}
		if err != nil || invalid {
			return false
		}
	}
	return len(calls) == 1 && calls[0].method == http.MethodPatch
}

// insist sends a request, up to lateTries times, and waits between attempts as Discord asks.
func (c *client) insist(ctx context.Context, r request) error {
	for try := 1; ; try++ {
		err := c.call(ctx, r, nil)
		var d *chat.DeliveryError
		if try == lateTries || !errors.As(deliveryError(err), &d) || d.Fault != chat.Retry || !chat.Pause(ctx, max(time.Duration(try)*200*time.Millisecond, d.After)) {
			return err
		}
	}
}

func isRetry(err error) bool {
	var d *chat.DeliveryError
	return errors.As(err, &d) && d.Fault == chat.Retry
}

// isRefused reports whether Discord has answered with a failure. Other errors leave open
// whether the request took effect.
func isRefused(err error) bool {
	var e *apiError
	return errors.As(err, &e)
}

func isInvalid(err error) bool {
	var d *chat.DeliveryError
	return errors.As(deliveryError(err), &d) && d.Fault == chat.Invalid
}

func hasCode(err error, code int) bool {
	var e *apiError
	return errors.As(err, &e) && e.code == code
}

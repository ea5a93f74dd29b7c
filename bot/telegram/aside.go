package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// An aside is an ephemeral message: one person sees it in a group. An
// administrator may send one at any time, any other bot within 15 s of that person's
// press or ephemeral command. It may vanish, and may never arrive.
// https://core.telegram.org/bots/api#ephemeral-messages-and-commands
//
// A server of an earlier version of the API takes no notice of the parameter that
// makes a message ephemeral, and would show it to the whole group. So the first
// message is a blank; what is meant for one person follows as its edit, once the
// server said that the blank is ephemeral. Only then are asides sent at once,
// until the connection is lost: another server may answer after that.

// What is known of the server.
type asideStage int

const (
	asidesUnasked asideStage = iota
	asidesNamed              // it has the methods
	asidesProven             // it has sent one
	asidesAbsent
)

// How long refusals are remembered.
const (
	absentFor  = 24 * time.Hour   // the server knows no ephemeral messages
	asideKept  = 48 * time.Hour   // how long one that was pressed is kept up to date
	refusedFor = 10 * time.Minute // this chat takes none, or none that nobody asked for
)

// blank is what a server that is not proven yet gets to show.
const blank = "♠ ♥ ♦ ♣"

// errNoAside: this server, this chat or this person takes no ephemeral messages now.
var errNoAside = errors.New("no ephemeral messages here")

// asides is what is known of where ephemeral messages work.
type asides struct {
	mu      sync.Mutex
	stage   asideStage
	again   time.Time                         // from then on a server that had none may be asked anew
	refused cache.Cache[asideChat, time.Time] // chats that took none, until then
}

// asideChat is a chat, and whether its refusal is of asides that nobody asked for.
type asideChat struct {
	id     int64
	pushed bool
}

// known is what is known of the server, and whether the chat refuses.
func (k *asides) known(c asideChat, now time.Time) (stage asideStage, refuses bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stage == asidesAbsent && now.After(k.again) {
		k.stage = asidesUnasked
	}
	until, _ := k.refused.Get(c)
	return k.stage, now.Before(until)
}

// learn notes what the server turned out to know.
func (k *asides) learn(stage asideStage, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stage, k.again = stage, now.Add(absentFor)
}

// doubt forgets that the server was proven.
func (k *asides) doubt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stage = asidesUnasked
}

// refuse notes that a chat takes none.
func (k *asides) refuse(c asideChat, now time.Time) {
	k.refused.Put(c, now.Add(refusedFor), manyChats)
}

// cause is what allows an aside: a press, an ephemeral command, or, with neither,
// that the bot is an administrator.
type cause struct {
	press   string // the id of a callback query
	command int64  // the number of an ephemeral message
}

// asideAddress is where an aside stands: the chat, its number there and who sees it.
func asideAddress(peer, message, person int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:e%d:%d", prefix, peer, message, person))
}

// parseAside reads the address of an aside.
func parseAside(a chat.Address) (peer, message, person int64, ok bool) {
	parts := strings.Split(strings.TrimPrefix(string(a), prefix), ":e")
	if len(parts) != 2 || !strings.HasPrefix(string(a), prefix) {
		return 0, 0, 0, false
	}
	number, who, _ := strings.Cut(parts[1], ":")
	var failed [3]error
	peer, failed[0] = strconv.ParseInt(parts[0], 10, 64)
	message, failed[1] = strconv.ParseInt(number, 10, 64)
	person, failed[2] = strconv.ParseInt(who, 10, 64)
	return peer, message, person, errors.Join(failed[:]...) == nil && message > 0 && person > 0
}

func noAside(err error) error { return &chat.DeliveryError{Fault: chat.Unreachable, Err: err} }

// asideSender shows one person in a group what the others don't see.
type asideSender struct{ *Adapter }

// sendAside shows a screen to one person in a group. It reaches nobody else,
// whatever goes wrong.
func (a asideSender) sendAside(ctx context.Context, to chat.Target, s view.Screen, why cause) (chat.Address, error) {
	peer, topic, ok := parseChat(to.Chat)
	person, _, known := targetChat(chat.Target{Player: to.Player})
	if !ok || !known {
		return "", invalid(errForeign)
	}
	here := asideChat{peer, why == cause{}}
	stage, refuses := a.asides.known(here, time.Now())
	if peer > 0 || refuses || s.File != nil {
		return "", noAside(errNoAside)
	}
	if stage == asidesUnasked {
		stage = a.askAsides(ctx, peer, person)
	}
	if stage == asidesUnasked || stage == asidesAbsent {
		return "", noAside(errNoAside)
	}
	s.Picture = nil // its edits would take no upload
	p, err := a.render(s, false)
	if err != nil {
		return "", invalid(err)
	}
	if wait := max(a.limits.silent(peer, time.Now()), a.limits.take(person, time.Now())); wait > 0 {
		return "", &chat.DeliveryError{Fault: chat.Retry, After: wait, Held: true, Err: errPaced}
	}
	first := p
	if stage != asidesProven {
		first = tgbotapi.Params{"text": blank}
	}
	first["chat_id"] = strconv.FormatInt(peer, 10)
	first.AddNonZero64("message_thread_id", topic)
	parameters := map[string]any{"receiver_user_id": person}
	if why.press != "" {
		parameters["callback_query_id"] = why.press
	}
	if why.command != 0 {
		first["reply_parameters"] = fmt.Sprintf(`{"ephemeral_message_id":%d}`, why.command)
	}
	data, err := json.Marshal(parameters)
	if err != nil {
		return "", invalid(err)
	}
	first["ephemeral_message_parameters"] = string(data)
	result, err := a.attempt(ctx, peer, "sendMessage", first)
	if err != nil {
		return "", a.refusedAside(here, err)
	}
	var sent struct {
		ID    int64 `json:"message_id"`
		Aside int64 `json:"ephemeral_message_id"`
	}
	if err := json.Unmarshal(result, &sent); err != nil || sent.Aside == 0 {
		a.asides.learn(asidesAbsent, time.Now())
		a.log.Warn("the Bot API server shows ephemeral messages to everybody; they are not used")
		if sent.ID != 0 {
			_ = a.Delete(ctx, address(peer, sent.ID))
		}
		return "", noAside(errNoAside)
	}
	at := asideAddress(peer, sent.Aside, person)
	if stage == asidesProven {
		return at, nil
	}
	a.asides.learn(asidesProven, time.Now())
	if err := a.editAside(ctx, at, s); err != nil {
		_ = a.Delete(ctx, at)
		return "", err
	}
	return at, nil
}

// askAsides finds out whether the server has the methods, by one call that does nothing.
// https://core.telegram.org/bots/api#deleteephemeralmessage
func (a asideSender) askAsides(ctx context.Context, peer, person int64) asideStage {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	const none = 1<<31 - 1
	_, err := a.call(ctx, "deleteEphemeralMessage", tgbotapi.Params{
		"chat_id":              strconv.FormatInt(peer, 10),
		"receiver_user_id":     strconv.FormatInt(person, 10),
		"ephemeral_message_id": strconv.Itoa(none),
	})
	var refused *tgbotapi.Error
	switch {
	case errors.As(err, &refused) && refused.Code == http.StatusNotFound:
		a.asides.learn(asidesAbsent, time.Now())
		return asidesAbsent
	case err == nil, refused != nil && refused.Code == http.StatusBadRequest:
		a.asides.learn(asidesNamed, time.Now())
		return asidesNamed
	}
	return asidesUnasked
}

// refusedAside sorts a refusal: what is no matter of waiting is remembered, and
// the next way is taken.
func (a asideSender) refusedAside(here asideChat, err error) error {
	var d *chat.DeliveryError
	if !errors.As(err, &d) || d.Fault == chat.Retry || d.Chat != "" {
		return err
	}
	if refusedWith(err, "CHAT_ADMIN_REQUIRED") || refusedWith(err, "PEER_ID_INVALID") || refusedWith(err, "not enough rights") {
		a.asides.refuse(here, time.Now())
	}
	return noAside(d.Err)
}

// editAside makes an aside show s.
// https://core.telegram.org/bots/api#editephemeralmessagetext
func (a asideSender) editAside(ctx context.Context, addr chat.Address, s view.Screen) error {
	peer, message, person, ok := parseAside(addr)
	if !ok {
		return invalid(errForeign)
	}
	s.Picture = nil // its edits would take no upload
	p, err := a.render(s, false)
	if err != nil {
		return invalid(err)
	}
	if wait := max(a.limits.silent(peer, time.Now()), a.limits.take(person, time.Now())); wait > 0 {
		return &chat.DeliveryError{Fault: chat.Retry, After: wait, Held: true, Err: errPaced}
	}
	asideParams(p, peer, message, person)
	_, err = a.attempt(ctx, peer, "editEphemeralMessageText", p)
	return goneAside(err)
}

// deleteAside removes an aside.
// https://core.telegram.org/bots/api#deleteephemeralmessage
func (a asideSender) deleteAside(ctx context.Context, addr chat.Address) error {
	peer, message, person, ok := parseAside(addr)
	if !ok {
		return invalid(errForeign)
	}
	p := tgbotapi.Params{}
	asideParams(p, peer, message, person)
	_, err := a.attempt(ctx, peer, "deleteEphemeralMessage", p)
	var d *chat.DeliveryError
	if err = goneAside(err); errors.As(err, &d) && d.Fault == chat.Gone {
		return nil
	}
	return err
}

func asideParams(p tgbotapi.Params, peer, message, person int64) {
	p["chat_id"] = strconv.FormatInt(peer, 10)
	p["receiver_user_id"] = strconv.FormatInt(person, 10)
	p["ephemeral_message_id"] = strconv.FormatInt(message, 10)
}

// goneAside sorts what a change of an aside met. One that cannot be changed is
// as good as gone.
func goneAside(err error) error {
	var d *chat.DeliveryError
	switch {
	case refusedWith(err, "message is not modified"):
		return nil
	case errors.As(err, &d) && d.Fault != chat.Retry && d.Chat == "":
		return &chat.DeliveryError{Fault: chat.Gone, Err: d.Err}
	}
	return err
}

// Door is "": a private chat has its person's id.
func (*Adapter) Door(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}

// Reach tells whether a person can be written to in private, by calling a state
// that nobody minds, or aside: where the bot is an administrator.
// https://core.telegram.org/bots/api#sendchataction
func (a *Adapter) Reach(ctx context.Context, to chat.Target) error {
	peer, _, ok := parseChat(to.Chat)
	person, _, known := targetChat(chat.Target{Player: to.Player})
	switch {
	case to.Player == "":
		return nil
	case !known || to.Chat != "" && !ok:
		return invalid(errForeign)
	case to.Chat == "":
		_, err := a.attempt(ctx, person, "sendChatAction", tgbotapi.Params{"chat_id": strconv.FormatInt(person, 10), "action": "typing"})
		return err
	}
	stage, refuses := a.asides.known(asideChat{peer, true}, time.Now())
	if stage == asidesUnasked && peer < 0 {
		stage = asideSender{a}.askAsides(ctx, peer, person)
	}
	if peer > 0 || refuses || stage == asidesAbsent || stage == asidesUnasked {
		return noAside(errNoAside)
	}
	api := a.api.Load()
	if api == nil {
		return noAside(errNoAside)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if manages, err := a.manages(ctx, peer, api.Self.ID); err != nil || !manages {
		return noAside(errNoAside)
	}
	return nil
}

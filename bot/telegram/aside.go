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
	"sedmabot/bot/screen"
)

// An aside is an ephemeral message: a message in a group that only one person
// sees. A bot that is an administrator may send one at any time. Any other bot may
// do so within 15 s of that person's press or ephemeral command. An aside may
// disappear, and may never arrive.
// https://core.telegram.org/bots/api#ephemeral-messages-and-commands
//
// A server with an older version of the API ignores the parameter that makes a
// message ephemeral, and would show the message to the whole group. So the first
// aside is sent blank. Once the server has confirmed that it is ephemeral, an edit
// adds the private content. From then on asides are sent with their content. If
// the connection is lost, the check is repeated, since another server may answer.

// asideStage says how far the server's support for asides has been checked.
type asideStage int

const (
	asidesUnasked asideStage = iota
	asidesNamed              // the server has the methods
	asidesProven             // the server has sent an ephemeral message
	asidesAbsent
)

// How long refusals and asides are remembered.
const (
	absentFor  = 24 * time.Hour   // how long it is remembered that the server doesn't support ephemeral messages
	asideKept  = 48 * time.Hour   // how long an aside stays up to date after a press on it
	refusedFor = 10 * time.Minute // how long it is remembered that a chat refuses asides, or only those without a cause
)

// blank is the text of the first aside, sent before the server is proven.
const blank = "♠ ♥ ♦ ♣"

// errNoAside reports that the server, the chat or the person can't get ephemeral
// messages now.
var errNoAside = errors.New("no ephemeral messages here")

// asides remembers where ephemeral messages work.
type asides struct {
	mu      sync.Mutex
	stage   asideStage
	again   time.Time                         // when to check an unsupporting server again
	refused cache.Cache[asideChat, time.Time] // expiry of each chat's refusal
}

// asideChat identifies a chat and a kind of aside: pushed ones have no cause.
type asideChat struct {
	id     int64
	pushed bool
}

// known returns what is known about the server, and whether the chat refuses asides.
func (k *asides) known(c asideChat, now time.Time) (stage asideStage, refuses bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stage == asidesAbsent && now.After(k.again) {
		k.stage = asidesUnasked
	}
	until, _ := k.refused.Get(c)
	return k.stage, now.Before(until)
}

// learn stores the result of a check of the server.
func (k *asides) learn(stage asideStage, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stage, k.again = stage, now.Add(absentFor)
}

// doubt discards what is known about the server.
func (k *asides) doubt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stage = asidesUnasked
}

// refuse remembers that a chat refuses asides.
func (k *asides) refuse(c asideChat, now time.Time) {
	k.refused.Put(c, now.Add(refusedFor), manyChats)
}

// cause is the press or the ephemeral command that allows an aside. Without
// either, the bot has to be an administrator.
type cause struct {
	press   string // the id of a callback query
	command int64  // the number of an ephemeral message
}

// asideAddress returns the address of an aside: its chat, its number and its viewer.
func asideAddress(peer, message, person int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:e%d:%d", prefix, peer, message, person))
}

// photoAside marks the address of an aside that is a photo.
func photoAside(a chat.Address) chat.Address {
	return chat.Address(strings.Replace(string(a), ":e", ":"+photoMark+"e", 1))
}

// parseAside parses the address of an aside.
func parseAside(a chat.Address) (peer, message, person int64, ok bool) {
	a = chat.Address(strings.Replace(string(a), ":"+photoMark+"e", ":e", 1))
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

// asideSender sends, edits and deletes asides.
type asideSender struct{ *Adapter }

// sendAside shows a screen to one person in a group. Nobody else sees it, even if
// something goes wrong.
func (a asideSender) sendAside(ctx context.Context, to chat.Target, s screen.Screen, why cause) (chat.Address, error) {
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
	if stage != asidesProven || why == (cause{}) { // what nobody asked for is edited later, and edits take no upload
		s = s.WithoutPicture()
	}
	if s.Picture != nil {
		s = a.fitting(peer, s)
	}
	p, err := a.render(s, false, false)
	if err != nil {
		return "", invalid(err)
	}
	if wait := max(a.limits.Silent(peer, time.Now()), a.limits.Take(person, time.Now())); wait > 0 {
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
	result, err := a.postAside(ctx, peer, s, first)
	switch {
	case s.Picture != nil && isHeavy(err):
		a.photos.refuse(peer)
		return a.sendAside(ctx, to, s, why)
	case err != nil:
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
	if s.Picture != nil {
		at = photoAside(at)
	}
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

// postAside makes the call that sends an aside, with the picture of s if it has one.
func (a asideSender) postAside(ctx context.Context, peer int64, s screen.Screen, p tgbotapi.Params) (json.RawMessage, error) {
	if s.Picture == nil {
		return a.attempt(ctx, peer, "sendMessage", p)
	}
	return photoSender(a).photo(ctx, *s.Picture, func(at string, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
		delete(p, "photo")
		p.AddNonEmpty("photo", at)
		return a.attempt(ctx, peer, "sendPhoto", p, files...)
	})
}

// askAsides checks whether the server has the methods, with a call that has no effect.
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

// refusedAside converts the error of a refused aside. It returns retryable errors
// and chat migrations unchanged. Other errors become Unreachable, so that the
// caller tries another way. If the chat refuses asides, it remembers that.
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

// editAside makes an aside show the text of s. A photo can't be edited into text.
// https://core.telegram.org/bots/api#editephemeralmessagetext
func (a asideSender) editAside(ctx context.Context, addr chat.Address, s screen.Screen) error {
	peer, message, person, ok := parseAside(addr)
	if !ok {
		return invalid(errForeign)
	}
	if isPhoto(addr) {
		return &chat.DeliveryError{Fault: chat.Gone, Err: errNoAside}
	}
	s = s.WithoutPicture() // its edits would take no upload
	p, err := a.render(s, false, false)
	if err != nil {
		return invalid(err)
	}
	if wait := max(a.limits.Silent(peer, time.Now()), a.limits.Take(person, time.Now())); wait > 0 {
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

// goneAside converts the error of a change to an aside. If an aside can't be
// changed, it counts as gone.
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

// Door returns "", since a private chat has the same id as its person.
func (*Adapter) Door(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}

// Reach returns an error if the bot can't write to a person. For a private chat it
// tries a harmless "typing" status. For an aside it checks that the server and the
// chat support them and that the bot is an administrator.
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

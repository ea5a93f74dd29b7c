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

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// An ephemeral message is a message in a group that only one person
// sees. A bot that is an administrator may send one at any time. Any other bot may
// do so within 15 s of that person's press or ephemeral command. An ephemeral message may
// disappear, and may never arrive.
// https://core.telegram.org/bots/api#ephemeral-messages-and-commands
//
// A server with an older version of the API ignores the parameter that makes a
// message ephemeral, and would show the message to the whole group. So the first
// ephemeral message is sent blank. Once the server has confirmed that it is ephemeral, an edit
// adds the private content. From then on ephemeral messages are sent with their content. If
// the connection is lost, the check is repeated, since another server may answer.

// ephemeralSupport says how far the server's support for ephemeral messages has been checked.
type ephemeralSupport int

const (
	ephemeralUnknown ephemeralSupport = iota
	ephemeralNamed                    // the server has the methods
	ephemeralProven                   // the server has sent an ephemeral message
	ephemeralAbsent                   // the server has shown one to everybody, or the chat refuses them
)

// ephemeralKept is how long an ephemeral message stays up to date after a press on it.
const ephemeralKept = 48 * time.Hour

// blank is the text of the first ephemeral message, sent before the server is proven.
const blank = "♠ ♥ ♦ ♣"

// errNoEphemeral reports that the server, the chat or the person can't get ephemeral
// messages now.
var errNoEphemeral = errors.New("no ephemeral messages here")

// ephemerals remembers what the server does with ephemeral messages.
type ephemerals struct {
	mu    sync.Mutex
	stage ephemeralSupport
	again time.Time // when to check an unsupporting server again
}

// known returns what is known about the server. lost is set if the connection was lost since: another server may answer now.
func (k *ephemerals) known(lost bool) ephemeralSupport {
	k.mu.Lock()
	defer k.mu.Unlock()
	if lost || k.stage == ephemeralAbsent && time.Now().After(k.again) {
		k.stage = ephemeralUnknown
	}
	return k.stage
}

// learn stores the result of a check of the server.
func (k *ephemerals) learn(stage ephemeralSupport) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stage, k.again = stage, time.Now().Add(absentFor)
}

// ephemeralsIn returns what is known about ephemeral messages of a kind to a person in a chat. It asks the server if need be.
func (o *outbox) ephemeralsIn(ctx context.Context, peer, person int64, what kind) ephemeralSupport {
	stage := o.ephemerals.known(o.client.lost.Swap(false))
	switch {
	case peer > 0 || o.refused.has(peer, what):
		return ephemeralAbsent
	case stage == ephemeralUnknown:
		return o.askEphemeral(ctx, peer, person)
	}
	return stage
}

// cause is the press or the ephemeral command that allows an ephemeral message. Without
// either, the bot has to be an administrator.
type cause struct {
	press   string // the id of a callback query
	command int64  // the number of an ephemeral message
}

// ephemeralAddress returns the address of an ephemeral message: its chat, its number and its viewer.
func ephemeralAddress(peer, message, person int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:e%d:%d", prefix, peer, message, person))
}

// ephemeralPhoto marks the address of an ephemeral message that is a photo.
func ephemeralPhoto(a chat.Address) chat.Address {
	return chat.Address(strings.Replace(string(a), ":e", ":"+photoMark+"e", 1))
}

// parseEphemeral parses the address of an ephemeral message.
func parseEphemeral(a chat.Address) (peer, message, person int64, ok bool) {
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

func unreachableError(err error) error { return &chat.DeliveryError{Fault: chat.Unreachable, Err: err} }

// sendEphemeral shows a screen to one person in a group. Nobody else sees it, even if
// something goes wrong.
func (o *outbox) sendEphemeral(ctx context.Context, to chat.Target, s screen.Screen, why cause) (chat.Address, error) {
	peer, topic, ok := parseChat(to.Chat)
	person, _, known := targetChat(chat.Target{Player: to.Player})
	if !ok || !known {
		return "", invalid(errForeign)
	}
	what := kindEphemeral
	if why == (cause{}) {
		what = kindPushedEphemeral
	}
	stage := o.ephemeralsIn(ctx, peer, person, what)
	if stage == ephemeralUnknown || stage == ephemeralAbsent || s.File != nil {
		return "", unreachableError(errNoEphemeral)
	}
	if stage != ephemeralProven || why == (cause{}) { // what nobody asked for is edited later, and edits take no upload
		s = s.WithoutPicture()
	}
	if s.Picture != nil {
		s = o.fitting(peer, s)
	}
	p, err := render(s, false, o.keyboard(peer))
	if err != nil {
		return "", invalid(err)
	}
	if wait := max(o.limits.Blocked(peer, time.Now()), o.limits.Take(person, time.Now())); wait > 0 {
		return "", &chat.DeliveryError{Fault: chat.Retry, After: wait, Held: true, Err: errRateLimited}
	}
	first := p
	if stage != ephemeralProven {
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
	result, err := o.postEphemeral(ctx, peer, s, first)
	switch {
	case s.Picture != nil && refusesPicture(err):
		o.refused.note(peer, kindPhoto, textOnlyFor)
		return o.sendEphemeral(ctx, to, s, why)
	case err != nil:
		return "", o.refusedEphemeral(peer, what, err)
	}
	var sent struct {
		ID        int64 `json:"message_id"`
		Ephemeral int64 `json:"ephemeral_message_id"`
	}
	switch err := json.Unmarshal(result, &sent); {
	case err != nil || sent.Ephemeral == 0 && sent.ID == 0:
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: errNoJSON}
	case sent.Ephemeral == 0:
		o.shownToAll(peer, stage)
		_ = o.Delete(ctx, address(peer, sent.ID))
		return "", unreachableError(errNoEphemeral)
	}
	at := ephemeralAddress(peer, sent.Ephemeral, person)
	if s.Picture != nil {
		at = ephemeralPhoto(at)
	}
	if stage == ephemeralProven {
		return at, nil
	}
	o.ephemerals.learn(ephemeralProven)
	if err := o.editEphemeral(ctx, at, s); err != nil {
		_ = o.Delete(ctx, at)
		return "", err
	}
	return at, nil
}

// shownToAll notes that a message in a chat was not ephemeral. stage is what was known about the server before. One that has
// sent ephemeral messages elsewhere is checked again, in other chats.
func (o *outbox) shownToAll(peer int64, stage ephemeralSupport) {
	o.log.Warn("the Bot API server shows an ephemeral message to everybody; they are not used there")
	if stage == ephemeralProven {
		o.noEphemerals(peer)
		stage = ephemeralUnknown
	} else {
		stage = ephemeralAbsent
	}
	o.ephemerals.learn(stage)
}

// noEphemerals notes that a chat takes no ephemeral messages of any kind.
func (o *outbox) noEphemerals(peer int64) {
	o.refused.note(peer, kindEphemeral, absentFor)
	o.refused.note(peer, kindPushedEphemeral, absentFor)
}

// postEphemeral makes the call that sends an ephemeral message, with the picture of s if it has one.
func (o *outbox) postEphemeral(ctx context.Context, peer int64, s screen.Screen, p tgbotapi.Params) (json.RawMessage, error) {
	if s.Picture == nil {
		return o.attempt(ctx, peer, "sendMessage", p)
	}
	return o.photo(ctx, *s.Picture, func(at string, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
		delete(p, "photo")
		p.AddNonEmpty("photo", at)
		return o.attempt(ctx, peer, "sendPhoto", p, files...)
	})
}

// askEphemeral checks whether the server has the methods, with a call that has no effect.
// https://core.telegram.org/bots/api#deleteephemeralmessage
func (o *outbox) askEphemeral(ctx context.Context, peer, person int64) ephemeralSupport {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	const none = 1<<31 - 1
	_, err := o.client.call(ctx, "deleteEphemeralMessage", tgbotapi.Params{
		"chat_id":              strconv.FormatInt(peer, 10),
		"receiver_user_id":     strconv.FormatInt(person, 10),
		"ephemeral_message_id": strconv.Itoa(none),
	})
	var refused *tgbotapi.Error
	switch {
	case unknownMethod(err):
		o.noEphemerals(peer)
		return ephemeralAbsent
	case err == nil, errors.As(err, &refused) && refused.Code == http.StatusBadRequest:
		o.ephemerals.learn(ephemeralNamed)
		return ephemeralNamed
	}
	return ephemeralUnknown
}

// refusedEphemeral converts the error of a refused ephemeral message. It returns retryable errors
// and chat migrations unchanged. Other errors become Unreachable, so that the
// caller tries another way. If the chat refuses ephemeral messages, it remembers that.
func (o *outbox) refusedEphemeral(peer int64, what kind, err error) error {
	var d *chat.DeliveryError
	if !errors.As(err, &d) || d.Fault == chat.Retry || d.Chat != "" {
		return err
	}
	if refusedWith(err, "CHAT_ADMIN_REQUIRED") || refusedWith(err, "not enough rights") {
		o.refused.note(peer, what, refusedFor)
	}
	return unreachableError(d.Err)
}

// editEphemeral makes an ephemeral message show the text of s. A photo can't be edited into text.
// https://core.telegram.org/bots/api#editephemeralmessagetext
func (o *outbox) editEphemeral(ctx context.Context, addr chat.Address, s screen.Screen) error {
	peer, message, person, ok := parseEphemeral(addr)
	if !ok {
		return invalid(errForeign)
	}
	if isPhoto(addr) {
		return &chat.DeliveryError{Fault: chat.Gone, Err: errNoEphemeral}
	}
	s = s.WithoutPicture() // its edits would take no upload
	p, err := render(s, false, o.keyboard(peer))
	if err != nil {
		return invalid(err)
	}
	if wait := max(o.limits.Blocked(peer, time.Now()), o.limits.Take(person, time.Now())); wait > 0 {
		return &chat.DeliveryError{Fault: chat.Retry, After: wait, Held: true, Err: errRateLimited}
	}
	ephemeralParams(p, peer, message, person)
	_, err = o.attempt(ctx, peer, "editEphemeralMessageText", p)
	return goneEphemeral(err)
}

// deleteEphemeral removes an ephemeral message.
// https://core.telegram.org/bots/api#deleteephemeralmessage
func (o *outbox) deleteEphemeral(ctx context.Context, addr chat.Address) error {
	peer, message, person, ok := parseEphemeral(addr)
	if !ok {
		return invalid(errForeign)
	}
	p := tgbotapi.Params{}
	ephemeralParams(p, peer, message, person)
	_, err := o.attempt(ctx, peer, "deleteEphemeralMessage", p)
	var d *chat.DeliveryError
	if err = goneEphemeral(err); errors.As(err, &d) && d.Fault == chat.Gone {
		return nil
	}
	return err
}

func ephemeralParams(p tgbotapi.Params, peer, message, person int64) {
	p["chat_id"] = strconv.FormatInt(peer, 10)
	p["receiver_user_id"] = strconv.FormatInt(person, 10)
	p["ephemeral_message_id"] = strconv.FormatInt(message, 10)
}

// goneEphemeral converts the error of a change to an ephemeral message. If an ephemeral message can't be
// changed, it counts as gone.
func goneEphemeral(err error) error {
	var d *chat.DeliveryError
	switch {
	case refusedWith(err, "message is not modified"):
		return nil
	case errors.As(err, &d) && d.Fault != chat.Retry && d.Chat == "":
		return &chat.DeliveryError{Fault: chat.Gone, Err: d.Err}
	}
	return err
}

// PrivateChat returns "", since a private chat has the same id as its person.
func (*outbox) PrivateChat(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}

// Reach returns an error if the bot can't write to a person. For a private chat it
// tries a harmless "typing" status. For an ephemeral message it checks that the server and the
// chat support them and that the bot is an administrator.
// https://core.telegram.org/bots/api#sendchataction
func (o *outbox) Reach(ctx context.Context, to chat.Target) error {
	peer, _, ok := parseChat(to.Chat)
	person, _, known := targetChat(chat.Target{Player: to.Player})
	switch {
	case to.Player == "":
		return nil
	case !known || to.Chat != "" && !ok:
		return invalid(errForeign)
	case to.Chat == "":
		_, err := o.attempt(ctx, person, "sendChatAction", tgbotapi.Params{"chat_id": strconv.FormatInt(person, 10), "action": "typing"})
		return err
	}
	if stage := o.ephemeralsIn(ctx, peer, person, kindPushedEphemeral); stage == ephemeralAbsent || stage == ephemeralUnknown {
		return unreachableError(errNoEphemeral)
	}
	api := o.client.api.Load()
	if api == nil {
		return unreachableError(errNoEphemeral)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if self, err := o.client.knownMember(ctx, peer, api.Self.ID); err != nil || !self.manages() {
		return unreachableError(errNoEphemeral)
	}
	return nil
}

package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/rates"
)

// errForeign reports an id or address that isn't Telegram's.
var errForeign = errors.New("no id of telegram")

// errRateLimited reports that the rate limits held the message back.
var errRateLimited = errors.New("held back to keep telegram's limits")

// party is the effect of a message after a won match: 🎉, one of those that every account has. Effects are only for private
// chats, and servers before Bot API 7.4 ignore them (https://core.telegram.org/bots/api#sendmessage).
const party = "5046509860389126442"

// outbox sends, edits and deletes messages, within Telegram's rate limits.
type outbox struct {
	client     *client
	log        *slog.Logger
	limits     *rates.Limits
	ephemerals ephemerals
	refused    refusals
	photos     photos
	easel      Easel
	presses    presses
	pages, app string // see Config
	picture    func(ctx context.Context, p face.Picture) (string, error)
}

func invalid(err error) error { return &chat.DeliveryError{Fault: chat.Invalid, Err: err} }

// Send posts a message. It ignores the nonce, since Telegram doesn't deduplicate
// messages. In a group, only a message that mentions somebody makes a sound.
func (o *outbox) Send(ctx context.Context, to chat.Target, s screen.Screen, _ string) (chat.Address, error) {
	if err := o.client.unconnected(); err != nil {
		return "", err
	}
	return o.send(ctx, to, s, 0)
}

// send works like Send. If replyTo isn't 0, the message replies to that message.
func (o *outbox) send(ctx context.Context, to chat.Target, s screen.Screen, replyTo int64) (chat.Address, error) {
	if to.Chat != "" && to.Player != "" {
		return o.sendEphemeral(ctx, to, s, cause{})
	}
	if message, ok := parseInline(to.Chat); ok {
		return chat.Address(to.Chat), o.editInline(ctx, message, s)
	}
	peer, topic, ok := targetChat(to)
	if !ok {
		return "", invalid(errForeign)
	}
	if s.Picture != nil {
		s = o.fitting(peer, s)
	}
	p, err := render(s, true, o.keyboard(peer))
	if err != nil {
		return "", invalid(err)
	}
	p["chat_id"] = strconv.FormatInt(peer, 10)
	p.AddNonZero64("message_thread_id", topic)
	p.AddBool("disable_notification", peer < 0 && len(s.Notify) == 0)
	cheers := s.Won && peer > 0 && !o.refused.has(peer, kindEffect)
	if cheers {
		p["message_effect_id"] = party
	}
	if replyTo != 0 {
		p["reply_parameters"] = fmt.Sprintf(`{"message_id":%d,"allow_sending_without_reply":true}`, replyTo)
	}
	var result json.RawMessage
	at := address
	switch {
	case s.File != nil: // https://core.telegram.org/bots/api#senddocument
		result, err = o.deliver(ctx, peer, "sendDocument", p, tgbotapi.RequestFile{Name: "document", Data: tgbotapi.FileBytes{Name: s.File.Name, Bytes: s.File.Data}})
	case s.Picture != nil:
		at = photoAddress
		result, err = o.sendPhoto(ctx, peer, s, p)
	default:
		result, err = o.deliver(ctx, peer, "sendMessage", p)
	}
	if err != nil && o.lacks(peer, s, p, err) {
		return o.send(ctx, to, s, replyTo)
	}
	if gone := topicGone(to, err); gone != nil {
		return "", gone
	}
	if err != nil {
		return "", err
	}
	var sent struct {
		ID int64 `json:"message_id"`
	}
	if err := json.Unmarshal(result, &sent); err != nil || sent.ID == 0 {
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: errNoJSON}
	}
	return at(peer, sent.ID), nil
}

// lacks reports whether the chat refuses a kind of message, and remembers that: the screen is sent again, as another kind.
func (o *outbox) lacks(peer int64, s screen.Screen, p tgbotapi.Params, err error) bool {
	switch {
	case p["message_effect_id"] != "" && refusedWith(err, "EFFECT"):
		o.refused.note(peer, kindEffect, absentFor)
		o.log.Info("a chat takes no message effects")
	case s.Picture != nil && refusesPicture(err):
		o.refused.note(peer, kindPhoto, textOnlyFor)
		o.log.Info("a chat takes no photos, and gets words")
	default:
		return false
	}
	return true
}

// Edit makes the message at addr show s.
func (o *outbox) Edit(ctx context.Context, addr chat.Address, s screen.Screen) error {
	if err := o.client.unconnected(); err != nil {
		return err
	}
	if err := o.presses.wait(ctx, addr); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	peer, _, ok := parseAddress(addr)
	if message, inline := parseInline(string(addr)); inline {
		peer, ok = inlinePeer(message), true
	}
	if ok {
		if wait := o.limits.EditWait(peer, time.Now()); wait > 0 {
			return &chat.DeliveryError{Fault: chat.Retry, After: wait, Held: true, Err: errRateLimited}
		}
	}
	return o.edit(context.WithValue(ctx, redraw{}, true), addr, s)
}

// redraw is the key of a context for an edit that isn't the answer to a press: in a group, hands and answers pass it.
type redraw struct{}

// edit works like Edit, but waits neither for open presses nor for the group's gap.
func (o *outbox) edit(ctx context.Context, addr chat.Address, s screen.Screen) error {
	if _, _, _, ephemeral := parseEphemeral(addr); ephemeral {
		return o.editEphemeral(ctx, addr, s)
	}
	if message, ok := parseInline(string(addr)); ok {
		return o.editInline(ctx, message, s)
	}
	peer, message, ok := parseAddress(addr)
	if !ok {
		return invalid(errForeign)
	}
	var err error
	if isPhoto(addr) {
		err = o.editPhoto(ctx, addr, peer, message, s)
	} else {
		err = o.editText(ctx, peer, message, s)
	}
	if refusedWith(err, "message is not modified") {
		return nil
	}
	return err
}

// editText makes a text message show the text of s.
func (o *outbox) editText(ctx context.Context, peer, message int64, s screen.Screen) error {
	p, err := render(s.WithoutPicture(), false, o.keyboard(peer))
	if err != nil {
		return invalid(err)
	}
	p["chat_id"] = strconv.FormatInt(peer, 10)
	p["message_id"] = strconv.FormatInt(message, 10)
	_, err = o.deliver(ctx, peer, "editMessageText", p)
	return err
}

// Delete removes the message at addr. It does not count against the limits. An inline message stays: no bot can delete
// it.
func (o *outbox) Delete(ctx context.Context, addr chat.Address) error {
	if _, ok := parseInline(string(addr)); ok {
		return nil
	}
	if _, _, _, ephemeral := parseEphemeral(addr); ephemeral {
		return o.deleteEphemeral(ctx, addr)
	}
	peer, message, ok := parseAddress(addr)
	if !ok {
		return invalid(errForeign)
	}
	_, err := o.attempt(ctx, peer, "deleteMessage", tgbotapi.Params{
		"chat_id":    strconv.FormatInt(peer, 10),
		"message_id": strconv.FormatInt(message, 10),
	})
	if refusedWith(err, "message can't be deleted") {
		return invalid(err) // it is older than 48 hours, but it can be edited
	}
	if d := new(chat.DeliveryError); errors.As(err, &d) && d.Fault == chat.Gone && d.Chat == "" || refusedWith(err, "message to delete not found") {
		return nil
	}
	return err
}

// Link returns the URL of a message in a supergroup, which its members can open. It
// returns "" for other messages. https://core.telegram.org/api/links#message-links
func (*Adapter) Link(_ string, addr chat.Address) string {
	peer, message, ok := parseAddress(addr)
	if !ok || peer >= firstChannel {
		return ""
	}
	return fmt.Sprintf("https://t.me/c/%d/%d", firstChannel-peer, message)
}

// firstChannel is the number from which Telegram counts down the ids of supergroups and channels. The ids of basic groups are
// negative, too, but nearer to 0.
// https://core.telegram.org/api/bots/ids
const firstChannel = -1_000_000_000_000

// deliver works like attempt, but keeps to the rate limits.
func (o *outbox) deliver(ctx context.Context, peer int64, method string, p tgbotapi.Params, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
	take := o.limits.Take
	if ctx.Value(redraw{}) != nil {
		take = o.limits.TakeEdit
	}
	if wait := take(peer, time.Now()); wait > 0 {
		return nil, &chat.DeliveryError{Fault: chat.Retry, After: wait, Held: true, Err: errRateLimited}
	}
	return o.attempt(ctx, peer, method, p, files...)
}

// attempt makes one call about a chat. Its errors are *chat.DeliveryError.
func (o *outbox) attempt(ctx context.Context, peer int64, method string, p tgbotapi.Params, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, err := o.client.call(ctx, method, p, files...)
	if err == nil {
		return result, nil
	}
	if strings.Contains(p["reply_markup"], `"disabled":{}`) && (refusedWith(err, "inline keyboard") || refusedWith(err, "BUTTON_TYPE_INVALID")) {
		o.refused.note(peer, kindDisabled, absentFor)
		o.log.Info("a chat takes no disabled buttons")
		return nil, &chat.DeliveryError{Fault: chat.Retry, After: time.Millisecond, Err: err} // made again, without them
	}
	d := deliveryError(err, peer)
	if wait := retryAfter(err); wait > 0 {
		o.limits.Block(peer, time.Now(), wait)
	}
	return nil, d
}

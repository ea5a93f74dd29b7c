package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/view"
)

// errForeign: an id or an address of another platform, or none at all.
var errForeign = errors.New("no id of telegram")

// errPaced: the message would come too soon after others.
var errPaced = errors.New("held back to keep telegram's limits")

func invalid(err error) error { return &bot.DeliveryError{Fault: bot.Invalid, Err: err} }

// Send posts a message. Telegram drops no repeats, so nonce is not used. In a
// group only a message that calls somebody makes a sound.
func (a *Adapter) Send(ctx context.Context, to bot.Target, s view.Screen, _ string) (bot.Address, error) {
	if err := a.unconnected(); err != nil {
		return "", err
	}
	return a.send(ctx, to, s, 0)
}

// send is Send as a reply to a message of the chat, if replyTo is not 0.
func (a *Adapter) send(ctx context.Context, to bot.Target, s view.Screen, replyTo int64) (bot.Address, error) {
	if to.Chat != "" && to.Player != "" {
		return a.sendAside(ctx, to, s, cause{})
	}
	chat, topic, ok := targetChat(to)
	if !ok {
		return "", invalid(errForeign)
	}
	if s.Picture != nil {
		s = a.fitting(chat, s)
	}
	p, err := a.render(s, true)
	if err != nil {
		return "", invalid(err)
	}
	p["chat_id"] = strconv.FormatInt(chat, 10)
	p.AddNonZero64("message_thread_id", topic)
	p.AddBool("disable_notification", chat < 0 && len(s.Notify) == 0)
	if replyTo != 0 {
		p["reply_parameters"] = fmt.Sprintf(`{"message_id":%d,"allow_sending_without_reply":true}`, replyTo)
	}
	var result json.RawMessage
	at := address
	switch {
	case s.File != nil: // https://core.telegram.org/bots/api#senddocument
		result, err = a.deliver(ctx, chat, "sendDocument", p, tgbotapi.RequestFile{Name: "document", Data: tgbotapi.FileBytes{Name: s.File.Name, Bytes: s.File.Data}})
	case s.Picture != nil:
		at = photoAddress
		result, err = a.sendPhoto(ctx, chat, s, p)
	default:
		result, err = a.deliver(ctx, chat, "sendMessage", p)
	}
	if s.Picture != nil && isHeavy(err) {
		a.photos.refuse(chat)
		a.log.Info("a chat takes no photos, and gets words")
		return a.send(ctx, to, s, replyTo)
	}
	if err != nil {
		return "", err
	}
	var sent struct {
		ID int64 `json:"message_id"`
	}
	if err := json.Unmarshal(result, &sent); err != nil || sent.ID == 0 {
		return "", &bot.DeliveryError{Fault: bot.Retry, Err: errNoJSON}
	}
	return at(chat, sent.ID), nil
}

// Edit makes the message at addr show s.
func (a *Adapter) Edit(ctx context.Context, addr bot.Address, s view.Screen) error {
	if err := a.unconnected(); err != nil {
		return err
	}
	if err := a.pressed.wait(ctx, addr); err != nil {
		return &bot.DeliveryError{Fault: bot.Retry, Err: err}
	}
	return a.edit(ctx, addr, s)
}

// edit is Edit without a look at who pressed there.
func (a *Adapter) edit(ctx context.Context, addr bot.Address, s view.Screen) error {
	if _, _, _, aside := parseAside(addr); aside {
		return a.editAside(ctx, addr, s)
	}
	chat, message, ok := parseAddress(addr)
	if !ok {
		return invalid(errForeign)
	}
	var err error
	if isPhoto(addr) {
		err = a.editPhoto(ctx, addr, chat, message, s)
	} else {
		err = a.editText(ctx, chat, message, s)
	}
	if refusedWith(err, "message is not modified") {
		return nil
	}
	return err
}

// editText makes a message of words show those of s.
func (a *Adapter) editText(ctx context.Context, chat, message int64, s view.Screen) error {
	s.Picture = nil
	p, err := a.render(s, false)
	if err != nil {
		return invalid(err)
	}
	p["chat_id"] = strconv.FormatInt(chat, 10)
	p["message_id"] = strconv.FormatInt(message, 10)
	_, err = a.deliver(ctx, chat, "editMessageText", p)
	return err
}

// Delete removes the message at addr. It does not count against the limits.
func (a *Adapter) Delete(ctx context.Context, addr bot.Address) error {
	if _, _, _, aside := parseAside(addr); aside {
		return a.deleteAside(ctx, addr)
	}
	chat, message, ok := parseAddress(addr)
	if !ok {
		return invalid(errForeign)
	}
	_, err := a.attempt(ctx, chat, "deleteMessage", tgbotapi.Params{
		"chat_id":    strconv.FormatInt(chat, 10),
		"message_id": strconv.FormatInt(message, 10),
	})
	if d := new(bot.DeliveryError); errors.As(err, &d) && d.Fault == bot.Gone && d.Chat == "" || refusedWith(err, "message to delete not found") {
		return nil
	}
	return err
}

// Link is the address of a message in a supergroup, which its members can open;
// other messages have none. https://core.telegram.org/api/links#message-links
func (*Adapter) Link(_ string, addr bot.Address) string {
	chat, message, ok := parseAddress(addr)
	channel, super := strings.CutPrefix(strconv.FormatInt(chat, 10), "-100")
	if !ok || !super {
		return ""
	}
	return fmt.Sprintf("https://t.me/c/%s/%d", channel, message)
}

// deliver is attempt within the limits of sending.
func (a *Adapter) deliver(ctx context.Context, chat int64, method string, p tgbotapi.Params, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
	if wait := a.limits.take(chat, time.Now()); wait > 0 {
		return nil, &bot.DeliveryError{Fault: bot.Retry, After: wait, Held: true, Err: errPaced}
	}
	return a.attempt(ctx, chat, method, p, files...)
}

// attempt makes one call about a chat. Its errors are *bot.DeliveryError.
func (a *Adapter) attempt(ctx context.Context, chat int64, method string, p tgbotapi.Params, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, err := a.call(ctx, method, p, files...)
	if err == nil {
		return result, nil
	}
	d := fault(err, chat)
	if wait := retryAfter(err); wait > 0 {
		a.limits.silence(chat, time.Now(), wait)
	}
	return nil, d
}

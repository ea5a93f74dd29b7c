package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/screen"
)

// outbox sends, edits and deletes messages, and knows what Discord takes where.
type outbox struct {
	client *client
	log    *slog.Logger
	eager  bool // see Config

	textOnly textOnly                            // channels where the bot cannot send pictures
	words    cache.Cache[chat.Address, struct{}] // messages without the pictures of their screens
	easel    message.Easel
	emojis   atomic.Pointer[message.Cards] // the cards' emojis; nil: cards are shown as text

	photos  cache.Cache[string, string]   // a person's id → the address of their picture, or "" if they have none
	dms     cache.Cache[string, string]   // a person's id → the channel of their direct messages
	private cache.Cache[string, struct{}] // those channels

	hints cache.Cache[chat.Address, string] // a message → the webhook of the answer that is the latest hint about it

	pending sync.Map // an interaction's token → chan struct{}, closed once it is answered
	presses presses
	replies replies
}

// maxDMs is the size of the cache of direct message channels.
const maxDMs = 20_000

// knowDM remembers the channel of a person's direct messages.
func (o *outbox) knowDM(player, channel string) {
	o.dms.Put(player, channel, maxDMs)
	o.private.Put(channel, struct{}{}, maxDMs)
}

// repeatAge is the age of a message in the answer to a request from which on it is the message of an earlier request.
const repeatAge = 2 * time.Second

// Send posts a message. Discord posts only one message for each nonce. If a process has posted it earlier, and ended before it
// could note that, the message still shows the screen of that time, and Send edits it. If it was deleted meanwhile, Send posts
// another one.
func (o *outbox) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if err := o.Reach(ctx, to); err != nil {
		return "", err
	}
	channel, err := o.channel(ctx, to)
	if err != nil {
		return "", deliveryError(err)
	}
	var sent struct {
		ID string    `json:"id"`
		At time.Time `json:"timestamp"`
	}
	words, err := o.post(ctx, channel, s, nonce, &sent)
	if to.Chat == "" && (hasCode(err, codeUnknownChannel) || hasCode(err, codeNoAccess)) {
		// The channel may be the private chat of another bot, whose token was used before.
		player, _ := message.Snowflake(to.Player, prefix)
		if other, openErr := o.openDM(ctx, player); openErr == nil && other != channel {
			channel = other
			words, err = o.post(ctx, channel, s, nonce, &sent)
		}
	}
	if err == nil && sent.ID == "" {
		err = errors.New("read discord's answer: a message without an id")
	}
	if err != nil {
		return "", deliveryError(err)
	}
	at := messageAddress(channel, sent.ID)
	o.inWords(at, words)
	if !sent.At.IsZero() && o.client.clock.now().Sub(sent.At) > repeatAge {
		var gone *chat.DeliveryError
		if err := o.Edit(ctx, at, s); errors.As(err, &gone) && gone.Fault == chat.Gone {
			return o.Send(ctx, to, s, nonce+" after "+sent.ID)
		} else if err != nil {
			return "", err
		}
	}
	return at, nil
}

// post posts a message in a channel and decodes the answer into sent. It reports whether the message has no picture although s has one.
func (o *outbox) post(ctx context.Context, channel string, s screen.Screen, nonce string, sent any) (words bool, err error) {
	o.face(ctx, s)
	return o.attempt(prefix+channel, &s, func(s *screen.Screen) error {
		m := o.draw(*s, true)
		m.Nonce, m.EnforceNonce = shortNonce(channel, nonce), true
		return o.client.call(ctx, request{
			method: http.MethodPost,
			path:   "/channels/" + channel + "/messages",
			limit:  sendLimit(channel),
			leave:  1,
			body:   m,
		}, sent)
	})
}

// PrivateChat returns the address of a person's private chat. If neither this process nor the
// caller knows the address, PrivateChat opens the chat.
func (o *outbox) PrivateChat(ctx context.Context, player string, known func() chat.Address) (chat.Address, error) {
	channel, err := o.channel(ctx, chat.Target{Player: player, PrivateChat: known()})
	if err != nil {
		return "", deliveryError(err)
	}
	return chat.Address(prefix + "c/" + channel), nil
}

// channel returns the id of the channel for messages to the target.
func (o *outbox) channel(ctx context.Context, to chat.Target) (string, error) {
	if to.Chat != "" {
		id, ok := message.Snowflake(to.Chat, prefix)
		if !ok {
			return "", malformed("chat")
		}
		return id, nil
	}
	player, ok := message.Snowflake(to.Player, prefix)
	if !ok {
		return "", malformed("player")
	}
	if channel, _ := o.dms.Get(player); channel != "" {
		return channel, nil
	}
	if channel := channelOf(to.PrivateChat); channel != "" {
		o.knowDM(player, channel)
		return channel, nil
	}
	return o.openDM(ctx, player)
}

// openDM opens a person's private chat and caches its channel. All processes share one
// limit. It leaves two of that limit's requests to other processes, so that three can ask at the same time.
func (o *outbox) openDM(ctx context.Context, player string) (string, error) {
	var opened struct {
		ID string `json:"id"`
	}
	err := o.client.call(ctx, request{
		method: http.MethodPost,
		path:   "/users/@me/channels",
		limit:  "open",
		leave:  2,
		body:   map[string]string{"recipient_id": player},
	}, &opened)
	if err != nil {
		return "", err
	}
	if _, ok := message.Snowflake(opened.ID, ""); !ok {
		return "", errors.New("read discord's answer: a channel without an id")
	}
	o.knowDM(player, opened.ID)
	return opened.ID, nil
}

// shortNonce returns a hash of the channel and the nonce. It has at most 25 characters,
// Discord's limit (https://discord.com/developers/docs/resources/message#create-message).
func shortNonce(channel, nonce string) string {
	sum := sha256.Sum256([]byte(channel + " " + nonce))
	return hex.EncodeToString(sum[:12])
}

// Edit changes the message at the address to show s.
func (o *outbox) Edit(ctx context.Context, at chat.Address, s screen.Screen) error {
	r, err := o.at(ctx, at)
	if err != nil {
		return deliveryError(err)
	}
	r.method, r.limit = http.MethodPatch, editLimit(r.limit)
	if _, private := o.private.Get(r.channel); !private {
		r.late = true
	}
	edited := o.replies.message(at)
	defer o.unhint(ctx, edited)
	pressed := o.presses.take(ctx, edited)
	words, err := o.attempt(prefix+r.channel, &s, func(s *screen.Screen) error {
		m := o.draw(*s, false)
		if pressed == nil && o.replies.shows(edited, m) {
			return nil
		}
		o.replies.forget(edited)
		if p := pressed; p != nil {
			pressed = nil
			if taken, err := answerWith(ctx, p, *s, m); taken || err != nil {
				return err
			}
		}
		r.body = m
		return o.change(ctx, r)
	})
	if err == nil {
		o.inWords(at, words)
	}
	if hasCode(err, codeOldEdits) {
		// The caller posts the message again. The old one is deleted to avoid confusion; if that fails, it does no harm.
		_ = o.Delete(ctx, at)
	}
	return deliveryError(err)
}

// hinted remembers where a hint is shown that answers a press, and deletes the one before it. A late answer to a press on an
// answer isn't the original of its token.
func (o *outbox) hinted(ctx context.Context, in chat.Input, it interaction, r chat.Reply, late bool) {
	if r.About != "" && !(late && it.onAnswer()) {
		o.unhint(ctx, buttonOf(in))
		o.hints.Put(buttonOf(in), webhook(it.App, it.Token), maxAnswers)
	}
}

// unhint deletes the hint about a message that changes: it was about an earlier move. The time of ctx may have gone into the
// change itself, and no other change may come: so this has its own.
func (o *outbox) unhint(ctx context.Context, about chat.Address) {
	hint, ok := o.hints.Take(about)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTimeout)
	defer cancel()
	gone := request{method: http.MethodDelete, path: hint + "/messages/@original", limit: http.MethodDelete + " " + hint, open: true}
	if err := o.client.insist(ctx, gone); err != nil {
		o.log.Debug("a hint could not be deleted", "platform", platform, "err", err)
	}
}

// change sends a request about a message. If the thread of the message was archived,
// change reopens the thread first.
// https://discord.com/developers/docs/topics/threads#editing-&-deleting-threads
func (o *outbox) change(ctx context.Context, r request) error {
	if r.channel == "" {
		return o.client.call(ctx, r, nil)
	}
	err := o.client.call(ctx, r, nil)
	if hasCode(err, codeArchived) {
		open := request{
			method: http.MethodPatch,
			path:   "/channels/" + r.channel,
			limit:  "open " + r.channel,
			body:   map[string]bool{"archived": false},
		}
		if err = o.client.call(ctx, open, nil); err == nil {
			err = o.client.call(ctx, r, nil)
		}
	}
	return err
}

// Delete deletes the message at the address. It is no error if the message is already gone.
func (o *outbox) Delete(ctx context.Context, at chat.Address) error {
	r, err := o.at(ctx, at)
	if err != nil {
		return deliveryError(err)
	}
	o.presses.deleted(o.replies.message(at))
	o.unhint(ctx, o.replies.message(at))
	r.method = http.MethodDelete
	r.limit, r.late = "delete "+r.limit, true
	err = deliveryError(o.change(ctx, r))
	var d *chat.DeliveryError
	if errors.As(err, &d) && d.Fault == chat.Gone {
		return nil
	}
	return err
}

// at returns the start of a request about the message at an address. If that message is
// an answer that is still being sent, at waits for it: it cannot be changed earlier.
func (o *outbox) at(ctx context.Context, at chat.Address) (request, error) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(string(at), prefix), "/")
	first, second, _ := strings.Cut(rest, "/")
	_, ok := message.Snowflake(first, "")
	switch {
	case !ok:
	case kind == "m":
		if _, ok := message.Snowflake(second, ""); ok {
			return request{path: "/channels/" + first + "/messages/" + second, limit: first, leave: 1, channel: first}, nil
		}
	case kind == "i" && second != "":
		if answered, ok := o.pending.Load(second); ok {
			select {
			case <-answered.(chan struct{}):
			case <-ctx.Done():
				return request{}, ctx.Err()
			}
		}
		return request{path: webhook(first, second) + "/messages/@original", limit: second, open: true}, nil
	}
	return request{}, malformed("address")
}

// errEphemeral reports that a message for one person in a channel has to be an answer to them.
var errEphemeral = errors.New("discord has no messages for one person in a channel but answers")

// Reach returns an error for messages that one person should see in a channel: on Discord
// only answers can do that. It doesn't check whether a person accepts direct messages.
func (*outbox) Reach(_ context.Context, to chat.Target) error {
	if to.Chat != "" && to.Player != "" {
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errEphemeral}
	}
	return nil
}

// Link returns the message's address on the web.
// https://support.discord.com/hc/en-us/articles/206346498
func (o *outbox) Link(home string, addr chat.Address) string {
	at, ok := strings.CutPrefix(string(addr), prefix+"m/")
	if !ok {
		return ""
	}
	guild := strings.TrimPrefix(home, prefix)
	if dm, ok := o.dms.Get(guild); ok && strings.HasPrefix(at, dm+"/") {
		guild = "@me" // the home of a private chat is the person's id
	}
	return "https://discord.com/channels/" + guild + "/" + at
}

// Package discord connects the bot to Discord. Slash commands and buttons arrive
// through the gateway, over one connection or several shards, or as Discord's
// signed requests to an HTTP endpoint. Screens are sent as Components V2.
//
// Of the library, discordgo, only the gateway and the types of commands are used.
// Messages and interactions have types of our own, which are encoded and decoded
// once (see package message and gateway.New). An edit may be the answer to a press (see
// presses). A small client of our own ([rest]) sends the requests, for three reasons:
//   - The library never frees the rate-limit bucket of an interaction's token, and
//     puts all edits of answers into one bucket.
//   - It holds a lock while it waits for a rate limit, and takes no context.
//   - It cannot set the flag for Components V2 when it edits a message.
//
// The library also reconnects forever, even after Discord has rejected the bot for
// good. So [Adapter.Run] does the reconnecting. Package gateway drops the messages
// that would crash the process inside the library.
//
// There are three kinds of addresses:
//   - "discord:m/<channel>/<message>" is a message.
//   - "discord:i/<application>/<token>" is the answer to an interaction, which can
//     be edited for fifteen minutes.
//   - "discord:c/<channel>" is a private chat.
package discord

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// prefix is the first part of every id and address of this platform.
const prefix = message.Prefix

// DefaultAPIBase is the default address of the API, up to /api/….
const DefaultAPIBase = "https://discord.com"

// Config holds the settings of an Adapter.
type Config struct {
	Commands []chat.Command // the commands that people type, in the order of lists
	Token    string         // the bot's token, without "Bot " before it
	APIBase  string         // address of the API; default: DefaultAPIBase
	Log      *slog.Logger
	// PublicKey is the application's public key, 64 hexadecimal digits. If it is set,
	// interactions arrive at ServeHTTP and not through the gateway.
	PublicKey string
	Shards    int          // number of gateway connections of all processes together; 0: the number Discord recommends
	HTTP      *http.Client // client for all requests; default: chat.Client
	Hold      chat.Holder  // decides which process runs a shard; default: chat.Alone
	// Eager removes the default gap between two deliveries. Only Discord's limits apply then.
	Eager bool
	// Shared reports that other processes use the token too.
	Shared bool
}

// Adapter connects the bot to Discord. It implements chat.Platform.
type Adapter struct {
	servers // a server's calendar

	commands []chat.Command // the commands that people type
	token    string
	log      *slog.Logger
	rest     *rest
	key      ed25519.PublicKey // public key of the application; nil: interactions arrive through the gateway
	shards   int
	hold     chat.Holder
	eager    bool
	patience time.Duration // how long to wait for a reply before the person sees that it comes later

	apart   atomic.Int32          // number of gateway connections that are missing
	taking  atomic.Pointer[taker] // receives the interactions of ServeHTTP; nil while Run doesn't run
	pending sync.Map              // an interaction's token → chan struct{}, closed once it is answered

	presses presses
	replies replies

	app    atomic.Pointer[string]        // id of the application; nil: not known yet
	emojis atomic.Pointer[message.Cards] // the cards' emojis; nil: cards are shown as text

	shut  shut  // people and channels that the bot cannot write to
	plain plain // channels where the bot cannot send pictures
	easel *face.Easel

	dms cache.Cache[string, string] // a person's id → the channel of their direct messages
}

// maxDMs is the size of the cache of direct message channels.
const maxDMs = 20_000

// New returns an adapter. It sends no request yet.
func New(c Config) (*Adapter, error) {
	if c.Token == "" {
		return nil, errors.New("discord: no token")
	}
	base, err := url.Parse(cmp.Or(c.APIBase, DefaultAPIBase))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("discord: the API's address must be like %s", DefaultAPIBase)
	}
	var key ed25519.PublicKey
	if c.PublicKey != "" {
		if key, err = publicKey(c.PublicKey); err != nil {
			return nil, err
		}
	}
	if c.Hold == nil {
		c.Hold = chat.Alone
	}
	if c.HTTP == nil {
		c.HTTP = chat.Client()
	}
	a := &Adapter{
		commands: c.Commands,
		key:      key,
		shards:   c.Shards,
		hold:     c.Hold,
		eager:    c.Eager,
		token:    strings.TrimPrefix(c.Token, "Bot "),
		log:      c.Log,
		rest: &rest{
			http:  c.HTTP,
			base:  strings.TrimSuffix(base.String(), "/") + "/api/v10",
			token: strings.TrimPrefix(c.Token, "Bot "),

			shared: c.Shared,
		},
		patience: patience,
		easel:    face.NewEasel(),
	}
	a.servers = servers{a.rest}
	return a, nil
}

// Name returns "discord".
func (*Adapter) Name() string { return strings.TrimSuffix(prefix, ":") }

// Ready returns an error if a connection to the gateway is missing.
func (a *Adapter) Ready() error {
	if a.apart.Load() > 0 {
		return errors.New("discord is not connected")
	}
	return nil
}

// Gap returns how long to wait before the next delivery to a target. It is a second in
// a channel and half a second in private, or longer if Discord asked for it. Discord
// takes about five messages and five edits in five seconds, in a channel and in private.
func (a *Adapter) Gap(to chat.Target) time.Duration {
	gap := time.Second
	switch {
	case a.eager:
		gap = 0
	case to.Player != "":
		gap = 500 * time.Millisecond
	}
	if channel := channelOf(to.Door); channel != "" {
		for _, limit := range []string{sendLimit(channel), editLimit(channel)} {
			gap = max(gap, a.rest.limits.wait(limit, false), a.rest.limits.wait(paceOf(limit), false))
		}
	}
	return gap
}

// sendLimit and editLimit name the rate limits of a channel: one for its new messages,
// one for edits of its messages.
func sendLimit(channel string) string { return "send " + channel }
func editLimit(channel string) string { return "edit " + channel }

// Lasts returns how long a message can be edited as often as needed. It is less than an
// hour: after an hour, Discord limits the edits of a message
// (error 30046 of https://discord.com/developers/docs/topics/opcodes-and-status-codes#json).
func (*Adapter) Lasts() time.Duration { return 55 * time.Minute }

// errAside reports that a message for one person in a channel has to be an answer to them.
var errAside = errors.New("discord has no messages for one person in a channel but answers")

// Reach returns an error for messages that one person should see in a channel: on Discord
// only answers can do that. It doesn't check whether a person accepts direct messages.
func (*Adapter) Reach(_ context.Context, to chat.Target) error {
	if to.Chat != "" && to.Player != "" {
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errAside}
	}
	return nil
}

// Link returns the message's address on the web.
// https://support.discord.com/hc/en-us/articles/206346498
func (a *Adapter) Link(home string, addr chat.Address) string {
	at, ok := strings.CutPrefix(string(addr), prefix+"m/")
	if !ok {
		return ""
	}
	guild := strings.TrimPrefix(home, prefix)
	if dm, ok := a.dms.Get(guild); ok && strings.HasPrefix(at, dm+"/") {
		guild = "@me" // the home of a private chat is the person's id
	}
	return "https://discord.com/channels/" + guild + "/" + at
}

// Abilities returns the champion's role, the servers' calendars, the link that adds the bot
// and the edits that answer presses.
func (a *Adapter) Abilities() chat.Abilities {
	return chat.Abilities{Marker: a, Calendar: a, Invite: a.Invite, Pressed: a.pressed}
}

// Invite returns a link that asks for a server, and adds the bot to it with the
// permissions that are set at Discord.
// https://discord.com/developers/docs/resources/application#install-links
func (a *Adapter) Invite() string {
	if app := a.app.Load(); app != nil {
		return "https://discord.com/oauth2/authorize?client_id=" + *app
	}
	return ""
}

// Spelling returns the command as a subcommand of the bot's only command, with the
// name that Discord shows in that language.
func (*Adapter) Spelling(c chat.Command, language string) string {
	name := c.Name
	if _, known := discordgo.Locales[discordgo.Locale(language)]; known {
		name = lang.For(language).Text("slash." + c.Name)
	}
	return "/" + rootCommand + " " + name
}

// Send posts a message. Discord posts only one message for each nonce.
func (a *Adapter) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if err := a.Reach(ctx, to); err != nil {
		return "", err
	}
	if to.Again {
		a.shut.forget(to.Chat + to.Player)
	}
	var channel string
	var sent struct {
		ID string `json:"id"`
	}
	err := a.shut.ask(to.Chat+to.Player, func() (err error) {
		if channel, err = a.channel(ctx, to); err != nil {
			return err
		}
		err = a.post(ctx, channel, s, nonce, &sent)
		if to.Chat == "" && (hasCode(err, codeUnknownChannel) || hasCode(err, codeNoAccess)) {
			// The channel may be the private chat of another bot, whose token was used before.
			player, _ := message.Snowflake(to.Player, prefix)
			if other, openErr := a.openDM(ctx, player); openErr == nil && other != channel {
				channel = other
				err = a.post(ctx, channel, s, nonce, &sent)
			}
		}
		return err
	})
	if err == nil && sent.ID == "" {
		err = errors.New("read discord's answer: a message without an id")
	}
	if err != nil {
		return "", deliveryError(err)
	}
	return messageAddress(channel, sent.ID), nil
}

// post posts a message in a channel and decodes the answer into sent.
func (a *Adapter) post(ctx context.Context, channel string, s screen.Screen, nonce string, sent any) error {
	return a.attempt(prefix+channel, &s, func(s *screen.Screen) error {
		m := a.draw(*s, true)
		m.Nonce, m.EnforceNonce = shortNonce(channel, nonce), true
		return a.rest.call(ctx, request{
			method: http.MethodPost,
			path:   "/channels/" + channel + "/messages",
			limit:  sendLimit(channel),
			leave:  1,
			body:   m,
		}, sent)
	})
}

// Door returns the address of a person's private chat. If neither this process nor the
// caller knows the address, Door opens the chat.
func (a *Adapter) Door(ctx context.Context, player string, known func() chat.Address) (chat.Address, error) {
	var channel string
	err := a.shut.ask(player, func() (err error) {
		channel, err = a.channel(ctx, chat.Target{Player: player, Door: known()})
		return err
	})
	if err != nil {
		return "", deliveryError(err)
	}
	return chat.Address(prefix + "c/" + channel), nil
}

// channel returns the id of the channel for messages to the target.
func (a *Adapter) channel(ctx context.Context, to chat.Target) (string, error) {
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
	if channel, _ := a.dms.Get(player); channel != "" {
		return channel, nil
	}
	if channel := channelOf(to.Door); channel != "" {
		a.dms.Put(player, channel, maxDMs)
		return channel, nil
	}
	return a.openDM(ctx, player)
}

// openDM opens a person's private chat and caches its channel. All processes share one
// limit. It leaves two of that limit's requests to other processes, so that three can ask at the same time.
func (a *Adapter) openDM(ctx context.Context, player string) (string, error) {
	var opened struct {
		ID string `json:"id"`
	}
	err := a.rest.call(ctx, request{
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
	a.dms.Put(player, opened.ID, maxDMs)
	return opened.ID, nil
}

// shortNonce returns a hash of the channel and the nonce. It has at most 25 characters,
// Discord's limit (https://discord.com/developers/docs/resources/message#create-message).
func shortNonce(channel, nonce string) string {
	sum := sha256.Sum256([]byte(channel + " " + nonce))
	return hex.EncodeToString(sum[:12])
}

// Edit changes the message at the address to show s.
func (a *Adapter) Edit(ctx context.Context, at chat.Address, s screen.Screen) error {
	r, err := a.at(ctx, at)
	if err != nil {
		return deliveryError(err)
	}
	r.method, r.limit = http.MethodPatch, editLimit(r.limit)
	edited := a.replies.message(at)
	pressed := a.presses.take(ctx, edited)
	err = a.attempt(prefix+r.channel, &s, func(s *screen.Screen) error {
		m := a.draw(*s, false)
		if pressed == nil && a.replies.shows(edited, m) {
			return nil
		}
		a.replies.forget(edited)
		if p := pressed; p != nil {
			pressed = nil
			if shown, err := answerWith(ctx, p, *s, m); shown || err != nil {
				return err
			}
		}
		r.body = m
		return a.change(ctx, r)
	})
	if hasCode(err, codeOldEdits) {
		// The caller posts the message again. The old one is deleted to avoid confusion; if that fails, it does no harm.
		_ = a.Delete(ctx, at)
	}
	return deliveryError(err)
}

// change sends a request about a message. If the thread of the message was archived,
// change reopens the thread first.
// https://discord.com/developers/docs/topics/threads#editing-&-deleting-threads
func (a *Adapter) change(ctx context.Context, r request) error {
	if r.channel == "" {
		return a.rest.call(ctx, r, nil)
	}
	return a.shut.ask(prefix+r.channel, func() error {
		err := a.rest.call(ctx, r, nil)
		if hasCode(err, codeArchived) {
			open := request{
				method: http.MethodPatch,
				path:   "/channels/" + r.channel,
				limit:  "open " + r.channel,
				body:   map[string]bool{"archived": false},
			}
			if err = a.rest.call(ctx, open, nil); err == nil {
				err = a.rest.call(ctx, r, nil)
			}
		}
		return err
	})
}

// Delete deletes the message at the address. It is no error if the message is already gone.
func (a *Adapter) Delete(ctx context.Context, at chat.Address) error {
	r, err := a.at(ctx, at)
	if err != nil {
		return deliveryError(err)
	}
	a.presses.deleted(a.replies.message(at))
	r.method = http.MethodDelete
	r.limit = "delete " + r.limit
	err = deliveryError(a.change(ctx, r))
	var d *chat.DeliveryError
	if errors.As(err, &d) && d.Fault == chat.Gone {
		return nil
	}
	return err
}

// at returns the start of a request about the message at an address. If that message is
// an answer that is still being sent, at waits for it: it cannot be changed earlier.
func (a *Adapter) at(ctx context.Context, at chat.Address) (request, error) {
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
		if answered, ok := a.pending.Load(second); ok {
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

// webhook returns the path for requests about an answered interaction
// (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages).
func webhook(app, token string) string {
	return "/webhooks/" + app + "/" + url.PathEscape(token)
}

func messageAddress(channel, id string) chat.Address {
	return chat.Address(prefix + "m/" + channel + "/" + id)
}

// channelOf returns the channel in a message's address or a Door, or "" for other addresses.
func channelOf(at chat.Address) string {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(string(at), prefix), "/")
	channel, _, _ := strings.Cut(rest, "/")
	if _, ok := message.Snowflake(channel, ""); !ok || kind != "m" && kind != "c" {
		return ""
	}
	return channel
}

func answerAddress(app, token string) chat.Address {
	return chat.Address(prefix + "i/" + app + "/" + token)
}

// malformed returns the error for an id that this adapter never made.
func malformed(what string) error {
	return &apiError{status: http.StatusBadRequest, text: "the " + what + " is none of discord's"}
}

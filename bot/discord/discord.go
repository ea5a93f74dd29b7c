// Package discord is the bot on Discord: slash commands and buttons come in
// through the gateway, in one connection or in several shards, or by Discord's
// signed requests to an HTTP endpoint, and screens go out as Components V2.
//
// The gateway is the library's, discordgo, and nothing else of it is used but
// its types. Requests are sent by a small client of our own ([rest]), for three
// reasons: the library keeps a rate-limit bucket for every interaction's token
// for ever and puts all edits of answers into one; it waits out limits with a
// lock held and knows no context; and it cannot say with an edit that the
// message is of the new kind. It reconnects for ever, too, even when Discord
// turned the bot away for good, so [Adapter.Run] does that itself; and what would
// end the process inside the library is kept from it (package gateway).
//
// Addresses are "discord:m/<channel>/<message>" for a message,
// "discord:i/<application>/<token>" for the answer to an interaction, which can
// be edited for fifteen minutes, and "discord:c/<channel>" for a private chat.
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
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
)

// prefix begins every id and address of this platform.
const prefix = "discord:"

// DefaultAPIBase is what stands before /api/… unless it is configured otherwise.
const DefaultAPIBase = "https://discord.com"

// Config is what an Adapter needs.
type Config struct {
	Token   string // the bot's, without "Bot " before it
	APIBase string // "" is DefaultAPIBase
	Log     *slog.Logger
	// PublicKey is the application's, 64 hexadecimal digits. With it interactions come to
	// ServeHTTP, and not through the gateway.
	PublicKey string
	Shards    int          // how many connections to the gateway all processes have together; 0: as Discord says
	HTTP      *http.Client // nil for one of the adapter's own
	Hold      chat.Holder  // decides which process has the connection of a shard; nil: chat.Alone
	// Eager leaves no gap between two deliveries: Discord says itself when there are too many.
	Eager bool
	// Shared says that other processes use the token too.
	Shared bool
}

// Adapter is the bot on Discord. It is a chat.Platform.
type Adapter struct {
	token    string
	log      *slog.Logger
	rest     *rest
	key      ed25519.PublicKey // nil: interactions come through the gateway
	shards   int
	hold     chat.Holder
	eager    bool
	patience time.Duration // how long an interaction waits for its reply before it is told to wait

	apart   atomic.Int32          // connections to the gateway that should be there and are not
	taking  atomic.Pointer[taker] // what ServeHTTP hands interactions to; nil when nobody takes them
	pending sync.Map              // an interaction's token → chan struct{}, closed once it is answered

	emojis atomic.Pointer[emojis] // of the cards; nil: cards are text

	shut  shut  // who cannot be written to
	plain plain // channels that take no pictures
	easel *face.Easel

	dms cache.Cache[string, string] // a person's id → the channel of his direct messages
}

// maxDMs is how many channels of direct messages are kept in mind.
const maxDMs = 20_000

// New makes an adapter. It sends nothing yet.
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
		c.HTTP = &http.Client{}
	}
	return &Adapter{
		key:    key,
		shards: c.Shards,
		hold:   c.Hold,
		eager:  c.Eager,
		token:  strings.TrimPrefix(c.Token, "Bot "),
		log:    chat.Sparing(c.Log),
		rest: &rest{
			http:  c.HTTP,
			base:  strings.TrimSuffix(base.String(), "/") + "/api/v10",
			token: strings.TrimPrefix(c.Token, "Bot "),

			shared: c.Shared,
		},
		patience: patience,
		easel:    face.NewEasel(),
	}, nil
}

// Name is "discord".
func (*Adapter) Name() string { return strings.TrimSuffix(prefix, ":") }

// Ready tells whether every connection to the gateway stands.
func (a *Adapter) Ready() error {
	if a.apart.Load() > 0 {
		return errors.New("discord is not connected")
	}
	return nil
}

// Gap is a second in a channel and half a second in private, or as long as Discord
// asked for: it takes about five messages and five edits in five seconds in either.
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

// What counts the new messages of a channel together, and the edits of its messages.
func sendLimit(channel string) string { return "send " + channel }
func editLimit(channel string) string { return "edit " + channel }

// Lasts is less than the hour after which Discord counts the edits of a message
// (error 30046 of https://discord.com/developers/docs/topics/opcodes-and-status-codes#json).
func (*Adapter) Lasts() time.Duration { return 55 * time.Minute }

// errAside: a message for one person in a channel that is no answer.
var errAside = errors.New("discord has no messages for one person in a channel but answers")

// Reach refuses asides: Discord has none but answers. Of direct messages it says nothing.
func (*Adapter) Reach(_ context.Context, to chat.Target) error {
	if to.Chat != "" && to.Player != "" {
		return &chat.DeliveryError{Fault: chat.Unreachable, Err: errAside}
	}
	return nil
}

// Link is the message's address on the web.
// https://support.discord.com/hc/en-us/articles/206346498
func (a *Adapter) Link(home string, addr chat.Address) string {
	at, ok := strings.CutPrefix(string(addr), prefix+"m/")
	if !ok {
		return ""
	}
	guild := strings.TrimPrefix(home, prefix)
	if dm, ok := a.dms.Get(guild); ok && strings.HasPrefix(at, dm+"/") {
		guild = "@me" // a private chat is its own home, and has the person's id
	}
	return "https://discord.com/channels/" + guild + "/" + at
}

// Spelling is the command as a subcommand of the bot's only one, by the name that
// Discord shows to readers of the language.
func (*Adapter) Spelling(c chat.Command, language string) string {
	name := c.Name
	if _, known := discordgo.Locales[discordgo.Locale(language)]; known {
		name = lang.For(language).Text("slash." + c.Name)
	}
	return "/" + rootCommand + " " + name
}

// Send posts a message, once for each nonce.
func (a *Adapter) Send(ctx context.Context, to chat.Target, s view.Screen, nonce string) (chat.Address, error) {
	if err := a.Reach(ctx, to); err != nil {
		return "", err
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
			// It may be the private chat of the bot whose token was used before.
			player, _ := snowflake(to.Player, prefix)
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

// post posts a message in a channel, and reads the answer into sent.
func (a *Adapter) post(ctx context.Context, channel string, s view.Screen, nonce string, sent any) error {
	return a.attempt(prefix+channel, &s, func(s *view.Screen) error {
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

// Door returns the address of the person's private chat. It opens that chat if
// neither this process nor the caller knows it.
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

// channel finds where a message to the target goes.
func (a *Adapter) channel(ctx context.Context, to chat.Target) (string, error) {
	if to.Chat != "" {
		id, ok := snowflake(to.Chat, prefix)
		if !ok {
			return "", malformed("chat")
		}
		return id, nil
	}
	player, ok := snowflake(to.Player, prefix)
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

// openDM opens a person's private chat. All processes do so under one limit: any of
// three may send its request before it knows of the others'.
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
	if _, ok := snowflake(opened.ID, ""); !ok {
		return "", errors.New("read discord's answer: a channel without an id")
	}
	a.dms.Put(player, opened.ID, maxDMs)
	return opened.ID, nil
}

// shortNonce is a nonce of at most 25 characters, as Discord wants it
// (https://discord.com/developers/docs/resources/message#create-message). It is
// another one for each channel.
func shortNonce(channel, nonce string) string {
	sum := sha256.Sum256([]byte(channel + " " + nonce))
	return hex.EncodeToString(sum[:12])
}

// Edit makes the message at the address show s.
func (a *Adapter) Edit(ctx context.Context, at chat.Address, s view.Screen) error {
	r, err := a.at(ctx, at)
	if err != nil {
		return deliveryError(err)
	}
	r.method, r.limit = http.MethodPatch, editLimit(r.limit)
	err = a.attempt(prefix+r.channel, &s, func(s *view.Screen) error {
		r.body = a.draw(*s, false)
		return a.change(ctx, r)
	})
	if hasCode(err, codeOldEdits) {
		// It will be posted anew. Two tables would confuse; but if this one has to stay it does no harm.
		_ = a.Delete(ctx, at)
	}
	return deliveryError(err)
}

// change sends a request about a message. A thread that was archived meanwhile is
// opened again for it.
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

// Delete removes the message at the address.
func (a *Adapter) Delete(ctx context.Context, at chat.Address) error {
	r, err := a.at(ctx, at)
	if err != nil {
		return deliveryError(err)
	}
	r.method = http.MethodDelete
	r.limit = "delete " + r.limit
	err = deliveryError(a.change(ctx, r))
	var d *chat.DeliveryError
	if errors.As(err, &d) && d.Fault == chat.Gone {
		return nil
	}
	return err
}

// at begins a request about the message at an address. An answer that is still
// being given is waited for: it can only be changed once it is there.
func (a *Adapter) at(ctx context.Context, at chat.Address) (request, error) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(string(at), prefix), "/")
	first, second, _ := strings.Cut(rest, "/")
	_, ok := snowflake(first, "")
	switch {
	case !ok:
	case kind == "m":
		if _, ok := snowflake(second, ""); ok {
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

// webhook is the path of everything about an answered interaction
// (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages).
func webhook(app, token string) string {
	return "/webhooks/" + app + "/" + url.PathEscape(token)
}

func messageAddress(channel, message string) chat.Address {
	return chat.Address(prefix + "m/" + channel + "/" + message)
}

// channelOf returns the channel of a message's address or a Door, "" for any other.
func channelOf(at chat.Address) string {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(string(at), prefix), "/")
	channel, _, _ := strings.Cut(rest, "/")
	if _, ok := snowflake(channel, ""); !ok || kind != "m" && kind != "c" {
		return ""
	}
	return channel
}

func answerAddress(app, token string) chat.Address {
	return chat.Address(prefix + "i/" + app + "/" + token)
}

// snowflake is one of Discord's ids without what stands before it.
func snowflake(id, before string) (string, bool) {
	digits, ok := strings.CutPrefix(id, before)
	return digits, ok && digits != "" && len(digits) <= 20 && strings.Trim(digits, "0123456789") == ""
}

// malformed is the error for an id that this adapter never made.
func malformed(what string) error {
	return &apiError{status: http.StatusBadRequest, text: "the " + what + " is none of discord's"}
}

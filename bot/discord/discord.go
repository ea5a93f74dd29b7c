// Package discord connects the bot to Discord. Slash commands and buttons arrive
// through the gateway, over one connection or several shards, or as Discord's
// signed requests to an HTTP endpoint. Screens are sent as Components V2.
//
// Of the library, discordgo, only the types of commands and members are used.
// Messages and interactions have types of our own, which are encoded and decoded
// once (see package message and gateway.New). An edit may be the answer to a press (see
// presses). A small client of our own ([client]) sends the requests, for three reasons:
//   - The library never frees the rate-limit bucket of an interaction's token, and
//     puts all edits of answers into one bucket.
//   - It holds a lock while it waits for a rate limit, and takes no context.
//   - It cannot set the flag for Components V2 when it edits a message.
//
// The library's gateway crashes the process at some messages, decodes each event three times, and reconnects forever, even
// after Discord has rejected the bot for good. Package gateway takes its place, and [Adapter.Run] does the reconnecting.
//
// There are three kinds of addresses:
//   - "discord:m/<channel>/<message>" is a message.
//   - "discord:i/<application>/<token>" is the answer to an interaction, which can
//     be edited for fifteen minutes.
//   - "discord:c/<channel>" is a private chat.
package discord

import (
	"cmp"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/gateway"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
)

// prefix is the first part of every id and address of this platform.
const prefix = message.Prefix

// platform is the name of this platform.
const platform = "discord"

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
	Shards    int           // number of gateway connections of all processes together; 0: the number Discord recommends
	HTTP      *http.Client  // client for all requests; default: http.DefaultClient
	Dial      gateway.Dial  // opens the gateway's connections
	Election  chat.Election // decides which process runs a shard; default: chat.Alone
	// Turns decides which process begins sessions. It is an election in which nobody takes the place of a process that was killed
	// before five seconds are over: it may have begun a session just before. Default: Election.
	Turns chat.Election
	// Agree keeps the number of gateway connections of all processes together, if Discord recommends it. Default: this process
	// is alone.
	Agree chat.Agree
	// Eager removes the default gap between two deliveries, and the line for the limit of all requests. Only what Discord
	// answers holds the adapter back then.
	Eager bool
	// Shared reports that other processes use the token too.
	Shared bool
	// Exchange shares the limit of all requests with those processes. nil: each counts for itself.
	Exchange budget.Exchange
	// Easel draws the pictures. If several adapters have the same one, they share what it keeps. nil: one of its own.
	Easel message.Easel
}

// Adapter connects the bot to Discord. It implements chat.Platform.
type Adapter struct {
	outbox

	client    *client
	commands  []chat.Command // the commands that people type
	secret    string         // the bot's token
	dial      gateway.Dial
	token     chat.Token // what Discord says about it
	log       *slog.Logger
	key       ed25519.PublicKey // public key of the application; nil: interactions arrive through the gateway
	shards    int
	election  chat.Election
	turns     chat.Election
	agree     chat.Agree
	replyWait time.Duration // see replier
	gap       time.Duration // identifyGap, or less in a test
	exchange  budget.Exchange
	part      *budget.Quota // this process's part of the limit of all requests; nil without exchange

	missing  atomic.Pointer[atomic.Int32] // number of gateway connections that are missing
	before   atomic.Pointer[atomic.Int32] // the same of the number of shards before a change, while its sessions last; else nil
	receiver atomic.Pointer[receiver]     // receives the interactions of ServeHTTP; nil while Run doesn't run
	asked    atomic.Pointer[gatewayInfo]  // what Discord has just said, for the first session
	app      atomic.Pointer[string]       // id of the application; nil: not known yet, or only its owner can add the bot
}

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
	if c.Election == nil {
		c.Election = chat.Alone
	}
	if c.Turns == nil {
		c.Turns = c.Election
	}
	if c.Agree == nil {
		c.Agree = chat.AgreeAlone()
	}
	if c.HTTP == nil {
		c.HTTP = http.DefaultClient
	}
	token := strings.TrimPrefix(c.Token, "Bot ")
	a := &Adapter{
		client: &client{
			http:     c.HTTP,
			base:     strings.TrimSuffix(base.String(), "/") + "/api/v10",
			token:    token,
			shared:   c.Shared,
			line:     budget.NewFairQueue[string](overall, window),
			invalids: invalids{log: c.Log},
		},
		exchange:  c.Exchange,
		commands:  c.Commands,
		key:       key,
		shards:    c.Shards,
		election:  c.Election,
		turns:     c.Turns,
		agree:     c.Agree,
		secret:    token,
		dial:      c.Dial,
		log:       c.Log,
		replyWait: replyWait,
		gap:       identifyGap,
	}
	a.missing.Store(new(atomic.Int32))
	if c.Eager {
		a.client.line = nil
	}
	if c.Exchange != nil && !c.Eager {
		a.part = budget.NewQuota(a.client.line, rand.Text(), nil)
	}
	a.outbox = outbox{client: a.client, log: c.Log, eager: c.Eager, easel: cmp.Or[message.Easel](c.Easel, face.NewEasel())}
	return a, nil
}

// Name returns "discord".
func (*Adapter) Name() string { return platform }

// Ready returns an error if Discord hasn't accepted the token, or if nothing arrives: a connection to the gateway is
// missing, or ServeHTTP takes no interactions.
func (a *Adapter) Ready() error {
	if !a.token.Good() || !a.connected() || a.key != nil && a.receiver.Load() == nil {
		return errors.New("discord is not connected")
	}
	return nil
}

// connected reports whether all of the gateway is heard: by the present sessions, or by those of the number of shards
// before.
func (a *Adapter) connected() bool {
	before := a.before.Load()
	return a.missing.Load().Load() == 0 || before != nil && before.Load() == 0
}

// Abilities returns the champion's role, the servers' calendars, the link that adds the bot and the edits that answer presses.
func (a *Adapter) Abilities() chat.Abilities {
	return chat.Abilities{Marker: a, Invite: a.Invite, Pressed: a.answersPress, Pictured: a.pictured, Refused: a.refusedLately}
}

// refusedLately returns how many answers of the last ten minutes Discord counts against this address.
func (a *Adapter) refusedLately() int { return a.client.invalids.count(time.Now()) }

// Invite returns a link that asks for a server, and adds the bot to it with the permissions that are set at Discord. It returns
// "" if only the application's owner can add the bot.
// https://discord.com/developers/docs/resources/application#install-links
func (a *Adapter) Invite() string {
	if app := a.app.Load(); app != nil {
		return "https://discord.com/oauth2/authorize?client_id=" + *app
	}
	return ""
}

// Spelling returns the command as a subcommand of the bot's only command, in its group, with the
// names that Discord shows in that language.
func (*Adapter) Spelling(c chat.Command, language string) string {
	name, group := cmp.Or(c.In, c.Name), c.Group
	if _, known := discordgo.Locales[discordgo.Locale(language)]; known {
		name = lang.For(language).Text(spelled(c))
		if group != "" {
			group = lang.For(language).Text("slash." + group)
		}
	}
	if group != "" {
		name = group + " " + name
	}
	return "/" + rootCommand + " " + name
}

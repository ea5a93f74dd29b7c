// Package telegram is the bot on Telegram: the Bot API by long polling or by
// webhook (https://core.telegram.org/bots/api), over telegram-bot-api.
//
// That library is of December 2021 and knows no contexts. So it does what it
// does well, encoding a call and reading its answer (MakeRequest), through an
// HTTP client that carries each call's context. Newer parameters are sent as
// they are, updates are decoded into types of our own, and the loop that polls
// is ours: it receives without waiting for the shell, and acknowledges an update
// after it was handled (see intake.go).
//
// # Where things are shown
//
// A chat is "telegram:-1009", a topic of a forum "telegram:-1009/17", a person
// and his private chat with the bot "telegram:4211". Telegram shows a
// screen to one person in his private chat, and where a group and the server
// allow it as an ephemeral message there (see aside.go). What is private and can
// be delivered in neither way is not delivered: the group sees at most a sentence
// without content that asks him to open that chat.
//
// # The token
//
// Every address of the Bot API contains the token, and so do the network
// errors of net/http. They are stripped in the one place that makes requests.
package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
)

// Base is where Telegram's own Bot API server is.
const Base = "https://api.telegram.org"

// Config is what an Adapter needs. Token and Log are required.
type Config struct {
	Token string
	Base  string       // what stands before /bot<token>/…; "" for Base
	HTTP  *http.Client // nil for one of the adapter's own; its Timeout must exceed a long poll
	Log   *slog.Logger
	// Eager holds nothing back until the server asks for it the first time,
	// with retry_after; from then on the published limits are kept.
	Eager bool
	// Webhook is where Telegram reaches the adapter's ServeHTTP. With Push it
	// sends its updates there; else the bot polls, and removes that webhook.
	Webhook string
	Push    bool
	// Hold is who decides which of many processes polls: another ends its polls. nil: chat.Alone.
	Hold chat.Holder
}

// Adapter is the bot on Telegram. It is a chat.Platform.
type Adapter struct {
	token    string
	webhook  string
	push     bool
	hold     chat.Holder
	hearing  atomic.Pointer[hearing] // nil when no updates are taken by webhook
	endpoint string                  // as the library wants it: a format of the token and the method
	http     *http.Client
	log      *slog.Logger
	limits   *limits
	api      atomic.Pointer[tgbotapi.BotAPI] // nil until Telegram accepted the token
	asides   asides
	rights   rights
	photos   photos
	easel    *face.Easel
	pressed  pressed
	nodding  atomic.Bool                   // the server knows reactions, as far as is known
	invited  cache.Cache[string, struct{}] // who was asked in which chat to open the private one
	replying sync.WaitGroup
	slots    chan struct{} // bounds the goroutines that deliver replies
	shrugs   chan struct{} // bounds those that answer people who press too fast
	apart    atomic.Bool   // Run runs, and Telegram was not heard of lately
}

var _ chat.Platform = (*Adapter)(nil)

// What turns the bot away for good. Run returns them wrapped or as they are.
var (
	// ErrToken: Telegram doesn't know the token.
	ErrToken = errors.New("telegram does not accept the token: copy it again from @BotFather into telegram.token, or remove it to run without Telegram")
	// ErrConflict: another process polls with the same token.
	ErrConflict = errors.New("another process uses the same Telegram token: stop it, or give each a bot of its own in telegram.token")
	// ErrWebhook: the token's updates go to a web server.
	ErrWebhook = errors.New("the Telegram token has a webhook set by another program: stop that program and remove the webhook (method deleteWebhook), or give this one a bot of its own in telegram.token; this bot's own webhook is removed when telegram.webhook_url names it")
)

// repliesAtOnce bounds the replies that are on their way at the same time.
const repliesAtOnce = 64

// shrugsAtOnce bounds the answers to people who press too fast: as many as one
// of them may have in hand.
const shrugsAtOnce = batchLimit

// New makes an Adapter. It asks nothing of Telegram yet: Run does.
func New(c Config) (*Adapter, error) {
	if c.Token == "" || strings.Trim(c.Token, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:_-") != "" {
		return nil, ErrToken
	}
	base := strings.TrimRight(c.Base, "/")
	if base == "" {
		base = Base
	}
	if u, err := url.Parse(base); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, errors.New("telegram.api_base is not an address such as " + Base)
	}
	a := &Adapter{
		token:    c.Token,
		endpoint: strings.ReplaceAll(base, "%", "%%") + "/bot%s/%s",
		http:     c.HTTP,
		log:      chat.Sparing(c.Log),
		limits:   newLimits(c.Eager),
		slots:    make(chan struct{}, repliesAtOnce),
		shrugs:   make(chan struct{}, shrugsAtOnce),
		webhook:  c.Webhook,
		push:     c.Push,
		hold:     c.Hold,
		easel:    face.NewEasel(),
	}
	a.nodding.Store(true)
	if a.hold == nil || a.push {
		a.hold = chat.Alone
	}
	if a.http == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = repliesAtOnce
		a.http = &http.Client{Transport: transport}
	}
	return a, nil
}

// Name is "telegram".
func (a *Adapter) Name() string { return "telegram" }

// grace is how long what is in hand may take after a stop.
const grace = 8 * time.Second

// Run receives until ctx ends; what is in hand then is finished, within 8 s. It
// waits for a Telegram that cannot be reached. Its errors are ErrToken,
// ErrConflict and ErrWebhook.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) error {
	defer a.http.CloseIdleConnections()
	a.apart.Store(true)
	defer a.apart.Store(false)
	if err := a.connect(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	return a.hold(ctx, "telegram", func(ctx context.Context) error { return a.receive(ctx, h) })
}

// receive takes updates until ctx ends, and finishes what is in hand.
func (a *Adapter) receive(ctx context.Context, h chat.Handler) error {
	publishCommands(ctx, a)
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(grace, cancel)
		context.AfterFunc(work, func() { timer.Stop() })
	})
	defer stop()
	defer a.rights.open(work)()
	defer a.replying.Wait()
	if a.push {
		return a.hear(ctx, work, h)
	}
	return a.poll(ctx, work, h)
}

// Ready tells whether Telegram could be reached when it was asked last.
func (a *Adapter) Ready() error {
	if a.apart.Load() {
		return errors.New("telegram cannot be reached")
	}
	return nil
}

// connect waits until Telegram answered who the bot is.
func (a *Adapter) connect(ctx context.Context) error {
	var pause backoff
	for ctx.Err() == nil {
		limited, cancel := context.WithTimeout(ctx, callTimeout)
		api, err := tgbotapi.NewBotAPIWithClient(a.token, a.endpoint, carrier{limited, a})
		cancel()
		if err == nil {
			a.api.Store(api)
			a.apart.Store(false)
			a.log.Info("connected to telegram", "bot", api.Self.UserName)
			return nil
		}
		if turned := turnedAway(err); turned != nil {
			return turned
		}
		if ctx.Err() == nil {
			a.log.Warn("telegram cannot be reached, trying again", "err", clean(err))
		}
		pause.wait(ctx, retryAfter(err))
	}
	return nil
}

// unconnected is the error of whatever is asked for before connect is done: a screen
// of that time would hold addresses without the bot's name.
func (a *Adapter) unconnected() error {
	if a.api.Load() == nil {
		return fault(errNotConnected, 0)
	}
	return nil
}

// username is the bot's name in addresses, or "" before it is known.
func (a *Adapter) username() string {
	if api := a.api.Load(); api != nil {
		return api.Self.UserName
	}
	return ""
}

// deepLink leads to the private chat with the bot.
// https://core.telegram.org/bots/features#deep-linking
func (a *Adapter) deepLink(payload string) string {
	return fmt.Sprintf("https://t.me/%s?start=%s", a.username(), payload)
}

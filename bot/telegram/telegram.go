// Package telegram is the bot on Telegram: the Bot API by long polling or by
// webhook (https://core.telegram.org/bots/api), over telegram-bot-api.
//
// That library dates from December 2021 and doesn't support contexts. So this
// package uses it only to encode a call and to decode its answer (MakeRequest),
// through an HTTP client that carries each call's context. Newer parameters are
// passed through, updates are decoded into our own types, and the polling loop
// is ours. It receives updates without waiting for the shell, and acknowledges
// each one after it was handled (see intake.go).
//
// # Where things are shown
//
// A chat has the id "telegram:-1009" and a topic of a forum "telegram:-1009/17".
// A person and their private chat with the bot share the id "telegram:4211".
// The bot shows a screen to one person in their private chat. If the group and
// the server allow it, it can use an ephemeral message in the group instead (see
// ephemeral.go). If neither works, the private screen isn't delivered. The group then
// sees at most a sentence without content that asks the person to open their
// private chat.
//
// # The token
//
// Every URL of the Bot API contains the token, and so do the network errors of
// net/http. The one place that makes requests strips the token from them.
package telegram

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot/budget"
	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/telegram/rates"
)

// Base is the address of Telegram's own Bot API server.
const Base = "https://api.telegram.org"

// Config holds the settings of an Adapter. Token and Log are required.
type Config struct {
	Commands []chat.Command // the commands that people type, in the order of lists
	Token    string
	Base     string       // address before /bot<token>/…; "" means Base
	HTTP     *http.Client // its Timeout must exceed a long poll; default: http.DefaultClient
	Log      *slog.Logger
	// Eager turns rate limiting off until the server first answers with
	// retry_after. From then on the bot keeps to the published limits.
	Eager bool
	// Webhook is the URL at which Telegram reaches the adapter's ServeHTTP. With
	// Push, Telegram sends updates there; otherwise the bot removes that webhook and polls.
	Webhook string
	Push    bool
	// Pages is the https address of the tables' pages, which private chats open as a Mini
	// App; "": they follow links.
	Pages string
	// App is the short name of the Mini App that groups open; "": none.
	App string
	// Picture returns an address from which Telegram can load a picture, where none can be uploaded. nil: those places get words.
	Picture func(ctx context.Context, p face.Picture) (string, error)
	// Election decides which of several processes polls, since two would end each
	// other's polls. nil means chat.Alone.
	Election chat.Election
	// Agree remembers what Telegram was told about the bot, so that a start tells only what has changed. nil means
	// chat.AgreeAlone.
	Agree chat.Agree
	// Exchange shares the rate limits with the other processes that use the token. nil: there are none.
	Exchange budget.Exchange
	// Easel draws the pictures. If several adapters have the same one, they share what it keeps. nil: one of its own.
	Easel Easel
}

// Easel draws pictures. A name identifies a picture's content.
type Easel interface {
	Named(name string, p face.Picture) []byte
}

// Adapter connects the bot to Telegram. It implements chat.Platform.
type Adapter struct {
	outbox

	client   *client
	replier  replier
	rights   rights
	commands []chat.Command // the commands that people type
	webhook  string
	push     bool
	election chat.Election
	agree    chat.Agree
	exchange budget.Exchange               // nil: no other process uses the token
	part     *budget.Quota                 // this process's part of the limits; nil without exchange
	listener atomic.Pointer[listener]      // nil while the webhook takes no updates
	reports  chan struct{}                 // holds a value if all reports have arrived since report looked
	excused  cache.Cache[int64, time.Time] // when each chat was told that the bot was away
	log      *slog.Logger
	token    chat.Token  // what Telegram says about the bot's token
	offline  atomic.Bool // this process is the one that receives, but the last attempt to reach Telegram failed
}

var _ chat.Platform = (*Adapter)(nil)

// The reasons why Telegram gives the bot no updates.
var (
	// ErrToken reports that Telegram doesn't know the token.
	ErrToken = errors.New("telegram does not accept the token: copy it again from @BotFather into telegram.token, or remove it to run without Telegram")
	// errConflict reports that another process polls with the same token.
	errConflict = errors.New("another process uses the same Telegram token: stop it, or give each a bot of its own in telegram.token")
	// errWebhook reports that the token's updates go to another program's webhook.
	errWebhook = errors.New("the Telegram token has a webhook set by another program: stop that program and remove the webhook (method deleteWebhook), or give this one a bot of its own in telegram.token; this bot's own webhook is removed when telegram.webhook_url names it")
)

// New returns an Adapter. It makes no calls; Run does.
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
		client: &client{
			token:    c.Token,
			endpoint: strings.ReplaceAll(base, "%", "%%") + "/bot%s/%s",
			http:     c.HTTP,
			log:      c.Log,
		},
		commands: c.Commands,
		webhook:  c.Webhook,
		push:     c.Push,
		election: c.Election,
		agree:    c.Agree,
		exchange: c.Exchange,
		reports:  make(chan struct{}, 1),
		log:      c.Log,
	}
	if a.election == nil || a.push {
		a.election = chat.Alone
	}
	if a.agree == nil {
		a.agree = chat.AgreeAlone()
	}
	if a.client.http == nil {
		a.client.http = http.DefaultClient
	}
	a.outbox = outbox{client: a.client, log: c.Log, limits: rates.New(c.Eager), easel: cmp.Or[Easel](c.Easel, face.NewEasel()), pages: c.Pages, app: c.App, picture: c.Picture}
	a.replier = replier{
		outbox: &a.outbox,
		log:    c.Log,
		slots:  make(chan struct{}, maxReplies),
		empty:  make(chan struct{}, maxEmpty),
	}
	if a.exchange != nil {
		a.part = a.outbox.limits.Divide(rand.Text())
	}
	a.rights = rights{client: a.client}
	return a, nil
}

// Name returns "telegram".
func (a *Adapter) Name() string { return "telegram" }

// finishTimeout is the time that pending updates get to finish after a stop.
const finishTimeout = 6 * time.Second

// Run receives updates until ctx ends, and then finishes the pending ones within
// 6 s. If Telegram can't be reached, or if the updates go to another program, Run keeps
// trying. Its only error is ErrToken.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) error {
	defer a.client.http.CloseIdleConnections()
	if a.part != nil {
		defer budget.Keep(ctx, a.part, a.Name(), a.exchange, a.log)()
	} else {
		defer a.begin(ctx)()
	}
	if err := a.connect(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	return a.election(ctx, "telegram", func(ctx context.Context) error { return a.receive(ctx, h) })
}

// begin remembers that the only process with this token runs, until it calls the function that begin returns. If the process
// before this one was killed, nobody knows what it sent in its last minute.
func (a *Adapter) begin(ctx context.Context) (end func()) {
	const name = "telegram runs"
	killed := false
	if _, err := a.agree(ctx, name, func(now int) int { killed = now > 0; return 1 }); err != nil || killed {
		a.outbox.limits.Follow()
	}
	return func() { _, _ = a.agree(context.WithoutCancel(ctx), name, func(int) int { return 0 }) }
}

// receive takes updates until ctx ends, and then finishes the pending ones.
func (a *Adapter) receive(ctx context.Context, h chat.Handler) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var published sync.WaitGroup
	defer published.Wait()
	defer end()
	published.Go(func() { a.publish(ctx) })
	published.Go(func() { a.report(ctx, h) })
	defer a.offline.Store(false)
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(finishTimeout, cancel)
		context.AfterFunc(work, func() { timer.Stop() })
	})
	defer stop()
	defer a.rights.open(work)()
	defer a.replier.running.Wait()
	if a.push {
		return a.listen(ctx, work, h)
	}
	return a.poll(ctx, work, h)
}

// Ready returns an error if Telegram hasn't accepted the token, if the last attempt to reach it failed, or if ServeHTTP
// should take the updates and doesn't.
func (a *Adapter) Ready() error {
	if !a.token.Good() || a.offline.Load() || a.push && a.listener.Load() == nil {
		return errors.New("telegram cannot be reached")
	}
	return nil
}

// connect retries until Telegram accepts the token and returns the bot's name.
// It returns an error only if a retry can't help.
func (a *Adapter) connect(ctx context.Context) error {
	var pause backOff
	for ctx.Err() == nil {
		api, err := a.client.open(ctx)
		if err == nil {
			a.client.api.Store(api)
			a.token.Accept()
			a.log.Info("connected to telegram", "bot", api.Self.UserName)
			return nil
		}
		if errors.Is(withheld(err), ErrToken) && a.token.Refuse(time.Now()) {
			return ErrToken
		}
		if ctx.Err() == nil {
			a.log.Warn("telegram cannot be reached, trying again", "err", clean(err))
		}
		pause.wait(ctx, retryAfter(err))
	}
	return nil
}

// Abilities returns the members' tags, the link that adds the bot, and whether people can ask the bot in other chats.
func (a *Adapter) Abilities() chat.Abilities {
	return chat.Abilities{Marker: a, Invite: a.Invite, Posts: a.client.inline, Pictured: mayBePhoto}
}

// Invite returns a link that asks for a group, and adds the bot to it, or "" if the bot's owner lets nobody add it. Without a
// payload, Telegram sends no command there.
// https://core.telegram.org/bots/features#deep-linking
func (a *Adapter) Invite() string {
	api := a.client.api.Load()
	if api == nil || !api.Self.CanJoinGroups {
		return ""
	}
	return "https://t.me/" + api.Self.UserName + "?startgroup"
}

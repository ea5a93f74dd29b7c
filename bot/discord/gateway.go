package discord

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"sedmabot/bot/chat"
)

const (
	// openTimeout is how long connecting may take, from the dial to Discord's READY.
	openTimeout = 30 * time.Second
	// dialTimeout is how long a connection to the gateway may take to stand. A dial
	// that began during an outage must not wait long after its end.
	dialTimeout = 5 * time.Second
	// shortestBackOff and longestBackOff are the times between two attempts. The
	// library may close a connection twice, once for reading and once for writing:
	// the second time has to come before the next connection.
	shortestBackOff = 300 * time.Millisecond
	longestBackOff  = 2 * time.Minute
	// outageBackOff is the longest time between two attempts while Discord cannot be
	// reached: such an attempt counts against no limit of Discord's.
	outageBackOff = 3 * time.Second
	// finishTimeout is how long the interactions at hand may take after Run was told to stop.
	finishTimeout = 5 * time.Second
)

// refusals are the close codes after which Discord would never take the bot
// back, and what to do about them
// (https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
var refusals = map[int]string{
	4004: badToken,
	4010: "the shard is invalid",
	4011: "the bot is in too many servers for its connections: set discord.shards to auto",
	4012: "the gateway's version is not offered any more: a newer sedmabot is needed",
	4013: "the intents are invalid: a newer sedmabot is needed",
	4014: "the intents are not allowed to this bot: see Bot, Privileged Gateway Intents, at https://discord.com/developers/applications",
}

const badToken = "the token was refused: put the one from https://discord.com/developers/applications (Bot, Reset Token) into discord.token"

// Run takes what people do from Discord and hands it to h, until ctx ends or
// Discord turns the bot away for good. It waits for the interactions at hand.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	d := &desk{Adapter: a, h: h, work: work, queues: map[string]*queue{}}
	app, err := a.prepare(ctx)
	switch {
	case err != nil || ctx.Err() != nil:
	case a.key != nil:
		if app != nil {
			a.registerInTurn(ctx, *app, &d.busy)
		}
		a.listen(ctx, d.take)
	default:
		err = a.connect(ctx, app, d.take, d.tell)
	}
	d.stop()
	timer := time.AfterFunc(finishTimeout, cancel)
	defer timer.Stop()
	d.busy.Wait()
	return err
}

// backOff is the time between attempts to reach Discord.
type backOff struct{ last time.Duration }

// again logs what failed and waits. It reports false when ctx ends first.
func (b *backOff) again(ctx context.Context, a *Adapter, what string, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	b.last = chat.BackOff{First: shortestBackOff, Most: longestBackOff}.After(b.last)
	if isOutage(err) {
		b.last = min(b.last, outageBackOff)
	}
	a.log.Warn(what, "platform", a.Name(), "again_in", b.last, "err", err)
	return chat.Pause(ctx, b.last)
}

// isOutage reports whether Discord could not be reached, or did not work.
func isOutage(err error) bool {
	var e *apiError
	return errors.Is(err, errReach) || errors.As(err, &e) && e.status >= 500
}

// teller hears that the bot was removed from a server, or is there.
type teller func(guild string, what chat.Presence)

// stay keeps the connection of a shard until ctx ends, and calls take with each
// interaction, and tell with what Discord says of the bot's servers.
func (a *Adapter) stay(ctx context.Context, sh shard, take taker, tell teller) error {
	a.apart.Add(1)
	defer a.apart.Add(-1)
	var wait backOff
	var s *session
	var begun time.Time // when the latest session began
	for {
		var err error
		if s != nil {
			err = s.open(ctx, a.gateway)
		} else if s, err = a.prepareSession(ctx, sh, begun, take, tell); s != nil {
			if err = a.inTurn(ctx, sh, s); !isOutage(err) {
				begun = time.Now()
			}
		}
		var closed *websocket.CloseError
		switch {
		case err == nil:
			a.apart.Add(-1)
			a.log.With("shard", sh.id).Info("connected to discord", "shards", sh.count)
			select {
			case <-s.lost:
				a.apart.Add(1)
			case <-ctx.Done():
				a.apart.Add(1)
				s.hangUp()
				return nil
			}
			err = errors.New("the connection ended")
		case errors.As(err, &closed):
			if why := refusals[closed.Code]; why != "" {
				return errors.New("discord: " + why)
			}
			s = nil // the session may be what Discord did not like: begin another instead of resuming
		}
		if s != nil && s.ready.Swap(false) {
			wait = backOff{}
		}
		if s != nil && s.invalid.Load() {
			s = nil
		}
		if !wait.again(ctx, a, "connecting to discord again", err) {
			return nil
		}
	}
}

// prepareSession makes a session that may begin now, by Discord's limits.
func (a *Adapter) prepareSession(ctx context.Context, sh shard, last time.Time, take taker, tell teller) (*session, error) {
	info, err := a.gatewayInfo(ctx)
	if err != nil {
		return nil, err
	}
	if wait := info.Limit.wait(sh, last); wait > 0 {
		a.log.Info("waiting until a session may begin", "platform", a.Name(), "shard", sh.id, "for", wait)
		if !chat.Pause(ctx, wait) {
			return nil, ctx.Err()
		}
	}
	return newSession(a.token, sh, a.read(take), tell)
}

// prepare checks the token as soon as Discord can be reached, and returns the
// application if its commands have to be registered.
func (a *Adapter) prepare(ctx context.Context) (*application, error) {
	a.apart.Add(1)
	defer a.apart.Add(-1)
	for wait := (backOff{}); ; {
		app, err := a.introduce(ctx)
		var e *apiError
		switch {
		case err == nil, errors.Is(err, errPublicKey):
			return app, err
		case errors.As(err, &e) && e.status == http.StatusUnauthorized:
			return nil, errors.New("discord: " + badToken)
		case !wait.again(ctx, a, "cannot reach discord yet", err):
			return nil, nil
		}
	}
}

// introduce is one attempt of prepare.
func (a *Adapter) introduce(ctx context.Context) (*application, error) {
	app, err := a.application(ctx)
	if err != nil {
		return nil, err
	}
	if a.key != nil && app.Key != "" && !strings.EqualFold(app.Key, hex.EncodeToString(a.key)) {
		return nil, errPublicKey
	}
	if all, err := a.listEmojis(ctx, app.ID); err != nil {
		a.log.Warn("the cards are text: discord does not tell of the emojis", "platform", a.Name(), "err", err)
	} else if cards := cardsAmong(all); len(cards) > 0 {
		a.emojis.Store(&cards)
	}
	if same, err := a.registered(ctx, app); same || err != nil && isRetry(deliveryError(err)) {
		return nil, err
	}
	return &app, nil
}

// read hands over what the gateway says of an interaction.
func (a *Adapter) read(take taker) func(data []byte) {
	return func(data []byte) {
		it, err := readInteraction(data)
		if err != nil {
			a.log.Warn("discord sent an interaction that cannot be read", "err", err)
			return
		}
		_ = take(it) // Discord tells people who get no answer
	}
}

// session is a session on the gateway, over one connection after the other.
type session struct {
	dg      *discordgo.Session
	lost    chan struct{} // gets a value when a connection ended
	ready   atomic.Bool   // Discord said READY or RESUMED on this connection
	invalid atomic.Bool   // Discord ended the session: it cannot be resumed
	address string        // of the gateway
	hangUp  func()        // ends the connection for good, without the second for which the library waits
}

// newSession makes a session of the library's that logs nothing, keeps nothing
// and leaves reconnecting to us.
func newSession(token string, sh shard, take func(data []byte), tell teller) (*session, error) {
	dg, err := discordgo.New("Bot " + token)
	if err != nil {
		return nil, err
	}
	dg.LogLevel = -1 // it would write to standard error, and with debugging the token
	dg.StateEnabled = false
	dg.ShouldReconnectOnError = false
	dg.ShouldReconnectVoiceOnSessionError = false
	dg.ShouldRetryOnRateLimit = false
	dg.MaxRestRetries = 0
	dg.SyncEvents = true
	dg.ShardID, dg.ShardCount = sh.id, sh.count
	dg.Identify.Intents = discordgo.IntentsGuilds // interactions come without any; this one tells of servers that come and go
	s := &session{dg: dg, lost: make(chan struct{}, 1)}
	// The raw event: what the library makes of an interaction has no data when
	// its message holds a component that the library does not know.
	dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		switch e.Type {
		case "READY", "RESUMED":
			s.ready.Store(true)
		case "INTERACTION_CREATE":
			take(e.RawData)
		case "GUILD_CREATE":
			tellOf(e.RawData, chat.Back, tell)
		case "GUILD_DELETE":
			tellOf(e.RawData, chat.Removed, tell)
		}
	})
	dg.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case s.lost <- struct{}{}:
		default:
		}
	})
	return s, nil
}

// tellOf passes on what Discord says of one of the bot's servers. One that is
// unavailable has an outage: that says nothing
// (https://discord.com/developers/docs/events/gateway-events#guild-delete).
func tellOf(data []byte, what chat.Presence, tell teller) {
	var guild struct {
		ID          string `json:"id"`
		Unavailable bool   `json:"unavailable"`
	}
	if json.Unmarshal(data, &guild) == nil && guild.ID != "" && !guild.Unavailable {
		tell(guild.ID, what)
	}
}

// open connects, through a sieve. It does not outlast ctx, which the library knows
// nothing of: the one request that it makes, for the gateway's address, is answered
// here, and the connection is cut when ctx ends while it is being opened.
func (s *session) open(ctx context.Context, gateway func(context.Context) (string, error)) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	keep := func() bool { return true }
	s.dg.Client = &http.Client{Transport: roundTrip(func() (string, error) {
		address, err := gateway(ctx)
		s.address = strings.TrimSuffix(address, "/") + "/?v=" + discordgo.APIVersion + "&encoding=json"
		return "ws://sieve", err
	})}
	s.dg.Dialer = &websocket.Dialer{
		HandshakeTimeout: openTimeout,
		NetDialContext: func(context.Context, string, string) (net.Conn, error) {
			c, hangUp, err := sift(ctx, s.address, &s.invalid)
			if err == nil {
				s.hangUp = hangUp
				keep = context.AfterFunc(ctx, func() { c.Close() })
			}
			return c, err
		},
	}
	select {
	case <-s.lost: // of the connection before
	default:
	}
	err := s.dg.Open()
	if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
		return nil
	}
	if !keep() && err == nil {
		return ctx.Err() // it was cut just now; the next attempt or the end of ctx sorts it out
	}
	return err
}

// roundTrip answers the library's request for the gateway's address.
type roundTrip func() (string, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	address, err := f()
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]string{"url": address})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status:     "200 OK",
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
		Request:    r,
	}, nil
}
